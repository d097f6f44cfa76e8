"""The region under some planes over the cube of all loss tables, and its vertices, in exact integers.

Q = {(h, t): h in [0, 1]^n, t <= a.h for every plane a so far}; or the part of it over those tables that
satisfy some linear inequalities.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import NamedTuple

from proofs_check.cones import whole_space
from proofs_check.many_tables import Tables
from proofs_check.worst_case.policies import Profile
from proofs_check.worst_case.where import Inequality
from tallyplan.errors import InstanceTooLarge

MOST_LOSSES = 16  # the cube alone has 2^n vertices, and every plane adds more


class Vertex(NamedTuple):
    """The table h = row/divisor at the height t."""

    row: tuple[int, ...]
    divisor: int
    height: Fraction

    @property
    def table(self) -> tuple[tuple[int, ...], int]:
        """Row and divisor."""
        return self.row, self.divisor

    @property
    def losses(self) -> list[Fraction]:
        """The table as one list."""
        return [Fraction(x, self.divisor) for x in self.row]

    def above(self, profile: Profile) -> bool:
        """Does the plane of this profile cut the vertex off?"""
        return sum(map(lambda a, x: a * x, profile, self.row), Fraction(0)) < self.height * self.divisor


class Region:
    """Q, one plane at a time; the losses of the chain, if there is one, do not decrease.

    The point (h, t) is the ray (h, t, 1) of a cone: a vertex is an extreme ray that is not horizontal.
    """

    def __init__(
        self, losses: int, chain: Sequence[int] = (), inequalities: Sequence[Inequality] = ()
    ) -> None:
        if losses > MOST_LOSSES:
            raise InstanceTooLarge(
                f"a table of {losses} losses: the cube of all tables has 2^{losses} vertices, and every cut "
                f"adds more. Exact suprema are within reach up to {MOST_LOSSES} losses (actions * memory)."
            )
        self._cone = whole_space(losses + 2)
        unit = [[int(i == j) for j in range(losses)] for i in range(losses)]
        for row in unit:
            self._cone.cut([*row, 0, 0])
        for row in unit:
            self._cone.cut([*(-x for x in row), 0, 1])
        for i, j in pairwise(chain):
            self._cone.cut([*(b - a for a, b in zip(unit[i], unit[j], strict=True)), 0, 0])
        for coefficients, least in inequalities:
            scale = lcm(least.denominator, *(x.denominator for x in coefficients))
            self._cone.cut([*(int(x * scale) for x in coefficients), 0, -int(least * scale)])

    def cut(self, profile: Profile) -> None:
        """Add the plane t <= profile.h."""
        unit = lcm(*(x.denominator for x in profile))
        self._cone.cut([*(int(x * unit) for x in profile), -unit, 0])

    def vertices(self) -> list[Vertex]:
        """All of them, in an order that does not depend on how they were found.

        There must be a plane already, for t has no other bound.
        """
        return [
            Vertex(tuple(row), divisor, Fraction(height, divisor))
            for *row, height, divisor in sorted(self._cone.rays())
            if divisor
        ]


def tables_of(vertices: list[Vertex]) -> Tables:
    """Their tables, to be solved together."""
    return Tables([vertex.row for vertex in vertices], [vertex.divisor for vertex in vertices])
