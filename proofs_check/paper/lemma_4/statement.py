"""Lemma 4: what Algorithm 1 loses beyond T mu(pi*).

Stated (label lem:main_regret_helper). With S = log2(sqrt(T) / (4Km) + 1), if m <= sqrt(T), then with
probability at least 1 - delta: sum_s l^s - T mu(pi*) <= Km sqrt(T) (5S + 400 sqrt(log(2Km log(T) / delta))).

Proved, line by line, in units of Km sqrt(T). The epoch s >= 2 costs 1 + 8 n_s C_{s-1} (`lemma-5`), the
first one at most 4; the sum of the widths is the second half of the proof (`lemma_4_widths`). The steps
need S >= 1, which is so whenever Algorithm 1 runs an epoch; S need not be an integer if the sum goes over the
floor(S) epochs that are run. Each step is a claim of its own, with the best constant and the exact domain.
"""

from __future__ import annotations

from fractions import Fraction

from proofs_check.claim import Evidence, Outcome, Repair, Request, Tight, Witness, by_proof, claim
from proofs_check.computations.schedule import EPOCH_STEPS, EPOCHS, full_epochs
from proofs_check.paper import lemma_5
from proofs_check.paper.lemma_4 import widths
from proofs_check.steps import Step, Verdict
from proofs_check.ways.analysis import again, exactly, in_balls, inequality, proof, telescopes
from proofs_check.ways.balls import decimal
from proofs_check.ways.for_all import for_all, identity
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit

WHERE = "Lemma 4 (lem:main_regret_helper)"
PROOF = "Lemma 4, proof (eqn:help4)"

STATED = Formula("K * m * sqrt(T) * (5 * S + 400 * sqrt(log(2 * K * m * log(T) / delta)))")
SHARP = Formula("K * m * sqrt(T) * (S + 3 + 32 * (2 + sqrt(2)) * sqrt(log(2 * K * m * S / delta)))")
FIRST_EPOCH = Formula("4 * K * m * sqrt(T)")
EPOCH_TERMS = Formula("4 + (S - 1)")
FIVE = Formula("5 * S")
FOUR = Formula("4 * S")
FIVE_SINCE = Formula("S >= 3 / 4")


@claim(
    "lemma-4",
    statement=(
        "If m <= sqrt(T), then with probability at least 1 - delta, sum_s l^s - T mu(pi*) <= "
        f"{STATED}, S = {EPOCHS}."
    ),
    where=WHERE,
)
def lemma_4(request: Request) -> Outcome:
    """Put the steps together, each shown for every S >= 1; for S < 1 no epoch is run and the left is <= 0."""
    return proof(
        proof_steps(),
        "every square T >= 4, m <= sqrt(T), observations independent given the past",
        method="line by line: z3, sympy, Arb",
        said=(
            "Where S is no integer, floor(S) epochs are run; the first '=' of the proof is then '<='.",
            "For S < 1 nothing is played: the left side is at most 0, the right side positive.",
            "For T = 1 the right side is not defined: it holds the logarithm of log(1) = 0.",
        ),
        tight=Tight(f"{SHARP} for integer S >= 1", by_proof(sharp_steps())),
    )


def proof_steps() -> list[Step]:
    """The printed proof; x and y stand for the roots with S and with log(T)."""
    stated = str(STATED).replace("sqrt(log(2 * K * m * log(T) / delta))", "y").replace("K * m * sqrt(T)", "U")
    return [
        *_first_line_steps(),
        *first_epoch_steps(),
        again("lemma-5", f"every later epoch costs at most {lemma_5.STATED}", lemma_5.proof_steps()),
        _five_step(FIVE),
        *widths.constant_steps(),
        *widths.log_steps(),
        in_balls("1", "2 * log(T)", T=4),
        for_all(
            "U S F x y real",
            given=["U > 0", "S >= F", "F >= 1", "0 <= x", "x <= y"],
            then=f"U * ({_of_floor(EPOCH_TERMS)} + {widths.SUM_BOUND} * x) <= {stated}",
            words=f"U * ({_of_floor(EPOCH_TERMS)} + {widths.SUM_BOUND} * x) <= {stated}, U = Km sqrt(T), "
            "F = floor(S), x and y the roots with S and log(T)",
        ),
    ]


def sharp_steps() -> list[Step]:
    """The sharper constants, for integer S; x is the root with S."""
    sharp = str(SHARP).replace("sqrt(log(2 * K * m * S / delta))", "x").replace("K * m * sqrt(T)", "U")
    factor = str(widths.BOTH_SHARP)
    return [
        *first_epoch_steps(),
        again("lemma-5", f"every later epoch costs at most {lemma_5.STATED}", lemma_5.proof_steps()),
        *widths.sharp_steps(),
        identity(f"U * ({EPOCH_TERMS} + {factor} * x)", sharp),
    ]


def _of_floor(formula: Formula) -> str:
    return str(formula).replace("S", "F")


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
    statement=f"l^1 - T_1 mu(pi*) <= {FIRST_EPOCH}.",
    where=PROOF,
)
def first_epoch(request: Request) -> Outcome:
    """T_1 is the right side, no step loses more than 1, and mu(pi*) >= 0."""
    return proof(
        first_epoch_steps(),
        "all K, m, T",
        method="an identity and z3",
        tight=Tight("T_1 (1 - mu(pi*))", by_proof(first_epoch_steps())),
    )


def first_epoch_steps() -> list[Step]:
    """T_1 is what is printed, and no step loses more than 1."""
    return [
        identity(str(EPOCH_STEPS).replace("2**s", "2"), str(FIRST_EPOCH), words=f"T_1 == {FIRST_EPOCH}"),
        for_all(
            "steps loss best real",
            given=["steps >= 0", "loss <= steps", "0 <= best", "best <= 1"],
            then="loss - steps * best <= steps * (1 - best) and steps * (1 - best) <= steps",
        ),
    ]


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
