"""Time limits: whatever the moment at which the time is up, what comes back is proved, and comes at once."""

import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from tallyplan import (
    check,
    make,
    mean_of_word,
    minimum_mean_cycle,
    optimal_cyclic_policy,
    optimal_plan,
    replay,
)
from tallyplan.answers import Answer
from tallyplan.errors import InvalidInput
from tallyplan.limits import silent
from tallyplan.planning.effort import Effort, OutOfTimeError, deadline_after, limited, tick

START = [0, 1, 2] * 12
SMALL, THIRTY, FORTY, SIXTY = (
    make("uniform", actions=actions, memory=memory, seed=1)
    for actions, memory in ((2, 9), (3, 30), (3, 40), (2, 60))
)
QUESTIONS: dict[str, Callable[[int], Answer]] = {
    "cycle on the graph": lambda limit: minimum_mean_cycle(SMALL, method="graph", time_limit=limit),
    "two arms": lambda limit: minimum_mean_cycle(SIXTY, time_limit=limit),
    "more arms": lambda limit: minimum_mean_cycle(THIRTY, time_limit=limit),
    "plan on the graph": lambda limit: optimal_plan(SMALL, 10**9, method="graph", time_limit=limit),
    "plan of counts": lambda limit: optimal_plan(FORTY, 40, time_limit=limit),
    "plan after a long start": lambda limit: optimal_plan(FORTY, 41, START, time_limit=limit),
    "long plan": lambda limit: optimal_plan(FORTY, 10**6, START[:5], time_limit=limit),
    "cyclic": lambda limit: optimal_cyclic_policy(SMALL, 25, time_limit=limit),
}


class Clock:
    """A clock that goes on by one each time it is read."""

    def __init__(self):
        self.now = 0

    def __call__(self):
        self.now += 1
        return self.now


@pytest.fixture
def clock(monkeypatch):
    """Time is measured in questions about it."""
    clock = Clock()
    monkeypatch.setattr(time, "monotonic", clock)
    return clock


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("limit", [0, 7, 60, 300])
def test_whenever_the_time_is_up_the_answer_is_proved_and_work_ends(clock, question, limit):
    answer = QUESTIONS[question](limit)
    assert answer.lower <= answer.upper
    assert check(answer.certificate)
    assert clock.now <= limit + 60


@pytest.mark.parametrize("question", QUESTIONS)
def test_with_more_time_the_interval_is_no_wider(clock, question):
    answers = [QUESTIONS[question](limit) for limit in (0, 10**7)]
    assert answers[0].upper - answers[0].lower >= answers[1].upper - answers[1].lower


NEED_THE_GRAPH = [
    make("weighted-recency", actions=2, memory=5, ratio="1/2"),
    make("counterexample-2", memory=3, secret="0,1"),
]


@pytest.mark.parametrize("bandit", NEED_THE_GRAPH)
@pytest.mark.parametrize(("steps", "start"), [(100, ()), (100, (1, 0)), (1, None)])
def test_what_needs_the_graph_is_an_interval_without_it(clock, bandit, steps, start):
    """Plans of so many steps; no start: the long run."""

    def asked(limit):
        if start is None:
            return minimum_mean_cycle(bandit, time_limit=limit)
        return optimal_plan(bandit, steps, start, time_limit=limit)

    def constant(x):
        return mean_of_word(bandit, [x]) if start is None else replay(bandit, [x] * steps, start)

    answer, exact = asked(0), asked(10**7)
    assert answer.lower == steps * min(bandit.values()) <= exact.value <= answer.upper
    assert answer.upper == min(map(constant, range(bandit.actions)))
    assert check(answer.certificate, instance=bandit)
    answer.certificate["claim"]["lower"] = f"{max(1, steps - 1)}/1"
    assert not check(answer.certificate)


def test_a_limit_may_be_any_number_of_seconds_and_nothing_else():
    assert all(deadline_after(limit) > time.monotonic() for limit in (10**400, float("inf"), Fraction(99)))
    assert 40 < Effort.of(0, 100, silent).half().seconds_left() <= 50
    for wrong in ("3", True, [1], float("nan"), -1, np.array([1, 2])):
        with pytest.raises(InvalidInput, match="time_limit is"):
            deadline_after(wrong)


def test_the_inner_and_the_outer_limit_both_count(clock):
    with limited(10**6), limited(2):
        tick()
        with pytest.raises(OutOfTimeError):
            tick()
    with limited(2), limited(10**6), pytest.raises(OutOfTimeError):
        tick()
    tick()
