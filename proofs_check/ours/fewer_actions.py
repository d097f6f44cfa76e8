"""Lemma 3 for fewer actions than memory: how fast the gap T mu(pi*) - OPT_T can still grow, L being sqrt(T).

A *turning word* of p steps loses c in each of its turns. A closed walk whose length is no multiple of p has
to leave it, and pays for that. The least payments of walks, p times the loss minus c per step, by the history
and the number of steps modulo p, bound walks of every length: no edge raises them by more than it pays. They
start at the histories of the turning word, or at all; walks that meet none of them have potentials of their
own, at a higher rate, so that they pay more once they have m^3 steps. Shorter lengths are planned.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from proofs_check.boxes import span, violated
from proofs_check.computations.cyclic_gap import gap_of
from proofs_check.stating import Outcome, Request, claim
from tallyplan.formula import Formula
from tallyplan.model.graph import Array
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import replay

UNREACHED = 2**40
WHERE = "Lemma 3 for fewer actions than memory (ours, docs/constants.md)"


@dataclass(frozen=True)
class Turning:
    """A table of losses 0 and 1, and a turning word: repeated, it loses `lost` in a turn.

    Attributes
    ----------
    residue : the length of the walks in question, modulo the length of the word.
    everywhere : whether walks are bounded from every history.
    """

    rows: tuple[tuple[int, ...], ...]
    word: tuple[int, ...]
    lost: int
    residue: int
    everywhere: bool = False

    @property
    def bandit(self) -> TallyingBandit:
        """The table."""
        return TallyingBandit(self.rows)

    @property
    def memory(self) -> int:
        """m."""
        return len(self.rows[0])

    @property
    def period(self) -> int:
        """p, the steps of a turn."""
        return len(self.word)

    @property
    def first(self) -> int:
        """The least length in question of at least m^3 steps."""
        return self.memory**3 + (self.residue - self.memory**3) % self.period

    @property
    def starts(self) -> list[int]:
        """The histories of the word repeated forever, or all."""
        if self.everywhere:
            return list(range(self.histories))
        code, codes = 0, []
        for action in self.word * 2:
            code = (code * len(self.rows) + action) % self.histories
            codes.append(code)
        return codes[-self.period :]

    @property
    def histories(self) -> int:
        """How many there are; the last action is the lowest digit of one."""
        return int(len(self.rows) ** (self.memory - 1))

    @cached_property
    def pays(self) -> Array:
        """What a step pays, at [action, history]: p loss - c."""
        K, places = len(self.rows), range(self.memory - 1)
        histories = [[code // K**place % K for place in places] for code in range(self.histories)]
        losses = [[row[history.count(x)] for history in histories] for x, row in enumerate(self.rows)]
        return self.period * np.array(losses) - self.lost

    @property
    def pays_more(self) -> Array:
        """The same at the higher rate, 1 / m^2 more a step: m^2 times that, less p."""
        return self.memory**2 * self.pays - self.period

    @cached_property
    def through(self) -> Array:
        """Least payments of walks, at [start, steps modulo p, history]."""
        start = np.full((len(self.starts), self.period, self.histories), UNREACHED)
        start[range(len(self.starts)), 0, self.starts] = 0
        return self.settled(start, self.pays)

    @cached_property
    def around(self) -> Array:
        """Potentials of the other histories, at [0, 0, history]; of walks that pay at the higher rate."""
        return self.settled(np.zeros((1, 1, self.histories), dtype=np.int64), self.pays_more, self.starts)

    def settled(self, potentials: Array, pays: Array, closed: Sequence[int] = ()) -> Array:
        """Potentials that no edge lowers any more, if there are any; the closed histories are not entered."""
        potentials[..., closed] = UNREACHED
        for _ in range(potentials[0].size):
            if self.holds(potentials, pays, closed):
                break
            potentials = np.minimum(potentials, self._after(potentials, pays, closed))
        return potentials

    def holds(self, potentials: Array, pays: Array, closed: Sequence[int] = ()) -> bool:
        """Whether no edge between open histories raises a potential by more than it pays."""
        return bool((potentials <= self._after(potentials, pays, closed)).all())

    def _after(self, potentials: Array, pays: Array, closed: Sequence[int]) -> Array:
        """The least potential before a step, and what it pays, by the history after it."""
        K, after = len(self.rows), np.empty_like(potentials)
        for x in range(K):
            reached = (potentials + pays[x]).reshape(*potentials.shape[:2], K, -1)
            after[..., x::K] = reached.min(axis=2)
        after[..., closed] = UNREACHED
        return np.roll(after, 1, axis=1)

    @property
    def detour(self) -> int:
        """The least that a closed walk of that residue pays through one of the starts."""
        return int(self.through[range(len(self.starts)), self.residue, self.starts].min())

    @cached_property
    def bounded(self) -> bool:
        """Whether every closed walk in question of at least `first` steps pays for the detour."""
        good = self.holds(self.through, self.pays)
        good &= self.holds(self.around, self.pays_more, self.starts)  # m^2 times the payment is p per step
        return good and self.first * self.period >= self.memory**2 * self.detour

    def opening(self, horizon: int) -> Fraction:
        """The most that the word, from the empty history, is above c/p per step after so many steps.

        From step m on its windows recur with every turn: three turns are enough.
        """
        steps, p = self.word * 3, self.period
        times = range(horizon % p, len(steps) + 1, p)
        return max(replay(self.bandit, steps[:t]) - Fraction(self.lost * t, p) for t in times)

    def gap(self, length: int) -> Fraction:
        """What T mu - OPT is at least, or what it is."""
        if length < self.first:
            return gap_of(self.bandit, length).gap
        return Fraction(self.detour * length, self.period) - self.opening(length**2)


def two_needles(memory: int) -> Turning:
    """Each of two actions without loss at one tally only; the tallies sum to m - 1.

    >>> two_needles(4)
    Turning(rows=((0, 1, 1, 1), (1, 0, 1, 1)), word=(0, 0, 1, 1, 1), lost=2, residue=1, everywhere=False)
    """
    tallies = (memory - 1) // 2, memory // 2
    rows = [tuple(int(y != zero) for y in range(1, memory + 1)) for zero in tallies]
    word = [action for action, zero in enumerate(tallies) for _ in range(zero + 1)]
    return Turning(tuple(rows), tuple(word), 2, memory // 2 - 1)


def one_less(memory: int) -> Turning:
    """K = m - 1; the last action twice and each other once lose nothing in m steps.

    >>> one_less(4).rows, one_less(4).word
    (((0, 1, 1, 1), (0, 1, 1, 1), (1, 0, 1, 1)), (2, 0, 1, 2))
    """
    rows = [(0, *[1] * (memory - 1))] * (memory - 2) + [(1, 0, *[1] * (memory - 2))]
    word = (memory - 2, *range(memory - 1))
    return Turning(tuple(rows), word, 0, memory - 1, everywhere=True)


SEVEN = Turning(((0, 1, 0, 1, 1, 1, 1),) * 2, (0, 0, 0, 1, 1, 1, 1, 0), 2, 5)
NINE = Turning(((0, 0, 1, 0, 1, 1, 1, 1, 1),) * 2, (0, 0, 0, 0, 1, 1, 1, 1, 1, 0), 2, 5)
TWO = [two_needles(memory) for memory in range(3, 12)]
LESS = [one_less(memory) for memory in range(3, 6)]


@dataclass(frozen=True)
class Family:
    """A claim about some tables, one for each memory; `domain` says which lengths it is about."""

    name: str
    says: str
    stated: str
    tables: Sequence[Turning]
    domain: Mapping[str, str]

    def register(self) -> None:
        """As a claim."""
        first, last = self.tables[0].memory, self.tables[-1].memory
        about = f"m == {first}" if first == last else f"{first} <= m and m <= {last}"
        claim(
            f"lemma-3/{self.name}",
            statement=f"(not in the paper) {self.says}: {{stated}}.",
            formulas={"stated": self.stated},
            domain={"memory": about, **self.domain, "square": "T == L * L"},
            symbols={"q": "a number of turns"},
        )(self.examined)

    def examined(self, request: Request) -> Outcome:
        """Bound every closed walk by potentials on histories and residues; plan one length of some tables."""
        tables, memories = self.tables, range(self.tables[0].memory, self.tables[-1].memory + 1)
        found = [gap_of(one.bandit, one.first) for one in tables[:4]]
        return request.conclude(
            request.argue(
                "Along a walk a potential rises by at most what the steps pay, and a best word is a closed "
                "walk: L mu is at least (c L + the detour) / p, and OPT at most (c T) / p + the opening.",
                f"m = {span(memories)}: a turn of {', '.join(str(one.period) for one in tables)} steps, a "
                f"detour of {', '.join(str(one.detour) for one in tables)}; all edges were evaluated.",
            )
            if all(one.bounded for one in tables) and _covered(request, tables)
            else None,
            violation=violated(request.formulas.stated, (), [one.values for one in found])[0],
            remarks=[f"The planners agree at L = {', '.join(str(one.period) for one in found)}."],
        )


def _covered(request: Request, tables: Sequence[Turning]) -> bool:
    """Whether the statement follows at the lengths of its domain, of which there are no others.

    What is stated and what is shown are lines in L from `first` on, so that a few lengths and a large one do.
    """
    f, domain = request.formulas, request.domain
    known = {one.memory: one for one in tables}
    if any(f.memory.holds(m=m) for m in range(20) if m not in known):
        return False
    for m, one in known.items():
        p, first = one.period, one.first
        for L in (*range(1, first + 3 * p), first + p * 10**6):
            turns = ({"m": m, "L": L, "T": L * L, "q": q} for q in (L // p, L // p + 1, L // m))
            inside = any(all(part.holds(**_named(part, case)) for part in domain) for case in turns)
            if inside and not (L % p == one.residue and _follows(f.stated, one, L)):
                return False
    return True


def _follows(stated: Formula, one: Turning, L: int) -> bool:
    values: dict[str, int | Fraction] = {
        "m": one.memory,
        "L": L,
        "T": L * L,
        "OPT": 0,
        "mu": one.gap(L) / L**2,
    }
    return stated.holds(**_named(stated, values))


def _named(formula: Formula, values: dict[str, int | Fraction]) -> dict[str, int | Fraction]:
    return {name: values[name] for name in formula.names}


FAMILIES = (
    Family(
        "one-action-less",
        "For K = m - 1 actions, h_x(1) = 0 for all but the last, which has h(2) = 0, every other loss 1",
        "T * mu - OPT >= (m - 2) * L - 1",
        LESS,
        {"length": "L == q * m - 1", "turns": "q >= 1"},
    ),
    Family(
        "two-actions",
        "For two actions, h_0(y) = 0 at y = floor((m - 1)/2) only, h_1(y) = 0 at y = floor(m/2) only, every "
        "other loss 1",
        "T * mu - OPT > (m - 4) * L",
        TWO,
        {"length": "L == q * (m + 1) + floor(m / 2) - 1", "long": "L >= m**3"},
    ),
    Family(
        "memory-seven",
        "For two actions, m = 7 and h_0 = h_1 = (0, 1, 0, 1, 1, 1, 1)",
        "T * mu - OPT >= (15 * L - 3) / 4",
        [SEVEN],
        {"length": "L == 8 * q + 5", "long": "L >= m**3"},
    ),
    Family(
        "memory-nine",
        "For two actions, m = 9, h_0 = h_1 = (0, 0, 1, 0, 1, 1, 1, 1, 1)",
        "T * mu - OPT >= 5 * L - 1",
        [NINE],
        {"length": "L == 10 * q + 5", "long": "L >= m**3"},
    ),
)

for _family in FAMILIES:
    _family.register()
