"""Lemma 3, the steps of its proof one by one.

Stated in the proof. The lemma is trivial for m >= sqrt(T). A cyclic policy that repeats a block of the
optimal sequence loses in its first execution at most m more than the block did. And T mu(pi) is at most
sqrt(T) more than what pi loses from the start.

Shown. All three hold; in the last two only m - 1 steps can differ, so that m and sqrt(T) both become m - 1,
and that is attained by always playing x_1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from proofs_check import definitions
from proofs_check.boxes import binary_tables, first_failing, needle
from proofs_check.claim import Outcome, Request, Tight, claim
from proofs_check.computations.cyclic_gap import well_defined
from proofs_check.computations.every_table import EveryTable
from proofs_check.steps import Fact, Step, weakest
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.inductions import later_periods, never_decreases, plays_only
from proofs_check.ways.sequences import SIZES, Cyclic, Play, alike, always, definition
from proofs_check.ways.sequences import needle as on_the_needle
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import replay

WHERE = "Lemma 3, proof (lem:cyclic_approx_well)"
A, B, W = Play("a"), Play("b"), Cyclic("w")
VARIABLES = f"{SIZES}; {A.variables}; {B.variables}; {W.variables}; x i j t p integer; mu OPT real"


@claim(
    "lemma-3/large-memory",
    statement="{stated} is trivial if {large}.",
    where=WHERE,
    formulas={
        "bound": "(m + 1) * L",
        "stated": "T * mu - OPT <= bound",
        "sooner": "implies(m >= L - 1, T * mu - OPT <= bound)",
    },
    domain={"period": "L >= 0", "square": "T == L * L", "large": "m >= L"},
    integers="K m L T",
)
def large_memory(request: Request) -> Outcome:
    """Mu is at most 1 and OPT at least 0, by induction on the steps; the rest is arithmetic."""
    f = request.formulas
    losses = [_nothing_gained(f.period, f.square), _at_most_one(f.period)]
    known = [f.period, f.square, *(one.then for one in losses if one.then)]
    stated = for_all(VARIABLES, given=[*known, f.large], then=f.stated)
    sooner = for_all(VARIABLES, given=known, then=f.sooner)
    earlier = request.show("sooner", [*losses, sooner])
    return request.conclude(
        request.show("stated", [*losses, stated]),
        method="the trivial bounds of mu and OPT, and z3",
        tight=Tight(f"already: {f.sooner}", earlier.verdict),
    )


def _nothing_gained(period: Formula, square: Formula) -> Step:
    """OPT >= 0."""
    total = never_decreases(VARIABLES, A)
    return for_all(
        VARIABLES,
        given=[period, square, A.is_optimal(), A.begins(), total.at(t="T")],
        then="OPT >= 0",
        words="no loss is negative",
    )


def _at_most_one(period: Formula) -> Step:
    """L mu <= L."""
    total = induction(
        VARIABLES,
        on="i",
        start=0,
        given=[period, W.adds("L + i + 1"), W.bounded("L + i + 1")],
        then="w_total(L + i) - w_total(L) <= i",
    )
    return for_all(
        VARIABLES, given=[period, W.is_best(), total.at(i="L")], then="L * mu <= L", words="no loss exceeds 1"
    )


@dataclass(frozen=True)
class Excess:
    """A block and two histories: how much more it loses after `dear` than after `cheap`."""

    bandit: TallyingBandit
    block: tuple[int, ...]
    dear: tuple[int, ...]
    cheap: tuple[int, ...]

    def loss(self, start: tuple[int, ...]) -> Fraction:
        """What the block loses after a history, by replay."""
        return replay(self.bandit, self.block, start)

    def satisfies(self, formula: Formula) -> bool:
        """Whether a formula in `first`, `block` and m holds here."""
        return formula.holds(first=self.loss(self.dear), block=self.loss(self.cheap), m=self.bandit.memory)

    def witness(self) -> Witness:
        """For the reader."""
        excess = self.loss(self.dear) - self.loss(self.cheap)
        facts = {"block": self.block, "after": self.dear, "instead of after": self.cheap, "excess": excess}
        return Witness(facts, self.bandit)

    def confirmed(self) -> bool:
        """The same losses from the definitions."""

        def loss(start: tuple[int, ...]) -> Fraction:
            both = definitions.total_loss(self.bandit, start + self.block)
            return both - definitions.total_loss(self.bandit, start)

        return all(loss(start) == self.loss(start) for start in (self.dear, self.cheap))


@claim(
    "lemma-3/first-execution",
    statement="The first execution of pi, from any state, loses at most m more than the block that it "
    "repeats: {stated}.",
    where=WHERE,
    formulas={
        "stated": "first <= block + m",
        "sharp": "first <= block + (m - 1)",
        "attained": "first == block + (m - 1)",
    },
    domain={"memory": "m >= 1", "long": "m <= L + 1"},
    integers="K m L T",
    symbols={
        "first": "what L actions lose after any history",
        "block": "what the same L actions lose after another history",
    },
)
def first_execution(request: Request) -> Outcome:
    """Only the steps whose window reaches before the block can differ; compare all histories on a box."""
    f = request.formulas
    cases = [_largest_excess(K, m) for K in (1, 2) for m in range(1, 5)]
    example = next(case for case in cases if case.bandit.memory == 2)
    sharp = request.show("sharp", _execution(f.memory, f.long, f.sharp))
    attained = request.show("attained", _always_one_first(request, f.attained))
    return request.conclude(
        request.show("stated", _execution(f.memory, f.long, f.stated)),
        method="two sequences that play alike; blocks after all histories on a box",
        cases=len(cases),
        checked_on="h_1(m) = 0, every other loss 1, K <= 2, m <= 4, all blocks of m + 1 steps",
        violation=first_failing(cases, f.stated),
        remarks=("In the displayed lines the losses l_k(pi) should be l_t(pi), a slip of the index.",),
        tight=Tight(
            f"{f.sharp}; attained for all K and m by h_1(m) = 0, every other loss 1: a block of x_1 loses "
            "m - 1 from the start, and nothing after x_1, ..., x_1",
            weakest(sharp.verdict, attained.verdict),
            example.witness(),
        )
        if example.satisfies(f.attained) and example.confirmed()
        else None,
    )


def _execution(memory: Formula, long: Formula, conclusion: Formula) -> list[Step]:
    """The block after p steps of a, the execution after j steps of b; both play the same."""
    anywhere = definition("two histories", "p >= 0 and j >= 0")
    stretch = alike(
        VARIABLES,
        B,
        "j",
        A,
        "p",
        agree=lambda i: definition("the execution", f"implies(1 <= {i} <= L, b(j + {i}) == a(p + {i}))"),
        given=[memory, anywhere],
        upto="L",
    )
    return [
        *stretch.steps,
        for_all(
            VARIABLES,
            given=[memory, long, *_losses("b", "j", "a", "p"), stretch.totals.at(i="L")],
            then=conclusion,
            words="only the first m - 1 places can cost more",
        ),
    ]


def _losses(here: str, q: str, there: str, p: str) -> tuple[Fact, Fact]:
    """What `first` and `block` are."""
    return (
        definition("first", f"first == {here}_total({q} + L) - {here}_total({q})"),
        definition("block", f"block == {there}_total({p} + L) - {there}_total({p})"),
    )


def _loses(tally: Step, table: Sequence[Fact], value: str, memory: Formula) -> list[Step]:
    """What always playing 1 loses in t steps: tallies 1, 2, .., m, m, m, .."""
    opening = induction(
        VARIABLES,
        on="t",
        start=0,
        upto="m - 1",
        given=[*_next_loss(tally), *table, W.begins()],
        then=f"w_total(t) == t * (1 - {value})",
        words="its first m - 1 tallies are below m",
    )
    later = induction(
        VARIABLES,
        on="t",
        start="m - 1",
        given=[memory, *_next_loss(tally), *table, opening.at(t="m - 1")],
        then=f"w_total(t) == (m - 1) * (1 - {value}) + (t - m + 1) * {value}",
        words="all its later tallies are m",
    )
    return [opening, later]


def _next_loss(tally: Step) -> list[Fact]:
    return [
        *(W.adds("t + 1"), W.loses("t + 1"), always(W, "1", "t + 1"), W.begins_to_count("1")),
        *(tally.at(t="t + 1"), tally.at(t="t + 1 - m")),
    ]


def _always_one_first(request: Request, conclusion: Formula) -> list[Step]:
    """On the needle always playing 1 loses m - 1 from the start, and nothing after m - 1 steps."""
    f = request.formulas
    tally = plays_only(VARIABLES, W)
    opening, later = _loses(tally, [on_the_needle("1", "t + 1"), on_the_needle("1", "m")], "0", f.memory)
    return [
        *(tally, opening, later),
        for_all(
            VARIABLES,
            given=[
                *(f.memory, f.long),
                *_losses("w", "0", "w", "m - 1"),
                W.begins(),
                *(later.at(t=t) for t in ("L", "m - 1", "m - 1 + L")),
            ],
            then=conclusion,
            words="the first execution from the start, the block after m - 1 plays of 1",
        ),
    ]


@dataclass(frozen=True)
class Steady:
    """A word and a table: its mean in steady state, and what it loses in T steps from the start."""

    bandit: TallyingBandit
    word: tuple[int, ...]

    @property
    def values(self) -> dict[str, int | Fraction]:
        """For the formulas."""
        L, mean = len(self.word), definitions.mu(self.bandit, self.word)
        played = replay(self.bandit, self.word * L)
        return {"T": L**2, "L": L, "m": self.bandit.memory, "mean": mean, "played": played}

    def satisfies(self, formula: Formula) -> bool:
        """Whether the formula holds here."""
        return formula.holds(**self.values)

    def witness(self) -> Witness:
        """For the reader."""
        values = self.values
        excess = values["T"] * values["mean"] - values["played"]
        return Witness({"word": self.word, "horizon": values["T"], "excess": excess}, self.bandit)

    def confirmed(self) -> bool:
        """The loss from the definitions, and the mean by replay."""
        repeated = definitions.total_loss(self.bandit, self.word * len(self.word))
        mean = replay(self.bandit, self.word, self.word * self.bandit.memory) / len(self.word)
        return (repeated, mean) == (self.values["played"], self.values["mean"])


@claim(
    "lemma-3/steady-state",
    statement="{stated}.",
    where=WHERE,
    formulas={
        "stated": "T * mean <= played + sqrt(T)",
        "sharp": "T * mean <= played + (m - 1)",
        "attained": "T * mean == played + (m - 1)",
    },
    domain={"memory": "m >= 1", "square": "T == L * L", "well_defined": "m <= L + 1"},
    integers="K m L T",
    symbols={
        "played": "what this policy loses in T steps from the empty history",
    },
)
def steady_state(request: Request) -> Outcome:
    """Only the first m - 1 steps can differ from the steady state; compare words on a box."""
    f = request.formulas
    cases = [
        Steady(bandit, tuple(word))
        for K in (1, 2)
        for m in range(1, 4)
        for bandit in binary_tables(K, m)
        for L in well_defined(m, range(1, 5))
        for word in definitions.everything(bandit, L)
    ]
    example = next(case for case in cases if case.bandit.memory == 2 and case.satisfies(f.attained))
    sharp = request.show("sharp", _steady(request, f.sharp))
    attained = request.show("attained", _always_one_steady(request, f.attained))
    return request.conclude(
        request.show("stated", _steady(request, f.stated)),
        method="the same sequence one period later; every word and {0,1} table of a box",
        cases=len(cases),
        checked_on="K <= 2, m <= 3, every {0,1} table, every word with sqrt(T) <= 4",
        violation=first_failing(cases, f.stated),
        tight=Tight(
            f"{f.sharp}; attained by always x_1 for h_1(m) = 1, every other loss 0",
            weakest(sharp.verdict, attained.verdict),
            example.witness(),
        )
        if example.confirmed()
        else None,
    )


def _mean() -> tuple[Fact, Fact]:
    return (
        definition("mean", f"L * mean == {W.period}"),
        definition("played", "played == w_total(T)"),
    )


def _steady(request: Request, conclusion: Formula) -> list[Step]:
    """T steps after the first period cost at most m - 1 more than T steps from the start."""
    f = request.formulas
    given = [f.memory, f.well_defined]
    stretch = alike(VARIABLES, W, "L", W, "0", agree=W.repeats, given=given)
    later, periods = later_periods(VARIABLES, W, stretch.losses, "mean", _mean()[0], given)
    return [
        *(*stretch.steps, later, periods),
        for_all(
            VARIABLES,
            given=[*given, f.square, *_mean(), W.begins(), stretch.totals.at(i="T"), periods.at(j="L")],
            then=conclusion,
            words="T steps after the first period cost at most m - 1 more",
        ),
    ]


def _always_one_steady(request: Request, conclusion: Formula) -> list[Step]:
    """With h_1(m) = 1 and every other loss 0, always playing 1 loses nothing in its first m - 1 steps."""
    f = request.formulas
    tally = plays_only(VARIABLES, W)
    table = [definition("the table", f"h(1, {y}) == (1 if {y} == m else 0)") for y in ("t + 1", "m")]
    opening, later = _loses(tally, table, "1", f.memory)
    return [
        *(tally, opening, later),
        for_all(
            VARIABLES,
            given=[*request.domain, *_mean(), *(later.at(t=t) for t in ("L", "2 * L", "T"))],
            then=conclusion,
            words="in steady state it loses 1 at every step",
        ),
    ]


def _largest_excess(actions: int, memory: int) -> Excess:
    """The block of m + 1 steps that loses most after one history over another, on the needle."""
    bandit = needle(actions, memory)
    histories = [(), *EveryTable(actions, memory).histories]
    excesses = []
    for block in definitions.everything(bandit, memory + 1):
        losses = {start: replay(bandit, block, start) for start in histories}
        dear, cheap = max(losses, key=losses.__getitem__), min(losses, key=losses.__getitem__)
        excesses.append((losses[dear] - losses[cheap], Excess(bandit, tuple(block), dear, cheap)))
    return max(excesses, key=lambda excess: excess[0])[1]
