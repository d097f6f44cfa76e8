"""Every table of one size, with losses in {0, 1/levels, ..., 1}, in units of 1/levels: one row per table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from proofs_check.many_tables import table_of
from tallyplan.model.graph import Array
from tallyplan.model.instance import TallyingBandit
from tallyplan.planning.many_tables import closed_walks, least_walks


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
        """One row per table; column x m + y - 1 is h_x(y), in units of 1/levels."""
        cells = self.actions * self.memory
        numbers = np.arange((self.levels + 1) ** cells, dtype=np.int64)
        places = (self.levels + 1) ** np.arange(cells - 1, -1, -1, dtype=np.int64)
        return numbers[:, None] // places % (self.levels + 1)

    def bandit(self, row: int) -> TallyingBandit:
        """The table of this row."""
        return table_of([Fraction(int(value), self.levels) for value in self.losses[row]], self.memory)

    def optima(self, horizons: Sequence[int], start: Sequence[int] = ()) -> dict[int, Array]:
        """The least loss of each number of steps after the history `start`, of every table: OPT_T."""
        least = least_walks(self._tables, horizons, start).astype(np.int64)
        return dict(zip(horizons, least, strict=True))

    def least_period_losses(self, longest: int) -> dict[int, Array]:
        """L mu(pi*) of every table, for each period L = 1 .. longest: the cheapest closed walk of L steps."""
        return dict(enumerate(closed_walks(self._tables, longest).astype(np.int64), start=1))

    @property
    def _tables(self) -> Array:
        return self.losses.reshape(-1, self.actions, self.memory)
