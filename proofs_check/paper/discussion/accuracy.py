"""Discussion: how good are the policies that Algorithm 1 keeps?

Stated, twice. In epoch s the set A_s holds policies whose loss per step is O~(2^-s T^(-1/4)) above the best.

Shown. It is 4 C_{s-1}, which is of the order 2^(-s/2) T^(-1/4), and without noise A_s does keep every policy
within 2 C_{s-1}. So the kept gap is at least 5 * 2^(s/2) times the stated rate, and at s = S that is a power
of T, which no power of a logarithm hides.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from proofs_check.claim import Outcome, Repair, Request, claim
from proofs_check.paper.discussion.statement import DELTA, TWO_WIDTHS, WHERE, period_of, width_parameters
from proofs_check.steps import Step, conclusions, weakest
from proofs_check.ways.analysis import in_balls
from proofs_check.ways.balls import decide, decimal, less, precision
from proofs_check.ways.for_all import for_all, identity
from proofs_check.ways.laws import grows
from proofs_check.ways.sequences import definition
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.games.bounds import WIDTH
from tallyplan.model.instance import TallyingBandit

LOG = "log(2 * K * m * S / delta)"
CONSTANTS = [(1, 0), (1000, 3), (10**6, 10)]  # c and p
MOST_EPOCHS = 300
BITS = 1024
BANDIT = TallyingBandit([[0], [1]])


@dataclass(frozen=True)
class Kept:
    """h = (0), (1), without noise: the largest gap that A_s keeps in the last epoch s = S."""

    epochs: int
    c: int
    p: int
    stated: Formula

    @property
    def gap(self) -> Fraction:
        """A_s keeps the words with up to 2 C_{s-1} L plays of the second action."""
        L = period_of(self.epochs)
        with precision(BITS):
            most = (TWO_WIDTHS.ball(**self._at(self.epochs - 1)) * L).floor().unique_fmpz()
        return Fraction(min(L, int(most)), L)

    def violates(self) -> bool:
        """Is the statement false at these values, in balls?"""
        values = {**self._at(self.epochs), "gap": self.gap, "c": self.c, "p": self.p}
        return decide(self.stated, **{name: values[name] for name in self.stated.names}) is False

    def witness(self) -> Witness:
        """For the reader."""
        facts = {
            "sqrt(T)": period_of(self.epochs),
            "S = s": self.epochs,
            "delta": DELTA,
            "c": self.c,
            "p": self.p,
            "kept gap": decimal(Formula("gap"), gap=self.gap),
        }
        return Witness(facts, BANDIT)

    def confirmed(self) -> bool:
        """The gap is below 2 C_{s-1}, so that A_s keeps it; one play more is not below it, or is too many."""
        L, width = period_of(self.epochs), self._at(self.epochs - 1)
        more = self.gap + Fraction(1, L)
        return (
            less(Formula(str(self.gap)), TWO_WIDTHS, **width) is True
            and (more > 1 or less(TWO_WIDTHS, Formula(str(more)), **width) is True)
            and self.violates()
        )

    def _at(self, epoch: int) -> dict[str, int | Fraction]:
        return width_parameters(epoch, self.epochs, 1, period_of(self.epochs))


@claim(
    "discussion-unknown-memory/set-accuracy",
    statement=(
        "The policies in A_s have loss per step within O~({rate}) of the best: for some constants c and p, "
        "{stated}."
    ),
    where=WHERE,
    formulas={
        "rate": "2**(-s) / sqrt(sqrt(T))",
        "stated": "gap <= c * log(T)**p * rate",
        "grows": "implies(gap >= C(s - 1), gap >= 5 * 2**(s / 2) * (rate))",
        "right": "2**(-s / 2) / sqrt(sqrt(T))",
        "repaired": f"C(s - 1)**2 == 64 * K * m * {LOG} * (right)**2",
    },
    domain={
        "sizes": "K >= 1 and m >= 1 and T >= 1 and S >= 1",
        "probability": "0 < delta and delta < 1",
        "epoch": "s >= 2",
    },
    integers="K m S s",
    symbols={
        "gap": "what a policy of A_s loses per step beyond the best",
        "c": "a constant",
        "p": "another constant",
    },
    uses=("lemma-6/chain",),
)
def set_accuracy(request: Request) -> Outcome:
    """Without noise A_s holds every policy within 2 C_{s-1}; compare with the stated rate, h = (0), (1)."""
    f = request.formulas
    found = [_first_violation(f.stated, c, p) for c, p in CONSTANTS]
    repaired = request.show("repaired", _right_rate(request))
    grows_faster = request.show("grows", _faster(request))
    within = request.result("lemma-6/chain").outcome.verdict
    return request.conclude(
        None,
        method="policies that A_s keeps when there is no noise; Arb balls",
        cases=len(CONSTANTS),
        checked_on=f"h = (0 | 1), s = S <= {MOST_EPOCHS}, (c, p) among {CONSTANTS}",
        violation=found[-1] if all(found) else None,
        remarks=(
            "First S at which it is false: "
            + ", ".join(f"S = {one.epochs} for c = {one.c}, p = {one.p}" if one else "none" for one in found)
            + ".",
            f"Whatever c and p are, of what is kept {f.grows}: {grows_faster.verdict}; at s = S the factor "
            "is a power of T.",
        ),
        repair=Repair(
            f"Within 4 C_(s-1) (claim lemma-6/chain), which is O~({f.right}).",
            weakest(repaired.verdict, within),
        ),
    )


def _first_violation(stated: Formula, c: int, p: int) -> Kept | None:
    """The first S = s at which the statement is false with these constants."""
    cases = (Kept(S, c, p, stated) for S in range(2, MOST_EPOCHS))
    return next((case for case in cases if case.violates()), None)


def _right_rate(request: Request) -> list[Step]:
    """C_(s-1) is of the order 2^(-s/2) T^(-1/4)."""
    f = request.formulas
    same = identity(
        f"({WIDTH.where(s='s - 1')})**2".replace(LOG, "E"),
        f"64 * K * m * E * ({f.right})**2",
        integers="s",
        words="the width squared; E is the logarithm",
    )
    log = _log(request)
    last = for_all(
        "K m S s integer; C(integer) real",
        given=[
            *(f.sizes, f.epoch, *conclusions(*log)),
            definition("C_s", f"C(s - 1) == {WIDTH.where(s='s - 1')}", "C"),
            same.at(E=LOG),
        ],
        then=f.repaired,
    )
    return [same, *log, last]


def _log(request: Request) -> list[Step]:
    """The logarithm is above 1/2."""
    f = request.formulas
    half = in_balls("1 / 2", "log(2)")
    log = for_all(
        "K m S integer",
        given=[f.sizes, f.probability, *conclusions(half), grows("log", "2", "2 * K * m * S / delta")],
        then=f"{LOG} > 1 / 2",
        words="the logarithm",
    )
    return [half, log]


def _faster(request: Request) -> list[Step]:
    """C_(s-1)^2 is at least 32 times the square of the right rate, which is 2^(s/2) times the stated one."""
    f = request.formulas
    steps = _right_rate(request)
    moved = identity(f.right, f"2**(s / 2) * ({f.rate})", integers="s", words="the right rate")
    square = for_all(
        "g w q l real",
        given=["g >= w", "w >= 0", "q > 0", "l > 1 / 2", "w**2 >= 64 * l * q**2"],
        then="g >= 5 * q",
        words="take the root",
    )
    last = for_all(
        "K m S s integer; C(integer) real",
        given=[
            *(f.sizes, f.epoch, *conclusions(steps[-2], steps[-1])),
            definition("C_s", "C(s - 1) >= 0", "C"),
            definition("powers of 2", "2**(s / 2) > 0 and 2**(-s) > 0 and 2**(-s / 2) > 0"),
            moved.at(s="s"),
            square.at(g="gap", w="C(s - 1)", q=f.right, l=LOG),
        ],
        then=f.grows,
    )
    return [*steps, moved, square, last]
