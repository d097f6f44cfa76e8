"""The opening of a game: while nothing leaves the window, only counts matter.

After `start`, a history of l < m actions in which x occurs a_x times, nothing leaves the window for d = m -
l steps. Playing x c_x times among them costs h_x(a_x + 1) + ... + h_x(a_x + c_x), whatever the order. So the
least loss of T <= d steps is a knapsack over counts: exact for every memory, in O(K T^2) operations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

import numpy as np

from tallyplan.model.graph import Array, StateGraph, integer_type
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.words import Word
from tallyplan.planning.effort import tick


@dataclass(frozen=True)
class Opening:
    """The first steps after a history: what they cost by counts."""

    bandit: TallyingBandit
    start: Word

    @property
    def length(self) -> int:
        """d, the steps until the window is full."""
        return self.bandit.memory - len(self.start)

    def costs(self, action: int, steps: int) -> list[int]:
        """`[c]`: the integer cost of playing `action` c times, c = 0 .. steps <= d."""
        before = self.start.count(action)
        row = self.bandit.losses[action][before : before + steps]
        return list(accumulate(map(self.bandit.scaled, row), initial=0))

    def best(self, steps: int) -> tuple[Fraction, Word]:
        """The least loss of `steps` <= d steps, and how often each action is played in them.

        >>> Opening(TallyingBandit([["0", "1", "1"], ["1/2", "1/2", "1"]]), ()).best(3)
        (Fraction(1, 1), (1, 2))
        """
        kind = integer_type(steps * StateGraph(self.bandit).highest_cost)
        costs: list[Array] = [np.array(self.costs(x, steps), dtype=kind) for x in range(self.bandit.actions)]
        totals, tables = costs[0], []
        for row in costs[1:]:
            tables.append(totals)
            totals = _least_sums(totals, row)
        left, counts = steps, []
        for row, table in zip(reversed(costs[1:]), reversed(tables), strict=True):
            counts.append(int((row[: left + 1] + table[left::-1]).argmin()))
            left -= counts[-1]
        value = Fraction(int(totals[steps]), self.bandit.denominator)
        return value, (left, *reversed(counts))


def _least_sums(first: Array, second: Array) -> Array:
    """`[t]`: the least first[t - c] + second[c]."""
    sums: Array = np.empty_like(first)
    for t in range(len(first)):
        tick()
        sums[t] = (first[t::-1] + second[: t + 1]).min()
    return sums


def in_order(counts: Sequence[int]) -> Word:
    """A word with these counts."""
    return tuple(x for x, count in enumerate(counts) for _ in range(count))
