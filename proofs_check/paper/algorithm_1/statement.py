"""Algorithm 1 (SE-TB): is it well defined, and does it fill the horizon?

Stated (label alg:main). S = log2(sqrt(T)/(4Km) + 1) epochs; epoch s executes Km policies for 2 n_s periods
each, n_s = 2^s, T_s = 2 n_s Km sqrt(T) steps; half of the periods are thrown away; the estimate muhat_s
divides by the number n_s N_xy(pi_sxy) sqrt(T) of observations of each cell.

Found. The lengths add up to T as an identity in S (a lemma in a comment of the source), but there are S
epochs only if S is an integer: sqrt(T) = 4Km(2^S - 1). On other horizons floor(S) epochs are run and the rest
is unspecified; this is counted on a box, and its largest share is found by z3 in w = 2^floor(S). A cell that
no policy of A_s meets is divided by 0; the smallest case is searched by counting.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_check import definitions
from proofs_check.boxes import first_failing
from proofs_check.claim import Outcome, Repair, Request, Tight, claim
from proofs_check.paper import lemma_7
from proofs_check.steps import Fact, Verdict
from proofs_check.ways.balls import decimal
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.laws import log2_of_power, power_grows, power_of_sum
from proofs_check.ways.sequences import definition
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.games.bounds import EPOCH_STEPS, EPOCHS, PERIODS, ROOT, WIDTH
from tallyplan.games.schedule import Schedule, horizon_root

WHERE = "Algorithm 1 (alg:main)"
SIZES = [(K, m) for K in range(1, 4) for m in range(1, 4)]
ROOTS = range(1, 101)
VARIABLES = "S s F integer; E(integer) real"
POSITIVE = {"actions": "K >= 1", "memory": "m >= 1", "horizon": "T >= 1"}


@dataclass(frozen=True)
class Horizon:
    """A square horizon, and how many epochs fit into it."""

    actions: int
    memory: int
    root: int
    epochs: int

    def values(self, epoch_steps: Formula) -> dict[str, Any]:
        """For the formulas; E(s) adds up the epochs."""
        sizes = {"K": self.actions, "m": self.memory, "T": self.root**2}

        def total(s: Fraction) -> Fraction:
            return sum((epoch_steps(s=one, **sizes) for one in range(1, int(s) + 1)), Fraction(0))

        return {**sizes, "F": self.epochs, "S": self.epochs, "E": total}

    @property
    def schedule(self) -> Schedule:
        """As the algorithm is played here."""
        return Schedule(self.actions, self.memory, self.root**2, Fraction(1, 20))

    def witness(self) -> Witness:
        """For the reader."""
        sizes = {"K": self.actions, "m": self.memory}
        T = self.root**2
        return Witness(
            {
                **sizes,
                "horizon": T,
                "S": decimal(EPOCHS, T=T, **sizes),
                "epochs run": self.epochs,
                "steps without an action": self.schedule.rest,
            }
        )

    def confirmed(self) -> bool:
        """The player of this repository runs as many epochs, and has steps left."""
        return self.schedule.epochs == self.epochs and self.schedule.rest > 0


@claim(
    "algorithm-1",
    statement=f"S = {EPOCHS} epochs of T_s = {{epoch_steps}} steps take T steps in all: with F = floor(S), "
    "{stated}.",
    where=f"{WHERE}, lines 1 and 2",
    formulas={
        "epoch_steps": EPOCH_STEPS,
        "stated": "E(F) == T",
        "share": "1 - (w - 1) / (v - 1)",
        "most": "2 / 3",
        "left": "implies(w >= 2 and w <= v and v < 2 * w, share < most)",
    },
    domain={
        **POSITIVE,
        "fits": "2**F <= sqrt(T) / (4 * K * m) + 1",
        "one_more_does_not": "sqrt(T) / (4 * K * m) + 1 < 2**(F + 1)",
    },
    integers="F",
    symbols={
        "F": "the number of epochs that are run",
        "v": "2**S",
        "w": "2**F",
    },
    uses=("algorithm-1/schedule",),
)
def algorithm_1(request: Request) -> Outcome:
    """Count the steps of floor(S) epochs on a box, smallest T first; S is seldom an integer."""
    f = request.formulas
    box = [_horizon(request, K, m, L) for L in ROOTS for K, m in SIZES if m <= L]
    whole = [one for one in box if f.stated.holds(**one.values(f.epoch_steps))]
    exact = all(
        (one in whole) == (ROOT(K=one.actions, m=one.memory, S=one.epochs) == one.root) for one in box
    )
    return request.conclude(
        None,
        method="steps of floor(S) epochs counted on a box",
        cases=len(box),
        checked_on=f"K, m <= 3, m <= sqrt(T) <= {ROOTS[-1]}",
        violation=next((one for one in box if one not in whole), None),
        remarks=_share_left(request),
        tight=Tight(f"exactly for sqrt(T) = {ROOT}, S = 1, 2, ..., on the box", Verdict.CHECKED)
        if exact
        else None,
        repair=Repair(
            f"sqrt(T) = {ROOT} with an integer S >= 1 (claim algorithm-1/schedule).",
            request.result("algorithm-1/schedule").outcome.verdict,
        ),
    )


def _horizon(request: Request, K: int, m: int, L: int) -> Horizon:
    """The number of epochs that fit, by the hypotheses of the claim."""
    epochs = next(F for F in range(L + 1) if all(one.holds(K=K, m=m, T=L * L, F=F) for one in request.domain))
    return Horizon(K, m, L, epochs)


def _share_left(request: Request) -> tuple[str, ...]:
    """What is left unplayed, in examples and in general: w = 2^floor(S), and v = 2^S is below 2w."""
    f = request.formulas
    examples = [Horizon(2, 1, L, 0).schedule for L in (7, 23, 1000)]
    shown = "; ".join(f"{one.rest} of {one.horizon} at sqrt(T) = {one.period}" for one in examples)
    below = request.show("left", [for_all("", then=f.left)]).verdict
    limit = f.share.where(v=4, w=2)()
    return (
        f"Steps that no epoch takes, K = 2, m = 1: {shown}.",
        f"For S >= 1 their share is below {f.most} ({below}); as S rises to 2 it tends to {limit}.",
    )


def epochs_add_up(s: str, epoch_steps: Formula) -> Fact:
    """E(s) has the steps of epoch s more than E(s - 1), and E(0) = 0."""
    steps = epoch_steps.where(s=f"{s} + 1")
    return definition("E, a sum", f"E(0) == 0 and implies({s} >= 0, E({s} + 1) == E({s}) + {steps})", "E")


@claim(
    "algorithm-1/schedule",
    statement="{stated}, E(S) being the sum of T_s = {epoch_steps} over s = 1..S.",
    where="a lemma in a comment of the source, after Proposition 1",
    formulas={
        "epoch_steps": EPOCH_STEPS,
        "total": "4 * K * m * sqrt(T) * (2**S - 1)",
        "root": ROOT,
        "epochs": EPOCHS,
        "stated": "E(S) == total and (T == E(S)) == (sqrt(T) == root) and implies(T == E(S), S == epochs)",
    },
    domain={"horizon": "T >= 1", "epoch": "S >= 0"},
    integers="S",
)
def schedule(request: Request) -> Outcome:
    """The sum by induction on S; sqrt(T) = 4Km(2^S - 1) comes out, and from it S; small cases counted."""
    f = request.formulas
    adds_up = induction(
        VARIABLES,
        on="s",
        start=0,
        given=[epochs_add_up("s", f.epoch_steps), power_of_sum("2", "s", "1")],
        then=Formula(f"E(s) == {f.total}").where(S="s"),
        words="the first s epochs",
    )
    total = for_all(VARIABLES, given=[f.epoch, adds_up.at(s="S")], then=f"E(S) == {f.total}")
    steps = [
        adds_up,
        total,
        for_all(
            VARIABLES,
            given=[
                *request.domain,
                f"E(S) == {f.total}",
                power_grows("2", "1", "S"),
                log2_of_power("sqrt(T) / (4 * K * m) + 1", "S"),
            ],
            then=f.stated,
            words="divide by sqrt(T); then 2**S is known",
        ),
    ]
    cases = [Horizon(K, m, horizon_root(K, m, S), S) for K, m in SIZES for S in range(1, 5)]
    return request.conclude(
        request.show("stated", steps),
        method="induction on S, z3; small cases counted",
        cases=len(cases),
        checked_on="K, m <= 3, S <= 4, on the horizons of Algorithm 1",
        violation=next((one for one in cases if not f.stated.holds(**one.values(f.epoch_steps))), None),
    )


@claim(
    "algorithm-1/estimate",
    statement=(
        "muhat_s(pi), which divides by n_s N_xy(pi_sxy) sqrt(T) for every cell, is defined for every pi in "
        "A_s: {stated}."
    ),
    where=f"{WHERE}, line 16",
    formulas={"stated": "most > 0", "unmet": "implies(0 <= N and N <= most and not (most > 0), N == 0)"},
    domain={"actions": "K >= 1", "memory": "m >= 1"},
    integers="K m",
    symbols={
        "most": "N_xy(pi_sxy), the largest share of the cell in a period of a policy of A_s",
        "N": "N_xy(pi), its share for another policy of A_s",
    },
)
def estimate(request: Request) -> Outcome:
    """Look for a cell that no cyclic policy meets, for S = 1, small K and m first."""
    f = request.formulas
    sizes = [
        (K, m) for K, m in product(range(1, 4), range(1, 5)) if f.actions.holds(K=K) and f.memory.holds(m=m)
    ]
    cells = [Cell(K, m, x, y) for K, m in sizes for x in range(K) for y in range(1, m + 1)]
    undefined = [cell for cell in cells if not f.stated.holds(most=cell.share)]
    single = {(1, m) for K, m in sizes if K == 1 and m > 1}
    unmet = request.show("unmet", [for_all("", then=f.unmet)])
    return request.conclude(
        None,
        method="policies of epoch 1 counted",
        cases=len(cells),
        checked_on="K = 1..3, m = 1..4, S = 1, epoch 1",
        violation=next(iter(undefined), None),
        tight=Tight("in epoch 1: undefined exactly for K = 1, m >= 2, on the box", Verdict.CHECKED)
        if {(cell.actions, cell.memory) for cell in undefined} == single
        else None,
        repair=Repair(
            "Leave out the cells with N_xy(pi_sxy) = 0: then N_xy(pi) = 0 for all pi in A_s.", unmet.verdict
        ),
    )


@dataclass(frozen=True)
class Cell:
    """A cell on the horizon with one epoch."""

    actions: int
    memory: int
    x: int
    y: int

    @property
    def period(self) -> int:
        """sqrt(T)."""
        return horizon_root(self.actions, self.memory, 1)

    @property
    def share(self) -> Fraction:
        """Of a policy: the only one, or with a second action z, x^y z^(L-y), which meets the cell."""
        x, y, L = self.x, self.y, self.period
        word = (x,) * L if self.actions == 1 else (x,) * y + ((x + 1) % self.actions,) * (L - y)
        return Fraction(definitions.period_counts(word, self.memory, n=1)[x, y], L)

    def witness(self) -> Witness:
        """For the reader."""
        facts = {"K": self.actions, "m": self.memory, "horizon": self.period**2, "S": 1}
        return Witness({**facts, "x": self.x, "y": self.y, "N_xy of every policy": self.share})

    def confirmed(self) -> bool:
        """With one action there is one policy, and from its m-th step on the tally is m."""
        return self.actions == 1 and self.y < self.memory and self.share == 0


@dataclass(frozen=True)
class Periods:
    """One epoch on a horizon of Algorithm 1."""

    actions: int
    memory: int
    epochs: int
    epoch: int

    @property
    def values(self) -> dict[str, int]:
        """For the formulas."""
        root = horizon_root(self.actions, self.memory, self.epochs)
        return {
            "K": self.actions,
            "m": self.memory,
            "S": self.epochs,
            "s": self.epoch,
            "T": root**2,
        }

    def satisfies(self, formula: Formula) -> bool:
        """Whether the formula holds here."""
        return formula.holds(**self.values)

    def witness(self) -> Witness:
        """For the reader."""
        return Witness({**self.values, "2 n_s": 2 * PERIODS(s=self.epoch)})

    def confirmed(self) -> bool:
        """As many periods as the player of this repository executes are more than sqrt(T)."""
        played = Schedule(self.actions, self.memory, self.values["T"], Fraction(1, 20))
        return self.epoch <= played.epochs and 2 * played.periods(self.epoch) > played.period


@claim(
    "algorithm-1/periods",
    statement="Every policy is executed for 2 n_s <= sqrt(T) periods, n_s = {periods}: {stated}.",
    where=f"{WHERE}, 'to execute for k <= sqrt(T) periods'",
    formulas={
        "periods": PERIODS,
        "stated": "2 * periods <= sqrt(T)",
        "since": "sqrt(T) >= 4 * K * m / (2 * K * m - 1)",
        "exact": "implies(x == sqrt(T) / (4 * K * m) + 1, (2 * x <= sqrt(T)) == (since))",
    },
    domain={**POSITIVE, "filled": "T >= E(S)", "first": "1 <= s", "last": "s <= S"},
    integers="S s",
    symbols={"x": "2**S, where S need not be an integer"},
    uses=("algorithm-1/schedule",),
)
def periods(request: Request) -> Outcome:
    """The horizon by algorithm-1/schedule, and 2^s <= 2^S; then z3."""
    f = request.formulas
    horizon = request.quote("algorithm-1/schedule")
    powers = [power_grows("2", "s", "S"), power_grows("2", "1", "S")]
    stated = for_all(VARIABLES, given=[*request.domain, horizon, *powers], then=f.stated)
    exact = for_all(VARIABLES, given=[f.actions, f.memory, f.horizon], then=f.exact)
    cases = [Periods(K, m, S, s) for K, m in SIZES for S in range(1, 5) for s in range(1, S + 1)]
    equal = Periods(1, 1, 1, 1)
    return request.conclude(
        request.show("stated", [stated]),
        method="z3, the powers growing; small cases",
        cases=len(cases),
        checked_on="K, m <= 3, S <= 4",
        violation=first_failing(cases, f.stated),
        tight=Tight(
            f"equality at K = m = S = s = 1; {f.exact}",
            request.show("exact", [exact]).verdict,
            equal.witness(),
        )
        if not equal.satisfies(Formula(f"2 * {f.periods} < sqrt(T)")) and equal.satisfies(f.stated)
        else None,
    )


@claim(
    "algorithm-1/width",
    statement="C_s = {width}; this is wide enough: all estimates of epoch s are within C_s but for {stated}.",
    where=f"{WHERE}, line 2",
    formulas={"width": WIDTH, "stated": "missing <= delta / S"},
    domain=lemma_7.SIZES,
    integers="K m S s",
    symbols={"missing": "the probability that some estimate of epoch s is off by more than C_s"},
    assuming=lemma_7.HYPOTHESES,
    uses=("lemma-7",),
)
def width(request: Request) -> Outcome:
    """A definition: wide enough for Lemma 7, and wider than needed."""
    f, lemma = request.formulas, request.run.claim("lemma-7")
    stated = for_all(
        "K m S s integer", given=[*request.domain, request.quote("lemma-7")], then=f.stated, words="Lemma 7"
    )
    same = f.width.canonical == lemma.formula("width").canonical
    return request.conclude(
        request.show("stated", [stated] if same else []),
        method="Lemma 7, whose width is the same formula",
        tight=Tight("32 -> 1/2: C_s may be 8 times narrower (lemma-7)", best.verdict)
        if (best := request.result("lemma-7").outcome.tight)
        else None,
    )
