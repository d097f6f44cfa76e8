"""Lemma 4: what Algorithm 1 loses beyond T mu(pi*).

Stated (label lem:main_regret_helper). With S = log2(sqrt(T) / (4Km) + 1), if m <= sqrt(T), then with
probability at least 1 - delta: sum_s l^s - T mu(pi*) <= Km sqrt(T) (5S + 400 sqrt(log(2Km log(T) / delta))).

Proved, line by line, in units of Km sqrt(T). The epoch s >= 2 costs 1 + 8 n_s C_{s-1} (`lemma-5`), the
first one at most 4; the sum of the widths is the second half of the proof (`lemma_4_widths`). The steps
need S >= 1, which is so whenever Algorithm 1 runs an epoch; S need not be an integer if the sum goes over the
floor(S) epochs that are run. Each step is a claim of its own, with the best constant and the exact domain.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from proofs_check.claim import Evidence, Outcome, Repair, Request, Tight, Witness, by_proof, claim
from proofs_check.paper.lemma_4 import widths
from proofs_check.steps import Fact, Step, Verdict, argued, conclusions
from proofs_check.ways.analysis import exactly, inequality, telescopes
from proofs_check.ways.balls import decimal
from proofs_check.ways.for_all import for_all, identity, induction
from proofs_check.ways.laws import grows, log_of_one
from proofs_check.ways.sequences import definition
from tallyplan.formula import Formula
from tallyplan.games.bounds import EPOCH_STEPS, EPOCHS
from tallyplan.games.schedule import full_epochs
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
EPOCH_TERMS = Formula("4 + (S - 1)")
FIVE = Formula("5 * S")
FOUR = Formula("4 * S")
FIVE_SINCE = Formula("S >= 3 / 4")


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


@claim(
    "lemma-4/first-line",
    statement="sum_s l^s - T mu(pi*) = sum_s (l^s - T_s mu(pi*)).",
    where=PROOF,
)
def first_line(request: Request) -> Outcome:
    """It needs sum_s T_s = T. Go through the squares T with S >= 1, smallest first, with all losses 1."""
    cases = [(1, 1, L) for L in range(4, 40) if full_epochs(1, 1, L) >= 1]
    sides = {case: _sides_of_first_line(*case) for case in cases}
    found = next((case for case in cases if sides[case][0] != sides[case][1]), None)
    exact = all((left == right) == _integer_epochs(*case) for case, (left, right) in sides.items())
    steps = _first_line_steps()
    return Outcome(
        Verdict.CHECKED if found is None else Verdict.REFUTED,
        "S an integer",
        Evidence("both sides counted, K = m = 1, h = 1, sqrt(T) = 4..39", len(cases), tuple(steps)),
        witness=None if found is None else _first_line_witness(*found),
        tight=Tight("'=' exactly where S is an integer, on the box", Verdict.CHECKED) if exact else None,
        repair=Repair("'<=' instead of '=', the sum over the epochs that are run", by_proof(steps)),
    )


def _sides_of_first_line(K: int, m: int, L: int) -> tuple[Fraction, Fraction]:
    """Both sides if every loss is 1, so that mu(pi*) = 1 too."""
    lengths = [EPOCH_STEPS(K=K, m=m, T=L * L, s=s) for s in range(1, full_epochs(K, m, L) + 1)]
    losses, mu = lengths, 1
    right = sum((loss - steps * mu for loss, steps in zip(losses, lengths, strict=True)), Fraction(0))
    return sum(losses, Fraction(0)) - L * L * mu, right


def _first_line_witness(K: int, m: int, L: int) -> Witness:
    left, right = _sides_of_first_line(K, m, L)
    facts = {"horizon": L * L, "S": decimal(EPOCHS, K=K, m=m, T=L * L), "epochs run": full_epochs(K, m, L)}
    return Witness(facts | {"left": left, "right": right}, TallyingBandit([[1] * m] * K))


def _integer_epochs(K: int, m: int, L: int) -> bool:
    """Is 2^S = L/(4Km) + 1 a power of two?"""
    power = Fraction(L, 4 * K * m) + 1
    return power.denominator == 1 and power.numerator.bit_count() == 1


def _first_line_steps() -> list[Step]:
    return [
        *telescopes(EPOCH_STEPS, "4 * K * m * sqrt(T) * (2**s - 1)", index="s", first=1),
        for_all(
            "k L v w best real",
            given=["k >= 1", "L == 4 * k * (v - 1)", "1 <= w", "w <= v", "0 <= best"],
            then="4 * k * L * (w - 1) * best <= L * L * best",
            words="the epochs s = 1..floor(S) have at most T steps, w = 2**floor(S) <= v = 2**S",
        ),
    ]


@claim(
    "lemma-4/first-epoch",
    statement="l^1 - T_1 mu(pi*), that is {stated}.",
    where=PROOF,
    formulas={
        "first": FIRST_EPOCH,
        "epoch_steps": EPOCH_STEPS,
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
        then=f"cost(1) <= {f.epoch_steps.where(s=1)} - {f.epoch_steps.where(s=1)} * mu",
    )
    least = argued("no loss is negative, and none exceeds 1", then="0 <= mu and mu <= 1")
    given = [*request.domain, *conclusions(most, least)]
    sharp = for_all("cost(integer) real", given=given, then=f.sharp)
    return request.conclude(
        request.show("stated", [most, least, for_all("cost(integer) real", given=given, then=f.stated)]),
        method="T_1 and the largest loss, z3",
        tight=Tight(f"{f.sharp}", request.show("sharp", [most, least, sharp]).verdict),
    )


@claim("lemma-4/five-s", statement=f"{EPOCH_TERMS} <= {FIVE} (in units of Km sqrt(T)).", where=PROOF)
def five_s(request: Request) -> Outcome:
    """One linear inequality; its exact domain and the best multiple of S on S >= 1."""
    exact = by_proof(exactly("S", FIVE_SINCE, f"{EPOCH_TERMS} <= {FIVE}"))
    best = [_five_step(FOUR), identity(str(EPOCH_TERMS).replace("S", "1"), str(FOUR).replace("S", "1"))]
    return inequality(
        "S real",
        given=["S >= 1"],
        then=f"{EPOCH_TERMS} <= {FIVE}",
        domain=widths.RUNS,
        more=(f"It holds exactly for {FIVE_SINCE} ({exact}); below that no epoch is run.",),
        tight=Tight(f"{FOUR}, attained at S = 1", by_proof(best), Witness({"S": 1})),
    )


def _five_step(bound: Formula) -> Step:
    return for_all("S real", given=["S >= 1"], then=f"{EPOCH_TERMS} <= {bound}")
