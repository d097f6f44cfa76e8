"""Stable-Baselines3 finds no fault with the environment, and its learners run; where it is installed."""

import warnings

import gymnasium
import pytest

import tallyplan.games.environment
from tallyplan import make, optimal_plan

checker = pytest.importorskip(
    "stable_baselines3.common.env_checker",
    reason="Stable-Baselines3 is not installed: pip install stable-baselines3 (make extras)",
)
ID = tallyplan.games.environment.ID


@pytest.mark.parametrize("observation", ["state", "history", "tallies"])
@pytest.mark.parametrize("size", [(1, 1), (3, 1), (2, 3), (3, 4)])
def test_its_checker_finds_no_fault(observation, size):
    bandit = make("uniform", actions=size[0], memory=size[1])
    env = gymnasium.make(ID, bandit=bandit, observation=observation)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checker.check_env(env.unwrapped)


@pytest.mark.parametrize("id", tallyplan.games.environment.PRESETS)
def test_its_checker_finds_no_fault_with_the_instances_of_the_paper(id):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checker.check_env(gymnasium.make(id).unwrapped)


@pytest.mark.parametrize("observation", ["state", "tallies"])
def test_ppo_learns_to_alternate(observation):
    """On Counterexample 3 the best sequence loses nothing; what was learnt has its exact regret in `info`."""
    from stable_baselines3 import PPO

    bandit = make("counterexample-3")
    env = gymnasium.make(ID, bandit=bandit, horizon=20, feedback="deterministic", observation=observation)
    model = PPO("MlpPolicy", env, n_steps=200, batch_size=100, gamma=0.9, seed=0, device="cpu")
    model.learn(4000)
    seen, info = env.reset(seed=1)
    truncated = False
    while not truncated:
        action, _ = model.predict(seen, deterministic=True)
        seen, _, _, truncated, info = env.step(int(action))
    assert info["optimum"] == optimal_plan(bandit, 20).value
    assert info["regret"] == 0
