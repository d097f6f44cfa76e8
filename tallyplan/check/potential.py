"""The rule `potential`: every closed walk loses at least the claimed mean per step.

If on every step the loss is at least v plus the rise of a potential, then the rises cancel along a closed
walk. The potential is zero, a vector over the states, or a sum over the actions (docs/certificates.md).
"""

from collections.abc import Iterator, Set
from fractions import Fraction
from itertools import accumulate, islice
from math import ceil
from operator import add, neg, sub
from typing import Any

from .problem import Edges, Goal, Row, in_units, least_sum, merged
from .reading import Meter, Refused, array, fields, integer, integers, rational


def prove(goal: Goal, proof: dict[str, Any], meter: Meter) -> None:
    """Refuse unless the potential proves the goal."""
    if "slopes" not in proof and "values" not in proof:
        fields(proof, "dual side", {"rule"})
        least = Fraction(min(goal.problem.values(), default=0), goal.problem.D)
        if goal.horizon is not None:
            goal.reached(goal.horizon * least)
        elif least < goal.least:
            raise Refused("Some loss is below the claimed value.")
    elif goal.horizon is not None:
        raise Refused("For a horizon only the zero potential is a proof; the rule 'close' takes others.")
    elif "slopes" in proof:
        Sum(goal, proof, meter).prove(goal.least, meter)
    else:
        fields(proof, "dual side", {"rule", "scale", "values"})
        Vector(goal.problem, proof, meter).prove(goal.least, goal.removed, meter)


class Vector:
    """A potential that is listed: that of state s is -phi[s] / scale."""

    def __init__(self, problem: Any, found: dict[str, Any], meter: Meter) -> None:
        self.problem, self.scale = problem, integer(found["scale"], "scale of the potential", 1)
        self.phi = integers(found["values"], "list of values of the potential", problem.states(meter))
        meter.widen([self.scale, *self.phi])

    def prove(self, least: Fraction, removed: Set[int], meter: Meter) -> None:
        """Refuse unless scale*(loss - least) + phi[s'] - phi[s] >= 0 on every edge that is left."""
        needed = ceil(least * self.scale * self.problem.D)
        for tails, heads, slacks in self.edges(meter):
            if min(slacks, default=needed) >= needed:
                continue
            for slack, s, then in zip(slacks, tails, heads, strict=True):
                if slack < needed and s not in removed and then not in removed:
                    raise Refused(f"The potential fails on the edge from state {s} to {then}.")

    def edges(self, meter: Meter) -> Iterator[Edges]:
        """States, successors, and D * (scale * loss + phi[s'] - phi[s]) of all edges."""
        meter.fit(4 * len(self.phi))
        meter.spend(0, products=len(self.phi))
        phi = list(map(self.problem.D.__mul__, self.phi))
        for tails, heads, costs in self.problem.edges(meter):
            meter.spend(2 * len(costs), products=len(costs))
            after, before = map(phi.__getitem__, heads), map(phi.__getitem__, tails)
            yield tails, heads, list(map(sub, map(add, map(self.scale.__mul__, costs), after), before))


class Sum:
    """A potential with slopes t and charges c; these, and the losses h, by action and tally, times `unit`."""

    def __init__(self, goal: Goal, proof: dict[str, Any], meter: Meter) -> None:
        fields(proof, "dual side", {"rule", "slopes", "charges"})
        goal.require("potential")
        K, m = goal.problem.K, goal.problem.m
        listed = [
            rational(entry, f"number in the {name}")
            for name, size in (("slopes", m - 1), ("charges", m))
            for row in array(proof[name], f"list of {name}", K)
            for entry in array(row, f"row of {name}", size)
        ]
        (one, *numbers), unit = in_units([Fraction(1, goal.problem.D), *listed], meter)
        meter.widen([unit, *numbers])
        scaled = iter(numbers)
        self.m, self.unit = m, unit
        self.t = [[0, *islice(scaled, m - 1), 0] for _ in range(K)]
        self.c = [[0, *islice(scaled, m)] for _ in range(K)]
        self.h = [[0, *(cost * one for cost in table.values())] for table in goal.problem.tallied]

    def prove(self, least: Fraction, meter: Meter) -> None:
        """Refuse unless every loop and every step of the tallies loses at least the mean."""
        meter.spend(15 * len(self.h) * (self.m + 1))
        (none, dropped, played, loop), *arms = [self._parts(x) for x in range(len(self.h))]
        step: list[int] = []  # takes two actions
        for aside, down, up, both in arms:
            last = both is arms[-1][-1]
            steps = [(played, down), (dropped, up), *([(step, aside)] if step else [])]
            step, dropped, played, loop, none = (
                merged(steps, last, meter),
                merged([(dropped, aside), (none, down)], last, meter),
                merged([(played, aside), (none, up)], last, meter),
                merged([(loop, aside), (none, both)], last, meter),
                merged([(none, aside)], last, meter),
            )
        for kind, sums in (("step", step), ("loop", loop)):
            if sums and sums[-1] < least * self.unit:
                raise Refused(f"A {kind} of some tallies is below the claimed value.")

    def _parts(self, x: int) -> list[Row]:
        """What x adds to a left side, by its tally s: aside, dropped; and by s - 1: played, both."""
        m, h, t, c = self.m, self.h[x], self.t[x], self.c[x]
        aside = [s * t[s] for s in range(m)]
        dropped = [s * t[s] - c[s + 1] for s in range(m)]
        both = [h[s] - (m - s) * t[s] for s in range(1, m + 1)]
        apart = [abs(t[s] - t[s - 1]) * (s - 1) * (m - s) for s in range(1, m + 1)]
        return [aside, dropped, list(map(add, map(sub, both, apart), c[1:])), both]

    def ends(self, start: tuple[int, ...], costs: list[list[int]], meter: Meter) -> Fraction:
        """The least potential, plus the least cost of an opening less its potential (rule `close`, 3).

        `costs[x][c]` is the cost, times `unit`, of playing x c times until the window is full.
        """
        meter.spend(len(self.h) * (30 * (self.m + 1) + len(start)))
        parts = [self._ends(x, start, row) for x, row in enumerate(costs)]
        return Fraction(sum(least_sum(rows, meter) for rows in zip(*parts, strict=True)), self.unit)

    def _ends(self, x: int, start: tuple[int, ...], costs: list[int]) -> tuple[Row, Row]:
        """The least part of x in the potential, by its tally; its part of an opening, by its plays."""
        m, t = self.m, [*self.t[x][1:2], *self.t[x][1 : self.m], *self.t[x][self.m - 1 : self.m]]
        falls = [min(E * k * (k + 1), E * k * (2 * m - 1 - k)) // 2 for k, E in enumerate(map(sub, t[1:], t))]
        fixed = list(map(sub, [0, *accumulate(map(neg, falls))], accumulate(self.c[x])))
        low = [fixed[s] + min(t[s] * s * (s - 1), t[s] * s * (2 * m - 1 - s)) // 2 for s in range(m + 1)]
        held, at, opening = start.count(x), sum(i for i, a in enumerate(start) if a == x), []
        for c, cost in enumerate(costs):
            first, slope = at + c * len(start) + c * (c - 1) // 2, t[held + c]
            most = max(slope * first, slope * (first + c * (m - len(start) - c)))
            opening.append(cost - fixed[held + c] - most)
        return low, opening
