"""Policies: the exact cost of every alternative after every history, with any number of steps to go."""

import copy
import json
import pickle
from fractions import Fraction
from itertools import product

import exhaustive
import gymnasium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import bandits, in_plain_python, starts, tallying_bandits

import tallyplan.games.environment as environment
from tallyplan import InvalidInput, load_policy, make, minimum_mean_cycle, optimal_plan, replay

FAR = 10**12


def histories(bandit):
    return [
        history
        for length in range(bandit.memory)
        for history in product(range(bandit.actions), repeat=length)
    ]


@settings(max_examples=30)
@given(bandits(), st.integers(1, 7))
def test_the_cost_of_every_action_is_that_of_playing_it_and_then_optimally(bandit, steps):
    policy, distant = optimal_plan(bandit, 5).policy, optimal_plan(bandit, FAR).policy
    for history in starts(bandit):
        choice = policy.after(history, to_go=steps)
        for action, cost in enumerate(choice.losses):
            following = exhaustive.optimal_values(bandit, steps - 1, [*history, action])[-1]
            assert cost == replay(bandit, [action], history) + following
        assert choice.value == policy.value(history, steps) == optimal_plan(bandit, steps, history).value
        far = FAR - 5 * steps
        assert distant.value(history, far) == optimal_plan(bandit, far, history).value


@settings(max_examples=30)
@given(bandits(), st.integers(0, 60), st.sampled_from([0, 7, FAR]))
def test_whoever_follows_the_policy_loses_the_optimum(bandit, steps, prepared):
    policy = optimal_plan(bandit, prepared).policy
    for start in starts(bandit):
        played = list(start)
        for to_go in range(steps, 0, -1):
            played.append(policy.action(played, to_go))
        assert replay(bandit, played[len(start) :], start) == optimal_plan(bandit, steps, start).value


@settings(max_examples=40)
@given(bandits())
def test_the_long_run_policy_satisfies_its_equation_and_ends_in_an_optimal_cycle(bandit):
    answer = minimum_mean_cycle(bandit)
    policy = answer.policy
    for history in histories(bandit):
        choice = policy.after(history)
        assert choice.value == policy.value(history)
        for action, cost in enumerate(choice.losses):
            step = replay(bandit, [action], history) - answer.value
            assert cost == step + policy.value([*history, action])
    for start in starts(bandit):
        played, seen = list(start), {}
        while (now := tuple(played[len(played) - bandit.memory + 1 :])) not in seen or len(now) < (
            bandit.memory - 1
        ):
            seen[now] = len(played)
            played.append(policy.action(played))
        lap = played[seen[now] :]
        assert replay(bandit, lap, played[: seen[now]]) == len(lap) * answer.value


@settings(max_examples=15)
@given(tallying_bandits(sizes=[(2, 3), (3, 3), (2, 4)]))
def test_all_arithmetics_give_the_same_policies(bandit):
    def tables():
        plan = optimal_plan(bandit, 50)
        return plan.policy.table(50), plan.policy.table(3), minimum_mean_cycle(bandit).policy.table()

    usual = tables()
    with in_plain_python():
        assert tables() == usual


@settings(max_examples=15)
@given(bandits())
def test_saved_policies_are_the_same_when_loaded(tmp_path_factory, bandit):
    folder = tmp_path_factory.mktemp("policies")
    for policy, steps in ((optimal_plan(bandit, 30).policy, 9), (minimum_mean_cycle(bandit).policy, None)):
        policy.save(folder / "p.json")
        assert load_policy(folder / "p.json").table(steps) == policy.table(steps)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "x"}, "is not a policy"),
        ({"version": 9}, "version 9"),
        ({"policy": "horizon"}, "how many steps"),
        ({"instance": {}}, "losses"),
    ],
)
def test_a_file_that_is_no_policy_is_refused(tmp_path, change, words):
    path = tmp_path / "p.json"
    minimum_mean_cycle(make("counterexample-3")).policy.save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(InvalidInput, match=words):
        load_policy(path)


@pytest.mark.parametrize("kind", ["plan", "cycle"])
def test_a_policy_plays_the_environment(kind):
    bandit = make("uniform", actions=3, memory=3, seed=4)
    answer = optimal_plan(bandit, 40) if kind == "plan" else minimum_mean_cycle(bandit)
    env = gymnasium.make(environment.ID, bandit=bandit, horizon=40)
    _, info = env.reset(seed=0)
    truncated = False
    while not truncated:
        *_, truncated, info = env.step(answer.policy.action(info["history"], info["to_go"]))
    best = optimal_plan(bandit, 40).value
    assert info["total_loss"] == best if kind == "plan" else info["total_loss"] <= best + bandit.memory - 1


def test_the_table_has_a_row_per_history_and_is_a_dataframe():
    pandas = pytest.importorskip("pandas")
    policy = optimal_plan(make("counterexample-3"), 9).policy
    table = policy.to_dataframe(to_go=2)
    assert list(table.columns) == ["history", "action", "value", "loss_0", "loss_1"]
    assert isinstance(table, pandas.DataFrame)
    assert table["history"].tolist() == [(), (0,), (1,)]
    assert table["action"].tolist() == [0, 1, 0]
    assert table["loss_0"].tolist() == [Fraction(0), Fraction(1), Fraction(0)]


def test_what_cannot_be_asked_is_said():
    policy = optimal_plan(make("counterexample-3"), 9).policy
    with pytest.raises(InvalidInput, match="how many steps"):
        policy.action([0])
    with pytest.raises(InvalidInput, match="at least 1"):
        policy.action([0], to_go=0)
    with pytest.raises(InvalidInput, match="the actions are 0 to 1"):
        policy.after([2], to_go=1)
    with pytest.raises(InvalidInput, match="at most 100000"):
        minimum_mean_cycle(make("uniform", actions=2, memory=18)).policy.table()
    with pytest.raises(InvalidInput, match="without the state graph"):
        _ = minimum_mean_cycle(make("uniform", actions=2, memory=60)).policy


def test_a_copied_policy_equals_its_original_and_says_what_it_is_for():
    policy = optimal_plan(make("counterexample-3"), 5).policy
    policy.action([0], to_go=2)
    again = optimal_plan(make("counterexample-3"), 5).policy
    assert copy.copy(policy) == pickle.loads(pickle.dumps(policy)) == policy == again
    assert policy != optimal_plan(make("counterexample-3"), 6).policy
    assert "horizon=5" in repr(policy)
