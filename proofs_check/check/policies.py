"""Policy classes: sets of plays. The least loss of a class is a minimum of linear functions of the table h.

The *profile* of a play counts how often it pays each loss h_x(y): its loss is profile.h. Three shapes make
all classes: a list of words, the walks of N steps from a history, the closed walks of L steps. Profiles may
be multiplied by a ratio (a cyclic word counts as T of its steps) and have an offset (what ALG_det pays while
it explores). Tables are handled many at a time, one list for each loss.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from operator import add
from typing import Any

from tallyplan.check.problem import in_units
from tallyplan.check.reading import Meter, Refused, array, choices, fields, integer, shown, typed
from tallyplan.check.replay import copies

from .accounts import STEPS_PER_TURN, hold, refuse_collisions, wide

History = tuple[int, ...]
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


class PolicyClass(ABC):
    """A set of plays."""

    @property
    def symmetric(self) -> bool:
        """Whether renaming the actions changes nothing."""
        return True

    @property
    @abstractmethod
    def bits(self) -> int:
        """No entry of a profile has more bits, numerator and denominator together."""

    @abstractmethod
    def profile(self, play: list[int], where: str) -> Profile:
        """The profile of a play; refused if it is none of this class."""

    @abstractmethod
    def least(self, tables: Sequence[Column], meter: Meter) -> list[Fraction]:
        """The least loss in each of the tables, given as one list of integers for each loss."""

    @abstractmethod
    def profiles(self, meter: Meter) -> Iterator[Profile]:
        """The profiles of all plays, for small sizes."""


@dataclass(frozen=True)
class Words(PolicyClass):
    """A finite list of words with their profiles."""

    listed: dict[tuple[int, ...], Profile]
    longest: int

    @property
    def bits(self) -> int:
        """No entry of a profile has more bits."""
        return self.longest

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

    def profiles(self, meter: Meter) -> Iterator[Profile]:
        """The profiles of all plays."""
        yield from self.listed.values()


@dataclass(frozen=True)
class Listed(Words):
    """Words that the claim itself lists."""

    alike: bool

    @property
    def symmetric(self) -> bool:
        """Whether renaming the actions changes nothing."""
        return self.alike


@dataclass(frozen=True)
class Walks(PolicyClass):
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
        layers = self._layers(meter)
        N, bits = len(tables[0]), _bits(tables) + self.steps.bit_length()
        values = {history: [0] * N for history in layers[-1]}
        hold(meter, wide(N * len(values), bits))
        meter.spend(wide(self.steps * len(values) * (N * self.size.K + STEPS_PER_TURN), bits))
        for left in range(self.steps):
            histories = layers[min(self.steps - 1 - left, len(layers) - 1)]
            values = backward(self.size, histories, values, tables)
        paid = [sum(map(int.__mul__, self.offset, entries)) for entries in zip(*tables, strict=True)]
        return [Fraction(x) for x in map(add, values[self.start], paid)]

    def profiles(self, meter: Meter) -> Iterator[Profile]:
        """The profiles of all plays."""
        ends = forward(self.size, {self.start: {0}}, self.steps, meter)
        for packed in set().union(*ends.values()):
            counts = unpack(packed, self.size, self.steps)
            yield [Fraction(x) for x in map(add, counts, self.offset)]

    def _layers(self, meter: Meter) -> list[set[History]]:
        """The histories after 0, 1, 2, ... steps, until they stay the same or the game is over."""
        layers = [{self.start}]
        while len(layers) <= self.steps:
            fanned = len(layers[-1]) * self.size.K
            hold(meter, fanned * (1 + self.size.m // 8))
            meter.spend(fanned * self.size.m)
            after = {self.size.step(h, a)[1] for h in layers[-1] for a in range(self.size.K)}
            if after == layers[-1]:
                break
            layers.append(after)
        return layers


@dataclass(frozen=True)
class ClosedWalks(PolicyClass):
    """All words of `period` actions, repeated forever, counted as `ratio` periods."""

    size: Size
    period: int
    ratio: Fraction

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
        for root in self._histories(meter):
            values = {root: [0] * N}
            for _ in range(self.period):
                histories = {(a, *h)[: self.size.m - 1] for h in values for a in range(self.size.K)}
                values = backward(self.size, histories, values, tables)
            closed = values.get(root, best)  # a short word leads back to few histories only
            best = list(map(min, best, closed)) if best else closed
        return [self.ratio * value for value in best]

    def profiles(self, meter: Meter) -> Iterator[Profile]:
        """The profiles of all plays."""
        known: set[int] = set()
        for root in self._histories(meter):
            known |= forward(self.size, {root: {0}}, self.period, meter).get(root, set())
        for packed in known:
            yield [self.ratio * count for count in unpack(packed, self.size, self.period)]

    def _histories(self, meter: Meter) -> Iterator[History]:
        meter.power(self.size.K, self.size.m - 1)
        return product(range(self.size.K), repeat=self.size.m - 1)


def backward(
    size: Size, histories: Iterable[History], values: dict[History, Column], tables: Sequence[Column]
) -> dict[History, Column]:
    """One step of the Bellman recursion in all tables; histories without a value are out of reach."""
    result = {}
    for history in histories:
        steps = (size.step(history, action) for action in range(size.K))
        ways = [map(add, tables[index], values[after]) for index, after in steps if after in values]
        result[history] = list(map(min, *ways)) if len(ways) > 1 else list(ways[0])
    return result


def forward(size: Size, ends: dict[History, set[int]], steps: int, meter: Meter) -> dict[History, set[int]]:
    """All pairs of a history and packed counts after some steps. The digit of a loss has bits for `steps`."""
    width = steps.bit_length()
    meter.spend(steps * size.K * size.m)
    for _ in range(steps):
        following: dict[History, set[int]] = {}
        fanned = size.K * sum(map(len, ends.values()))
        meter.spend(wide(fanned, width * size.K * size.m))
        meter.fit(wide(fanned, width * size.K * size.m))
        for history, known in ends.items():
            for action in range(size.K):
                index, after = size.step(history, action)
                one = 1 << width * index
                following.setdefault(after, set()).update([counts + one for counts in known])
        ends = following
    return ends


def unpack(packed: int, size: Size, steps: int) -> LossCounts:
    """The counts behind a packed number."""
    width = steps.bit_length()
    return [packed >> width * index & ((1 << width) - 1) for index in range(size.K * size.m)]


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
    raise Refused(f"The {where} is {shown(name)}, which is no class of policies.")


def _listed(size: Size, T: int, found: dict[str, Any], where: str, meter: Meter) -> Words:
    """The words of the claim: T actions each, or repeated forever and counted as T of their steps."""
    repeated = found["repeated"]
    if type(repeated) is not bool:
        raise Refused(f"The {where} says {shown(repeated)} where true or false is needed.")
    listed: dict[tuple[int, ...], Profile] = {}
    bits = 1
    entries = array(found["words"], f"list of words of the {where}")
    words = [tuple(choices(entry, f"word of the {where}", size.K)) for entry in entries]
    refuse_collisions(words, f"words of the {where}")
    for played in words:
        if not played if repeated else len(played) != T:
            raise Refused(f"A word of the {where} has {len(played)} actions.")
        length = max(1, len(played))
        bits = max(bits, 2 * (T.bit_length() + length.bit_length()))
        meter.spend(size.m * (length + size.m))
        hold(meter, wide(size.K * size.m + length, bits))
        counts = size.cyclic_counts(played) if repeated else size.counts((), played)[0]
        listed[played] = [Fraction(T if repeated else 1, length if repeated else 1) * c for c in counts]
    if not listed:
        raise Refused(f"The {where} has no words.")
    meter.spend(size.K * sum(map(len, listed)))
    return Listed(listed, bits, _closed_under_renaming(listed, size.K))


def _closed_under_renaming(words: Iterable[tuple[int, ...]], K: int) -> bool:
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
    listed: dict[tuple[int, ...], Profile] = {}
    for x in range(size.K):
        counts, _ = size.counts((), [x] * rising)
        counts[x * size.m + size.m - 1] += T - rising
        listed[(x,)] = [Fraction(count) for count in counts]
    return Words(listed, T.bit_length())


def _single_runs(size: Size, T: int, meter: Meter) -> Words:
    """Words 0^i 1^j 2^k ... with runs of at most m actions, not all empty; each counts as T of its steps."""
    words, bits = meter.power(size.m + 1, size.K), T.bit_length() + (size.K * size.m).bit_length()
    hold(meter, wide(words * size.K * size.m, 2 * bits))
    meter.spend(wide(20 * words * size.K * size.m, bits, bits))
    listed = {}
    for lengths in product(range(size.m + 1), repeat=size.K):
        actions = tuple(x for x, length in enumerate(lengths) for _ in range(length))
        if actions:
            meter.spend(size.m * (len(actions) + size.m))
            ratio = Fraction(T, len(actions))
            listed[actions] = [ratio * count for count in size.cyclic_counts(actions)]
    return Words(listed, 2 * bits)


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
