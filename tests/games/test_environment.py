"""The Gymnasium environment: without fault, exact in `info`, and solved by Q-learning to the optimum."""

import json
import subprocess
import sys
import warnings
from fractions import Fraction

import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import bandits, plan, tallying_bandits

import tallyplan.games.environment
from tallyplan import InvalidInput, make, replay
from tallyplan.games.feedback import Sampled

ID = tallyplan.games.environment.ID
ALTERNATE = make("counterexample-3")


def test_gymnasium_imports_us_by_the_id_alone(tmp_path):
    code = f"import gymnasium; print(gymnasium.make('tallyplan.games.environment:{ID}').unwrapped.horizon)"
    assert subprocess.check_output([sys.executable, "-c", code], cwd=tmp_path, text=True) == "100\n"


def environment(bandit=ALTERNATE, **options):
    return gymnasium.make(ID, bandit=bandit, **options)


@pytest.fixture(params=["gymnasium.utils", "stable_baselines3.common"])
def check(request):
    """A library's own check of environments; Stable-Baselines3 need not be installed (make extras)."""
    checker = pytest.importorskip(f"{request.param}.env_checker", reason=f"{request.param} is not installed")

    def check(env):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            checker.check_env(env.unwrapped)

    return check


@pytest.mark.parametrize("observation", ["state", "history", "tallies"])
@pytest.mark.parametrize("feedback", ["deterministic", "bernoulli", "beta"])
@pytest.mark.parametrize("size", [(1, 1), (3, 1), (2, 3), (3, 4)])
def test_no_library_finds_a_fault(check, observation, feedback, size):
    bandit = make("uniform", actions=size[0], memory=size[1])
    check(environment(bandit, feedback=feedback, observation=observation))


def test_all_histories_are_numbered_that_a_space_of_gymnasium_can_hold():
    """With two arms and m = 63 there are 2^63 - 1 histories, of 0 to 62 actions."""
    space = environment(make("equal-arms", actions=2, memory=63)).observation_space
    assert space.n == 2**63 - 1
    with pytest.raises(InvalidInput, match="too many to be numbered"):
        environment(make("equal-arms", actions=2, memory=64))


def test_a_history_is_a_vector_of_the_last_actions():
    for memory, before, after in ((1, [2], [2]), (2, [2], [1]), (4, [2] * 3, [2, 2, 1])):
        env = environment(make("equal-arms", actions=2, memory=memory), observation="history")
        assert (env.reset()[0].tolist(), env.step(1)[0].tolist()) == (before, after)


@settings(max_examples=15)
@given(tallying_bandits([(1, 1), (2, 1), (2, 3), (3, 2), (1, 3)]))
def test_the_model_is_the_environment(bandit):
    env = environment(bandit, horizon=30, feedback="deterministic")
    state, _ = env.reset()
    model = env.unwrapped.P
    assert set(model) == set(range(env.unwrapped.states)) == set(range(env.observation_space.n))
    rng = np.random.default_rng(0)
    for _ in range(30):
        action = int(rng.integers(bandit.actions))
        ((probability, following, mean_reward, terminated),) = model[int(state)][action]
        state, reward, ended, _, info = env.step(action)
        assert (probability, following, terminated) == (1.0, state, ended)
        assert mean_reward == -info["mean_loss"]
        assert reward == float(mean_reward)


@settings(max_examples=15)
@given(tallying_bandits([(2, 1), (2, 3), (3, 2)]), st.integers(0, 12))
def test_planning_on_the_model_gives_the_optimum(bandit, horizon):
    """Backward induction on P, exact, as a stranger would write it."""
    model = environment(bandit).unwrapped.P
    value = dict.fromkeys(model, Fraction(0))
    for _ in range(horizon):
        value = {
            state: max(reward + value[after] for ((_, after, reward, _),) in choices.values())
            for state, choices in model.items()
        }
    assert -value[0] == plan(bandit, horizon).value


def test_instances_come_as_files_tables_or_objects(tmp_path):
    path = tmp_path / "c3.json"
    path.write_text(json.dumps(ALTERNATE.to_json()))
    for source in (str(path), path, [["0", "1"], ["0", "1"]], ALTERNATE):
        assert environment(source).unwrapped.bandit == ALTERNATE
    coins = Sampled(lambda mean, plays, rng: [mean] * plays)
    env = environment(ALTERNATE, feedback=coins)
    env.reset(seed=0)
    assert env.step(1)[1] == 0


def test_bad_arguments_are_refused():
    for options in ({"horizon": 0}, {"feedback": "gauss"}, {"observation": "pixels"}, {"bandit": [[2]]}):
        with pytest.raises(InvalidInput):
            tallyplan.games.environment.TallyingBanditEnv(**options)
    env = tallyplan.games.environment.TallyingBanditEnv(horizon=1)
    env.reset(seed=0)
    env.step(0)
    with pytest.raises(InvalidInput, match="the game has 1"):
        env.step(0)
    with pytest.raises(InvalidInput, match="P is for at most"):
        _ = tallyplan.games.environment.TallyingBanditEnv([[0] * 25] * 2).P


@settings(max_examples=25)
@given(bandits(), st.lists(st.integers(0, 11), min_size=1, max_size=12))
def test_an_episode_ends_with_its_exact_regret(bandit, digits):
    actions = [digit % bandit.actions for digit in digits]
    env = environment(bandit, horizon=len(actions))
    for _ in range(2):
        env.reset(seed=1)
        for action in actions[:-1]:
            *_, info = env.step(action)
            assert "regret" not in info
        *_, info = env.step(actions[-1])
        assert info["optimum"] == plan(bandit, len(actions)).value
        assert info["regret"] == replay(bandit, actions) - info["optimum"] >= 0


def test_an_optimum_that_is_only_an_interval_is_a_pair():
    bandit = make("uniform", actions=5, memory=60, seed=1)
    env = environment(bandit, horizon=70, observation="tallies")
    env.reset(seed=0)
    for t in range(70):
        *_, info = env.step(t % 5)
    (low, high), (least, most) = info["optimum"], info["regret"]
    assert (least, most) == (max(0, info["total_loss"] - high), info["total_loss"] - low)
