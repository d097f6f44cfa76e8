"""Slopes and potentials on the graph of tallies (section 3, `tallies`): no history is listed."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .document import array, fields, integer
from .problem import Problem
from .verdict import Budget, Refused

Tallies = tuple[int, ...]


@dataclass(frozen=True)
class TallySlopes:
    """`theta[x][y]`, 0 <= y <= m (nothing depends on the ends) and phi by tallies, all times the scale q."""

    problem: Problem
    scale: int
    theta: list[list[int]]
    phi: dict[Tallies, int]
    budget: Budget

    def prove(self, lower: Fraction) -> None:
        """Refuse unless the inequality of section 3 holds for every step and every loop."""
        m, theta = self.problem.m, self.theta
        h = excesses(self.problem, self.scale, lower, self.budget)
        bits = _bits(self.problem, self.scale, lower)
        self.budget.spend(4 * self.problem.K * len(self.phi), bits)
        self.budget.fit(len(self.phi), bits)
        play = [[h[x][y] - m * slope for y, slope in enumerate(row)] for x, row in enumerate(theta)]
        hold = [[y * slope for y, slope in enumerate(row)] for row in theta]
        step = [
            [0, *(play[x][k + 1] - abs(row[k + 1] - row[k]) * k * (m - 1 - k) for k in range(m))]
            for x, row in enumerate(theta)
        ]
        holding = {s: sum(row[y] for row, y in zip(hold, s, strict=True)) for s in self.phi}
        for s, total in holding.items():
            if any(y and row[y] + total < 0 for row, y in zip(play, s, strict=True)):
                raise Refused(f"A loop of the tallies {list(s)} is below the claimed bound.")
        for rest in compositions(m - 1, self.problem.K):
            self._check_steps(rest, step, holding)

    def _check_steps(self, rest: Tallies, step: list[list[int]], holding: dict[Tallies, int]) -> None:
        """Drop d from a state and add a != d: the rest in between fixes both states."""
        states = [(*rest[:x], rest[x] + 1, *rest[x + 1 :]) for x in range(len(rest))]
        before = [self.phi[s] for s in states]
        for a, after in enumerate(states):
            highest = max((phi for d, phi in enumerate(before) if d != a), default=before[a])
            if step[a][after[a]] + holding[after] + before[a] < highest:
                raise Refused(
                    f"A step by action {a} to the tallies {list(after)} is below the claimed bound."
                )


def read_slopes_and_potentials(problem: Problem, dual: dict[str, Any], budget: Budget) -> TallySlopes:
    """Read them; the number of tallies is bounded by the length of the list that must match it."""
    fields(dual, "dual side", {"method", "scale", "slopes", "potentials"})
    if not problem.tallying or problem.K < 2:
        raise Refused("The method 'tallies' is for tallying instances with two actions or more.")
    K, m = problem.K, problem.m
    scale = integer(dual["scale"], "scale of the dual side", 1)
    rows = [integers(row, "row of slopes", m - 1) for row in array(dual["slopes"], "list of slopes", K)]
    theta = [[row[0], *row, row[-1]] if row else [0, 0] for row in rows]
    listed = array(dual["potentials"], "list of potentials of the dual side")
    if math.comb(m + K - 1, m) != len(listed):
        raise Refused("The list of potentials does not have one entry for each way to divide the window.")
    phi = integers(listed, "list of potentials of the dual side", len(listed))
    bits = max(map(int.bit_length, (scale, problem.denominator, *phi, *(t for row in theta for t in row))))
    rests = len(phi) * m // (m + K - 1)  # vectors with the sum m - 1
    budget.spend(4 * K * len(phi) + K * K * rests, 4 * bits)
    budget.hold(2 * len(phi) * (1 + K // 8), bits)
    return TallySlopes(problem, scale, theta, dict(zip(compositions(m, K), phi, strict=True)), budget)


def excesses(problem: Problem, scale: int, lower: Fraction, budget: Budget) -> list[list[int]]:
    """floor(q (h_x(y) - lower)) for y = 1 .. m, after a 0, for each action."""
    bits = _bits(problem, scale, lower)
    budget.spend_products(2 * problem.size, bits, bits)
    p, r, D = lower.numerator, lower.denominator, problem.denominator
    return [
        [0, *(scale * (table[y] * r - p * D) // (r * D) for y in range(1, problem.m + 1))]
        for table in problem.tallied
    ]


def _bits(problem: Problem, scale: int, lower: Fraction) -> int:
    return sum(map(int.bit_length, (scale, problem.denominator, lower.numerator, lower.denominator)))


def integers(value: object, where: str, length: int) -> list[int]:
    """Read a list of so many integers."""
    found = array(value, where, length)
    if not set(map(type, found)) <= {int}:
        raise Refused(f"The {where} holds something that is not an integer.")
    return found


def compositions(total: int, parts: int) -> Iterator[Tallies]:
    """The ways to divide `total` among `parts`, in lexicographic order."""
    counts = [0] * (parts - 1) + [total]
    while True:
        yield tuple(counts)
        filled = next((i for i in range(parts - 1, 0, -1) if counts[i]), 0)
        if filled == 0:
            return
        rest, counts[filled] = counts[filled] - 1, 0
        counts[filled - 1] += 1
        counts[-1] = rest
