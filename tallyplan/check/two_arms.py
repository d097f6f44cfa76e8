"""Two arms: a potential that is linear in the positions of the plays, given by m-1 slopes (section 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .document import array, fields, rational
from .problem import Problem, common_denominator
from .verdict import Budget, Refused


@dataclass(frozen=True)
class TwoArmSlopes:
    """The slopes theta_1 .. theta_{m-1}; A[s] = h_1(s) and B[s] = h_0(m-s), s ones in the window."""

    m: int
    theta: list[Fraction]
    A: list[Fraction]
    B: list[Fraction]
    denominator: int
    """The common denominator of the losses."""
    bits: int
    """Of the common denominator and the largest numerator of slopes and losses."""
    budget: Budget

    def prove(self, lower: Fraction) -> None:
        """Refuse unless all inequalities of section 3 hold."""
        m, theta = self.m, self.theta
        self._spend(lower)
        if self.A[m] < lower or self.B[0] < lower:
            raise Refused("A constant word loses less than the claimed bound.")
        for k in range(1, m):
            if self.up(k, lower) < 0 or self.down(k, lower) < 0:
                raise Refused(f"The slope of level {k} is outside its bounds.")
        for k in range(2, m):
            slack = self.up(k, lower) + self.down(k - 1, lower)
            if slack < abs(theta[k] - theta[k - 1]) * (k - 1) * (m - k):
                raise Refused(f"The slopes of the levels {k - 1} and {k} are too far apart.")

    def up(self, k: int, lower: Fraction) -> Fraction:
        """What a one at level k loses beyond the bound and its slope."""
        return self.A[k] - lower - (self.m - k) * self.theta[k]

    def down(self, k: int, lower: Fraction) -> Fraction:
        """The same for a zero."""
        return self.B[k] - lower + k * self.theta[k]

    def _spend(self, lower: Fraction) -> None:
        """All the sums below have a common denominator; a fraction takes the time of 20 edges or so."""
        bits = self.bits + lower.numerator.bit_length() + lower.denominator.bit_length()
        self.budget.spend_products(20 * self.m, bits, bits)
        self.budget.fit(3 * self.m, bits)

    def ends(self, lower: Fraction, start: Sequence[int], gains: Sequence[Sequence[int]]) -> Fraction:
        """What the opening and the end of a game take from T-d times the bound, as section 4 defines it.

        `gains[x][c]` is the cost of playing x c times until the window is full.
        """
        m, d = self.m, self.m - len(start)
        self._spend(lower)
        g, theta = self._heights(lower), [*self.theta, Fraction(0)]
        if m > 1:
            theta[0], theta[m] = theta[1], theta[m - 1]
        lowest = [s * (s - 1) // 2 for s in range(m + 1)]
        least = min(
            g[s] + min(theta[s] * lowest[s], theta[s] * (lowest[s] + s * (m - s))) for s in range(m + 1)
        )
        ones, before = start.count(1), sum(j for j, action in enumerate(start) if action == 1)
        opening = []
        for c in range(d + 1):
            s, psi = ones + c, before + c * len(start) + c * (c - 1) // 2
            highest = g[s] + max(theta[s] * psi, theta[s] * (psi + c * (d - c)))
            opening.append(Fraction(gains[0][d - c] + gains[1][c], self.denominator) - highest)
        return least + min(opening)

    def _heights(self, lower: Fraction) -> list[Fraction]:
        """g(0) .. g(m)."""
        m, theta = self.m, self.theta
        g = [Fraction(0)] * (m + 1)
        for k in range(2, m):
            change = theta[k] - theta[k - 1]
            psi = Fraction((k - 1) * (2 * m - k) if change > 0 else k * (k - 1), 2)
            g[k] = g[k - 1] + self.up(k, lower) - change * psi
        g[m] = g[m - 1]
        return g


def read_slopes(problem: Problem, dual: dict[str, Any], budget: Budget) -> TwoArmSlopes:
    """The slopes, and the losses as rationals."""
    fields(dual, "dual side", {"method", "slopes"})
    m = problem.m
    if problem.K != 2 or not problem.tallying:
        raise Refused("The method 'two-arms' is for tallying instances with two actions.")
    listed = array(dual["slopes"], "list of slopes", m - 1)
    theta = [Fraction(0), *(rational(slope, "slope of the dual side") for slope in listed)]
    unit = common_denominator(theta, budget)
    bits = unit.bit_length() + max(x.numerator.bit_length() for x in theta) + problem.denominator.bit_length()
    losses = [[Fraction(row[y], problem.denominator) for y in range(1, m + 1)] for row in problem.tallied]
    A, B = [Fraction(0), *losses[1]], [*reversed(losses[0]), Fraction(0)]
    return TwoArmSlopes(m, theta, A, B, problem.denominator, bits + m.bit_length(), budget)
