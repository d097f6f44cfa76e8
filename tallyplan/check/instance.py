"""The instance that a certificate is about, in integers, and its graph of histories.

All losses are multiplied by their common denominator D, and all weights by theirs. A tallying instance is a
weighted one with all weights 1, so there are two ways to cost a window: by the weighted tally of its last
action, or by its code.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, groupby
from typing import Any

from .reading import Reader, array, fields, integer, typed
from .verdict import Meter, Refused, Undecided

_KEYS = {
    "tallying": {"memory", "losses"},
    "weighted": {"memory", "losses", "weights"},
    "window": {"memory", "actions", "windows"},
}
_COLLISIONS = 20  # different numbers that may share a place in Python's tables; by chance hardly two do

Edges = tuple[Sequence[int], Sequence[int], Sequence[int]]  # their states, successors and costs


@dataclass(frozen=True)
class Problem:
    """K actions, memory m, and costs by action and tally (`tallied`) or by window length and code."""

    kind: str
    K: int
    m: int
    D: int
    unit: int  # by which the weights were multiplied
    weights: list[int]
    tallied: list[dict[int, int]]
    windows: list[list[int]]

    def values(self) -> Iterator[int]:
        """Every cost of the tables."""
        return chain(*self.windows, *(table.values() for table in self.tallied))

    def bits(self) -> int:
        """No cost, and no sum of weights, has more."""
        return max(self.D.bit_length(), sum(map(abs, self.weights)).bit_length())

    def states(self, meter: Meter) -> int:
        """The number of histories."""
        return meter.power(self.K, self.m - 1)

    def cost(self, window: Sequence[int]) -> int:
        """The cost of the last action of a window."""
        if self.windows:
            return self.windows[len(window) - 1][code(window, self.K)]
        last = window[-1]
        held = zip(self.weights, reversed(window), strict=False)
        return self.tallied[last][sum(weight for weight, action in held if action == last)]

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
        meter.spend(self.K * (2 * n + 10 * self.m), self.bits())
        for action in range(self.K):
            heads = list(range(action % n, n, self.K)) * min(self.K, n)
            yield range(n), heads, self.costs((), self.m - 1, action)


def code(actions: Sequence[int], K: int) -> int:
    """The number whose base-K digits, oldest first, are the actions."""
    result = 0
    for action in actions:
        result = result * K + action
    return result


def read(value: object, number: Reader, meter: Meter, where: str = "instance") -> Problem:
    """An instance; its kind follows from its keys."""
    found = typed(value, dict, where)
    kind = "window" if "windows" in found else "weighted" if "weights" in found else "tallying"
    fields(found, where, _KEYS[kind], {"name", "units"})
    m = integer(found["memory"], f"memory of the {where}", 1)
    rows = _rows(found, kind, m, where)
    listed = chain.from_iterable(row.values() if kind == "weighted" else row for row in rows)
    losses = [number(entry, f"loss in the {where}") for entry in listed]
    if any(not 0 <= loss.numerator <= loss.denominator for loss in losses):
        raise Refused(f"The {where} has a loss outside [0, 1].")
    whole, D = in_units(losses, meter)
    costs = iter(whole)
    if kind == "window":
        return Problem(kind, found["actions"], m, D, 1, [], [], [[next(costs) for _ in row] for row in rows])
    if kind == "tallying":
        tables = [{tally: next(costs) for tally in range(1, m + 1)} for _ in rows]
        return Problem(kind, len(rows), m, D, 1, [1] * m, tables, [])
    weighed = array(found["weights"], f"list of weights of the {where}", m)
    weights, unit = in_units([number(weight, f"weight in the {where}") for weight in weighed], meter)
    possible, tables = _tallies(weights, max(map(len, rows)), meter), []
    for x, row in enumerate(rows):
        tallies = [unit * number(tally, f"tally in the {where}") for tally in row]
        meter.spend(20 * len(tallies), unit.bit_length(), unit.bit_length())
        known = len(tallies) == len(possible) and all(tally in possible for tally in tallies)
        tables.append({int(tally): next(costs) for tally in tallies} if known else {})
        if len(tables[x]) < len(possible):
            raise Refused(f"Action {x} in the {where} does not have exactly the possible tallies.")
    return Problem(kind, len(rows), m, D, unit, weights, tables, [])


def _rows(found: dict[str, Any], kind: str, m: int, where: str) -> list[Any]:
    """The lists or objects of losses, each as long as it should be."""
    if kind == "window":
        rows = array(found["windows"], f"list of windows of the {where}", m)
        K, size = integer(found["actions"], f"number of actions of the {where}", 1), 1
        for row in rows:
            size *= K
            array(row, f"row of windows in the {where}", size)
        return rows
    rows = array(found["losses"], f"list of losses of the {where}")
    if not rows:
        raise Refused(f"The {where} has no actions.")
    for row in rows:
        if kind == "weighted":
            typed(row, dict, f"row of losses in the {where}")
        else:
            array(row, f"row of losses in the {where}", m)
    return rows


def _tallies(weights: list[int], most: int, meter: Meter) -> set[int]:
    """The first weight plus every subset of the others, given up beyond so many."""
    bits = sum(map(abs, weights)).bit_length()
    possible = {weights[0]}
    for weight in weights[1:]:
        meter.spend(4 * len(possible), bits)
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
        bits, more = unit.bit_length(), denominator.bit_length()
        meter.spend(20, bits, more)
        meter.fit(len(numbers), bits + more)
        unit = math.lcm(unit, denominator)
    meter.spend(2 * len(numbers), unit.bit_length(), unit.bit_length())
    return [number.numerator * (unit // number.denominator) for number in numbers], unit
