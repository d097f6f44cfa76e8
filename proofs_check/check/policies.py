"""Policy classes: sets of plays. The least loss of a class is a minimum of linear functions of the table h.

The *profile* of a play counts how often it pays each loss h_x(y): its loss is profile.h. Three shapes make
all classes: a list of words, the walks of N steps from a history, the closed walks of L steps. Profiles may
be multiplied by a ratio (a cyclic word counts as T of its steps) and have an offset (what ALG_det pays while
it explores). Tables are handled many at a time, one list for each loss.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from operator import add
from typing import Any

from tallyplan.check.problem import Problem, in_units
from tallyplan.check.reading import Meter, Refused, array, choices, fields, integer, shown, typed
from tallyplan.check.replay import copies

from .accounts import STEPS_PER_FRACTION, STEPS_PER_TURN, hold, refuse_collisions, wide

History = tuple[int, ...]
Word = tuple[int, ...]
Profile = list[Fraction]
LossCounts = list[int]
Column = list[int]
"""One entry of the loss table, or one value, in each of many tables."""


@dataclass(frozen=True)
class Size:
    """K actions with memory m; the loss h_x(y) has the index x*m + y - 1."""

    K: int
    m: int

    def step(self, history: History, action: int) -> tuple[int, History]:
        """The index of the loss that the action pays after the history, and the history after it."""
        window = (*history, action)
        return action * self.m + window.count(action) - 1, window[max(0, len(window) - self.m + 1) :]

    def counts(self, history: History, actions: Iterable[int]) -> tuple[LossCounts, History]:
        """How often each loss is paid, and the history at the end."""
        counts = [0] * (self.K * self.m)
        for action in actions:
            index, history = self.step(history, action)
            counts[index] += 1
        return counts, history

    def cyclic_counts(self, actions: Sequence[int]) -> LossCounts:
        """The same in one period of a word that is repeated forever."""
        _, settled = self.counts((), list(actions) * copies(self.m, actions))
        return self.counts(settled, actions)[0]


@dataclass(frozen=True)
class Words:
    """A finite list of words with their profiles, whose entries have a bounded number of bits."""

    listed: dict[Word, Profile]
    bits: int
    symmetric: bool = True

    def profile(self, play: list[int], where: str) -> Profile:
        """The profile of a play."""
        if tuple(play) not in self.listed:
            raise Refused(f"The {where} is not a word of its class.")
        return self.listed[tuple(play)]

    def least(self, tables: Sequence[Column], meter: Meter) -> list[Fraction]:
        """The least loss in each of the tables."""
        unit = in_units([x for profile in self.listed.values() for x in profile], meter)[1]
        counts = unit.bit_length() + self.bits
        meter.spend(wide(len(self.listed) * len(tables) * len(tables[0]), _bits(tables), counts))
        meter.fit(wide(4 * len(tables[0]), _bits(tables) + counts))
        best: Column = []
        for profile in self.listed.values():
            total = [0] * len(tables[0])
            for weight, column in zip(profile, tables, strict=True):
                if weight:
                    scaled = int(weight * unit)
                    total = list(map(add, total, [scaled * x for x in column]))
            best = list(map(min, best, total)) if best else total
        return [Fraction(value, unit) for value in best]


@dataclass(frozen=True)
class Walks:
    """All sequences of `steps` actions after the history `start`; `offset` was paid before."""

    size: Size
    steps: int
    start: History
    offset: LossCounts

    @property
    def symmetric(self) -> bool:
        """Whether nothing was played before."""
        return not self.start and not any(self.offset)

    @property
    def bits(self) -> int:
        """No entry of a profile has more bits."""
        return (self.steps + sum(self.offset)).bit_length() + 1

    def profile(self, play: list[int], where: str) -> Profile:
        """The profile of a play."""
        if len(play) != self.steps:
            raise Refused(f"The {where} has another length than the {shown(self.steps)} steps of its class.")
        counts, _ = self.size.counts(self.start, play)
        return [Fraction(x) for x in map(add, counts, self.offset)]

    def least(self, tables: Sequence[Column], meter: Meter) -> list[Fraction]:
        """The least loss in each of the tables."""
        size, before, N = self.size, len(self.start), len(tables[0])
        bits, longest = _bits(tables) + self.steps.bit_length(), min(before + self.steps, size.m - 1)
        states = meter.power(size.K, longest)
        hold(meter, wide(N * states, bits) + states * (1 + size.m // 8))
        meter.spend(wide(self.steps * states * (N * size.K + STEPS_PER_TURN + size.m), bits))
        values = {history: [0] * N for history in product(range(size.K), repeat=longest)}
        for time in reversed(range(self.steps)):
            histories = product(range(size.K), repeat=min(before + time, size.m - 1))
            values = backward(size, histories, values, tables)
        paid = [sum(map(int.__mul__, self.offset, entries)) for entries in zip(*tables, strict=True)]
        return [Fraction(x) for x in map(add, values[self.start], paid)]


@dataclass(frozen=True)
class ClosedWalks:
    """All words of `period` actions, repeated forever, counted as `ratio` periods."""

    size: Size
    period: int
    ratio: Fraction
    symmetric: bool = True

    @property
    def bits(self) -> int:
        """No entry of a profile has more bits."""
        return (self.ratio.numerator * self.period).bit_length() + self.ratio.denominator.bit_length()

    def profile(self, play: list[int], where: str) -> Profile:
        """The profile of a play."""
        if len(play) != self.period:
            raise Refused(f"The {where} has another length than the period of its class.")
        return [self.ratio * count for count in self.size.cyclic_counts(play)]

    def least(self, tables: Sequence[Column], meter: Meter) -> list[Fraction]:
        """The least loss in each of the tables."""
        N, bits = len(tables[0]), _bits(tables) + self.period.bit_length()
        states = meter.power(self.size.K, self.size.m - 1)
        hold(meter, wide(N * states, bits))
        meter.spend(wide(self.period * states * states * (N * self.size.K + STEPS_PER_TURN), bits))
        best: Column = []
        for root in product(range(self.size.K), repeat=self.size.m - 1):
            values = {root: [0] * N}
            for _ in range(self.period):
                histories = {(a, *h)[: self.size.m - 1] for h in values for a in range(self.size.K)}
                values = backward(self.size, histories, values, tables)
            closed = values.get(root, best)  # a short word leads back to few histories only
            best = list(map(min, best, closed)) if best else closed
        return [self.ratio * value for value in best]


PolicyClass = Words | Walks | ClosedWalks


def backward(
    size: Size, histories: Iterable[History], values: dict[History, Column], tables: Sequence[Column]
) -> dict[History, Column]:
    """One step of the Bellman recursion in all tables; histories without a value are out of reach."""
    result = {}
    for history in histories:
        steps = [size.step(history, action) for action in range(size.K)]
        sums = [map(add, tables[index], values[after]) for index, after in steps if after in values]
        result[history] = list(map(min, *sums)) if len(sums) > 1 else list(sums[0])
    return result


def _bits(tables: Sequence[Column]) -> int:
    return max(max(column) for column in tables).bit_length()


_FURTHER_KEYS = {"cyclic": {"period"}, "listed": {"words", "repeated"}}


def read_class(value: object, where: str, K: int, m: int, meter: Meter) -> PolicyClass:
    """A policy class from its description in the claim."""
    found = typed(value, dict, where)
    name = typed(found.get("class"), str, f"name of the {where}")
    keys = {"class", "horizon"} | _FURTHER_KEYS.get(name, set())
    T = integer(fields(found, where, keys)["horizon"], f"horizon of the {where}", 0)
    size = Size(K, m)
    hold(meter, K * m)
    if name == "optimal":
        return Walks(size, T, (), [0] * (K * m))
    if name == "alg-det":
        return _after_exploration(size, T, where, meter)
    if name == "cyclic":
        L = integer(found["period"], f"period of the {where}", 1)
        return ClosedWalks(size, L, Fraction(T, L))
    if name == "constant":
        return _constant(size, T, meter)
    if name == "single-run":
        return _single_runs(size, T, meter)
    if name == "listed":
        return _listed(size, T, found, where, meter)
    raise Refused(f"The {where} is {shown(name)}, which is not a class of policies.")


def _listed(size: Size, T: int, found: dict[str, Any], where: str, meter: Meter) -> Words:
    """The words of the claim: T actions each, or repeated forever and counted as T of their steps."""
    repeated = found["repeated"]
    if type(repeated) is not bool:
        raise Refused(f"The {where} says {shown(repeated)} where true or false is needed.")
    entries = array(found["words"], f"list of words of the {where}")
    words = [tuple(choices(entry, f"word of the {where}", size.K)) for entry in entries]
    refuse_collisions(words, f"words of the {where}")
    if not words:
        raise Refused(f"The {where} has no words.")
    for word in words:
        if not word if repeated else len(word) != T:
            raise Refused(f"A word of the {where} has {len(word)} actions.")
    meter.spend(size.K * sum(map(len, words)))
    alike = _closed_under_renaming(words, size.K)
    if repeated:
        return _repeated(size, T, words, alike, meter)
    meter.spend(size.m * len(words) * T)
    hold(meter, wide(len(words) * size.K * size.m, T.bit_length()))
    counts = {word: size.counts((), word)[0] for word in words}
    return Words({word: list(map(Fraction, paid)) for word, paid in counts.items()}, T.bit_length(), alike)


def _repeated(size: Size, T: int, words: Iterable[Word], alike: bool, meter: Meter) -> Words:
    """Words that are repeated forever; each counts as T of its steps."""
    listed, bits = {}, 1
    for word in words:
        bits = max(bits, 2 * (T.bit_length() + len(word).bit_length()))
        meter.spend(wide(STEPS_PER_FRACTION * size.K * size.m, bits, bits) + size.m * (len(word) + size.m))
        hold(meter, wide(size.K * size.m, bits))
        listed[word] = [Fraction(T, len(word)) * count for count in size.cyclic_counts(word)]
    return Words(listed, bits, alike)


def _closed_under_renaming(words: Iterable[Word], K: int) -> bool:
    """Whether exchanging two neighbouring actions leads from words to words."""
    everything = set(words)
    return all(
        tuple({x: x + 1, x + 1: x}.get(a, a) for a in actions) in everything
        for x in range(K - 1)
        for actions in everything
    )


def _after_exploration(size: Size, T: int, where: str, meter: Meter) -> Walks:
    """ALG_det: every action m times in a row, and then anything."""
    meter.spend(size.K * size.m * size.m)
    explored = [x for x in range(size.K) for _ in range(size.m)]
    if len(explored) > T:
        raise Refused(f"The horizon of the {where} is too short for the exploration.")
    offset, history = size.counts((), explored)
    return Walks(size, T - len(explored), history, offset)


def _constant(size: Size, T: int, meter: Meter) -> Words:
    """Each action T times from the start: tallies 1, 2, ..., m, m, m, ..."""
    meter.spend(size.K * size.m * size.m)
    hold(meter, wide(size.K * size.K * size.m, T.bit_length()))
    rising = min(T, size.m)
    listed: dict[Word, Profile] = {}
    for x in range(size.K):
        counts, _ = size.counts((), [x] * rising)
        counts[x * size.m + size.m - 1] += T - rising
        listed[(x,)] = [Fraction(count) for count in counts]
    return Words(listed, T.bit_length())


def _single_runs(size: Size, T: int, meter: Meter) -> Words:
    """Words 0^i 1^j 2^k ... with runs of at most m actions, not all empty."""
    hold(meter, meter.power(size.m + 1, size.K) * size.K * size.m)
    runs = product(*([(x,) * length for length in range(size.m + 1)] for x in range(size.K)))
    return _repeated(size, T, filter(None, (sum(word, ()) for word in runs)), True, meter)


def read_play(value: Any, where: str, K: int, meter: Meter) -> list[int]:
    """A play as runs [[word, repeats], ...], written out."""
    played: list[int] = []
    for run in array(value, where):
        actions, repeats = array(run, f"run of the {where}", 2)
        actions = choices(actions, f"word in the {where}", K, 1)
        repeats = integer(repeats, f"number of repeats in the {where}", 1)
        hold(meter, len(actions) * repeats)
        played += actions * repeats
    return played


def losses_of(problem: Problem) -> Column:
    """The table of the instance in one row, over its denominator."""
    return [row[y] for row in problem.tallied for y in sorted(row)]
