"""Slopes and charges for each arm (section 3, `separable`): nothing is listed but the tallies of one arm."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import add
from typing import Any

from .document import array, fields, integer
from .problem import Problem
from .tallies import excesses, integers
from .verdict import Budget, Refused

Weights = list[int]  # by the tally of an arm, 0 .. m


@dataclass(frozen=True)
class Parts:
    """What an arm adds to the left side of an inequality.

    As a bystander, as the arm that is played or that drops out of the window, and as the arm that does both.
    """

    bystander: Weights
    played: Weights
    dropped: Weights
    loop: Weights


@dataclass(frozen=True)
class Charges:
    """`theta[x][y]`, 0 <= y <= m (nothing depends on the ends), and `charges[x][y-1]`, times the scale q."""

    problem: Problem
    scale: int
    theta: list[list[int]]
    charges: list[list[int]]
    budget: Budget

    def prove(self, lower: Fraction) -> None:
        """Refuse unless the inequalities of section 3 hold for every step and every loop."""
        excess = excesses(self.problem, self.scale, lower, self.budget)
        numbers = [*self.theta, *self.charges, *excess]
        widest = max(abs(number) for row in numbers for number in row)
        never = 20 * (self.problem.K + 1) * (self.problem.m + 1) ** 2 * (widest + 1)
        bits = never.bit_length()
        self.budget.spend(5 * self.problem.K * (self.problem.m + 1) * (self.problem.m + 2), bits)
        self.budget.fit(20 * self.problem.K * (self.problem.m + 1), bits)
        step, loop = least([self._parts(x, excess[x], never) for x in range(self.problem.K)], never)
        if loop < 0:
            raise Refused("A loop of some tallies is below the claimed bound.")
        if step < 0:
            raise Refused("A step to some tallies is below the claimed bound.")

    def _parts(self, x: int, excess: list[int], never: int) -> Parts:
        """The four parts of the arm; `never` where its tally cannot play the part."""
        m, theta, charge = self.problem.m, self.theta[x], [0, *self.charges[x]]
        bystander = [y * slope for y, slope in enumerate(theta)]
        loop = [never, *(excess[y] - m * theta[y] + bystander[y] for y in range(1, m + 1))]
        jumps = [0, *(abs(theta[y] - theta[y - 1]) * (y - 1) * (m - y) for y in range(1, m + 1))]
        played = [never, *(loop[y] - jumps[y] + charge[y] for y in range(1, m + 1))]
        dropped = [*(bystander[y] - charge[y + 1] for y in range(m)), never]
        return Parts(bystander, played, dropped, loop)


def least(arms: Sequence[Parts], never: int) -> tuple[int, int]:
    """The least sums over all tallies that add up to m, of a step and of a loop, by adding arm by arm.

    In a step one arm is played and another drops out, in a loop one arm does both; the others are bystanders.
    """
    first, *others = arms
    size = len(first.bystander)
    none, played, dropped, loop = first.bystander, first.played, first.dropped, first.loop
    both = [never] * size
    for arm in others:
        last = arm is others[-1]
        both, played, dropped, loop, none = (
            together([(both, arm.bystander), (played, arm.dropped), (dropped, arm.played)], last=last),
            together([(played, arm.bystander), (none, arm.played)], last=last),
            together([(dropped, arm.bystander), (none, arm.dropped)], last=last),
            together([(loop, arm.bystander), (none, arm.loop)], last=last),
            together([(none, arm.bystander)], last=last),
        )
    return both[-1], loop[-1]


def together(pairs: Sequence[tuple[Weights, Weights]], *, last: bool) -> Weights:
    """For each total, the least left[i] + right[total - i] of a pair; after the last arm for the total m."""
    m = len(pairs[0][0]) - 1
    turned = [(left, right[::-1]) for left, right in pairs]
    return [
        min(min(map(add, left[: total + 1], right[m - total :])) for left, right in turned)
        for total in ([m] if last else range(m + 1))
    ]


def read_charges(problem: Problem, dual: dict[str, Any], budget: Budget) -> Charges:
    """Read the slopes and charges."""
    fields(dual, "dual side", {"method", "scale", "slopes", "charges"})
    if not problem.tallying or problem.K < 2:
        raise Refused("The method 'separable' is for tallying instances with two actions or more.")
    K, m = problem.K, problem.m
    scale = integer(dual["scale"], "scale of the dual side", 1)
    rows = [integers(row, "row of slopes", m - 1) for row in array(dual["slopes"], "list of slopes", K)]
    charges = [integers(row, "row of charges", m) for row in array(dual["charges"], "list of charges", K)]
    return Charges(problem, scale, [[0, *row, 0] for row in rows], charges, budget)
