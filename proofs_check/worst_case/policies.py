"""Policy classes. The least loss of a class is a minimum of linear functions of the loss table h.

A *play* of a class is written as runs [(word, repeats), ...]; its *profile* says how often it pays each loss:
loss = profile.h, in the order h_1(1), ..., h_1(m), h_2(1), ... A cyclic word counts as T of its steps, so
that every class is about T steps.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any, ClassVar

import numpy as np

from tallyplan.errors import InvalidInput
from tallyplan.model.graph import Array, integer_type
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import natural, positive_integer
from tallyplan.model.replay import Cell, period_counts, tally_counts
from tallyplan.model.words import Runs, Word, expand, last
from tallyplan.planning.cyclic import optimal_cyclic_policy
from tallyplan.planning.horizon import optimal_plan
from tallyplan.planning.many_tables import closed_walks, least_walks

Profile = tuple[Fraction, ...]
ENTRIES_AT_ONCE = 2**22  # of the largest array that numpy makes


@dataclass(frozen=True)
class Tables:
    """Loss tables, at least one: each a row of Km integers over its divisor, h_x(y) in column x*m + y - 1."""

    rows: Sequence[Sequence[int]]
    divisors: Sequence[int]

    def integers(self, memory: int, times: int = 1) -> Array:
        """The rows as an array of shape (N, K, m), in a type for `times` an entry."""
        kind = integer_type(times * (max(map(max, self.rows)) + 1))
        found: Array = np.array(self.rows, dtype=kind).reshape(len(self.rows), -1, memory)
        return found

    def divided(self, values: Iterable[int], ratio: Fraction = Fraction(1)) -> list[Fraction]:
        """`ratio` times a value per table, in its unit."""
        return [ratio * int(value) / divisor for value, divisor in zip(values, self.divisors, strict=True)]


@dataclass(frozen=True)
class PolicyClass(ABC):
    """A class of policies for K actions, memory m and T steps.

    >>> issubclass(Cyclic, PolicyClass)
    True

    See Also
    --------
    proofs_check.worst_case.CLASSES : all of them by name.
    proofs_check.worst_case.worst_case : the largest gap of two of them.
    """

    actions: int
    memory: int
    horizon: int

    name: ClassVar[str]
    repeated = False  # whether a play is repeated forever, and counts as T of its steps
    explored: ClassVar[Word] = ()  # what is played before the play

    def __post_init__(self) -> None:
        positive_integer(self.actions, "the number of actions")
        positive_integer(self.memory, "the memory")
        natural(self.horizon, "the horizon")

    @property
    def symmetric(self) -> bool:
        """Whether renaming the actions changes nothing."""
        return True

    def to_json(self) -> dict[str, Any]:
        """The class as a certificate names it."""
        return {"class": self.name, "horizon": self.horizon}

    @abstractmethod
    def best(self, bandit: TallyingBandit) -> Runs:
        """A best play, by the planner."""

    @abstractmethod
    def values(self, tables: Tables) -> list[Fraction]:
        """The least loss in each of the tables."""

    def whole(self, play: Runs) -> Runs:
        """The play with what comes before it."""
        return [(self.explored, 1), *play] if self.explored else play

    def profile(self, play: Runs) -> Profile:
        """How often the play pays each loss."""
        word = expand(play)
        if self.repeated:
            return self._in_order(period_counts(word, self.memory), Fraction(self.horizon, len(word)))
        played = [*self.explored, *word]
        return self._in_order(tally_counts(played, self.memory) if played else Counter())

    def _in_order(self, counts: Counter[Cell], ratio: Fraction = Fraction(1)) -> Profile:
        cells = product(range(self.actions), range(1, self.memory + 1))
        return tuple(ratio * counts[cell] for cell in cells)


class Optimal(PolicyClass):
    """All sequences of T actions: OPT_T.

    >>> bandit = TallyingBandit([["0", "1"], ["0", "1"]])
    >>> Optimal(2, 2, 3).best(bandit)
    (((0, 1, 0), 1),)
    """

    name = "optimal"

    def best(self, bandit: TallyingBandit) -> Runs:
        """A best play."""
        return optimal_plan(bandit, self.horizon - len(self.explored), self.explored).runs

    def values(self, tables: Tables) -> list[Fraction]:
        """The least loss in each of the tables; an exploration pays every loss once."""
        steps, history = self.horizon - len(self.explored), last(self.explored, self.memory - 1)
        least = least_walks(tables.integers(self.memory), [steps], history)[0]
        before = (sum(row) if self.explored else 0 for row in tables.rows)
        return tables.divided(a + int(b) for a, b in zip(before, least, strict=True))


class AlgDet(Optimal):
    """ALG_det with the best continuation: every action m times in a row, then any T - mK actions.

    >>> AlgDet(2, 2, 6).explored
    (0, 0, 1, 1)
    """

    name = "alg-det"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.horizon < self.actions * self.memory:
            raise InvalidInput(
                f"the horizon is {self.horizon}; ALG_det explores for {self.actions * self.memory} steps."
            )

    @property
    def symmetric(self) -> bool:
        """No: the last action is the one that the exploration ends with."""
        return False

    @property
    def explored(self) -> Word:  # type: ignore[override]
        """What is played before the play."""
        return tuple(x for x in range(self.actions) for _ in range(self.memory))


@dataclass(frozen=True)
class Cyclic(PolicyClass):
    """Words of L actions, repeated forever: T mu(pi*).

    >>> bandit = TallyingBandit([["0", "1"], ["0", "1"]])
    >>> Cyclic(2, 2, 16, period=4).best(bandit)
    [((0, 1, 0, 1), 1)]
    """

    period: int

    name = "cyclic"
    repeated = True

    def __post_init__(self) -> None:
        super().__post_init__()
        positive_integer(self.period, "the period")

    def to_json(self) -> dict[str, Any]:
        """The class as a certificate names it."""
        return super().to_json() | {"period": self.period}

    def best(self, bandit: TallyingBandit) -> Runs:
        """A best play."""
        return [(optimal_cyclic_policy(bandit, self.period).word, 1)]

    def values(self, tables: Tables) -> list[Fraction]:
        """The least loss in each of the tables."""
        least = closed_walks(tables.integers(self.memory), self.period)[-1]
        return tables.divided(least, Fraction(self.horizon, self.period))


class _Words(PolicyClass):
    """A class that is small enough to list its words."""

    @abstractmethod
    def listed(self) -> Iterator[Word]:
        """Every word."""

    def best(self, bandit: TallyingBandit) -> Runs:
        """A best play."""
        return min(self._plays(), key=lambda play: loss(self.profile(play), bandit))

    def values(self, tables: Tables) -> list[Fraction]:
        """The least loss in each of the tables."""
        profiles = [self.profile(play) for play in self._plays()]
        unit = lcm(*(x.denominator for profile in profiles for x in profile))
        rows = tables.integers(self.memory, times=unit * (self.horizon + 1)).reshape(len(tables.rows), -1)
        matrix = np.array([[int(x * unit) for x in profile] for profile in profiles], dtype=rows.dtype).T
        size = max(1, ENTRIES_AT_ONCE // len(profiles))  # that many tables at a time
        parts = (rows[first : first + size] @ matrix for first in range(0, len(rows), size))
        least = [value for part in parts for value in part.min(axis=1)]
        return tables.divided(least, Fraction(1, unit))

    def _plays(self) -> Iterator[Runs]:
        return ([(word, 1)] if word else [] for word in self.listed())


class Constant(_Words):
    """One action, T times.

    >>> bandit = TallyingBandit([["0", "1"], ["0", "1"]])
    >>> loss(Constant(2, 2, 4).profile(Constant(2, 2, 4).best(bandit)), bandit)
    Fraction(3, 1)
    """

    name = "constant"

    def listed(self) -> Iterator[Word]:
        """The actions, each written once."""
        return ((x,) for x in range(self.actions))

    def whole(self, play: Runs) -> Runs:
        """The action, T times."""
        return [(tuple(expand(play)), self.horizon)]

    def profile(self, play: Runs) -> Profile:
        """How often the action pays each loss."""
        return self._in_order(tally_counts(expand(play), self.memory, repeats=self.horizon))


class SingleRun(_Words):
    """Words in which every action has at most one run, of at most m plays, repeated forever.

    Longer runs are no better: such a word mixes the one with the run cut to m and the constant word.

    >>> bandit = TallyingBandit([["0", "1"], ["0", "1"]])
    >>> SingleRun(2, 2, 4).best(bandit)
    [((0, 1), 1)]
    """

    name = "single-run"
    repeated = True

    def listed(self) -> Iterator[Word]:
        """Every word."""
        for lengths in product(range(self.memory + 1), repeat=self.actions):
            if any(lengths):
                yield tuple(x for x, length in enumerate(lengths) for _ in range(length))


@dataclass(frozen=True)
class Listed(_Words):
    """A list of words: of T actions each, or repeated forever and counted as T of their steps.

    >>> Listed(2, 2, 2, words=((0, 1), (0, 0))).symmetric
    False
    """

    words: tuple[Word, ...]
    repeated: bool = False

    name = "listed"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.words:
            raise InvalidInput("a class of policies has at least one word; this one has none.")
        for word in self.words:
            if not word if self.repeated else len(word) != self.horizon:
                needed = "at least one" if self.repeated else str(self.horizon)
                raise InvalidInput(f"a word of the class has {len(word)} actions; it needs {needed}.")
            if not all(0 <= action < self.actions for action in word):
                raise InvalidInput(f"a word of the class plays other actions than 0 to {self.actions - 1}.")

    @property
    def symmetric(self) -> bool:
        """Whether exchanging two neighbouring actions leads from words to words."""
        everything = set(self.words)
        swaps = ({x: x + 1, x + 1: x} for x in range(self.actions - 1))
        return all(tuple(swap.get(a, a) for a in word) in everything for swap in swaps for word in everything)

    def to_json(self) -> dict[str, Any]:
        """The class as a certificate names it: the words themselves."""
        return super().to_json() | {"words": [list(word) for word in self.words], "repeated": self.repeated}

    def listed(self) -> Iterator[Word]:
        """Every word."""
        return iter(self.words)


CLASSES: dict[str, type[PolicyClass]] = {
    kind.name: kind for kind in (Optimal, Cyclic, Constant, SingleRun, AlgDet)
}


def loss(profile: Profile, bandit: TallyingBandit) -> Fraction:
    """The loss of a play with this profile."""
    return sum((count * entry for count, entry in zip(profile, bandit.values(), strict=True)), Fraction(0))
