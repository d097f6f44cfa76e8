"""The rule `recursion`: the least total loss of T steps, computed here.

Over histories the Bellman recursion itself is run, with jumps that are proved on the way; over counts, where
little leaves the window, what does is tried and the rest is counted.
"""

from array import array as words
from collections.abc import Callable
from fractions import Fraction
from functools import partial, reduce
from itertools import product
from math import comb
from operator import add, ge, sub
from sys import byteorder
from typing import Any

from .problem import Goal, Problem, code, least_sum, openings
from .reading import Meter, Refused, array, fields, integers, shown

Actions = tuple[int, ...]
Layer = list[int]  # by history


def prove(goal: Goal, proof: dict[str, Any], meter: Meter) -> None:
    """Refuse unless no T steps lose less than the goal says."""
    over, T = proof.get("over"), goal.horizon or 0
    goal.require("recursion", tallying=over == "counts", horizon=True)
    ways = ("states",) if goal.problem.kind == "arms" else ("histories", "counts")
    if over not in ways:
        raise Refused(f"The recursion is over {shown(over)}, not over {' or '.join(ways)}.")
    if over == "counts":
        fields(proof, "dual side", {"rule", "over"})
        least = _over_counts(goal.problem, goal.start, T, meter)
    else:
        fields(proof, "dual side", {"rule", "over", "jumps"})
        recursion = _over_states if over == "states" else _over_histories
        least = recursion(goal.problem, goal.start, T, proof["jumps"], meter)
    goal.reached(Fraction(least, goal.problem.D))


def _over_histories(problem: Problem, start: Actions, T: int, listed: object, meter: Meter) -> int:
    """V_N on the full histories, then back through the tree of the shorter ones."""
    K, tree = problem.K, min(T, problem.m - 1 - len(start))
    leaves = meter.power(K, tree)
    layer = [0] * leaves
    if tree < T or listed != []:
        costs = [list(costs) for _, _, costs in problem.edges(meter)]
        sweep = partial(swept, costs, problem.D, meter)
        first = code(start, K) * leaves
        layer = _last_layer(sweep, len(costs[0]), T - tree, listed)[first : first + leaves]
    meter.spend(10 * K * (leaves + tree * problem.m))
    for depth in range(tree - 1, -1, -1):
        after = [map(add, problem.costs(start, depth, a), layer[a::K]) for a in range(K)]
        layer = [min(entries) for entries in zip(*after, strict=True)]
    return layer[0]


def _over_states(arms: Any, start: Actions, T: int, listed: object, meter: Meter) -> int:
    """V_T in the state after the start; where no walk of t steps begins, V_t is above T times every cost.

    A sweep takes the least of that and the sums over the edges. So it is still increasing and concave, and it
    commutes with constants where no entry is that high; if one is, a constant gain is zero.
    """
    number, (tails, heads, costs) = arms.graph(meter)
    n, never = len(number), T * arms.D + 1

    def sweep(layer: Layer, count: int) -> Layer:
        for _ in range(count):
            meter.spend(2 * n + 4 * len(costs))
            after = [never] * n
            for s, then, cost in zip(tails, heads, costs, strict=True):
                if cost + layer[then] < after[s]:
                    after[s] = cost + layer[then]
            layer = after
        return layer

    first: int = number[arms.after(start, meter)]
    return _last_layer(sweep, n, T, listed)[first]


def _last_layer(sweep: Callable[[Layer, int], Layer], n: int, N: int, listed: object) -> Layer:
    """V_N, by sweeps and by jumps along lines."""
    layer, at = [0] * n, 0

    def along(i: int) -> Layer:
        return list(map(add, layer, map(i.__mul__, gain)))

    for jump in array(listed, "list of jumps"):
        t, p, k = integers(jump, "jump", 3)
        if t < at or p < 1 or k < 1 or t + (k + 1) * p > N:
            raise Refused("A jump goes back, goes nowhere, or ends beyond the last layer of the recursion.")
        layer = sweep(layer, t - at)
        gain = list(map(sub, sweep(layer, p), layer))
        if min(gain) < max(gain) and any(sweep(along(i), p) != along(i + 1) for i in {1, k}):
            raise Refused("A jump leaves the line that it claims to follow.")
        layer, at = along(k + 1), t + (k + 1) * p
    return sweep(layer, N - at)


def swept(costs: list[Layer], D: int, meter: Meter, layer: Layer, count: int) -> Layer:
    """The layer `count` sweeps later; costs, by action and history, are in 0 .. D.

    The successors by action a of all n histories, in their order, are the entries [a::K], K times over.
    """
    if count == 0:
        return layer
    n, K, low = len(layer), len(costs), min(layer)
    top = max(layer) - low + count * D  # a sweep raises no difference by more than D
    meter.fit((K + 9) * n // 4)
    meter.spend(n * (5 + K) + 10 * K)
    if top < 1 << 63:
        meter.spend(count * K * (50 + n // 5))
        above = [entry - low for entry in layer]
        return [entry + low for entry in _packed(costs, above, count, "I" if top < 1 << 31 else "Q")]
    meter.spend(count * K * (10 + 2 * n))
    for _ in range(count):
        after = [map(add, row, layer[a % n :: K] * min(K, n)) for a, row in enumerate(costs)]
        layer = [min(entries) for entries in zip(*after, strict=True)]
    return layer


def _packed(costs: list[Layer], layer: Layer, count: int, word: str) -> "words[int]":
    """The same for numbers of 31 or 63 bits, as quick as the standard library gets.

    A list is one large integer with a word for every entry, the highest bit of which is free: sums and minima
    of whole lists are a few operations on large integers.
    """
    n, K, current = len(layer), len(costs), words(word, layer)
    size, top = current.itemsize, 8 * current.itemsize - 1

    def pack(numbers: "Layer | words[int]") -> int:
        return int.from_bytes(words(word, numbers).tobytes(), byteorder)

    def lesser(x: int, y: int) -> int:
        """The smaller of two numbers in every place."""
        apart = (x | free) - y  # in every place x - y plus the free bit, above 0: none borrows
        above = apart & free  # the free bits of the places where x >= y
        return x - (apart & (above - (above >> top)))  # x - (x - y) there, x elsewhere

    free, rows = pack([1 << top] * n), list(map(pack, costs))
    for _ in range(count):
        after = (pack(current[a % n :: K] * min(K, n)) for a in range(K))
        current = words(word, reduce(lesser, map(add, rows, after)).to_bytes(size * n, byteorder))
    return current


def _over_counts(problem: Problem, start: Actions, T: int, meter: Meter) -> int:
    """Try what leaves the window, count the rest: a table from tallies in the window to least costs."""
    d, K = problem.m - len(start), problem.K
    free = max(0, T - d - len(start))
    if free > d:
        raise Refused("The game is too long for a recursion over counts.")
    costs = openings(problem, start, min(T, d), meter)
    if d >= T:
        return least_sum(costs, meter)
    size = comb(d + K - 1, K - 1)
    meter.fit(size * (1 + K // 8))
    meter.spend(size * (30 + K))
    opening: dict[Actions, int] = {(): 0}
    for row in costs:
        opening = {
            (*counts, c): cost + row[c]
            for counts, cost in opening.items()
            for c in range(d - sum(counts) if row is costs[-1] else 0, d - sum(counts) + 1)
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
    meter.fit(len(table) * K * (1 + K // 8))
    meter.spend(len(table) * K * (15 + K))
    after: dict[Actions, int] = {}
    for tallies, cost in table.items():
        for x in range(K):
            reached = tuple(tally - (y == gone) + (y == x) for y, tally in enumerate(tallies))
            total = cost + problem.tallied[x][reached[x]]
            after[reached] = min(total, after.get(reached, total))
    return after
