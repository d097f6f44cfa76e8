"""Lemma 4: what Algorithm 1 loses beyond T mu(pi*).

Stated (label lem:main_regret_helper). With S = log2(sqrt(T) / (4Km) + 1), if m <= sqrt(T), then with
probability at least 1 - delta: sum_s l^s - T mu(pi*) <= Km sqrt(T) (5S + 400 sqrt(log(2Km log(T) / delta))).

Proved, line by line, in units of Km sqrt(T). The epoch s >= 2 costs 1 + 8 n_s C_{s-1} (`lemma-5`), the
first one at most 4; the sum of the widths is the second half of the proof (`lemma_4_widths`). The steps
need S >= 1, which is so whenever Algorithm 1 runs an epoch; S need not be an integer if the sum goes over the
floor(S) epochs that are run. Each step is a claim of its own, with the best constant and the exact domain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from proofs_check.boxes import first_failing
from proofs_check.claim import Outcome, Repair, Request, Tight, claim
from proofs_check.paper.lemma_4 import widths
from proofs_check.steps import Fact, Step, Verdict, argued, conclusions
from proofs_check.ways.balls import decimal
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.laws import grows, log2_of_power, log_of_one, power_grows, power_of_sum
from proofs_check.ways.sequences import definition
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.games.bounds import EPOCH_STEPS, EPOCHS
from tallyplan.games.schedule import Schedule, full_epochs
from tallyplan.model.instance import TallyingBandit

WHERE = "Lemma 4 (lem:main_regret_helper)"
PROOF = "Lemma 4, proof (eqn:help4)"

STATED = Formula("K * m * sqrt(T) * (5 * S + 400 * sqrt(log(2 * K * m * log(T) / delta)))")
SHARP = Formula(
    "32 * (2 + sqrt(2)) * K * m * sqrt(T) * sqrt(log(2 * K * m * S / delta)) + 4 * K * m * sqrt(T)"
    " + (S - 1) * K * m * (m - 1)"
)
VARIABLES = "K m S s integer; E(integer) C(integer) cost(integer) excess(integer) widths(integer) real"
EPOCHS_RUN = {
    "actions": "K >= 1",
    "memory": "m >= 1",
    "horizon": "T >= 4",
    "probability": "0 < delta and delta < 1",
    "epochs": "S >= 1",
    "filled": "T == E(S)",
}
FIRST_EPOCH = Formula("4 * K * m * sqrt(T)")


@claim(
    "lemma-4",
    statement="With probability at least 1 - delta, {stated}.",
    where=WHERE,
    formulas={
        "bound": STATED,
        "stated": "loss - T * mu <= bound",
        "sharper": SHARP,
        "sharp": "loss - T * mu <= sharper",
    },
    domain=EPOCHS_RUN,
    integers="K m S",
    assuming=("on the event of Lemma 7, of probability at least 1 - delta",),
    uses=("algorithm-1/schedule", "lemma-4/first-epoch", "lemma-4/constant", "lemma-4/log-t", "lemma-5"),
)
def lemma_4(request: Request) -> Outcome:
    """Add up the epochs: the first one, what Lemma 5 says of the others, and the sum of their widths."""
    f = request.formulas
    root = _root_grows(request)
    stated, sharp = _sum(request, "stated", "K * m * sqrt(T)"), _sum(request, "sharp", "K * m * (m - 1)")
    end = for_all(
        VARIABLES,
        given=[*request.domain, *conclusions(*stated, root), request.quote("lemma-4/constant")],
        then=f.stated,
        words="the widths add up to 400 Km sqrt(T) times the root",
    )
    sharp_end = for_all(
        VARIABLES,
        given=[*request.domain, *conclusions(*sharp), request.quote("lemma-4/constant", "sharp")],
        then=f.sharp,
        words="the widths add up to less",
    )
    return request.conclude(
        request.show("stated", [*stated, root, end]),
        method="the epochs added up, by induction",
        remarks=(
            "Where S is no integer, floor(S) epochs are run; the first '=' of the proof is then '<='.",
            "For S < 1 nothing is played: the left side is at most 0, the right side positive.",
            "For T = 1 the right side is not defined: it holds the logarithm of log(1) = 0.",
        ),
        tight=Tight(f"{f.sharper}", request.show("sharp", [*sharp, sharp_end]).verdict),
    )


def _sum(request: Request, name: str, start: str) -> list[Step]:
    """The epochs added up; each later one costs `start` and its width, which Lemma 5 shows as `name`."""
    f = request.formulas
    epochs = induction(
        VARIABLES,
        on="s",
        start=1,
        given=[
            *(f.actions, f.memory, f.horizon),
            *widths.widths_add_up("s"),
            definition("excess, a sum", "excess(1) == cost(1)", "excess"),
            definition(
                "excess, a sum", "implies(s >= 1, excess(s + 1) == excess(s) + cost(s + 1))", "excess"
            ),
            request.quote("lemma-4/first-epoch"),
            _instance(request, name),
        ],
        then=f"excess(s) <= {FIRST_EPOCH} + (s - 1) * ({start}) + widths(s)",
        words="the first s epochs",
    )
    whole = argued(
        "the T steps are those of the S epochs (algorithm-1/schedule)", then="loss - T * mu == excess(S)"
    )
    return [
        whole,
        for_all(
            VARIABLES,
            given=[*(f.actions, f.memory, f.horizon, f.epochs), *conclusions(whole), epochs.at(s="S")],
            then=f"loss - T * mu <= {FIRST_EPOCH} + (S - 1) * ({start}) + widths(S)",
            words="all S epochs",
        ),
    ]


def _instance(request: Request, name: str) -> Fact:
    """Lemma 5 at the next epoch."""
    fact = request.quote("lemma-5", name)
    return replace(fact, formula=fact.formula.where(s="s + 1"))


def _root_grows(request: Request) -> Step:
    """The root with S is at most the root with log(T)."""
    f = request.formulas
    short, long = "2 * K * m * S / delta", "2 * K * m * log(T) / delta"
    return for_all(
        VARIABLES,
        given=[
            *(f.actions, f.memory, f.horizon, f.probability, f.epochs, f.filled),
            request.quote("algorithm-1/schedule"),
            request.quote("lemma-4/log-t"),
            grows("log", short, long),
            grows("log", "1", short),
            log_of_one(),
        ],
        then=f"0 <= sqrt(log({short})) and sqrt(log({short})) <= sqrt(log({long}))",
        words="S <= log(T), so the root with S is at most the root with log(T)",
    )


@dataclass(frozen=True)
class Run:
    """Algorithm 1 on a square horizon, K = m = 1, if every loss is 1, so that mu(pi*) = 1 too."""

    root: int

    @property
    def values(self) -> dict[str, Any]:
        """For the formulas; the epochs that are run are added up, with no loss beyond mu."""
        T, F = self.root**2, full_epochs(1, 1, self.root)
        steps = sum((EPOCH_STEPS(K=1, m=1, T=T, s=s) for s in range(1, F + 1)), Fraction(0))
        return {"loss": steps, "T": T, "mu": 1, "F": F, "excess": lambda s: 0}

    @property
    def fills(self) -> bool:
        """Is 2^S = L/(4Km) + 1 a power of two?"""
        power = Fraction(self.root, 4) + 1
        return power.denominator == 1 and power.numerator.bit_count() == 1

    def satisfies(self, formula: Formula) -> bool:
        """Whether the formula holds here."""
        return formula.holds(**self.values)

    def witness(self) -> Witness:
        """For the reader."""
        T, F = self.root**2, self.values["F"]
        facts = {"horizon": T, "S": decimal(EPOCHS, K=1, m=1, T=T), "epochs run": F}
        return Witness(facts | {"left": self.values["loss"] - T, "right": Fraction(0)}, TallyingBandit([[1]]))

    def confirmed(self) -> bool:
        """The player of this repository has steps left, all of which would lose 1."""
        rest = Schedule(1, 1, self.root**2, Fraction(1, 20)).rest
        return rest > 0 and self.root**2 - rest == self.values["loss"]


@claim(
    "lemma-4/first-line",
    statement="sum_s l^s - T mu(pi*) = sum_s (l^s - T_s mu(pi*)), that is {stated}.",
    where=PROOF,
    formulas={
        "epoch_steps": EPOCH_STEPS,
        "stated": "loss - T * mu == excess(F)",
        "repaired": "loss - T * mu <= excess(F)",
    },
    domain={
        "actions": "K >= 1",
        "memory": "m >= 1",
        "horizon": "T >= 1",
        "epochs": "F >= 1",
        "fits": f"F <= {EPOCHS}",
        "losses": "mu >= 0",
    },
    integers="F",
    symbols={
        "F": "the number of epochs that are run, S rounded down",
        "excess": "excess(s), the sum over the first s epochs of what each loses beyond mu per step",
    },
)
def first_line(request: Request) -> Outcome:
    """It needs sum_s T_s = T. Go through the squares T with S >= 1, smallest first, with all losses 1."""
    f = request.formulas
    box = [run for run in map(Run, range(4, 40)) if run.values["F"] >= 1]
    exact = all(run.satisfies(f.stated) == run.fills for run in box)
    repaired = request.show("repaired", _repaired(request))
    return request.conclude(
        None,
        method="both sides counted",
        cases=len(box),
        checked_on="K = m = 1, h = 1, sqrt(T) = 4..39",
        violation=first_failing(box, f.stated),
        remarks=repaired.steps,
        tight=Tight("'=' exactly where S is an integer, on the box", Verdict.CHECKED) if exact else None,
        repair=Repair(
            f"'<=' instead of '=', the sum over the epochs that are run: {f.repaired}", repaired.verdict
        ),
    )


def _repaired(request: Request) -> list[Step]:
    """The epochs that are run lose beyond mu what they lose minus their steps times mu, and fit into T."""
    f = request.formulas
    steps = f.epoch_steps.where(s="s + 1")
    variables = "F s integer; E(integer) excess(integer) lost(integer) epoch_loss(integer) real"
    sums = [
        definition("the sums", "lost(0) == 0 and excess(0) == 0 and E(0) == 0"),
        definition("the sums", "implies(s >= 0, lost(s + 1) == lost(s) + epoch_loss(s + 1))"),
        definition("the sums", f"implies(s >= 0, E(s + 1) == E(s) + {steps})"),
        definition(
            "the sums", f"implies(s >= 0, excess(s + 1) == excess(s) + epoch_loss(s + 1) - ({steps}) * mu)"
        ),
    ]
    added = induction(
        variables,
        on="s",
        start=0,
        given=sums,
        then="excess(s) == lost(s) - E(s) * mu",
        words="the first s epochs",
    )
    closed = induction(
        variables,
        on="s",
        start=0,
        given=[*sums, power_of_sum("2", "s", "1")],
        then="E(s) == 4 * K * m * sqrt(T) * (2**s - 1)",
        words="the steps of the first s epochs",
    )
    fit = for_all(
        variables,
        given=[
            *(f.actions, f.memory, f.horizon, f.epochs, f.fits),
            closed.at(s="F"),
            *(power_grows("2", "F", str(EPOCHS)), log2_of_power("sqrt(T) / (4 * K * m) + 1", str(EPOCHS))),
        ],
        then="E(F) <= T",
        words="the epochs that are run fit into T steps",
    )
    return [
        *(added, closed, fit),
        for_all(
            variables,
            given=[
                *(f.epochs, f.losses, *conclusions(fit)),
                added.at(s="F"),
                definition("the loss, of the epochs that are run", "loss == lost(F)"),
            ],
            then=f.repaired,
        ),
    ]


@claim(
    "lemma-4/first-epoch",
    statement="l^1 - T_1 mu(pi*), that is {stated}.",
    where=PROOF,
    formulas={
        "first": FIRST_EPOCH,
        "stated": "cost(1) <= first",
        "sharp": "cost(1) <= first * (1 - mu)",
    },
    domain={"actions": "K >= 1", "memory": "m >= 1", "horizon": "T >= 1"},
)
def first_epoch(request: Request) -> Outcome:
    """T_1 is the right side, no step loses more than 1, and mu(pi*) >= 0."""
    f = request.formulas
    most = argued(
        "no step of the T_1 steps loses more than 1",
        then=f"cost(1) <= {EPOCH_STEPS.where(s=1)} - {EPOCH_STEPS.where(s=1)} * mu",
    )
    least = argued("no loss is negative, and none exceeds 1", then="0 <= mu and mu <= 1")
    given = [*request.domain, *conclusions(most, least)]
    sharp = for_all("cost(integer) real", given=given, then=f.sharp)
    return request.conclude(
        request.show("stated", [most, least, for_all("cost(integer) real", given=given, then=f.stated)]),
        method="T_1 and the largest loss, z3",
        tight=Tight(f"{f.sharp}", request.show("sharp", [most, least, sharp]).verdict),
    )


@claim(
    "lemma-4/five-s",
    statement="In units of Km sqrt(T), {stated}.",
    where=PROOF,
    formulas={
        "terms": "4 + (S - 1)",
        "stated": "terms <= 5 * S",
        "best": "4 * S",
        "sharp": "terms <= best",
        "exact": "(terms <= 5 * S) == (S >= 3 / 4)",
    },
    domain={"epochs": "S >= 1"},
)
def five_s(request: Request) -> Outcome:
    """One linear inequality; its exact domain and the best multiple of S on S >= 1."""
    f = request.formulas
    stated, sharp = (
        request.show(name, [for_all("", given=request.domain, then=getattr(f, name))])
        for name in ("stated", "sharp")
    )
    exact = request.show("exact", [for_all("", then=f.exact)])
    return request.conclude(
        stated,
        method="z3",
        remarks=(f"It holds exactly for S >= 3/4 ({exact.verdict}); below S = 1 no epoch is run.",),
        tight=Tight(f"{f.best}, attained at S = 1", sharp.verdict, Witness({"S": 1}))
        if f.terms(S=1) == f.best(S=1)
        else None,
    )
