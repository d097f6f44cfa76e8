"""Bad questions get an error that says why, at once and before anything is allocated."""

import resource
import time
from contextlib import contextmanager

import numpy as np
import pytest
from strategies import cyclic, plan

from tallyplan import InstanceTooLarge, InvalidInput, TallyingBandit, WeightedTallyBandit
from tallyplan.planning.cyclic import optimal_cyclic_policy
from tallyplan.planning.horizon import optimal_plan
from tallyplan.planning.mean_cycle import minimum_mean_cycle

BANDIT = TallyingBandit([["0", "1"], ["0", "1"]])
HUGE = TallyingBandit([["1/2"] * 40] * 10)


@contextmanager
def at_once(seconds=1.5, kilobytes=300_000):
    """The block takes little time and memory."""
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
    yield
    assert time.perf_counter() - began < seconds
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < kilobytes


@pytest.mark.parametrize(
    "horizon",
    [-1, 1.0, True, False, "3", None, np.True_, np.array([1, 2]), pytest.param(-(10**5000), id="minus huge")],
)
def test_a_horizon_that_is_not_a_count_is_refused(horizon):
    with pytest.raises(InvalidInput, match="horizon"):
        optimal_plan(BANDIT, horizon)


@pytest.mark.parametrize(
    "start", [[2], [0, -1], [0.0], [True], "0", 3, None, [None], pytest.param([10**5000], id="huge")]
)
def test_a_start_with_an_unknown_action_is_refused(start):
    with pytest.raises(InvalidInput, match="start"):
        optimal_plan(BANDIT, 3, start)


@pytest.mark.parametrize("period", [0, -1, 1.0, True, "3", None])
def test_a_period_that_is_not_positive_is_refused(period):
    with pytest.raises(InvalidInput, match="period"):
        optimal_cyclic_policy(BANDIT, period)


def test_numpy_integers_are_integers():
    assert plan(BANDIT, np.int64(3), np.array([0, 1])).runs == plan(BANDIT, 3, [0, 1]).runs
    assert cyclic(BANDIT, np.int32(3)).period == 3


QUESTIONS = {
    "plan": lambda: optimal_plan(HUGE, 10**6),
    "plan from a full history": lambda: optimal_plan(HUGE, 5, [0] * 39),
    "plan that just fills the history": lambda: optimal_plan(HUGE, 39),
    "short plan": lambda: optimal_plan(HUGE, 25),
    "cycle": lambda: minimum_mean_cycle(HUGE),
    "cyclic": lambda: optimal_cyclic_policy(HUGE, 7),
    "long period": lambda: optimal_cyclic_policy(BANDIT, 10**15),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_beyond_memory_is_refused_before_anything_is_allocated(question):
    with at_once(), pytest.raises(InstanceTooLarge, match=r"10\^\d+|\d [A-Z]?B"):
        QUESTIONS[question]()


def test_the_message_says_what_would_be_needed():
    with pytest.raises(InstanceTooLarge) as refusal:
        optimal_plan(HUGE, 10**6)
    assert "10^39 histories" in str(refusal.value)
    assert "10^41 B" in str(refusal.value)
    assert "available" in str(refusal.value)


def test_weighted_bandits_beyond_memory_are_refused():
    bandit = WeightedTallyBandit([1] * 40, [dict.fromkeys(range(1, 41), 0)] * 10)
    for question in (lambda: optimal_plan(bandit, 100), lambda: minimum_mean_cycle(bandit)):
        with at_once(), pytest.raises(InstanceTooLarge):
            question()


def test_a_short_game_of_a_huge_instance_is_planned():
    with at_once():
        assert plan(HUGE, 3).value == 3 * HUGE.losses[0][0]


@pytest.mark.parametrize("memory", [1, 2])
def test_many_arms_are_no_obstacle(memory):
    bandit = TallyingBandit([["1/2"] * memory] * 60)
    with at_once():
        assert minimum_mean_cycle(bandit).value == plan(bandit, 2).value / 2
