"""The problem a certificate is about: its losses, read, compared, and scaled to integer costs.

An `Instance` is what the document says, in exact rationals, so that two of them can be compared. A `Problem`
is the same with all losses multiplied by their common denominator; only integers from there on. Tallying
instances are weighted ones with all weights 1, so there are two ways to cost a window: by the weighted tally
of its last action, or by its code.
"""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import chain, groupby
from sys import hash_info
from typing import Any

from .document import Reader, array, fields, integer, mapping, rational, string
from .verdict import EDGES_PER_FRACTION, Budget, Refused, Undecided

MOST_COLLISIONS = 20
"""Different numbers that may share a place in one of Python's tables; by chance hardly two do."""
ENTRIES_PER_LOSS = 3
"""A loss is kept as it was written, as a rational, and as an integer, the last two in tables by tallies."""
_KEYS = {
    "tallying": {"memory", "losses"},
    "weighted": {"memory", "losses", "weights"},
    "window": {"memory", "actions", "windows"},
}
_FOR_PEOPLE = frozenset({"name", "units"})
"""Keys that carry no mathematics: a name, and what the losses were before they were rescaled."""


@dataclass(frozen=True)
class Instance:
    """K actions, memory m, and either weights with a table per action or a list per window length."""

    kind: str
    K: int
    m: int
    weights: list[Fraction]
    tallied: list[dict[Fraction, Fraction]]
    windows: list[list[Fraction]]


def read_instance(value: object, number: Reader, budget: Budget, where: str = "instance") -> Instance:
    """Read an instance; its kind follows from its keys."""
    found = mapping(value, where)
    kind = "window" if "windows" in found else "weighted" if "weights" in found else "tallying"
    fields(found, where, _KEYS[kind], _FOR_PEOPLE)
    string(found.get("name", ""), f"name of the {where}")
    if "units" in found:
        _read_units(found["units"], number, f"units of the {where}")
    m = integer(found["memory"], f"memory of the {where}", 1)
    reader = _losses(number, budget, where)
    if kind == "window":
        return _read_windows(found, m, reader, where)
    rows = array(found["losses"], f"list of losses of the {where}")
    if not rows:
        raise Refused(f"The {where} has no actions.")
    if kind == "tallying":
        return _read_tallying(rows, m, reader, where)
    listed = array(found["weights"], f"list of weights of the {where}", m)
    tally = _held(number, budget)
    weights = [tally(weight, f"weight in the {where}") for weight in listed]
    tables = [
        _read_table(row, tally, reader, f"table of action {x} in the {where}") for x, row in enumerate(rows)
    ]
    _refuse_other_tallies(weights, tables, budget, where)
    return Instance("weighted", len(rows), m, weights, tables, [])


def _read_units(value: object, number: Reader, where: str) -> None:
    """What the losses were before they were rescaled; it must be well formed, and proves nothing."""
    found = fields(value, where, {"of", "origin", "factor"})
    if found["of"] not in ("losses", "rewards"):
        raise Refused(f"The {where} are neither of losses nor of rewards.")
    number(found["origin"], f"origin of the {where}")
    factor = number(found["factor"], f"factor of the {where}")
    if factor == 0 or (factor > 0) != (found["of"] == "losses"):
        raise Refused(f"The factor of the {where} is not above 0 for losses, or below 0 for rewards.")


def _losses(number: Reader, budget: Budget, where: str) -> Callable[[object], Fraction]:
    """How a loss is read: in [0, 1], and its digits are accounted for."""

    def read(entry: object) -> Fraction:
        loss = number(entry, f"loss in the {where}")
        if not 0 <= loss.numerator <= loss.denominator:
            raise Refused(f"The {where} has a loss outside [0, 1].")
        budget.hold(ENTRIES_PER_LOSS, loss.denominator.bit_length())
        return loss

    return read


def _held(number: Reader, budget: Budget) -> Reader:
    """How a weight or a tally is read: its digits are accounted for."""

    def read(entry: object, where: str) -> Fraction:
        found = number(entry, where)
        budget.hold(1, found.numerator.bit_length() + found.denominator.bit_length())
        return found

    return read


def _read_tallying(rows: list[Any], m: int, read: Callable[[object], Fraction], where: str) -> Instance:
    tables: list[dict[Fraction, Fraction]] = []
    for x, row in enumerate(rows):
        row = array(row, f"row of losses of action {x} in the {where}", m)
        tallies = tables[0] if tables else [Fraction(tally) for tally in range(1, m + 1)]
        tables.append(dict(zip(tallies, map(read, row), strict=True)))
    return Instance("tallying", len(rows), m, [Fraction(1)] * m, tables, [])


def _read_table(
    row: object, number: Reader, read: Callable[[object], Fraction], where: str
) -> dict[Fraction, Fraction]:
    entries = mapping(row, where)
    tallies = [number(tally, f"tally in the {where}") for tally in entries]
    refuse_collisions(tallies, where)
    table = dict(zip(tallies, map(read, entries.values()), strict=True))
    if len(table) < len(entries):
        raise Refused(f"The {where} lists a tally twice.")
    return table


def _refuse_other_tallies(
    weights: list[Fraction], tables: list[dict[Fraction, Fraction]], budget: Budget, where: str
) -> None:
    """The tallies are the first weight plus every subset of the others: too many are seen on the way."""
    unit = common_denominator(weights, budget)
    whole = [_scaled(weight, unit) for weight in weights]
    bits = max(map(int.bit_length, whole)) + len(whole).bit_length()
    possible = {whole[0]}
    for weight in whole[1:]:
        budget.spend(2 * len(possible), bits)
        budget.fit(2 * len(possible), bits)
        possible |= {tally + weight for tally in possible}
        if len(possible) > len(tables[0]):
            break
        refuse_collisions(possible, f"weights of the {where}")
    for x, table in enumerate(tables):
        budget.spend_products(2 * len(table), bits, bits)
        if len(table) != len(possible) or not all(tally * unit in possible for tally in table):
            raise Refused(
                f"The table of action {x} in the {where} does not list exactly the possible tallies."
            )


def refuse_collisions(keys: Collection[object], where: str) -> None:
    """Numbers can be chosen so that Python puts them all into one place of a table: slow to look up."""
    often = {place for place, count in Counter(map(hash, keys)).items() if count > MOST_COLLISIONS}
    different: dict[int, list[object]] = {place: [] for place in often}
    for key in keys if often else ():
        alike = different.get(hash(key))
        if alike is not None and key not in alike:
            alike.append(key)
            if len(alike) > MOST_COLLISIONS:
                raise Undecided(f"The numbers of the {where} are too alike to be looked up quickly.")


def _read_windows(found: dict[str, Any], m: int, read: Callable[[object], Fraction], where: str) -> Instance:
    K = integer(found["actions"], f"number of actions of the {where}", 1)
    lists = array(found["windows"], f"list of windows of the {where}", m)
    windows, size = [], 1
    for length, entries in enumerate(lists, 1):
        size *= K  # no giant power: the list before was this long, and K entries more must be there now
        entries = array(entries, f"list of losses of windows of length {length} in the {where}", size)
        windows.append(list(map(read, entries)))
    return Instance("window", K, m, [], [], windows)


def fingerprint(instance: dict[str, Any]) -> str:
    """The SHA-256 of the canonical text of an instance, without its name and units, or of a game."""
    nameless = {key: value for key, value in instance.items() if key not in _FOR_PEOPLE}
    try:
        text = json.dumps(nameless, sort_keys=True, separators=(",", ":"))
    except (TypeError, ValueError):  # a document that was parsed by someone else, or a number of 4301 digits
        raise Refused("What the certificate is about cannot be written as JSON.") from None
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


@dataclass(frozen=True)
class Problem:
    """An instance in integers: a loss is cost/denominator. `tallied` is used if `windows` is empty."""

    K: int
    m: int
    denominator: int
    weights: list[int]
    tallied: list[dict[int, int]]
    windows: list[list[int]]
    even: bool
    """Whether all weights are equal: then counting is enough."""
    tallying: bool
    """Whether it is a tallying instance: then `tallied[x][y]` is the cost of x at the tally y."""

    def cost(self, window: Sequence[int]) -> int:
        """The cost of the last action of a window of at most m actions."""
        if self.windows:
            return self.windows[len(window) - 1][code(window, self.K)]
        last = window[-1]
        if self.even:
            return self.tallied[last][self.weights[0] * window.count(last)]
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
        for position in range(free, 0, -1):  # the oldest free action is the leading digit
            step = [self.weights[position] if digit == action else 0 for digit in range(K)]
            tallies = [tally + gain for tally in tallies for gain in step]
        return list(map(self.tallied[action].__getitem__, tallies))

    def mapped(self, change: Callable[[int], int]) -> "Problem":
        """The same problem with every cost changed."""
        if self.denominator < hash_info.modulus:  # equal costs are changed once; no two share a place
            change = cache(change)
        tallied = [{tally: change(cost) for tally, cost in table.items()} for table in self.tallied]
        return replace(self, tallied=tallied, windows=[list(map(change, row)) for row in self.windows])

    def all_costs(self) -> Iterator[int]:
        """Every cost of the tables, in their order."""
        return chain(*self.windows, *(table.values() for table in self.tallied))

    @cached_property
    def tally_bits(self) -> int:
        """No sum of weights has more bits."""
        return sum(map(abs, self.weights)).bit_length()

    @property
    def size(self) -> int:
        """How many costs there are."""
        return sum(map(len, self.windows)) + sum(map(len, self.tallied))

    def histories(self, budget: Budget) -> int:
        """The number n = K^(m-1) of full histories, if that many could be listed within the limit at all."""
        return power(self.K, self.m - 1, budget)


def power(base: int, exponent: int, budget: Budget) -> int:
    """base^exponent if it is within what the budget can hold; never a giant number."""
    result = 1
    for _ in range(exponent if base > 1 else 0):
        result *= base
        budget.fit(result)
    return result


def code(actions: Sequence[int], K: int) -> int:
    """The number whose base-K digits, oldest first, are the actions."""
    result = 0
    for action in actions:
        result = result * K + action
    return result


def in_integers(instance: Instance, budget: Budget) -> Problem:
    """Scale the losses, and separately the weights, by their common denominators."""
    tables: list[Iterable[Fraction]] = [*instance.windows, *(table.values() for table in instance.tallied)]
    losses = [loss for table in tables for loss in table]
    D = common_denominator(losses, budget)
    W = common_denominator(instance.weights, budget)
    budget.spend_products(len(losses), D.bit_length(), D.bit_length())
    tallied = [{_scaled(t, W): _scaled(loss, D) for t, loss in table.items()} for table in instance.tallied]
    windows = [[_scaled(loss, D) for loss in row] for row in instance.windows]
    weights = [_scaled(weight, W) for weight in instance.weights]
    even, tallying = len(set(weights)) == 1, instance.kind == "tallying"
    return Problem(instance.K, instance.m, D, weights, tallied, windows, even, tallying)


def common_denominator(numbers: list[Fraction], budget: Budget) -> int:
    """The least common multiple of the denominators, given up when it grows out of proportion."""
    result = 1
    for denominator, _ in groupby(sorted(number.denominator for number in numbers)):
        bits, more = result.bit_length(), denominator.bit_length()
        budget.spend_products(1, bits, more)
        budget.fit(len(numbers), bits + more)
        result = math.lcm(result, denominator)
    return result


def in_units(numbers: list[Fraction], budget: Budget) -> tuple[list[int], int]:
    """The numbers multiplied by their common denominator, and that."""
    unit = common_denominator(numbers, budget)
    widest = max(number.numerator.bit_length() for number in numbers)
    budget.spend_products(EDGES_PER_FRACTION * len(numbers), unit.bit_length(), widest)
    return [_scaled(number, unit) for number in numbers], unit


def _scaled(number: Fraction, denominator: int) -> int:
    return number.numerator * (denominator // number.denominator)


def read_problem(value: object, budget: Budget) -> tuple[Instance, Problem]:
    """The instance of a certificate (rationals strictly "p/q"), as written and in integers."""
    instance = read_instance(value, rational, budget)
    return instance, in_integers(instance, budget)
