"""Lemma 3 for fewer actions than memory: how fast the gap T mu(pi*) - OPT_T can still grow, L being sqrt(T).

A *turning word* of p steps loses c in each of its turns, and a step *pays* p times its loss minus c. If the
least payments of walks of t + p steps, from each history to each, are those of t steps, the same is true of
all longer walks. A best word of L letters is a closed walk, so what it loses is known for every L.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from proofs_check.boxes import span, violated
from proofs_check.computations.cyclic_gap import gap_of
from proofs_check.stating import Outcome, Request, claim
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import replay

UNREACHED = 2**40
WHERE = "Lemma 3 for fewer actions than memory (ours, docs/constants.md)"


@dataclass(frozen=True)
class Turning:
    """A table of losses 0 and 1, and a turning word: repeated, it loses `lost` in a turn."""

    rows: tuple[tuple[int, ...], ...]
    word: tuple[int, ...]
    lost: int

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

    @cached_property
    def payments(self) -> list[int]:
        """The least that a closed walk of 0, 1, .. steps pays, until all walks repeat themselves.

        Histories are numbers, their last action the lowest digit; walks are at [first history, last history].
        """
        K, places = len(self.rows), range(self.memory - 1)
        histories = [[code // K**place % K for place in places] for code in range(K ** len(places))]
        losses = [[row[history.count(x)] for history in histories] for x, row in enumerate(self.rows)]
        pays = self.period * np.array(losses) - self.lost
        walks = np.where(np.eye(len(histories), dtype=bool), 0, UNREACHED)
        recent, least = deque([walks], maxlen=self.period + 1), [0]
        while len(least) <= self.memory**3:
            walks = np.empty_like(walks)
            for x in range(K):
                reached = (recent[-1] + pays[x]).reshape(len(histories), K, -1)
                walks[:, x::K] = reached.min(axis=1)
            recent.append(walks)
            least.append(int(walks.diagonal().min()))
            if len(recent) > self.period and (recent[0] == walks).all():
                return least
        raise ValueError(f"the payments of walks do not repeat themselves in {self.memory**3} steps.")

    def detour(self, length: int) -> int:
        """The least cost of a closed walk of this length."""
        known = len(self.payments) - 1
        return self.payments[length - max(0, -((known - length) // self.period)) * self.period]

    def opening(self, horizon: int) -> Fraction:
        """The most that the word, from the empty history, is above c/p per step after `horizon` steps.

        From step m on its windows recur with every turn: three turns are enough.
        """
        steps, p = self.word * 3, self.period
        times = range(horizon % p, len(steps) + 1, p)
        return max(replay(self.bandit, steps[:t]) - Fraction(self.lost * t, p) for t in times)

    def gap(self, length: int) -> Fraction:
        """What T mu - OPT is at least; along a residue modulo p, from some length on, a line in L.

        Only from m - 1 letters on a word, repeated, walks around (`lemma-2`).
        """
        if length < self.memory - 1:
            return Fraction(-(length**2))
        return Fraction(self.detour(length) * length, self.period) - self.opening(length**2)

    def cases(self) -> Iterator[dict[str, Any]]:
        """Every length until the payments repeat themselves, and two turns of later ones."""
        m, p, known = self.memory, self.period, len(self.payments)
        for L in (*range(1, known + p), *range(10**6, 10**6 + p)):
            for q in {L // p, L // p + 1, L // m + 1}:
                yield {"m": m, "L": L, "T": L * L, "q": q, "OPT": 0, "mu": self.gap(L) / L**2}


def two_needles(memory: int) -> Turning:
    """Each of two actions without loss at one tally only; the tallies sum to m - 1.

    >>> two_needles(4)
    Turning(rows=((0, 1, 1, 1), (1, 0, 1, 1)), word=(0, 0, 1, 1, 1), lost=2)
    """
    tallies = (memory - 1) // 2, memory // 2
    rows = [tuple(int(y != zero) for y in range(1, memory + 1)) for zero in tallies]
    word = [action for action, zero in enumerate(tallies) for _ in range(zero + 1)]
    return Turning(tuple(rows), tuple(word), 2)


def one_less(memory: int) -> Turning:
    """K = m - 1; the last action twice and each other once lose nothing in m steps.

    >>> one_less(4).rows, one_less(4).word
    (((0, 1, 1, 1), (0, 1, 1, 1), (1, 0, 1, 1)), (2, 0, 1, 2))
    """
    rows = [(0, *[1] * (memory - 1))] * (memory - 2) + [(1, 0, *[1] * (memory - 2))]
    word = (memory - 2, *range(memory - 1))
    return Turning(tuple(rows), word, 0)


SEVEN = Turning(((0, 1, 0, 1, 1, 1, 1),) * 2, (0, 0, 0, 1, 1, 1, 1, 0), 2)
NINE = Turning(((0, 0, 1, 0, 1, 1, 1, 1, 1),) * 2, (0, 0, 0, 0, 1, 1, 1, 1, 1, 0), 2)
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
        """Register it as a claim."""
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
        """Least payments of all walks, until they repeat themselves; plan one length of some tables."""
        f, memories = request.formulas, range(self.tables[0].memory, self.tables[-1].memory + 1)
        others = [m for m in range(20) if m not in memories and f.memory.holds(m=m)]
        inside = [[case for case in one.cases() if _all_hold(request.domain, case)] for one in self.tables]
        follows = not others and all(_all_hold([f.stated], case) for cases in inside for case in cases)
        some = zip(self.tables[:4], inside, strict=False)
        planned = [gap_of(one.bandit, cases[0]["L"]).values for one, cases in some if cases]
        return request.conclude(
            request.argue(
                "A best word of L letters is a closed walk, so L mu is (c L + the least payment of its "
                "length) / p; OPT is at most (c T) / p + the opening, by the turning word.",
                f"m = {span(memories)}: the payments of all walks repeat themselves from "
                f"{', '.join(str(len(one.payments) - 1 - one.period) for one in self.tables)} steps on, with "
                f"the period p = {', '.join(str(one.period) for one in self.tables)}; then both sides are "
                "lines in L, and two lengths decide.",
            )
            if follows
            else None,
            violation=violated(f.stated, (), planned)[0],
        )


def _all_hold(formulas: Iterable[Formula], case: dict[str, Any]) -> bool:
    return all(one.holds(**{name: case[name] for name in one.names}) for one in formulas)


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
        {"length": "L == q * (m + 1) + floor(m / 2) - 1", "long": "L >= 3 * m"},
    ),
    Family(
        "memory-seven",
        "For two actions, m = 7 and h_0 = h_1 = (0, 1, 0, 1, 1, 1, 1)",
        "T * mu - OPT >= (15 * L - 3) / 4",
        [SEVEN],
        {"length": "L == 8 * q + 5", "turns": "q >= 1"},
    ),
    Family(
        "memory-nine",
        "For two actions, m = 9, h_0 = h_1 = (0, 0, 1, 0, 1, 1, 1, 1, 1)",
        "T * mu - OPT >= 5 * L - 1",
        [NINE],
        {"length": "L == 10 * q + 5", "turns": "q >= 1"},
    ),
)

for _family in FAMILIES:
    _family.register()
