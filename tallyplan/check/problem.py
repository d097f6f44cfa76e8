"""What a certificate is about, in integers: an instance with its graph of histories, or an explicit graph.

All numbers are multiplied by their common denominator D. A tallying instance is a weighted one with all
weights 1, so there are two ways to cost a window: by the weighted tally of its last action, or by its code.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from importlib import import_module
from itertools import accumulate, chain, groupby, islice
from math import ceil, lcm
from operator import add
from typing import Any

from .reading import Meter, Refused, Undecided, array, choices, fields, integer, rational, shown, typed, wide

_KEYS = {"tallying": {"losses"}, "weighted": {"losses", "weights"}, "window": {"actions", "windows"}}
RULES = ("potential", "fewer-actions", "recursion", "close", "cases", "longest-walk")
_COLLISIONS = 20  # different numbers that may share a place in Python's tables; by chance hardly two do

Row = Sequence[int]  # by a count 0, 1, ..
Edges = tuple[Sequence[int], Sequence[int], Sequence[int]]  # their states, successors and costs


@dataclass(frozen=True)
class Problem:
    """K actions, memory m, and costs by action and tally (`tallied`) or by window length and code."""

    kind: str
    K: int
    m: int
    D: int
    weights: list[int] = field(default_factory=list)
    tallied: list[dict[int, int]] = field(default_factory=list)
    windows: list[list[int]] = field(default_factory=list)

    def values(self) -> Iterator[int]:
        """Every cost of the tables."""
        return chain(*self.windows, *(table.values() for table in self.tallied))

    def states(self, meter: Meter) -> int:
        """The number of histories."""
        return meter.power(self.K, self.m - 1)

    def costs(self, prefix: Sequence[int], free: int, action: int) -> list[int]:
        """The costs of `action` after each of the K^free histories that extend `prefix`, in code order."""
        K = self.K
        if self.windows:
            size = K ** (free + 1)
            first = code(prefix, K) * size
            return self.windows[len(prefix) + free][first + action : first + size : K]
        before = zip(self.weights[free + 1 :], reversed(prefix), strict=False)
        tallies = [self.weights[0] + sum(weight for weight, a in before if a == action)]
        for weight in reversed(self.weights[1 : free + 1]):  # the oldest free action is the leading digit
            gains = [weight if digit == action else 0 for digit in range(K)]
            tallies = [tally + gain for tally in tallies for gain in gains]
        return list(map(self.tallied[action].__getitem__, tallies))

    def edges(self, meter: Meter) -> Iterator[Edges]:
        """The graph, action by action: playing a in the history s leads to (s K + a) mod n."""
        n = self.states(meter)
        meter.spend(self.K * (2 * n + 10 * self.m))
        for action in range(self.K):
            heads = list(range(action % n, n, self.K)) * min(self.K, n)
            yield range(n), heads, self.costs((), self.m - 1, action)


def code(actions: Sequence[int], K: int) -> int:
    """The number whose base-K digits, oldest first, are the actions."""
    return reduce(lambda number, action: number * K + action, actions, 0)


@dataclass(frozen=True)
class Graph:
    """Edge e leads from node `tails[e]` to node `heads[e]` and costs `costs[e]`/D; nodes are 0 .. n-1."""

    n: int
    D: int
    tails: list[int]
    heads: list[int]
    costs: list[int]
    times: list[Fraction] | None = None
    kind = "graph"

    def values(self) -> Iterator[int]:
        """Every cost."""
        return iter(self.costs)

    def states(self, meter: Meter) -> int:
        """The number of nodes."""
        return self.n

    def edges(self, meter: Meter) -> Iterator[Edges]:
        """All of them at once."""
        yield self.tails, self.heads, self.costs


@dataclass(frozen=True)
class Goal:
    """What a dual side has to show about a problem: a `Problem` or a `Graph`.

    With a horizon, that many steps after `start` cost at least `least` in total. Without, closed walks cost
    that much per step: those of `period` steps, if one is given, that avoid the states `removed`.
    """

    problem: Any
    least: Fraction
    period: int | None = None
    horizon: int | None = None
    start: tuple[int, ...] = ()
    removed: frozenset[int] = frozenset()

    def prove(self, proof: object, meter: Meter) -> None:
        """Refuse unless the proof, by the rule that it names, reaches the goal."""
        rule = typed(proof, dict, "dual side").get("rule")
        if rule not in RULES:
            raise Refused(f"The rule {shown(rule)} is none of {', '.join(RULES)}.")
        import_module(f".{rule.replace('-', '_')}", __package__).prove(self, proof, meter)

    def require(self, rule: str, *, tallying: bool = True, horizon: bool = False) -> None:
        """Refuse a rule that is not for this goal."""
        if tallying and self.problem.kind != "tallying":
            raise Refused(f"The rule '{rule}' is for tallying instances.")
        if horizon and self.horizon is None:
            raise Refused(f"The rule '{rule}' is for games of finitely many steps.")

    def reached(self, bound: Fraction) -> None:
        """Refuse unless the bound, rounded up to a multiple of 1/D as all losses are, is high enough."""
        if Fraction(ceil(bound * self.problem.D), self.problem.D) < self.least:
            raise Refused("The dual side proves less than the claimed value.")


def less(graph: Graph, value: Fraction, meter: Meter) -> Graph:
    """The graph of the weights less `value` times the times."""
    pairs = zip(graph.costs, graph.times or [], strict=True)
    costs, D = in_units([Fraction(cost, graph.D) - value * time for cost, time in pairs], meter)
    meter.widen([D, *costs])
    return Graph(graph.n, D, graph.tails, graph.heads, costs)


def read_graph(value: object, meter: Meter) -> Graph:
    """An explicit graph."""
    found = fields(value, "graph", {"nodes", "tails", "heads", "weights"}, {"names", "times"})
    n = integer(found["nodes"], "number of nodes", 1)
    tails = choices(found["tails"], "list of tails", n)
    heads = choices(array(found["heads"], "list of heads", len(tails)), "list of heads", n)
    weights = array(found["weights"], "list of weights", len(tails))
    costs, D = in_units([rational(weight, "weight") for weight in weights], meter)
    meter.widen([D, *costs])
    if "times" not in found:
        return Graph(n, D, tails, heads, costs)
    times = [rational(time, "time") for time in array(found["times"], "list of times", len(tails))]
    if any(time <= 0 for time in times):
        raise Refused("A time is not positive.")
    return Graph(n, D, tails, heads, costs, times)


def read_instance(value: object, meter: Meter) -> Problem:
    """An instance; its kind follows from its keys."""
    found = typed(value, dict, "instance")
    kind = "window" if "windows" in found else "weighted" if "weights" in found else "tallying"
    fields(found, "instance", {"memory"} | _KEYS[kind], {"name", "units"})
    m, rows = integer(found["memory"], "memory", 1), list[Any]()
    if kind == "window":
        K = integer(found["actions"], "number of actions", 1)
        listed = enumerate(array(found["windows"], "list of windows", m), 1)
        rows = [array(row, "list of windows of one length", K**length) for length, row in listed]
    elif kind == "weighted":
        weighed = [typed(row, dict, "row of losses") for row in array(found["losses"], "list of losses")]
        rows = [list(row.values()) for row in weighed]
    else:
        rows = [array(row, "row of losses", m) for row in array(found["losses"], "list of losses")]
    if not rows:
        raise Refused("The instance has no actions.")
    losses = [rational(loss, "loss") for loss in chain(*rows)]
    if any(not 0 <= loss.numerator <= loss.denominator for loss in losses):
        raise Refused("A loss lies outside [0, 1].")
    weights = array(found["weights"], "list of weights", m) if kind == "weighted" else []
    numbers, D = in_units([*losses, *(rational(weight, "weight") for weight in weights)], meter)
    costs, scaled = iter(numbers), numbers[len(losses) :]
    meter.widen([D, *scaled])
    if kind == "window":
        return Problem(kind, found["actions"], m, D, windows=[list(islice(costs, len(row))) for row in rows])
    if kind == "tallying":
        return Problem(kind, len(rows), m, D, [1] * m, [dict(enumerate(islice(costs, m), 1)) for _ in rows])
    meter.spend(20 * len(losses), products=len(losses))
    possible, tables = _tallies(scaled, max(map(len, rows)), meter), []
    for x, row in enumerate(weighed):
        tallies = [D * rational(tally, "tally") for tally in row]
        if len(tallies) != len(possible) or not all(tally in possible for tally in tallies):
            raise Refused(f"Action {x} does not have exactly the possible tallies.")
        tables.append({int(tally): next(costs) for tally in tallies})
    return Problem(kind, len(rows), m, D, scaled, tables)


def _tallies(weights: list[int], most: int, meter: Meter) -> set[int]:
    """The first weight plus every subset of the others; given up if there are too many."""
    possible = {weights[0]}
    for weight in weights[1:]:
        meter.spend(4 * len(possible))
        possible |= {tally + weight for tally in possible}
        if len(possible) > most:
            break
        if max(Counter(map(hash, possible)).values()) > _COLLISIONS:
            raise Undecided("Many tallies share one place in Python's tables.")
    return possible


def in_units(numbers: Sequence[Fraction], meter: Meter) -> tuple[list[int], int]:
    """The numbers multiplied by their common denominator, and that."""
    unit = 1
    for denominator, _ in groupby(sorted(number.denominator for number in numbers)):
        meter.spend(20 * wide(unit) * wide(denominator))
        unit = lcm(unit, denominator)
        meter.fit(len(numbers) * wide(unit))
    meter.spend(2 * len(numbers) * wide(unit) ** 2)
    return [number.numerator * (unit // number.denominator) for number in numbers], unit


def openings(problem: Problem, start: Sequence[int], steps: int, meter: Meter) -> list[list[int]]:
    """`[x][c]`: the cost of playing x c times while nothing leaves the window."""
    meter.spend(problem.K * (10 + 2 * steps + len(start) // 4))
    held = Counter(start)
    plays = ((table[held[x] + c] for c in range(1, steps + 1)) for x, table in enumerate(problem.tallied))
    return [list(accumulate(costs, initial=0)) for costs in plays]


def least_sum(rows: Sequence[Row], meter: Meter) -> int:
    """The least sum of rows[x][c_x] over counts c_x that add up to the largest."""
    totals = rows[0]
    for row in rows[1:]:
        totals = merged([(totals, row)], row is rows[-1], meter)
    return totals[-1]


def merged(pairs: Sequence[tuple[Row, Row]], last: bool, meter: Meter) -> list[int]:
    """For each total, the least left[i] + right[total - i] of a pair; `last`: for the largest total alone."""
    size = len(pairs[0][1])
    meter.spend(len(pairs) * (10 + size if last else size * (10 + size // 4)))
    turned = [(left, right[::-1]) for left, right in pairs]
    return [
        min(min(map(add, left[: total + 1], right[size - 1 - total :])) for left, right in turned)
        for total in ([size - 1] if last else range(size))
    ]
