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

**Branch and bound** finds the greatest objective of a closed walk.

A branch whose bound is below the next better value is closed. Otherwise GLOP's point says how to split it:

- its support falls into several components. Take one, with histories U. A closed walk avoids U, or stays in
  U, or leaves U at least once: three branches;
- a count or a flow is fractional: it is at most the integer below, or at least the one above: two branches;
- it is integer and connected: a walk, and a better one than the best known.

Branches are taken in the order of their integer bounds, and among equals the latest first: that dives for a
walk as long as the bound does not fall. When the number of branches is limited, what is open still has a
bound, and the answer is an interval. A search that takes long asks CP-SAT once for a better walk
(`proposals`).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from tallyplan.games.policy_set.walks import Flow, Windows, weighted_sum
from tallyplan.linear_program import Item, LinearProgram
from tallyplan.planning.effort import tick

MULTIPLIER_SCALE = 2**64  # multipliers are integers over this
# What violating a demand or the total by one costs, in turn, in units of the largest coefficient.
VIOLATION_PRICES = (1e2, 1e4, 1e6, 1e8)
NEAR_AN_INTEGER = 1e-6  # floats this close to an integer are rounded; exact arithmetic then decides
BRANCHES_BEFORE_HELP = 600  # then CP-SAT is asked for a better walk
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
    slopes : by column, the reduced cost over 2^64; a column of value t lowers the bound by at least -slope t.
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

        As long as it reaches the target only by violating demands, their prices are raised: thus the bound of
        a branch without members falls below the target.
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
        """A bound without a solver: each step counts at most the largest coefficient. It proposes no walk."""
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


# --- branch and bound --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SearchResult:
    """What a search found.

    Attributes
    ----------
    flow : the best circulation it found itself, None if the given value was not improved.
    value : the best objective known.
    bound : no member has an objective above it.
    proved_by : "weak duality" if the bound is that of the whole set, else "branching".
    """

    flow: Flow | None
    value: int
    bound: int
    proved_by: str


Proposer = Callable[["Relaxation", Sequence[int], Mapping[int, int], int, int, float], Flow | None]


def search(
    relaxation: Relaxation,
    objective: Sequence[int],
    known: int,
    limit: int,
    propose: Proposer,
    patience: int = BRANCHES_BEFORE_HELP,
) -> SearchResult:
    """The greatest objective of a closed walk, starting from a value `known` to be attained.

    Parameters
    ----------
    limit : how many branches are bounded at most; if open ones are left, `bound` exceeds `value`.
    propose : asked once for a better walk, after `patience` branches (`proposals.propose`).
    """
    best, found, ticket = known, None, count(0, -1)
    root = relaxation.bound(objective, Branch(), known + 1)
    heap = [(-root.whole, next(ticket), Branch(), root)]
    branches, helped = 1, False
    while heap and -heap[0][0] > best and branches < limit:
        tick()
        if branches >= patience and not helped:
            helped, highest = True, -heap[0][0]
            caps = root.caps(best + 1, relaxation.uppers(Branch()))
            flow = propose(relaxation, objective, caps, best + 1, highest, limit / 1000)
            best, found = _better(relaxation, objective, flow, best, found)
            continue
        _, _, branch, bound = heapq.heappop(heap)
        branch = branch.capped(bound.caps(best + 1, relaxation.uppers(branch)))
        best, found = _better(relaxation, objective, _walk(relaxation, branch, bound), best, found)
        if bound.whole <= best:
            continue  # closed by what it proposed itself
        parts = [
            (relaxation.bound(objective, part, best + 1), part) for part in _split(relaxation, branch, bound)
        ]
        branches += len(parts)
        for below, part in sorted(parts, key=lambda pair: pair[0].scaled):
            highest = min(below.whole, bound.whole)  # a part is not better than the whole
            if highest > best:
                heapq.heappush(heap, (-highest, next(ticket), part, below))
    highest = max(best, -heap[0][0]) if heap else best
    proof = "weak duality" if highest == root.whole else "branching"
    return SearchResult(found, best, highest, proof)


def _better(
    relaxation: Relaxation, objective: Sequence[int], flow: Flow | None, best: int, found: Flow | None
) -> tuple[int, Flow | None]:
    """The proposed flow and its value if it belongs to the set and is better, or what was found before."""
    if flow is None or not belongs(relaxation, flow):
        return best, found
    value = weighted_sum(relaxation.windows.counts_of_flow(flow), objective)
    return (value, flow) if value > best else (best, found)


def _walk(relaxation: Relaxation, branch: Branch, bound: UpperBound) -> Flow | None:
    """The proposed flow, or the only one that the branch allows, if it is integer and connected."""
    lower, upper = _ranges(relaxation, branch)
    pinned = all(low >= high for low, high in zip(lower, upper, strict=True))
    proposed = (upper if pinned else bound.columns)[: relaxation.edges]
    flow = tuple(round(value) for value in proposed)
    if any(abs(value - times) > NEAR_AN_INTEGER for value, times in zip(proposed, flow, strict=True)):
        return None
    support = [edge for edge, times in enumerate(flow) if times]
    return flow if len(relaxation.windows.components(support)) == 1 else None


def belongs(relaxation: Relaxation, flow: Flow) -> bool:
    """Whether a flow is a circulation of the right total under all rows, in integers."""
    windows = relaxation.windows
    balance = [0] * windows.states
    for edge, times in enumerate(flow):
        balance[windows.tails[edge]] -= times
        balance[windows.heads[edge]] += times
    counts = windows.counts_of_flow(flow)
    rows = all(weighted_sum(counts, weights) <= limit for weights, limit in relaxation.rows)
    return rows and not any(balance) and sum(flow) == relaxation.period and min(flow) >= 0


def _split(relaxation: Relaxation, branch: Branch, bound: UpperBound) -> list[Branch]:
    """Parts that cover the branch, each smaller than it."""
    support = [edge for edge in range(relaxation.edges) if bound.columns[edge] > NEAR_AN_INTEGER]
    components = relaxation.windows.components(support)
    if len(components) > 1:
        parts = _connected(relaxation, branch, components[0])
        if parts[-1].demands[-1] not in branch.demands:
            return parts
    lower, upper = _ranges(relaxation, branch)
    if all(low >= high for low, high in zip(lower, upper, strict=True)):
        return []  # one flow at most, and `_walk` has looked at it
    column, below = _fractional(relaxation, lower, upper, bound)
    return [branch.capped({column: below}), branch.demanding(frozenset([column]), below + 1)]


def _connected(relaxation: Relaxation, branch: Branch, inside: frozenset[int]) -> list[Branch]:
    """Three branches: the walks that avoid a set of histories, stay in it, or leave it."""
    tails, heads = relaxation.windows.tails, relaxation.windows.heads
    edges = range(relaxation.edges)
    touching = [edge for edge in edges if tails[edge] in inside or heads[edge] in inside]
    within = {edge for edge in edges if tails[edge] in inside and heads[edge] in inside}
    leaving = frozenset(edge for edge in edges if tails[edge] in inside and heads[edge] not in inside)
    return [
        branch.capped(dict.fromkeys(touching, 0)),
        branch.capped({edge: 0 for edge in edges if edge not in within}),
        branch.demanding(leaving, 1),
    ]


def _ranges(relaxation: Relaxation, branch: Branch) -> tuple[list[int], list[int]]:
    """By edge and cell: the least and the greatest value that the branch allows it."""
    lower = [0] * relaxation.width
    for columns, least in branch.demands:
        if len(columns) == 1:
            (column,) = columns
            lower[column] = max(lower[column], least)
    return lower, relaxation.uppers(branch)


def _fractional(
    relaxation: Relaxation, lower: Sequence[int], upper: Sequence[int], bound: UpperBound
) -> tuple[int, int]:
    """A column and an integer that splits its range: counts before flows, the one furthest from an integer.

    A point that violates demands may lie outside all ranges; then the widest range is halved.
    """

    def distance(column: int) -> float:
        value = bound.columns[column]
        inside = lower[column] <= value < upper[column]
        return abs(value - round(value)) if inside else 0.0

    for columns in (range(relaxation.edges, relaxation.width), range(relaxation.edges)):
        furthest = max(columns, key=distance)
        if distance(furthest) > NEAR_AN_INTEGER:
            return furthest, int(bound.columns[furthest] // 1)
    widest = max(range(relaxation.width), key=lambda column: upper[column] - lower[column])
    return widest, (lower[widest] + upper[widest]) // 2
