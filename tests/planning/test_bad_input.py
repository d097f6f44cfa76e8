"""Bad questions get an error that says why, at once and before anything is allocated."""

import resource
import time
from collections.abc import Callable
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import pytest
from strategies import cyclic, plan

from tallyplan import InstanceTooLarge, InvalidInput, TallyingBandit, WeightedTallyBandit, replay, solve_many
from tallyplan.planning.cyclic import optimal_cyclic_policy
from tallyplan.planning.horizon import optimal_plan
from tallyplan.planning.mean_cycle import minimum_mean_cycle

BANDIT = TallyingBandit([["0", "1"], ["0", "1"]])
HUGE = TallyingBandit([["1/2"] * 40] * 10)
HUGE_RISING = TallyingBandit([["1/2"] * 39 + ["1"]] * 10)  # of which no arm can be left out
HUGE_WEIGHTED = WeightedTallyBandit([1] * 40, [dict.fromkeys(range(1, 41), 0)] * 10)


@contextmanager
def at_once(seconds=1.5, kilobytes=300_000):
    """The block takes little time and memory."""
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
    yield
    assert time.perf_counter() - began < seconds
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < kilobytes


ASKS: list[Callable[..., Any]] = [minimum_mean_cycle, partial(optimal_plan, horizon=3)]
OTHERS: list[Callable[..., Any]] = [partial(optimal_cyclic_policy, period=3), partial(replay, actions=[0])]
NO_BANDITS = [None, 1.5, [["0", "1"], ["0", "1"]], "u.json", TallyingBandit]
HORIZONS = [-1, 1.0, True, False, "3", None, np.True_, np.array([1, 2]), -(10**5000)]
STARTS = [[2], [0, -1], [0.0], [True], "0", 3, None, [None], [10**5000]]
REFUSED: dict[str, list[Callable[[], Any]]] = {
    "horizon": [partial(optimal_plan, BANDIT, horizon) for horizon in HORIZONS],
    "start": [partial(optimal_plan, BANDIT, 3, start) for start in STARTS],
    "period": [partial(optimal_cyclic_policy, BANDIT, period) for period in (0, -1, 1.0, True, "3", None)],
    "a bandit is needed": [partial(ask, table) for ask in ASKS + OTHERS for table in NO_BANDITS],
    "for tallying bandits": [
        partial(minimum_mean_cycle, HUGE_WEIGHTED, method=method) for method in ("two-arms", "bounds")
    ],
    "there is no method (None|'magic')": [
        partial(ask, BANDIT, method=name) for ask in ASKS for name in (None, "magic")
    ],
    "gap": [partial(ask, BANDIT, gap=gap) for ask in ASKS for gap in (-1, "much")],
    "time_limit": [partial(ask, BANDIT, time_limit=limit) for ask in ASKS for limit in (-1, float("nan"))],
    "this bandit has 10": [partial(minimum_mean_cycle, HUGE, method="two-arms")],
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_makes_no_sense_is_refused(words):
    for question in REFUSED[words]:
        with pytest.raises(InvalidInput, match=words):
            question()


def test_numpy_integers_are_integers():
    assert plan(BANDIT, np.int64(3), np.array([0, 1])).runs == plan(BANDIT, 3, [0, 1]).runs
    assert cyclic(BANDIT, np.int32(3)).period == 3


QUESTIONS = {
    "plan": lambda: optimal_plan(HUGE, 10**6, method="graph"),
    "plan from a full history": lambda: optimal_plan(HUGE, 5, [0] * 39, method="graph"),
    "plan that just fills the history": lambda: optimal_plan(HUGE, 39, method="graph"),
    "short plan": lambda: optimal_plan(HUGE, 25, method="graph"),
    "cycle": lambda: minimum_mean_cycle(HUGE, method="graph"),
    "plan of a weighted bandit": lambda: optimal_plan(HUGE_WEIGHTED, 100),
    "cycle of a weighted bandit": lambda: minimum_mean_cycle(HUGE_WEIGHTED),
    "cyclic": lambda: optimal_cyclic_policy(HUGE_RISING, 7),
    "long period": lambda: optimal_cyclic_policy(BANDIT, 10**15),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_beyond_memory_is_refused_before_anything_is_allocated(question):
    with at_once(), pytest.raises(InstanceTooLarge, match=r"(10\^\d+|\d [A-Z]?B).* available"):
        QUESTIONS[question]()


def test_a_tallying_bandit_beyond_memory_is_planned_without_the_graph():
    with at_once():
        assert minimum_mean_cycle(HUGE).value == HUGE.losses[0][0]
        assert optimal_plan(HUGE, 10**6).value == 10**6 * HUGE.losses[0][0]
        assert plan(HUGE, 3).value == 3 * HUGE.losses[0][0]
    assert minimum_mean_cycle(BANDIT, method="two-arms").value == minimum_mean_cycle(BANDIT).value


@pytest.mark.parametrize(("actions", "memory"), [(60, 1), (60, 2), (1, 40_000)])
def test_many_arms_or_a_long_memory_are_no_obstacle(actions, memory):
    bandit = TallyingBandit([["1/2"] * memory] * actions)
    with at_once():
        assert minimum_mean_cycle(bandit).value == plan(bandit, 2).value / 2 == cyclic(bandit, 3).value
        assert next(solve_many([bandit], "plan", horizon=2)) == 1
