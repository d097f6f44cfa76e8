"""The linear relaxation of a policy set, and bounds from it that hold in integers.

Columns are the flows f_e on the edges and the counts N_c of the cells. Maximise objective.N subject to

    conservation at every history,   sum of f over the edges of c = N_c,   sum of N = L,
    a_j.N <= b_j (what earlier epochs left),   0 <= column <= its upper bound,
    sum of some columns >= k (the *demands* of a branch).

GLOP solves it in floats and proposes multipliers. They are rounded to integers over 2^64, their signs are
corrected, and *weak duality in integers* gives the bound: whatever the multipliers are, objective.N is at
most the sum of multiplier * right-hand side plus, for every column, the larger of 0 and reduced cost * upper
bound. So a wrong float costs tightness, never truth. Demands and the total may be violated at a price in
the float problem, so that it is always feasible and infeasible branches are bounded in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tallyplan.games.policy_set.walks import Windows
from tallyplan.linear_program import Item, LinearProgram

MULTIPLIER_SCALE = 2**64  # multipliers are integers over this
# What violating a demand or the total by one costs, in turn, in units of the largest coefficient.
VIOLATION_PRICES = (1e2, 1e4, 1e6, 1e8)
VIOLATED = 1e-7  # anything less is a rounding error of GLOP

Row = tuple[tuple[int, ...], int]  # a.N <= b, by cell
Demand = tuple[frozenset[int], int]  # the sum of these columns is at least that


@dataclass(frozen=True)
class Branch:
    """A part of the set: smaller upper bounds on some columns, and demands."""

    upper: Mapping[int, int] = field(default_factory=dict)
    demands: tuple[Demand, ...] = ()

    def capped(self, caps: Mapping[int, int]) -> Branch:
        """The branch with these upper bounds as well."""
        upper = dict(self.upper)
        for column, cap in caps.items():
            upper[column] = min(cap, upper.get(column, cap))
        return Branch(upper, self.demands)

    def demanding(self, columns: frozenset[int], least: int) -> Branch:
        """The branch with one more demand."""
        return Branch(self.upper, (*self.demands, (columns, least)))


@dataclass(frozen=True)
class UpperBound:
    """No member of the branch has an objective above scaled / 2^64.

    Attributes
    ----------
    slopes : by column, the reduced cost over 2^64; a column at t costs at least -slope t of the bound.
    columns : the floats that GLOP proposes.
    """

    scaled: int
    slopes: Sequence[int] = field(repr=False)
    columns: Sequence[float] = field(repr=False)

    @property
    def whole(self) -> int:
        """The bound for integer objectives."""
        return self.scaled // MULTIPLIER_SCALE

    def caps(self, target: int, upper: Sequence[int]) -> dict[int, int]:
        """Upper bounds that every member with an objective of at least `target` respects.

        The bound counts max(0, slope) * upper for a column; a member that has t there loses at least
        -slope * t if the slope is negative.
        """
        room = self.scaled - target * MULTIPLIER_SCALE
        return {
            column: room // -slope
            for column, slope in enumerate(self.slopes)
            if slope < 0 and room // -slope < upper[column]
        }


class Relaxation:
    """The relaxation of {closed walks of length L with a_j.N <= b_j}, for many objectives and branches."""

    def __init__(self, windows: Windows, period: int, rows: Sequence[Row]) -> None:
        self.windows, self.period, self.rows = windows, period, tuple(rows)
        self.edges = len(windows.tails)
        self.width = self.edges + windows.cells
        self._program = LinearProgram()
        self._columns = [self._program.variable(0, period) for _ in range(self.width)]
        self._caps = [period] * self.width
        self._demands: dict[frozenset[int], Item] = {}
        self._slacks: list[Item] = []
        self._conservation = [self._program.row(low=0, high=0) for _ in range(windows.states)]
        self._definition = [self._program.row(low=0, high=0) for _ in range(windows.cells)]
        self._total = self._elastic([*range(self.edges, self.width)], period)
        self._total.SetUb(float(period))
        self._limits = [self._limit(row) for row in rows]
        for edge in range(self.edges):
            self._attach(edge)
        for cell in range(windows.cells):
            self._definition[cell].SetCoefficient(self._columns[self.edges + cell], -1.0)

    def _attach(self, edge: int) -> None:
        windows, column = self.windows, self._columns[edge]
        if windows.tails[edge] != windows.heads[edge]:
            self._conservation[windows.tails[edge]].SetCoefficient(column, -1.0)
            self._conservation[windows.heads[edge]].SetCoefficient(column, 1.0)
        self._definition[windows.cell_of[edge]].SetCoefficient(column, 1.0)

    def _limit(self, row: Row) -> Item:
        weights, limit = row
        unit = _largest(weights)
        terms = {self._columns[self.edges + cell]: weight / unit for cell, weight in enumerate(weights)}
        return self._program.row(terms, high=limit / unit)

    def _elastic(self, columns: Sequence[int], least: int) -> Item:
        """columns + slack >= least, the slack at a price."""
        slack = self._program.variable(low=0)
        self._slacks.append(slack)
        return self._program.row({slack: 1} | {self._columns[c]: 1 for c in columns}, low=least)

    def uppers(self, branch: Branch) -> list[int]:
        """By column: the upper bound on a branch."""
        return [branch.upper.get(column, self.period) for column in range(self.width)]

    def bound(self, objective: Sequence[int], branch: Branch, target: int) -> UpperBound:
        """An upper bound for objective.N on a branch, proved in integers.

        While it reaches the target only by violating demands, their prices rise: a branch without any member
        ends below the target that way.
        """
        self._restrict(branch)
        found: UpperBound | None = None
        for price in VIOLATION_PRICES:
            self._aim(objective, price)
            if not self._program.solve():
                continue
            columns = [column.solution_value() for column in self._columns]
            bound = self._weak_duality(objective, branch, columns)
            found = bound if found is None or bound.scaled < found.scaled else found
            violated = any(slack.solution_value() > VIOLATED for slack in self._slacks)
            if found.whole < target or not violated:
                break
        return found or self._without_multipliers(objective)

    def _without_multipliers(self, objective: Sequence[int]) -> UpperBound:
        """What holds without a solver: a step counts at most the largest coefficient. Proposes nothing."""
        return UpperBound(
            max(objective) * self.period * MULTIPLIER_SCALE, [0] * self.width, [-1.0] * self.width
        )

    def _aim(self, objective: Sequence[int], price: float) -> None:
        unit = _largest(objective)
        counts = {self._columns[self.edges + cell]: weight / unit for cell, weight in enumerate(objective)}
        self._program.maximise(counts | dict.fromkeys(self._slacks, -price))

    def _restrict(self, branch: Branch) -> None:
        for column, cap in enumerate(self.uppers(branch)):
            if cap != self._caps[column]:
                self._columns[column].SetUb(float(cap))
                self._caps[column] = cap
        for constraint in self._demands.values():
            constraint.SetLb(0.0)
        for columns, least in branch.demands:
            if columns not in self._demands:
                self._demands[columns] = self._elastic(sorted(columns), least)
            constraint = self._demands[columns]
            constraint.SetLb(max(float(least), constraint.Lb()))

    def _weak_duality(self, objective: Sequence[int], branch: Branch, columns: Sequence[float]) -> UpperBound:
        windows, unit = self.windows, _largest(objective)
        potentials = [_integer(row.dual_value(), unit) for row in self._conservation]
        prices = [_integer(row.dual_value(), unit) for row in self._definition]
        total = _integer(self._total.dual_value(), unit)
        bound = total * self.period
        cells = [
            weight * MULTIPLIER_SCALE + price - total for weight, price in zip(objective, prices, strict=True)
        ]
        for (weights, limit), constraint in zip(self.rows, self._limits, strict=True):
            multiplier = max(0, _integer(constraint.dual_value(), unit / _largest(weights)))
            bound += multiplier * limit
            cells = [left - multiplier * weight for left, weight in zip(cells, weights, strict=True)]
        slopes = [
            potentials[tail] - potentials[head] - prices[cell]
            for tail, head, cell in zip(windows.tails, windows.heads, windows.cell_of, strict=True)
        ] + cells
        for wanted, least in dict(branch.demands).items():
            gain = max(0, -_integer(self._demands[wanted].dual_value(), unit))
            bound -= gain * least
            for column in wanted:
                slopes[column] += gain
        bound += sum(slope * cap for slope, cap in zip(slopes, self.uppers(branch), strict=True) if slope > 0)
        return UpperBound(bound, slopes, columns)


def _integer(multiplier: float, unit: float) -> int:
    """A proposed multiplier over 2^64; the float problem is scaled by `unit`."""
    return round(multiplier * unit * MULTIPLIER_SCALE) if math.isfinite(multiplier) else 0


def _largest(weights: Sequence[int]) -> float:
    """What a row or an objective is divided by in the float problem."""
    return float(max(1, *map(abs, weights)))
