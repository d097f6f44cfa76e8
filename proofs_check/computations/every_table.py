"""All tables of one size at once: the plain recursions of the planners, as integer arrays.

A table holds losses in {0, 1/levels, ..., 1}; here they are counted in units of 1/levels, so that everything
is an integer. Row i of every array belongs to the i-th table. With V_t(s) the least cost of t steps from the
history s (the last m - 1 actions),

    V_0 = 0,    V_{t+1}(s) = min over a of h_a(tally) + V_t(successor(s, a)),

and the least cost of a closed walk of L steps gives L mu(pi*), the least loss of a cyclic word of length L.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from tallyplan.model.instance import TallyingBandit

Array = np.ndarray[Any, np.dtype[np.int64]]
UNREACHED = 2**40  # above every loss that occurs here


@dataclass(frozen=True)
class EveryTable:
    """Every table with K actions, memory m and losses in {0, 1/levels, ..., 1}, in lexicographic order.

    >>> small = EveryTable(actions=2, memory=2)
    >>> len(small.losses), small.bandit(1).losses[1]
    (16, (Fraction(0, 1), Fraction(1, 1)))
    """

    actions: int
    memory: int
    levels: int = 1

    @cached_property
    def losses(self) -> Array:
        """One row a table; column x m + y - 1 is h_x(y), in units of 1/levels."""
        cells = self.actions * self.memory
        numbers = np.arange((self.levels + 1) ** cells, dtype=np.int64)
        places = (self.levels + 1) ** np.arange(cells - 1, -1, -1, dtype=np.int64)
        return numbers[:, None] // places % (self.levels + 1)

    def bandit(self, row: int) -> TallyingBandit:
        """The table of this row."""
        values = [Fraction(int(value), self.levels) for value in self.losses[row]]
        m = self.memory
        return TallyingBandit([values[x * m : (x + 1) * m] for x in range(self.actions)])

    @cached_property
    def histories(self) -> list[tuple[int, ...]]:
        """The states: the last m - 1 actions, older ones first."""
        return list(product(range(self.actions), repeat=self.memory - 1))

    @cached_property
    def moves(self) -> list[tuple[list[int], list[int]]]:
        """For each action: from every state, the column of its loss and the state it leads to."""
        number = {history: i for i, history in enumerate(self.histories)}
        return [
            (
                [a * self.memory + history.count(a) for history in self.histories],
                [number[(*history, a)[1:]] for history in self.histories],
            )
            for a in range(self.actions)
        ]

    def step(self, values: Array) -> Array:
        """From V_t to V_{t+1}."""
        ways = [self.losses[:, cells] + values[:, successors] for cells, successors in self.moves]
        least: Array = np.minimum.reduce(ways)
        return least

    def values(self, most: int) -> Iterator[Array]:
        """V_0, V_1, ..., V_most; column s belongs to the history number s."""
        layer = np.zeros((len(self.losses), len(self.histories)), dtype=np.int64)
        for _ in range(most):
            yield layer
            layer = self.step(layer)
        yield layer

    def openings(self, length: int) -> Array:
        """What the words of this length lose from the empty history, one column a word; length < m."""
        words = product(range(self.actions), repeat=length)
        return np.stack(
            [
                self.losses[:, [a * self.memory + word[:t].count(a) for t, a in enumerate(word)]].sum(axis=1)
                for word in words
            ],
            axis=1,
        )

    def optima(self, horizons: Sequence[int]) -> dict[int, Array]:
        """OPT_T of every table, for each of the horizons."""
        head = self.memory - 1
        short = {T: self.openings(T).min(axis=1) for T in horizons if head > T}
        opening = self.openings(head)
        layers = enumerate(self.values(max(0, max(horizons) - head)), start=head)
        return short | {T: (opening + layer).min(axis=1) for T, layer in layers if T in horizons}

    def least_period_losses(self, longest: int) -> dict[int, Array]:
        """L mu(pi*) of every table, for each period L = 1 .. longest: the cheapest closed walk of L steps."""
        least = {L: np.full(len(self.losses), UNREACHED) for L in range(1, longest + 1)}
        for start in range(len(self.histories)):
            layer = np.full((len(self.losses), len(self.histories)), UNREACHED)
            layer[:, start] = 0
            for L in least:
                layer = self.step(layer)
                np.minimum(least[L], layer[:, start], out=least[L])
        return least
