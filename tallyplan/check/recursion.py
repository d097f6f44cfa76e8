"""The rule `recursion`: the least total loss of T steps, computed here.

Over histories the Bellman recursion itself is run, with jumps that are proved on the way; over counts, where
little leaves the window, what does is tried and the rest is counted.
"""

from fractions import Fraction
from itertools import product
from math import comb
from operator import add, ge, sub
from typing import Any

from .instance import Problem, code
from .knapsack import least_sum, openings
from .proof import Goal
from .reading import array, fields, integers, shown
from .sweep import Sweeps
from .verdict import Meter, Refused

Actions = tuple[int, ...]


def prove(goal: Goal, proof: dict[str, Any], meter: Meter) -> None:
    """Refuse unless no T steps lose less than the goal says."""
    over, T = proof.get("over"), goal.horizon or 0
    goal.require("recursion", tallying=over == "counts", horizon=True)
    if over == "histories":
        fields(proof, "dual side", {"rule", "over", "jumps"})
        least = _over_histories(goal.problem, goal.start, T, proof["jumps"], meter)
    elif over == "counts":
        fields(proof, "dual side", {"rule", "over"})
        least = _over_counts(goal.problem, goal.start, T, meter)
    else:
        raise Refused(f"The recursion is over {shown(over)}, not over 'histories' or 'counts'.")
    goal.reached(Fraction(least, goal.problem.D))


def _over_histories(problem: Problem, start: Actions, T: int, listed: object, meter: Meter) -> int:
    """V_N on the full histories, then back through the tree of the shorter ones."""
    K, tree = problem.K, min(T, problem.m - 1 - len(start))
    jumps, leaves = _read_jumps(listed, T - tree), meter.power(K, tree)
    layer = [0] * leaves
    if tree < T:
        first = code(start, K) * leaves
        layer = _last_layer(problem, T - tree, jumps, meter)[first : first + leaves]
    meter.spend(10 * K * (leaves + tree * problem.m), problem.bits() + T.bit_length())
    for depth in range(tree - 1, -1, -1):
        after = [map(add, problem.costs(start, depth, a), layer[a::K]) for a in range(K)]
        layer = [min(entries) for entries in zip(*after, strict=True)]
    return layer[0]


def _read_jumps(listed: object, N: int) -> list[list[int]]:
    """The jumps [t, p, k], each after the end of the one before it, none beyond the last layer."""
    jumps, end = array(listed, "list of jumps"), 0
    for jump in jumps:
        t, p, k = integers(jump, "jump", 3)
        if t < end or p < 1 or k < 1 or t + (k + 1) * p > N:
            raise Refused("A jump goes back, goes nowhere, or ends beyond the last layer of the recursion.")
        end = t + (k + 1) * p
    return jumps


def _last_layer(problem: Problem, N: int, jumps: list[list[int]], meter: Meter) -> list[int]:
    """V_N, by sweeps and by jumps along lines."""
    costs = [list(costs) for _, _, costs in problem.edges(meter)]
    layer, at, sweep = [0] * len(costs[0]), 0, Sweeps(costs, problem.D, meter)
    for t, p, k in jumps:
        layer = sweep(layer, t - at)
        gain = list(map(sub, sweep(layer, p), layer))
        for i in {1, k} if min(gain) < max(gain) else ():
            if sweep(_along(layer, gain, i), p) != _along(layer, gain, i + 1):
                raise Refused("A jump leaves the line that it claims to follow.")
        layer, at = _along(layer, gain, k + 1), t + (k + 1) * p
    return sweep(layer, N - at)


def _along(layer: list[int], gain: list[int], i: int) -> list[int]:
    return list(map(add, layer, map(i.__mul__, gain)))


def _over_counts(problem: Problem, start: Actions, T: int, meter: Meter) -> int:
    """Try what leaves the window, count the rest: a table from tallies in the window to least costs."""
    d, K, bits = problem.m - len(start), problem.K, problem.bits()
    free = max(0, T - d - len(start))
    if free > d:
        raise Refused("The game is too long for a recursion over counts.")
    costs = openings(problem, start, min(T, d), meter)
    if d >= T:
        return least_sum(costs, bits, meter)
    size = comb(d + K - 1, K - 1)
    meter.fit(size * (1 + K // 8), bits)
    meter.spend(size * (30 + K), bits)
    opening: dict[Actions, int] = {(): 0}
    for row in costs:
        last = row is costs[-1]
        opening = {
            (*counts, c): cost + row[c]
            for counts, cost in opening.items()
            for c in range(d - sum(counts) if last else 0, d - sum(counts) + 1)
        }
    least = []
    for begin in product(range(K), repeat=free):
        meter.spend(size * (10 + K) + 5 * problem.m * K)
        held, needed = ([*map(actions.count, range(K))] for actions in (start, begin))
        table = {tuple(map(add, held, c)): cost for c, cost in opening.items() if all(map(ge, c, needed))}
        for gone in (*start, *begin)[: T - d]:
            table = _stepped(problem, table, gone, meter)
        least.append(min(table.values()))
    return min(least)


def _stepped(problem: Problem, table: dict[Actions, int], gone: int, meter: Meter) -> dict[Actions, int]:
    """The table one play later, when `gone` has left the window."""
    K = problem.K
    meter.fit(len(table) * K * (1 + K // 8), problem.bits())
    meter.spend(len(table) * K * (15 + K), problem.bits())
    after: dict[Actions, int] = {}
    for tallies, cost in table.items():
        left = [*tallies]
        left[gone] -= 1
        for x in range(K):
            reached = (*left[:x], left[x] + 1, *left[x + 1 :])
            total = cost + problem.tallied[x][reached[x]]
            after[reached] = min(total, after.get(reached, total))
    return after
