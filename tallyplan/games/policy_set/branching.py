"""Branch and bound over the relaxation: the greatest objective of a closed walk, every bound in integers.

A branch whose bound is below the next better value is closed. Otherwise GLOP's point says how to split it:

- its support falls into several components. Take one, with histories U. A closed walk avoids U, or stays in
  U, or leaves U at least once: three branches;
- a count or a flow is fractional: it is at most the integer below, or at least the one above: two branches;
- it is integer and connected: a walk, and a better one than the best known.

Branches are taken in the order of their integer bounds, and among equals the latest first: that dives for a
walk as long as the bound does not fall. When the number of branches is limited, what is open still has a
bound, and the answer is an interval.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from tallyplan.games.policy_set.relaxation import Branch, Relaxation, UpperBound
from tallyplan.games.policy_set.walks import Flow, weighted_sum
from tallyplan.planning.effort import tick

NEAR_AN_INTEGER = 1e-6  # floats this close to an integer are tried as it; exact arithmetic then decides


@dataclass(frozen=True)
class SearchResult:
    """What a search found.

    Attributes
    ----------
    flow : the best circulation it found itself, None if the given value was not improved.
    value : the best objective known.
    bound : no member has an objective above it.
    branches : relaxations solved.
    proved_by : "weak duality" if the bound is the ceiling that the search began with, else "branching".
    """

    flow: Flow | None
    value: int
    bound: int
    branches: int
    proved_by: str

    @property
    def closed(self) -> bool:
        """Whether value and bound meet."""
        return self.value == self.bound

    def then(self, later: SearchResult) -> SearchResult:
        """Both, of which the later began with the value and the bound of this one."""
        proof = self.proved_by if later.bound == self.bound else later.proved_by
        branches = self.branches + later.branches
        return SearchResult(later.flow or self.flow, later.value, later.bound, branches, proof)


def search(
    relaxation: Relaxation, objective: Sequence[int], known: int, limit: int, ceiling: int
) -> SearchResult:
    """The greatest objective of a closed walk, starting from a value `known` to be attained, and a `ceiling`
    that none exceeds.

    At most `limit` branches are bounded; if open ones are left, `bound` exceeds `value`.
    """
    best, found, ticket = known, None, count(0, -1)
    root = relaxation.bound(objective, Branch(), known + 1)
    heap = [(-root.whole, next(ticket), Branch(), root)]
    branches = 1
    while heap and min(-heap[0][0], ceiling) > best and branches < limit:
        tick()
        _, _, branch, bound = heapq.heappop(heap)
        branch = branch.capped(bound.caps(best + 1, relaxation.uppers(branch)))
        flow = _walk(relaxation, branch, bound)
        if flow is not None and belongs(relaxation, flow):
            value = weighted_sum(relaxation.windows.counts_of_flow(flow), objective)
            if value > best:
                best, found = value, flow
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
    highest = max(best, min(-heap[0][0], ceiling)) if heap else best
    return SearchResult(found, best, highest, branches, "weak duality" if highest == ceiling else "branching")


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
    """Walks that avoid a set of histories, that stay in it, that leave it."""
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
