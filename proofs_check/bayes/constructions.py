"""The priors of the paper's two lower bounds.

Proposition 1: h_{x*}(m) = 0 and every other loss is 1, x* uniform; losses are seen exactly.

Theorem 2: h_{x*}(y*) = 1/2 - epsilon and every other mean is 1/2, (x*, y*) uniform over X x Y with
Y = {ceil(23m/24), ..., m}; losses are Bernoulli. For m < 24 that is Y = {m}.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from proofs_check.boxes import needle
from proofs_check.certified import optimum
from tallyplan.errors import InvalidInput
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import ceil_div, natural

Prior = Sequence[tuple[TallyingBandit, Fraction]]


def needle_prior(actions: int, memory: int) -> Prior:
    """The construction of Proposition 1: one arm pays off after m plays in a row, and nothing tells before.

    >>> [probability for _, probability in needle_prior(3, 2)]
    [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]
    """
    return uniform([needle(actions, memory, best) for best in range(actions)])


def uniform(tables: Sequence[TallyingBandit]) -> Prior:
    """Every table with the same probability."""
    return [(table, Fraction(1, len(tables))) for table in tables]


@dataclass(frozen=True)
class Construction:
    """K, m, T, the lowest tally of Y, and epsilon."""

    actions: int
    memory: int
    horizon: int
    lowest: int
    epsilon: Fraction

    @property
    def tallies(self) -> range:
        """Y."""
        return range(self.lowest, self.memory + 1)

    @property
    def cells(self) -> list[tuple[int, int]]:
        """X x Y: where the better mean may be."""
        return list(product(range(self.actions), self.tallies))

    def table(self, cell: tuple[int, int]) -> TallyingBandit:
        """The means when (x*, y*) is this cell."""
        half = Fraction(1, 2)
        return TallyingBandit(
            [
                [half - self.epsilon * ((x, y) == cell) for y in range(1, self.memory + 1)]
                for x in range(self.actions)
            ]
        )

    def most_hits(self, cell: tuple[int, int]) -> Fraction:
        """How often T steps can hit the cell, from the certified optimum."""
        return (Fraction(self.horizon, 2) - optimum(self.table(cell), self.horizon)) / self.epsilon


def construction(
    actions: int, memory: int, horizon: int, epsilon: Fraction, lowest: int | None = None
) -> Construction:
    """The construction of Theorem 2, with the paper's Y unless another lowest tally is given.

    >>> construction(2, 48, 9, Fraction(1, 4)).tallies
    range(46, 49)

    Raises
    ------
    InvalidInput : numbers out of range; epsilon must lie in (0, 1/2].
    """
    for name, number, least in (("actions", actions, 1), ("memory", memory, 1), ("horizon", horizon, 0)):
        natural(number, name, least)
    low = ceil_div(23 * memory, 24) if lowest is None else lowest
    if not 1 <= low <= memory:
        raise InvalidInput(f"the lowest tally is {low}; it must be from 1 to {memory}.")
    if not 0 < epsilon <= Fraction(1, 2):
        raise InvalidInput(f"epsilon is {epsilon}; it must be above 0 and at most 1/2.")
    return Construction(actions, memory, horizon, low, Fraction(epsilon))
