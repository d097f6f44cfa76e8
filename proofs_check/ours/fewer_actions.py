"""Lemma 3 for fewer actions than memory: how fast the gap T mu(pi*) - OPT_T can still grow, L being sqrt(T).

A *turning word* of p steps loses c in each of its turns. A closed walk whose length is no multiple of p has
to leave it, and pays for that. The least payments of walks, p times the loss minus c per step, by the history
and the number of steps modulo p, bound walks of every length: no edge raises them by more than it pays. They
start at one history of the turning word; walks that meet none of them have potentials of their own, at a
higher rate, so that they pay more once they are long; or they start at every history.
"""

from __future__ import annotations

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
    everywhere : whether walks are bounded from every history; if not, only those of m^3 steps and more are.
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
        """The least length in question."""
        least = self.memory**3 if not self.everywhere else 1
        return least + (self.residue - least) % self.period

    @property
    def turning(self) -> list[int]:
        """The histories of the word repeated forever, one per step of a turn."""
        code, codes = 0, []
        for action in self.word * 2:
            code = self.after(code, action)
            codes.append(code)
        return codes[-self.period :]

    @property
    def histories(self) -> int:
        """How many there are; the last action is the lowest digit of one."""
        return int(len(self.rows) ** (self.memory - 1))

    def after(self, code: int, action: int) -> int:
        """The history after this one."""
        return (code * len(self.rows) + action) % self.histories

    @cached_property
    def losses(self) -> Array:
        """What a step loses, at [action, history]."""
        K, m = len(self.rows), self.memory
        digits = np.stack([np.arange(self.histories) // K**place % K for place in range(m - 1)])
        rows = np.array(self.rows, dtype=np.int64)
        return np.stack([rows[x][(digits == x).sum(axis=0)] for x in range(K)])

    @cached_property
    def through(self) -> Array:
        """Least payments of walks, at [first history, steps modulo p, history]."""
        starts = list(range(self.histories)) if self.everywhere else self.turning[:1]
        found = np.full((len(starts), self.period, self.histories), UNREACHED)
        found[np.arange(len(starts)), 0, starts] = 0
        return self.settled(found, self.pays())

    @cached_property
    def around(self) -> Array:
        """Potentials of the other histories, at [0, 0, history]; of walks that pay for 1/m^2 more a step."""
        start = np.zeros((1, 1, self.histories), dtype=np.int64)
        return self.settled(start, self.pays(higher=True), self.turning)

    def pays(self, *, higher: bool = False) -> Array:
        """What a step pays, at [action, history]: p loss - c; at the higher rate, m^2 times that, less p."""
        pays: Array = self.period * self.losses - self.lost
        return self.memory**2 * pays - self.period if higher else pays

    def settled(self, potentials: Array, pays: Array, closed: Sequence[int] = ()) -> Array:
        """Potentials that no edge lowers any more, if there are any; the closed histories are not entered."""
        potentials[..., closed] = UNREACHED
        for _ in range(potentials[0].size):
            lower = np.minimum(potentials, self._relaxed(potentials, pays))
            lower[..., closed] = UNREACHED
            if np.array_equal(lower, potentials):
                break
            potentials = lower
        return potentials

    def _relaxed(self, potentials: Array, pays: Array) -> Array:
        """The potentials after one step more."""
        K, after = len(self.rows), np.empty_like(potentials)
        for x in range(K):
            reached = (potentials + pays[x]).reshape(*potentials.shape[:2], K, -1)
            after[..., x::K] = reached.min(axis=2)
        return np.roll(after, 1, axis=1)

    def holds_on_every_edge(
        self, potentials: Array, closed: Sequence[int] = (), higher: bool = False
    ) -> bool:
        """Whether no edge between open histories raises a potential by more than it pays."""
        K, m, shut = len(self.rows), self.memory, set(closed)
        for code in set(range(self.histories)) - shut:
            history = [code // K**place % K for place in range(m - 1)]
            for x in range(K):
                pays = self.period * self.rows[x][history.count(x)] - self.lost
                pays = m**2 * pays - self.period if higher else pays
                reached = np.roll(potentials[..., self.after(code, x)], -1, axis=1)
                if self.after(code, x) not in shut and (reached > potentials[..., code] + pays).any():
                    return False
        return True

    @property
    def detour(self) -> int:
        """The least that a closed walk of that residue pays through a history in question."""
        if self.everywhere:
            places = np.arange(self.histories)
            return int(self.through[places, self.residue, places].min())
        later = [(steps + self.residue) % self.period for steps in range(self.period)]
        p = self.through[0]
        return min(int(p[later[i], code] - p[i, code]) for i, code in enumerate(self.turning))

    @cached_property
    def bounded(self) -> bool:
        """Whether every closed walk in question pays for the detour."""
        good = self.holds_on_every_edge(self.through)
        if good and not self.everywhere:  # m^2 times the payment is at least p per step there
            good = self.holds_on_every_edge(self.around, self.turning, higher=True)
            good &= self.first * self.period >= self.memory**2 * self.detour
        return good

    def opening(self, horizon: int) -> Fraction:
        """The most that the word, from the empty history, is above c/p per step after so many steps.

        From step m on its windows recur with every turn: three turns are enough.
        """
        steps, p = self.word * 3, self.period
        times = range(horizon % p, len(steps) + 1, p)
        return max(replay(self.bandit, steps[:t]) - Fraction(self.lost * t, p) for t in times)

    def gap(self, length: int) -> Fraction:
        """What T mu - OPT is at least."""
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
    planned: Sequence[Turning]
    domain: Mapping[str, str]

    def register(self) -> None:
        """As a claim."""
        first, last = self.tables[0].memory, self.tables[-1].memory
        about = f"m == {first}" if first == last else f"{first} <= m and m <= {last}"
        claim(
            f"lemma-3/{self.name}",
            statement=f"(not in the paper) {self.says}: {{stated}}.",
            where=WHERE,
            formulas={"stated": self.stated},
            domain={"memory": about, **self.domain, "square": "T == L * L"},
            symbols={"q": "a number of turns"},
        )(self.examined)

    def examined(self, request: Request) -> Outcome:
        """Bound every closed walk by potentials on histories and residues; plan one length of some tables."""
        tables, memories = self.tables, range(self.tables[0].memory, self.tables[-1].memory + 1)
        found = [gap_of(one.bandit, one.first + one.everywhere * 2 * one.period) for one in self.planned]
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

    What is stated and what is shown are lines in L for each m, so that a few lengths and a large one do.
    """
    f, domain = request.formulas, request.domain
    known = {one.memory: one for one in tables}
    if any(f.memory.holds(m=m) for m in range(20) if m not in known):
        return False
    for m, one in known.items():
        p, first = one.period, one.first
        for L in (*range(1, 3 * p), *range(max(1, first - p), first + 3 * p), first + p * 10**6):
            turns = ({"m": m, "L": L, "T": L * L, "q": q} for q in (L // p, L // p + 1, L // m))
            inside = any(all(part.holds(**_named(part, case)) for part in domain) for case in turns)
            values = {"m": m, "L": L, "T": L * L, "OPT": 0, "mu": one.gap(L) / L**2}
            good = first <= L and L % p == one.residue and f.stated.holds(**_named(f.stated, values))
            if inside and not good:
                return False
    return True


def _named(formula: Formula, values: dict[str, int | Fraction]) -> dict[str, int | Fraction]:
    return {name: values[name] for name in formula.names}


FAMILIES = (
    Family(
        "one-action-less",
        "For K = m - 1 actions, h_x(1) = 0 for all but the last, which has h(2) = 0, every other loss 1",
        "T * mu - OPT >= (m - 2) * L - 1",
        LESS,
        LESS,
        {"length": "L == q * m - 1", "turns": "q >= 1"},
    ),
    Family(
        "two-actions",
        "For two actions, h_0(y) = 0 at y = floor((m - 1)/2) only, h_1(y) = 0 at y = floor(m/2) only, every "
        "other loss 1",
        "T * mu - OPT > (m - 4) * L",
        TWO,
        TWO[:4],
        {"length": "L == q * (m + 1) + floor(m / 2) - 1", "long": "L >= m**3"},
    ),
    Family(
        "memory-seven",
        "For two actions, m = 7 and h_0 = h_1 = (0, 1, 0, 1, 1, 1, 1)",
        "T * mu - OPT >= (15 * L - 3) / 4",
        [SEVEN],
        [SEVEN],
        {"length": "L == 8 * q + 5", "long": "L >= m**3"},
    ),
    Family(
        "memory-nine",
        "For two actions, m = 9, h_0 = h_1 = (0, 0, 1, 0, 1, 1, 1, 1, 1)",
        "T * mu - OPT >= 5 * L - 1",
        [NINE],
        [NINE],
        {"length": "L == 10 * q + 5", "long": "L >= m**3"},
    ),
)

for _family in FAMILIES:
    _family.register()
