"""Bayes regret of the construction of Theorem 2, exactly: Bernoulli losses, rational epsilon.

One cell (x*, m), x* uniform, has mean 1/2 - epsilon; every other mean is 1/2. (The paper draws y* from
{ceil(23m/24), ..., m}, which is {m} for m < 24.) A learner sees Bernoulli losses and is charged means, so it
wants many *hits* of the cell: regret = epsilon (most hits possible - expected hits).

A sample of the cell (x, m) leaves the window full of x. The next sample is x again, one step later, or
another arm after m plays of it. Nothing is learnt in between, and more steps to go are never worse, so no
learner does better by waiting. After an arm gave a zeros and b ones in its cell, the hypothesis "it is x*"
has the unnormalised weight W = (1 + 2 epsilon)^a (1 - 2 epsilon)^b. Only ratios matter, so counts are reduced
until the least a and the least b are 0; arms that do not fill the window are sorted. With t steps to go, v_t
homogeneous in W,

    v_t = max over arms of   W + (v_{t-s}(a + 1) + v_{t-s}(b + 1)) / 2,   s = 1 or m the steps to its sample.

With 2 epsilon = P/Q, the numbers v_t Q^T (2Q)^t are integers: a reduction of a multiplies by Q + P, one
of b by Q - P, none by Q.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from tallyplan.errors import InstanceTooLarge, InvalidInput
from tallyplan.limits import Progress, silent
from tallyplan.model.rationals import natural, shown

Counts = tuple[int, int]  # how often a cell gave zero, and one
State = tuple[Counts | None, tuple[Counts, ...]]
"""The arm that fills the window, if that matters (m > 1) and there is one, and the others, sorted."""

MAX_STATES = 3_000_000  # with every number of steps to go


def bernoulli_regret(
    actions: int,
    memory: int,
    horizon: int,
    epsilon: Fraction,
    *,
    most: int = MAX_STATES,
    progress: Progress = silent,
) -> Fraction:
    """The least expected regret of any learner, exactly.

    >>> bernoulli_regret(2, 1, 2, Fraction(1, 4))  # one look, then the better guess
    Fraction(7, 32)

    Raises
    ------
    InvalidInput : numbers out of range; epsilon must lie in (0, 1/2], and m below 24.
    InstanceTooLarge : more than `most` situations.
    """
    for name, number, least in (("actions", actions, 1), ("memory", memory, 1), ("horizon", horizon, 0)):
        natural(number, name, least)
    if memory >= 24:
        raise InvalidInput(f"the memory is {memory}; from 24 on the paper's y* may be below m.")
    if not 0 < epsilon <= Fraction(1, 2):
        raise InvalidInput(f"epsilon is {epsilon}; it must be above 0 and at most 1/2.")
    game = _Game(actions, memory, horizon, *(2 * epsilon).as_integer_ratio(), most)
    hits = Fraction(game.value(progress), actions * (2 * game.Q * game.Q) ** horizon)
    return epsilon * (most_hits(memory, horizon) - hits)


def most_hits(memory: int, horizon: int) -> int:
    """How often T steps can hit the cell (x*, m)."""
    return max(0, horizon - memory + 1)


class _Play(NamedTuple):
    """The sample of an arm: the steps to it, its counts, and for the losses 0 and 1 what follows."""

    steps: int
    counts: Counts
    after: list[tuple[bool, int]]
    """Whether counts were reduced, and the number of the state."""


class _Game:
    """The states, numbered as they are met, and what can be done in each; the same for all steps to go."""

    def __init__(self, K: int, m: int, T: int, P: int, Q: int, most: int) -> None:
        self.K, self.m, self.T, self.P, self.Q, self.most = K, m, T, P, Q, most
        self._states: dict[State, int] = {(None, ((0, 0),) * K): 0}
        self._plays: dict[int, list[_Play]] = {}

    def value(self, progress: Progress) -> int:
        """v_T Q^T (2Q)^T at the root."""
        T, P, Q, layers = self.T, self.P, self.Q, self._reached(progress)
        better, worse, neutral, twice = (
            [int(base**n) for n in range(T + 1)] for base in (Q + P, Q - P, Q, 2 * Q)
        )
        values = [dict.fromkeys(layers[0], 0)]

        def worth(play: _Play, to_go: int) -> int:
            if play.steps > to_go:
                return 0
            later, (zeros, ones) = values[to_go - play.steps], play.counts
            hit = better[zeros] * worse[ones] * neutral[T - zeros - ones] * twice[to_go - play.steps + 1]
            (light, after_zero), (heavy, after_one) = play.after
            following = (Q + P if light else Q) * later[after_zero]
            following += (Q - P if heavy else Q) * later[after_one]
            return (hit + following) * twice[play.steps - 1]

        for to_go in range(1, T + 1):
            progress(f"best plays with {to_go} of {T} steps to go")
            best = {one: max(worth(play, to_go) for play in self._plays[one]) for one in layers[to_go]}
            values.append(best)
            if to_go >= self.m:
                values[to_go - self.m] = {}
        return values[T][0]

    def _reached(self, progress: Progress) -> dict[int, set[int]]:
        """For every number of steps to go the states that some learner can be in."""
        reached = defaultdict(set, {self.T: {0}})
        total = self.T  # there is about one at each step
        for to_go in range(self.T, 0, -1):
            total += len(reached[to_go]) - 1
            progress(f"{total} situations of the learner, {to_go} steps to go")
            if total > self.most:
                raise InstanceTooLarge(
                    f"the learner can be in more than {self.most} situations within {shown(self.T)} steps, "
                    "and no more can be listed."
                )
            states = list(self._states)
            for number in reached[to_go]:
                if number not in self._plays:
                    self._plays[number] = list(self._samples(states[number]))
                for play in self._plays[number]:
                    if play.steps <= to_go:
                        reached[to_go - play.steps].update(there for _, there in play.after)
        return reached

    def _samples(self, state: State) -> Iterator[_Play]:
        """What can be done; arms that are alike count once."""
        current, others = state
        if current is not None:
            yield self._play(1, current, others)
        for counts in dict.fromkeys(others):
            rest = list(others)
            rest.remove(counts)
            yield self._play(self.m, counts, rest if current is None else [current, *rest])

    def _play(self, steps: int, counts: Counts, rest: Iterable[Counts]) -> _Play:
        zeros, ones = counts
        after = [self._reduced([more, *rest]) for more in ((zeros + 1, ones), (zeros, ones + 1))]
        return _Play(steps, counts, after)

    def _reduced(self, arms: list[Counts]) -> tuple[bool, int]:
        """Whether the least count of zeros or of ones is now one, and the state without it."""
        less = [min(counts) for counts in zip(*arms, strict=True)]
        arms = [(zeros - less[0], ones - less[1]) for zeros, ones in arms]
        current, others = (arms[0], arms[1:]) if self.m > 1 else (None, arms)
        return any(less), self._states.setdefault((current, tuple(sorted(others))), len(self._states))
