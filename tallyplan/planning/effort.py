"""How a question is to be answered: by which method, how closely, and in what time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from fractions import Fraction
from numbers import Real
from typing import NamedTuple

from tallyplan.errors import InvalidInput, TimeLimitReached, did_you_mean
from tallyplan.limits import Progress, silent
from tallyplan.model.instance import Bandit, TallyingBandit, require_bandit
from tallyplan.model.rationals import rational, shown

CENTURY = 3 * 10**9  # seconds; a longer limit is none
WORK = 2 * 10**9  # rows read by the pivots of linear programs: a minute or two on most machines
METHODS = ("auto", "graph", "two-arms", "bounds")


class Effort(NamedTuple):
    """How far to go: stop at a relative gap, at a time on the monotonic clock, or after an amount of work.

    Work is counted in steps, so that without a time limit an answer does not depend on the machine.

    >>> Effort(gap=Fraction(1, 100)).enough(Fraction(99, 200), Fraction(1, 2))
    True
    """

    gap: Fraction = Fraction(0)
    deadline: float | None = None
    progress: Progress = silent
    work: int = WORK

    @classmethod
    def of(cls, gap: Fraction | float | str, time_limit: float | None, progress: Progress) -> Effort:
        """Read and checked, starting now, with `time_limit` seconds."""
        exact = rational(gap, "gap")
        if exact.numerator < 0:
            raise InvalidInput(f"gap is {shown(gap)}; it must be at least 0.")
        return cls(exact, deadline_after(time_limit), progress)

    def enough(self, lower: Fraction, upper: Fraction) -> bool:
        """Whether upper - lower <= gap * upper, which for gap 0 means exact."""
        return upper - lower <= self.gap * upper

    def half(self) -> Effort:
        """The same with half of the time that is left; or, without a deadline, half of the work."""
        if self.deadline is None:
            return self._replace(work=self.work // 2)
        now = time.monotonic()
        return self._replace(deadline=now + max(0.0, self.deadline - now) / 2)

    def seconds_left(self) -> float | None:
        """Until the deadline; None if there is none."""
        return None if self.deadline is None else self.deadline - time.monotonic()

    def out_of_time(self) -> bool:
        """Whether the deadline has passed."""
        return self.deadline is not None and time.monotonic() > self.deadline


def deadline_after(time_limit: float | None) -> float | None:
    """The time on the monotonic clock at which the limit, in seconds from now, is reached."""
    if time_limit is None:
        return None
    if isinstance(time_limit, bool) or not issubclass(type(time_limit), Real) or not time_limit >= 0:
        raise InvalidInput(f"time_limit is {shown(time_limit)}; it must be a number of seconds, at least 0.")
    return time.monotonic() + float(min(time_limit, CENTURY))


class OutOfTimeError(Exception):
    """The time limit has passed; caught where it can still be said what is proved."""


IS_OVER: ContextVar[Callable[[], bool]] = ContextVar("whether the question is to end", default=bool)


def limited(deadline: float | None) -> AbstractContextManager[None]:
    """Inside, `tick` raises OutOfTimeError once the deadline has passed, or that of a block around this one.

    >>> with limited(0.0):
    ...     tick()
    Traceback (most recent call last):
    tallyplan.planning.effort.OutOfTimeError
    """
    return nullcontext() if deadline is None else _limited(deadline)


@contextmanager
def _limited(deadline: float) -> Iterator[None]:
    outer = IS_OVER.get()
    before = IS_OVER.set(lambda: outer() or time.monotonic() > deadline)
    try:
        yield
    finally:
        IS_OVER.reset(before)


def tick() -> None:
    """Raise OutOfTimeError if a limit has passed: called by every loop that may be long."""
    if IS_OVER.get()():
        raise OutOfTimeError


def too_late() -> TimeLimitReached:
    """For arms nothing is known before the search ends; other bandits have an interval at once."""
    return TimeLimitReached("the time limit was reached before anything was proved about these arms.")


def known_method(method: object) -> None:
    """Refuse an unknown method."""
    if not isinstance(method, str) or method not in METHODS:
        guess = did_you_mean(method, METHODS)
        raise InvalidInput(f"there is no method {shown(method)}{guess} The methods are {', '.join(METHODS)}.")


def check_method(bandit: Bandit, method: str) -> None:
    """Refuse an unknown method, or one that does not apply to this bandit."""
    require_bandit(bandit)
    known_method(method)
    if method in ("two-arms", "bounds") and not isinstance(bandit, TallyingBandit):
        raise InvalidInput(f"the method {method!r} is for tallying bandits; this one needs the state graph.")
    if method == "two-arms" and bandit.actions != 2:
        raise InvalidInput(f"the method 'two-arms' is for two actions; this bandit has {bandit.actions}.")
