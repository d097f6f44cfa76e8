"""Lemma 3 for two actions: the gap T mu(pi*) - OPT_T can grow as (m - 4) sqrt(T).

Stated here. For two actions, h_0(y) = 0 at y = floor((m-1)/2) only, h_1(y) = 0 at y = floor(m/2) only, every
other loss 1, and L a long enough q (m+1) + floor(m/2) - 1: the gap is above (m - 4) L
(`lemma-3/two-actions`). Lemma 3's sharp bound is (m - 1) L, so for two actions the right slope lies between
m - 4 and m - 1, for the memories gone through.

Shown. The *turning word* 0^(y+1) 1^(z+1), y and z being the two tallies without loss, loses 2 in its m+1
steps. A closed walk whose length is no multiple of m+1 has to leave it, and pays for that. For each m this is
a finite computation about walks of every length: potentials on the histories, paired with the number of steps
modulo m+1, bound the walks through a history of the turning word; potentials on the other histories bound
those that meet none. Every inequality is evaluated on every edge; that they add up along a walk is an
induction.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from proofs_check.boxes import first_failing, span
from proofs_check.claim import Outcome, Request, claim
from proofs_check.computations.cyclic_gap import gap_of
from proofs_check.steps import Fact, Given, Step, conclusions
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.sequences import definition
from tallyplan.formula import Formula
from tallyplan.model.graph import Array
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import replay

SHOWN, THOROUGH = range(3, 12), range(3, 17)  # memories
PLANNED = range(3, 7)  # memories at which the planners compute the gap of one length
RESIDUE = Formula("floor(m / 2) - 1")
DETOUR = Formula("(m - 4) * (m + 1) + 3")  # what a walk of the wrong length pays
OPENING = Formula("m - 1")  # what the turning word may lose besides, at the start
UNREACHED = 2**40
VARIABLES = "m L T q i met integer; mu OPT real; loss(integer) total(integer) p(integer) g(integer) real"


@dataclass(frozen=True)
class Walks:
    """A kind of closed walks, the name of its potentials, and what it pays: weight * loss - rate per step."""

    name: str
    met: int  # 1 if they meet a turning history
    weight: str
    rate: str

    def pay(self, loss: str, steps: str = "1") -> str:
        """What this loss in so many steps pays."""
        rate = f"({self.rate})" if steps == "1" else f"({self.rate}) * {steps}"
        return Formula(f"({self.weight}) * {loss} - {rate}").canonical


THROUGH = Walks("p", 1, "m + 1", "2")  # above 2/(m+1)
AROUND = Walks("g", 0, "m**2 * (m + 1)", "2 * m**2 + m + 1")  # above 2/(m+1) + 1/m^2


@dataclass(frozen=True)
class Turning:
    """Two actions, losses 0 and 1, and a *turning word* of m + 1 steps that loses 2 when it is repeated.

    Attributes
    ----------
    rows : the losses of both actions.
    word : the turning word.
    residue : the length of the walks in question, modulo m + 1.
    """

    rows: tuple[tuple[int, ...], ...]
    word: tuple[int, ...]
    residue: int

    @property
    def memory(self) -> int:
        """m."""
        return len(self.rows[0])

    @property
    def bandit(self) -> TallyingBandit:
        """The table."""
        return TallyingBandit(self.rows)

    @property
    def turning(self) -> list[int]:
        """The histories of the turning word repeated forever, one per step of a turn."""
        code, codes = 0, []
        for action in self.word * 2:
            code = (2 * code + action) % 2 ** (self.memory - 1)
            codes.append(code)
        return codes[-len(self.word) :]

    @property
    def first_length(self) -> int:
        """The least length with that residue from m^3 on."""
        period = self.memory + 1
        return self.memory**3 + (self.residue - self.memory**3) % period

    def costs(self, walks: Walks) -> Array:
        """What a step pays, at [action, history]; the last action is the lowest bit of a history."""
        histories = np.arange(2 ** (self.memory - 1))
        ones = sum((histories >> place) & 1 for place in range(self.memory - 1))
        rows = np.array(self.rows, dtype=np.int64)
        loses = [rows[0][self.memory - 1 - ones], rows[1][ones]]
        weight, rate = (int(Formula(one)(m=self.memory)) for one in (walks.weight, walks.rate))
        return weight * np.array(loses) - rate

    @cached_property
    def by_residue(self) -> Array:
        """Least payments of walks from the first turning history, at [steps modulo m+1, history]."""
        start = np.full((self.memory + 1, 2 ** (self.memory - 1)), UNREACHED)
        start[0, self.turning[0]] = 0
        return _settled(start, self.costs(THROUGH), closed=[])

    @property
    def detour(self) -> int:
        """The least that a closed walk of that residue through a turning history pays: (m+1) C - 2 L."""
        later = [(steps + self.residue) % (self.memory + 1) for steps in range(self.memory + 1)]
        p = self.by_residue
        return min(int(p[later[i], code] - p[i, code]) for i, code in enumerate(self.turning))

    @cached_property
    def elsewhere(self) -> Array:
        """Potentials of the other histories."""
        start = np.zeros((1, 2 ** (self.memory - 1)), dtype=np.int64)
        return _settled(start, self.costs(AROUND), closed=self.turning)

    def excess(self, residue: int) -> Fraction:
        """The most that the turning word, from the empty history, is above 2/(m+1) per step.

        After so many steps modulo m+1. From step m on its windows recur with every turn: three turns are
        enough.
        """
        steps = self.word * 3
        return max(
            replay(self.bandit, steps[:t]) - Fraction(2 * t, self.memory + 1)
            for t in range(residue, len(steps) + 1, self.memory + 1)
        )


def two_needles(memory: int) -> Turning:
    """Each action without loss at one tally only; the tallies sum to m - 1.

    >>> two_needles(4)
    Turning(rows=((0, 1, 1, 1), (1, 0, 1, 1)), word=(0, 0, 1, 1, 1), residue=1)
    """
    tallies = (memory - 1) // 2, memory // 2
    rows = [tuple(int(y != zero) for y in range(1, memory + 1)) for zero in tallies]
    word = [action for action, zero in enumerate(tallies) for _ in range(zero + 1)]
    return Turning(tuple(rows), tuple(word), int(RESIDUE(m=memory)))


SEVEN = Turning(((0, 1, 0, 1, 1, 1, 1),) * 2, (0, 0, 0, 1, 1, 1, 1, 0), residue=5)
NINE = Turning(((0, 0, 1, 0, 1, 1, 1, 1, 1),) * 2, (0, 0, 0, 0, 1, 1, 1, 1, 1, 0), residue=5)


def _relaxed(potentials: Array, costs: Array, closed: list[int]) -> Array:
    """The potentials after one step more; the closed histories are not entered."""
    half = potentials.shape[1] // 2
    after = np.empty_like(potentials)
    for action in (0, 1):
        reached = potentials + costs[action]
        after[:, action::2] = np.minimum(reached[:, :half], reached[:, half:])
    after[:, closed] = UNREACHED
    return np.roll(after, 1, axis=0)


def _settled(potentials: Array, costs: Array, closed: list[int]) -> Array:
    """Potentials that no edge lowers any more; if a closed walk pays less than nothing, there are none.

    A potential is what a walk without repetition pays, so as many sweeps suffice as there are places.
    """
    potentials[:, closed] = UNREACHED
    for _ in range(potentials.size):
        lower = np.minimum(potentials, _relaxed(potentials, costs, closed))
        if np.array_equal(lower, potentials):
            break
        potentials = lower
    return potentials


def _holds_on_every_edge(potentials: Array, costs: Array, closed: list[int]) -> bool:
    """Whether no edge between histories that are not closed raises a potential by more than it pays."""
    return bool((potentials <= _relaxed(potentials, costs, closed)).all())


@claim(
    "lemma-3/two-actions",
    statement="(not in the paper) For two actions, h_0(y) = 0 at y = floor((m - 1)/2) only, h_1(y) = 0 at "
    "y = floor(m/2) only, every other loss 1: {stated}.",
    where="Lemma 3 for fewer actions than memory (ours, docs/constants.md)",
    formulas={"stated": "T * mu - OPT > (m - 4) * L"},
    domain={
        "memory": f"{SHOWN[0]} <= m and m <= {SHOWN[-1]}",
        "length": f"L == q * (m + 1) + {RESIDUE}",
        "long": "L >= m**3",
        "square": "T == L * L",
    },
    integers="m L T q",
    symbols={"q": "a number of turns"},
)
def two_actions(request: Request) -> Outcome:
    """Bound every closed walk by potentials on histories and residues; plan one length for small memories."""
    f = request.formulas
    planned = [gap_of(one.bandit, one.first_length) for one in map(two_needles, PLANNED)]
    looked_at = THOROUGH if request.thorough else SHOWN
    slopes = ", ".join(str(Fraction(two_needles(m).detour, m + 1)) for m in looked_at)
    return request.conclude(
        request.show("stated", _steps(request, [two_needles(m) for m in SHOWN], RESIDUE, DETOUR, OPENING)),
        method="potentials on histories and residues, added up along a walk; the planners",
        cases=len(planned),
        violation=first_failing(planned, f.stated),
        remarks=[
            f"m = {span(looked_at)}: a period of such a length pays {slopes} for its detour.",
            f"The planners agree at the first L of the domain, m = {span(PLANNED)}.",
        ],
    )


@claim(
    "lemma-3/memory-seven",
    statement="(not in the paper) For two actions, m = 7 and h_0 = h_1 = (0, 1, 0, 1, 1, 1, 1): {stated}.",
    where="Lemma 3 for fewer actions than memory (ours, docs/constants.md)",
    formulas={"stated": "T * mu - OPT >= (15 * L - 3) / 4"},
    domain={"memory": "m == 7", "length": "L == 8 * q + 5", "long": "L >= m**3", "square": "T == L * L"},
    integers="m L T q",
    symbols={"q": "a number of turns"},
)
def memory_seven(request: Request) -> Outcome:
    """The same potentials, for one table; the planners at one length."""
    return _one_table(request, SEVEN, detour="30", opening="3 / 4")


@claim(
    "lemma-3/memory-nine",
    statement="(not in the paper) For two actions, m = 9, h_0 = h_1 = (0, 0, 1, 0, 1, 1, 1, 1, 1): {stated}.",
    where="Lemma 3 for fewer actions than memory (ours, docs/constants.md)",
    formulas={"stated": "T * mu - OPT >= 5 * L - 1"},
    domain={"memory": "m == 9", "length": "L == 10 * q + 5", "long": "L >= m**3", "square": "T == L * L"},
    integers="m L T q",
    symbols={"q": "a number of turns"},
)
def memory_nine(request: Request) -> Outcome:
    """The same potentials, for one table; the planners at one length."""
    return _one_table(request, NINE, detour="50", opening="1")


def _one_table(request: Request, table: Turning, *, detour: str, opening: str) -> Outcome:
    """One table at all long L of its residue, and at the first of them by the planners."""
    residue = Formula(str(table.residue))
    planned = [gap_of(table.bandit, table.first_length)]
    return request.conclude(
        request.show("stated", _steps(request, [table], residue, Formula(detour), Formula(opening))),
        method="potentials on histories and residues, added up along a walk; the planners",
        cases=len(planned),
        violation=first_failing(planned, request.formulas.stated),
        remarks=[f"The planners agree at L = {table.first_length}."],
    )


def _steps(
    request: Request, needles: list[Turning], residue: Formula, detour: Formula, opening: Formula
) -> list[Step]:
    """Walks that meet a turning history, walks that do not, and the turning word itself."""
    f = request.formulas
    through = [_edges(THROUGH, one, one.by_residue, []) for one in needles]
    around = [_edges(AROUND, one, one.elsewhere, one.turning) for one in needles]
    detours = [_detour(one, residue, detour) for one in needles]
    openings = [_opening(one, opening, only=len(needles) == 1) for one in needles]
    along = [_along(THROUGH, through, f.memory), _along(AROUND, around, f.memory)]
    meets = definition(
        "met: 1 if the walk meets a turning history, and then it starts there", "0 <= met <= 1"
    )
    closed = definition("a closed walk", "implies(met == 0, g(L) == g(0))")
    mean = definition("the mean of a best word, repeated forever", "L * mu == total(L)")
    period = for_all(
        VARIABLES,
        given=[f.memory, f.length, f.long, meets, closed, *_all(detours), *(one.at(i="L") for one in along)],
        then=f"(m + 1) * total(L) >= 2 * L + {detour}",
        words="what a period of L steps loses",
    )
    given: list[Given] = [f.memory, f.length, f.long, f.square, mean, *_all(openings), *conclusions(period)]
    last = for_all(VARIABLES, given=given, then=f.stated, words="L periods, against the turning word")
    return [*through, *around, *detours, *openings, *along, period, last]


def _all(steps: list[Step]) -> list[Fact]:
    return [step.at() for step in steps]


def _edges(walks: Walks, needles: Turning, potentials: Array, closed: list[int]) -> Step:
    """No edge raises the potential by more than it pays."""
    name, m = walks.name, needles.memory
    pays = walks.pay("loss(i + 1)")
    residues = " and i modulo m + 1" if walks.met else ""
    return Step(
        f"m = {m}: {name}(i), the potential of the history after i steps{residues}",
        f"evaluation of all {2 * potentials.size} edges",
        _holds_on_every_edge(potentials, needles.costs(walks), closed),
        Formula(f"implies(m == {m} and met == {walks.met}, {name}(i + 1) <= {name}(i) + {pays})"),
        variables=VARIABLES,
    )


def _along(walks: Walks, edges: list[Step], memory: Formula) -> Step:
    """The potentials add up along a walk of any length."""
    name, total = walks.name, "the total of the closed walk of a best word"
    return induction(
        VARIABLES,
        on="i",
        start=0,
        given=[
            *(memory, f"met == {walks.met}"),
            definition(total, "total(0) == 0"),
            definition(total, "total(i + 1) == total(i) + loss(i + 1)"),
            *_all(edges),
        ],
        then=f"{name}(i) - {name}(0) <= {walks.pay('total(i)', 'i')}",
        words="so in i steps it rises by at most what they pay",
    )


def _detour(needles: Turning, residue: Formula, detour: Formula) -> Step:
    """What the potentials say of a closed walk of the wrong length through a turning history."""
    m = needles.memory
    return Step(
        f"m = {m}: the potentials of each turning history, L steps apart, differ by {needles.detour} or more",
        f"evaluation at all {m + 1} of them",
        needles.detour >= detour(m=m),
        Formula(f"implies(m == {m} and met == 1 and L == q * (m + 1) + {residue}, p(L) - p(0) >= {detour})"),
        variables=VARIABLES,
    )


def _opening(needles: Turning, opening: Formula, *, only: bool) -> Step:
    """The turning word from the empty history, after any number of steps or `only` after T of the domain."""
    m, r = needles.memory, needles.residue
    residues = [r * r % (m + 1)] if only else range(m + 1)
    domain = f" and L == q * (m + 1) + {r} and T == L * L" if only else ""
    return Step(
        f"m = {m}: the turning word, its windows recurring from step m on",
        "replay of three turns",
        max(map(needles.excess, residues)) <= opening(m=m),
        Formula(f"implies(m == {m}{domain}, (m + 1) * OPT <= 2 * T + (m + 1) * ({opening}))"),
        variables=VARIABLES,
    )
