"""The supremum over all loss tables of A(h) - B(h), where A and B are the least losses of two policy classes.

Both are minima of linear functions of h, the profiles of the plays. Wherever one plane a.h is the lowest of
A, the difference a.h - B(h) is convex. So the supremum is attained at a vertex of

    Q = {(h, t): h in [0, 1]^(Km), t <= a.h for every profile a of A}.

A has far too many profiles to list; keep the few found so far. Their Q is larger, so t - B(h) at its vertices
is an upper bound. At the vertices where it beats the best difference known, A is computed: that may give a
better difference, and where A(h) < t, the best play there is a new plane, which cuts the vertex off. When no
vertex beats the best difference any more, it is the supremum. Every step cuts off a vertex by a profile that
was not there before, and there are finitely many.

The tables may be those only that satisfy some linear inequalities; nothing else changes.

If renaming the actions changes neither class (nor the inequalities), tables with h_1(y) <= ... <= h_K(y) for
one tally y are enough.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import lcm
from operator import mul
from typing import Any, NamedTuple

from proofs_check.cones import whole_space
from proofs_check.worst_case.policies import PolicyClass, Profile, Tables, loss
from proofs_check.worst_case.where import Inequality, are_alike, inequalities
from tallyplan.certificates import document
from tallyplan.errors import InternalError, InvalidInput
from tallyplan.limits import Progress, silent
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import plain, text
from tallyplan.model.words import Runs

ORDERED_TALLY = 2  # the tally whose losses are put in order; measured to be the best choice


@dataclass(frozen=True)
class WorstCase:
    """The answer to `worst_case`.

    Attributes
    ----------
    value : the largest difference found; the supremum if `exact`.
    bound : no table has a larger difference.
    bandit : a table that attains the value.
    effort : what the proof consists of, counted.
    certificate : the document that `tallyplan.check` verifies; None if it was not kept.

    >>> from proofs_check.worst_case import Constant, Optimal, worst_case
    >>> found = worst_case(Constant(2, 2, 4), Optimal(2, 2, 4))
    >>> found.exact, found.value
    (True, Fraction(3, 1))

    See Also
    --------
    proofs_check.worst_case.worst_case : computes it.
    """

    value: Fraction
    bound: Fraction
    bandit: TallyingBandit
    effort: dict[str, int] = field(repr=False)
    certificate: dict[str, Any] | None = field(repr=False)

    @property
    def exact(self) -> bool:
        """Whether the value is the supremum; if not, there was a time limit."""
        return self.value == self.bound


def worst_case(
    first: PolicyClass,
    second: PolicyClass,
    *,
    where: str = "",
    time_limit: float | None = None,
    progress: Progress = silent,
) -> WorstCase:
    """The supremum of A(h) - B(h) over all tables h in [0, 1]^(Km), with a table that attains it.

    Parameters
    ----------
    first, second : classes for the same K and m; A and B are their least losses.
    where : only tables that satisfy these inequalities, such as "rising; h(0, 1) <= 1/2".
    time_limit : seconds after which, between two cuts, the answer may be an interval.
    progress : called with a status string, periodically.

    Returns
    -------
    WorstCase; at its table both values were computed again by the planners.

    Raises
    ------
    InvalidInput : classes for different K or m, or no table satisfies the inequalities.
    InstanceTooLarge : Km > 16.

    Notes
    -----
    The work grows with the number of vertices: seconds for Km <= 10, half a minute for 12 (several times as
    long without pplpy). The horizon hardly matters.

    Examples
    --------
    >>> from proofs_check.worst_case import Cyclic, Optimal
    >>> answer = worst_case(Cyclic(2, 2, 4, 2), Optimal(2, 2, 4))
    >>> answer.value, answer.exact
    (Fraction(1, 2), True)

    See Also
    --------
    proofs_check.worst_case.constant : by the name of a claim.
    proofs_check.worst_case.WorstCase : the answer.
    """
    search = _CuttingPlanes(first, second, where)
    deadline = None if time_limit is None else time.monotonic() + time_limit
    while (vertex := search.look(progress)) is not None:
        if deadline is not None and time.monotonic() > deadline:
            break
        search.cut_off(vertex)
    return search.answer()


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


class Region:
    """Q, one plane at a time; the losses of the chain, if there is one, do not decrease.

    The point (h, t) is the ray (h, t, 1) of a cone: a vertex is an extreme ray that is not horizontal.
    """

    def __init__(
        self, losses: int, chain: Sequence[int] = (), inequalities: Sequence[Inequality] = ()
    ) -> None:
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


def table_of(losses: Sequence[Fraction | int], memory: int) -> TallyingBandit:
    """The table whose losses stand in one row: h_1(1), ..., h_1(m), h_2(1), ..."""
    return TallyingBandit([losses[start : start + memory] for start in range(0, len(losses), memory)])


def _tables(vertices: list[Vertex]) -> Tables:
    return Tables([vertex.row for vertex in vertices], [vertex.divisor for vertex in vertices])


class _CuttingPlanes:
    """What is known: the planes, their vertices with the bounds there, and the best table."""

    def __init__(self, first: PolicyClass, second: PolicyClass, where: str) -> None:
        self.first, self.second, self.where = first, second, where
        K, m = first.actions, first.memory
        if (K, m) != (second.actions, second.memory):
            raise InvalidInput("the two classes of policies have different numbers of actions or memories.")
        self.inequalities = inequalities(where, K, m)
        alike = first.symmetric and second.symmetric and are_alike(self.inequalities, K, m)
        self.ordered = min(ORDERED_TALLY, m) if alike and K > 1 else None
        chain = [] if self.ordered is None else [x * m + self.ordered - 1 for x in range(K)]
        self.region = Region(K * m, chain, self.inequalities)
        self.cuts: list[Runs] = []
        self._cut([Fraction(1, 2)] * (K * m))
        self.vertices: list[Vertex] = []
        self.known: dict[tuple[Any, ...], Fraction] = {}  # the least losses of the second class, by table
        self.best: tuple[Fraction, Vertex] | None = None

    def look(self, progress: Progress) -> Vertex | None:
        """Improve the best table; a vertex with a bound above it that is not on the lowest plane, if any."""
        self.vertices = self.region.vertices()
        if not self.vertices:
            raise InvalidInput(f"no table satisfies {self.where}.")
        best = "none" if self.best is None else plain(self.best[0])
        progress(f"{len(self.cuts)} cuts, {len(self.vertices)} vertices, best so far {best}")
        fresh = [vertex for vertex in self.vertices if vertex.table not in self.known]
        values = self.second.values(_tables(fresh)) if fresh else []
        self.known |= zip((vertex.table for vertex in fresh), values, strict=True)
        candidates = sorted(filter(self._beats, self.vertices), key=self._bound, reverse=True)
        found = self.first.values(_tables(candidates)) if candidates else []
        for vertex, least in zip(candidates, found, strict=True):
            difference = least - self.known[vertex.table]
            if self.best is None or difference > self.best[0]:
                self.best = difference, vertex
        above = (one for one, least in zip(candidates, found, strict=True) if least < one.height)
        return next(filter(self._beats, above), None)

    def cut_off(self, vertex: Vertex) -> None:
        if sum(map(mul, self._cut(vertex.losses), vertex.losses)) >= vertex.height:
            raise InternalError("a best play does not lie below the vertex that it should cut off.")

    def answer(self) -> WorstCase:
        """The best table, its value computed again by the planners."""
        if self.best is None:
            raise InternalError("no vertex of the region was looked at.")
        value, vertex = self.best
        bound = max(value, *map(self._bound, self.vertices))
        bandit = table_of(vertex.losses, self.first.memory)
        play, other = self.first.best(bandit), self.second.best(bandit)
        if loss(self.first.profile(play), bandit) - loss(self.second.profile(other), bandit) != value:
            raise InternalError("the planners do not confirm the difference at the worst table found.")
        effort = {"cuts": len(self.cuts), "vertices": len(self.vertices)}
        return WorstCase(value, bound, bandit, effort, self._certificate(value, bound, bandit, other))

    def _certificate(
        self, value: Fraction, bound: Fraction, bandit: TallyingBandit, play: Runs
    ) -> dict[str, Any]:
        claim: dict[str, Any] = {
            "question": "worst-case",
            "first": self.first.to_json(),
            "second": self.second.to_json(),
        }
        where = [{"coefficients": [*map(text, row)], "least": text(b)} for row, b in self.inequalities]
        claim |= {"where": where} if where else {}
        claim |= {} if value == bound else {"upper": text(bound)}
        dual: dict[str, Any] = {"cuts": list(map(as_json, self.cuts))}
        dual |= {} if self.ordered is None else {"ordered": self.ordered}
        claim |= {"value": text(value)}
        return document("instance", bandit.to_json(), claim=claim, primal={"play": as_json(play)}, dual=dual)

    def _cut(self, losses: Sequence[Fraction]) -> Profile:
        """Add the plane of a best play at this table."""
        self.cuts.append(self.first.best(table_of(losses, self.first.memory)))
        profile = self.first.profile(self.cuts[-1])
        self.region.cut(profile)
        return profile

    def _bound(self, vertex: Vertex) -> Fraction:
        return vertex.height - self.known[vertex.table]

    def _beats(self, vertex: Vertex) -> bool:
        return self.best is None or self._bound(vertex) > self.best[0]


def as_json(play: Runs) -> list[Any]:
    """A play as certificates write it."""
    return [[[int(action) for action in word], int(repeats)] for word, repeats in play]
