"""The region under some planes over the cube of all loss tables, and its vertices, by exact polyhedra.

Q = {(h, t): h in [0, 1]^n, t <= a.h for every plane a so far}. The Parma Polyhedra Library keeps the double
description in integers of any size. It is GPL, so it is an optional extra and is imported only here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any

from proofs_check.worst_case.batch import Tables
from proofs_check.worst_case.policies import Profile
from tallyplan.errors import InstanceTooLarge, InvalidInput

MOST_LOSSES = 16
"""The cube alone has 2^n vertices, and every plane adds more."""


@dataclass(frozen=True)
class Vertex:
    """The table h = row/divisor at the height t = height/divisor."""

    row: tuple[int, ...]
    divisor: int
    height: Fraction

    @property
    def losses(self) -> list[Fraction]:
        """The table as one list."""
        return [Fraction(x, self.divisor) for x in self.row]

    def above(self, profile: Profile) -> bool:
        """Does the plane of this profile cut the vertex off?"""
        return sum(map(lambda a, x: a * x, profile, self.row), Fraction(0)) < self.height * self.divisor


class Region:
    """Q, one plane at a time; the losses of the chain, if there is one, do not decrease."""

    def __init__(self, losses: int, chain: Sequence[int] = ()) -> None:
        if losses > MOST_LOSSES:
            raise InstanceTooLarge(
                f"a table of {losses} losses: the cube of all tables has 2^{losses} vertices, and every cut "
                f"adds more. Exact suprema are within reach up to {MOST_LOSSES} losses (actions * memory)."
            )
        self._ppl = _library()
        self._losses = losses
        h = [self._ppl.Variable(i) for i in range(losses)]
        self._polyhedron = self._ppl.C_Polyhedron(losses + 1, "universe")
        for x in h:
            self._polyhedron.add_constraint(x >= 0)
            self._polyhedron.add_constraint(x <= 1)
        for i, j in pairwise(chain):
            self._polyhedron.add_constraint(h[i] <= h[j])

    def cut(self, profile: Profile) -> None:
        """Add the plane t <= profile.h."""
        unit = lcm(*(x.denominator for x in profile))
        plane = self._ppl.Linear_Expression([int(x * unit) for x in profile], 0)
        self._polyhedron.add_constraint(unit * self._ppl.Variable(self._losses) <= plane)

    def vertices(self) -> list[Vertex]:
        """All of them; there must be a plane already, for t has no other bound."""
        generators = self._polyhedron.minimized_generators()
        return [self._vertex(point) for point in generators if point.is_point()]

    def _vertex(self, point: Any) -> Vertex:
        divisor = int(point.divisor())
        coordinates = [int(x) for x in point.coefficients()]
        coordinates += [0] * (self._losses + 1 - len(coordinates))
        *row, height = coordinates
        return Vertex(tuple(row), divisor, Fraction(height, divisor))


def tables_of(vertices: list[Vertex]) -> Tables:
    """Their tables, to be solved together."""
    return Tables([vertex.row for vertex in vertices], [vertex.divisor for vertex in vertices])


def _library() -> Any:
    try:
        import ppl
    except ImportError:
        raise InvalidInput(
            "exact suprema need the Parma Polyhedra Library: pip install 'tallyplan[polyhedra]'."
        ) from None
    return ppl
