"""Lists of loss tables with their own divisors, to ask many at once (`tallyplan.planning.many_tables`).

A table is a row of Km integers over its divisor, the loss h_x(y) in column x*m + y - 1. Only values are
computed: no plan, no certificate. What a claim reports about one table is confirmed by the planners.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tallyplan.model.graph import Array, integer_type
from tallyplan.model.instance import TallyingBandit

ENTRIES_AT_ONCE = 2**22  # of the largest array that numpy makes


def table_of(losses: Sequence[Fraction | int], memory: int) -> TallyingBandit:
    """The table whose losses stand in one row: h_1(1), ..., h_1(m), h_2(1), ..."""
    return TallyingBandit([losses[start : start + memory] for start in range(0, len(losses), memory)])


@dataclass(frozen=True)
class Tables:
    """Loss tables, at least one, as integer rows over their divisors."""

    rows: Sequence[Sequence[int]]
    divisors: Sequence[int]

    def integers(self, memory: int, times: int = 1) -> Array:
        """The rows as an array of shape (N, K, m), in a type for `times` an entry."""
        kind = integer_type(times * (max(map(max, self.rows)) + 1))
        found: Array = np.array(self.rows, dtype=kind).reshape(len(self.rows), -1, memory)
        return found

    def divided(self, values: Iterable[int], ratio: Fraction = Fraction(1)) -> list[Fraction]:
        """`ratio` times a value per table, in its unit."""
        return [ratio * int(value) / divisor for value, divisor in zip(values, self.divisors, strict=True)]


def pieces(tables: Array, work: int) -> Iterator[Array]:
    """Some tables at a time, so that arrays of `work` entries per table fit."""
    size = max(1, ENTRIES_AT_ONCE // work)
    return (tables[first : first + size] for first in range(0, len(tables), size))
