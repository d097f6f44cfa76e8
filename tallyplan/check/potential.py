"""The rule `potential`: every closed walk loses at least so much per step.

If on every step the loss is at least v plus the rise of a potential, then the rises cancel along a closed
walk. The potential is zero, a vector over the states, or a sum over the actions (docs/certificates.md).
"""

from collections.abc import Iterator, Set
from dataclasses import dataclass
from fractions import Fraction
from heapq import nsmallest
from itertools import accumulate
from math import ceil
from operator import add, neg, sub
from typing import Any

from .instance import Edges, in_units
from .knapsack import Row, charge, least_sum, merged
from .proof import Goal
from .reading import array, fields, integer, integers, rational
from .verdict import Meter, Refused


def prove(goal: Goal, proof: dict[str, Any], meter: Meter) -> None:
    """Refuse unless the potential proves the goal."""
    if "values" not in proof and "slopes" not in proof:
        return _prove_by_least(goal, proof, meter)
    if goal.horizon is not None:
        raise Refused("For a horizon only the zero potential is a proof; the rule 'close' takes others.")
    if "slopes" in proof:
        return read_sum(goal, proof, meter).prove(goal.least, meter)
    fields(proof, "dual side", {"rule", "scale", "values"})
    return read_vector(goal.problem, proof, meter).prove(goal.least, goal.removed, meter)


def _prove_by_least(goal: Goal, proof: dict[str, Any], meter: Meter) -> None:
    """The zero potential: no loss is smaller."""
    fields(proof, "dual side", {"rule"})
    costs = list(goal.problem.values())
    meter.spend(len(costs), goal.problem.bits())
    least = Fraction(min(costs), goal.problem.D)
    if goal.horizon is not None:
        goal.reached(goal.horizon * least)
    elif least < goal.least:
        raise Refused("Some loss is below the claimed value.")


@dataclass(frozen=True)
class Vector:
    """The potential of state s is -phi[s] / scale; `bits` are those of the products below."""

    problem: Any
    scale: int
    phi: list[int]
    bits: int

    def prove(self, least: Fraction, removed: Set[int], meter: Meter) -> None:
        """Refuse unless scale*(loss - least) + phi[s'] - phi[s] >= 0 on every edge that is left."""
        needed = ceil(least * self.scale * self.problem.D)
        for tails, heads, slacks in self.edges(meter):
            if removed:
                ends = zip(slacks, tails, heads, strict=True)
                slacks = [needed if s in removed or then in removed else x for x, s, then in ends]
            if min(slacks) < needed:
                s, then = next((s, t) for x, s, t in zip(slacks, tails, heads, strict=True) if x < needed)
                raise Refused(f"The potential fails on the edge from state {s} to {then}.")

    def edges(self, meter: Meter) -> Iterator[Edges]:
        """States, successors, and D * (scale * loss + phi[s'] - phi[s]) of all edges."""
        meter.fit(4 * len(self.phi), self.bits)
        meter.spend(len(self.phi), self.bits, self.problem.bits())
        phi = list(map(self.problem.D.__mul__, self.phi))
        for tails, heads, costs in self.problem.edges(meter):
            meter.spend(3 * len(costs), self.bits, self.problem.bits())
            after, before = map(phi.__getitem__, heads), map(phi.__getitem__, tails)
            yield tails, heads, list(map(sub, map(add, map(self.scale.__mul__, costs), after), before))


def read_vector(problem: Any, found: dict[str, Any], meter: Meter) -> Vector:
    """An integer for each state."""
    scale = integer(found["scale"], "scale of the potential", 1)
    phi = integers(found["values"], "list of values of the potential", problem.states(meter))
    return Vector(problem, scale, phi, problem.bits() + max(map(int.bit_length, [scale, *phi])))


@dataclass(frozen=True)
class Sum:
    """Slopes t and charges c of a potential, and the losses h, by action and tally 0 .. m, times `unit`.

    t[x][0] = t[x][m] = 0, and no sum below has more than so many bits.
    """

    m: int
    unit: int
    h: list[list[int]]
    t: list[list[int]]
    c: list[list[int]]
    bits: int

    def prove(self, least: Fraction, meter: Meter) -> None:
        """Refuse unless every loop and every step of the tallies loses at least so much."""
        meter.spend(15 * len(self.h) * (self.m + 1), self.bits)
        needed, never = ceil(least * self.unit), 1 << (self.bits + 4)
        arms = [self._parts(x, never) for x in range(len(self.h))]
        if _whatever_the_total(arms) >= needed:
            return
        charge(len(arms), self.m + 1, self.bits, meter, tables=9)
        for kind, found in zip(("step", "loop"), _least(arms, never), strict=True):
            if found < needed:
                raise Refused(f"A {kind} of some tallies is below the claimed value.")

    def _parts(self, x: int, never: int) -> list[Row]:
        """What x adds, by its tally: as a bystander, played, dropped, or both; `never` where it cannot be."""
        m, h, t, c = self.m, self.h[x], self.t[x], self.c[x]
        aside = [s * t[s] for s in range(m + 1)]
        both = [never, *(h[s] - m * t[s] + aside[s] for s in range(1, m + 1))]
        apart = [0, *(abs(t[s] - t[s - 1]) * (s - 1) * (m - s) for s in range(1, m + 1))]
        played = [never, *(both[s] - apart[s] + c[s] for s in range(1, m + 1))]
        return [aside, played, [*(aside[s] - c[s + 1] for s in range(m)), never], both]

    def ends(self, start: tuple[int, ...], costs: list[list[int]], meter: Meter) -> Fraction:
        """The least potential, plus the least cost of an opening less its potential (rule `close`, 3).

        `costs[x][c]` is the cost, times `unit`, of playing x c times until the window is full.
        """
        meter.spend(len(self.h) * (30 * (self.m + 1) + len(start)), self.bits)
        parts = [self._ends(x, start, row) for x, row in enumerate(costs)]
        least = sum(least_sum(rows, self.bits, meter) for rows in zip(*parts, strict=True))
        return Fraction(least, self.unit)

    def _ends(self, x: int, start: tuple[int, ...], costs: list[int]) -> tuple[Row, Row]:
        """The least part of x in the potential, by its tally; its part of an opening, by its plays."""
        m, t = self.m, [*self.t[x][1:2], *self.t[x][1 : self.m], *self.t[x][self.m - 1 : self.m]]
        falls = [0] + [
            min(E * k * (k + 1) // 2, E * k * (2 * m - 1 - k) // 2)
            for k, E in enumerate(map(sub, t[1:], t))
            if k
        ]
        fixed = list(map(sub, [0, *accumulate(map(neg, falls))], accumulate(self.c[x])))
        low = [fixed[s] + min(t[s] * s * (s - 1) // 2, t[s] * s * (2 * m - 1 - s) // 2) for s in range(m + 1)]
        held, at, opening = start.count(x), sum(i for i, a in enumerate(start) if a == x), []
        for c, cost in enumerate(costs):
            first, slope = at + c * len(start) + c * (c - 1) // 2, t[held + c]
            most = max(slope * first, slope * (first + c * (m - len(start) - c)))
            opening.append(cost - fixed[held + c] - most)
        return low, opening


def _whatever_the_total(arms: list[list[Row]]) -> int:
    """At most the least sum, and quick: it does not ask that the tallies add up to m."""
    aside, played, dropped, both = (list(map(min, part)) for part in zip(*arms, strict=True))
    ups = nsmallest(2, ((x - a, i) for i, (x, a) in enumerate(zip(played, aside, strict=True))))
    downs = nsmallest(2, ((x - a, i) for i, (x, a) in enumerate(zip(dropped, aside, strict=True))))
    steps = [up + down for up, i in ups for down, j in downs if i != j]
    return int(sum(aside) + min([*map(sub, both, aside), *steps]))


def _least(arms: list[list[Row]], never: int) -> tuple[int, int]:
    """The least sums over all tallies that add up to m, of a step and of a loop."""
    none, played, dropped, loop = arms[0]
    step: Row = [never] * len(none)
    for arm in arms[1:]:
        last, (aside, up, down, both) = arm is arms[-1], arm
        step, played, dropped, loop, none = (
            merged([(step, aside), (played, down), (dropped, up)], last),
            merged([(played, aside), (none, up)], last),
            merged([(dropped, aside), (none, down)], last),
            merged([(loop, aside), (none, both)], last),
            merged([(none, aside)], last),
        )
    return step[-1], loop[-1]


def read_sum(goal: Goal, proof: dict[str, Any], meter: Meter) -> Sum:
    """Slopes and charges for each action of a tallying instance."""
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
    slopes, charges = numbers[: K * (m - 1)], numbers[K * (m - 1) :]
    h = [[0, *(cost * one for cost in table.values())] for table in goal.problem.tallied]
    t = [[0, *slopes[x * (m - 1) : (x + 1) * (m - 1)], 0] for x in range(K)]
    c = [[0, *charges[x * m : (x + 1) * m]] for x in range(K)]
    bits = max(map(int.bit_length, [unit, *numbers])) + (8 * K * (m + 1) ** 3).bit_length()
    return Sum(m, unit, h, t, c, bits)
