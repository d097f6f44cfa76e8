"""Arms as automata, against brute force on the product graph that shares nothing with the planner."""

import random
from fractions import Fraction
from itertools import chain, product

import pytest
from brute_force import best_of_arms, product_of_arms

import tallyplan as tp
from tallyplan.games.environment import TallyingBanditEnv
from tallyplan.games.game import simulate
from tallyplan.games.learners.stepwise import Follow
from tallyplan.games.registry import find
from tallyplan.games.regret import regrets
from tallyplan.model.arms import graph_of_arms

SHARDS, EACH = 10, 100


def arms_of(rng):
    """A few small automata: forbidden plays, deadlines, absorbing and unreachable states, wide numbers."""
    unit = rng.choice([1, 2, 7, 10, 3**60, 3**80])
    forbidden, deadline, most = (rng.choice(some) for some in ([0, 0, 0.3], [0, 0, 0.3], [1, unit, unit]))
    arms = []
    for _ in range(rng.choice([1, 2, 2, 3])):
        n = rng.randint(1, 4)
        drawn = [Fraction(rng.randint(0, most), unit) for _ in range(n)]
        losses = [None if rng.random() < forbidden else loss for loss in drawn]
        losses[0] = losses[0] if any(loss is not None for loss in losses) else Fraction(1)
        rested = [
            None if loss is not None and rng.random() < deadline else rng.randrange(n) for loss in losses
        ]
        arms.append(tp.Arm(rng.randrange(n), [rng.randrange(n) for _ in range(n)], rested, losses))
    return arms if rng.random() < 0.8 else [arms[0]] * len(arms)


def karp(arms):
    """min over v of max over k of (F_n(v) - F_k(v)) / (n - k), F_k(v) the least sum of k edges into v."""
    graph = product_of_arms(arms)
    layers = [dict.fromkeys(graph, Fraction(0))]
    for _ in graph:
        ahead = {}
        for s, total in layers[-1].items():
            for _, to, loss in graph[s]:
                ahead[to] = min(total + loss, ahead.get(to, total + loss))
        layers.append(ahead)
    n, last = len(graph), layers[-1]
    return min(
        (max((last[v] - layers[k][v]) / (n - k) for k in range(n) if v in layers[k]) for v in last),
        default=None,
    )


def answer(ask, *arguments, **named):
    """The value of an answer, or None where there is no play; either way with an accepted certificate."""
    try:
        found = ask(*arguments, **named)
        certificate, value = found.certificate, found.value
    except tp.NoPlay as none:
        certificate, value = none.certificate, None
    assert tp.check(certificate), tp.check(certificate).reason
    return value


@pytest.mark.parametrize("shard", range(SHARDS))
def test_every_question_agrees_with_brute_force(shard):
    rng = random.Random(shard)
    for _ in range(EACH):
        bandit = tp.ArmBandit(arms_of(rng))
        given, mean = bandit.to_json(), karp(bandit.to_json()["arms"])
        steps, period, long = rng.randint(0, 10), rng.randint(1, 7), rng.choice([50, 10**3, 10**15])
        for horizon in (steps, long) if long == 50 else (steps,):
            claim = {"question": "horizon", "horizon": horizon, "start": []}
            assert answer(tp.optimal_plan, bandit, horizon) == best_of_arms(given, claim)
        assert answer(tp.minimum_mean_cycle, bandit) == mean
        claim = {"question": "cyclic", "period": period}
        assert answer(tp.optimal_cyclic_policy, bandit, period) == best_of_arms(given, claim)
        assert (answer(tp.optimal_plan, bandit, long) is None) == (mean is None)


def as_arms(bandit):
    """Arm x remembers in which of the last m - 1 steps it was played; the latest is the lowest digit."""
    size = 2 ** (bandit.memory - 1)
    rested = [2 * i % size for i in range(size)]
    played = [(2 * i + 1) % size for i in range(size)]
    return tp.ArmBandit(
        [tp.Arm(0, played, rested, [row[i.bit_count()] for i in range(size)]) for row in bandit.losses]
    )


@pytest.mark.parametrize(
    ("actions", "memory"), [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (2, 4), (3, 2), (3, 3)]
)
def test_a_tallying_bandit_written_as_arms_gives_the_same_answers(actions, memory):
    for seed in range(4):
        bandit = tp.make(
            "uniform", actions=actions, memory=memory, denominator=[2, 1000][seed % 2], seed=seed
        )
        arms = as_arms(bandit)
        full = [s for s in graph_of_arms(arms).states if sum(i.bit_count() for i in s) == memory - 1]
        assert len(full) == actions ** (memory - 1)
        assert answer(tp.minimum_mean_cycle, arms) == tp.minimum_mean_cycle(bandit).value
        for period in (1, 2, 3, 5):
            assert (
                answer(tp.optimal_cyclic_policy, arms, period)
                == tp.optimal_cyclic_policy(bandit, period).value
            )
        for start in chain.from_iterable(product(range(actions), repeat=n) for n in range(memory + 1)):
            for horizon in (0, 1, 2, 7, 10**9):
                own = tp.optimal_plan(bandit, horizon, start)
                assert answer(tp.optimal_plan, arms, horizon, start=start) == own.value
                assert tp.replay_runs(arms, own.runs, start) == own.value
                if horizon:
                    choices = (
                        tp.optimal_plan(b, horizon).policy.after(start, horizon) for b in (arms, bandit)
                    )
                    assert next(choices).losses == next(choices).losses


@pytest.mark.parametrize("seed", range(6))
def test_policies_and_games_of_arms_attain_the_optimum(seed):
    bandit = tp.make("recovering", actions=2 + seed % 2, states=3, denominator=10, seed=seed)
    plan, cycle = tp.optimal_plan(bandit, 40), tp.minimum_mean_cycle(bandit)
    assert simulate(bandit, Follow(plan.policy), 40).loss == plan.value
    long = simulate(bandit, Follow(cycle.policy), 10**4).loss
    assert abs(long - 10**4 * cycle.value) <= 50
    assert tp.optimal_plan(bandit, 40).policy.value([0, 1], 40) == tp.optimal_plan(bandit, 40, [0, 1]).value
    for row in cycle.policy.table():
        assert bandit.allowed(row["state"])[0] == 0
    for name in ("greedy-oracle", "round-robin", "best-constant", "ucb1", "exp3"):
        played = simulate(bandit, find(name).build(bandit), 200)
        assert played.loss == tp.replay_runs(bandit, played.runs)
        found = regrets(bandit, played.runs)
        assert found.complete == played.loss - tp.optimal_plan(bandit, 200).value >= 0
        assert found.traditional_complete >= 0
    with pytest.raises(tp.InvalidInput, match="an arm bandit has none"):
        simulate(bandit, find("alg-det").build(bandit), 200)


@pytest.mark.parametrize(
    ("family", "player"), [("rested-rotting", "greedy-oracle"), ("rested-rising", "best-constant")]
)
def test_rested_arms_are_an_allocation(family, player):
    """Only how often each arm is played matters: greedy is optimal if losses rise, one arm if they fall."""
    for seed, horizon in product(range(6), (1, 5, 30)):
        bandit = tp.make(family, actions=3, states=4, seed=seed)
        best = tp.optimal_plan(bandit, horizon).value
        assert simulate(bandit, find(player).build(bandit), horizon).loss == best


def test_a_policy_of_arms_is_read_back(tmp_path):
    bandit = tp.make("blocking", delays=[2, 3], rewards=[2, 1])
    for policy in (tp.minimum_mean_cycle(bandit).policy, tp.optimal_plan(bandit, 9).policy):
        policy.save(tmp_path / "policy.json")
        assert tp.load_policy(tmp_path / "policy.json").after([0], 5) == policy.after([0], 5)


def test_the_environment_shows_states_and_what_is_allowed():
    env = TallyingBanditEnv(tp.make("pinwheel", periods=[2, 4, 4]), horizon=4, feedback="deterministic")
    state, info = env.reset(seed=1)
    assert (state, info["state"], list(info["action_mask"])) == (0, (0, 0, 0), [1, 1, 1])
    state, _reward, _, _, info = env.step(1)
    assert info["state"] == env.bandit.state_after([1])
    assert list(info["action_mask"]) == [1, 0, 0]
    assert env.P[int(state)].keys() == {0}
    with pytest.raises(tp.InvalidInput, match="arm 0 may not rest in its state 1: it must be played"):
        env.step(2)


def test_a_product_beyond_memory_is_refused_before_it_is_taken(monkeypatch):
    monkeypatch.setattr("tallyplan.limits.available_memory", lambda: 2**22)
    bandit = tp.make("recovering", actions=8, states=40)
    with pytest.raises(tp.InstanceTooLarge, match="states of the arms or more"):
        tp.minimum_mean_cycle(bandit)


def test_plays_that_arms_forbid():
    once = tp.Arm(0, [1, None], [0, 1], [0, None])
    bandit = tp.ArmBandit([once, once])
    with pytest.raises(tp.InvalidInput, match="arm 0 may not be played in its state 1"):
        tp.replay(bandit, [0, 0])
    assert tp.replay(bandit, [0, 1]) == tp.optimal_plan(bandit, 2).value == 0
    with pytest.raises(tp.NoPlay, match="there is no play of 3 steps"):
        tp.optimal_plan(bandit, 3)
    with pytest.raises(tp.NoPlay, match="there is no play of 2 steps"):
        tp.optimal_plan(bandit, 2, start=[1])
    with pytest.raises(tp.NoPlay, match="no play goes on forever"):
        tp.minimum_mean_cycle(bandit)
    assert tp.ArmBandit(bandit.to_json()["arms"]) == bandit
