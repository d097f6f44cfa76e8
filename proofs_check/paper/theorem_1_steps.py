"""Theorem 1, the steps: its two terms, its constant, and where no epoch or no bound below T is left."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from proofs_check.balls import less
from proofs_check.bounds import LEMMA_3
from proofs_check.paper import lemma_4
from proofs_check.paper.theorem_1 import DELTA, HORIZONS, LAST_LINE, SHARP, SHARPEST, SIZES, STATED
from proofs_check.stating import Better, Outcome, Proof, Request, Setting, Verdict, Witness, claim
from tallyplan.formula import Formula
from tallyplan.games.bounds import EPOCHS
from tallyplan.games.schedule import horizon_root

WHERE = "Theorem 1 (thm:upper)"
ROOT_TERM, LOG_TERM = "sqrt(log(2 * K * m * log(T) / delta))", "log2(sqrt(T) / (2 * K * m))"
SETTING = Setting(define={"log2(r)": "log(r) / log(2)"}, variables="S real")
HORIZON = Formula("T")
DELTAS = tuple(Fraction(p, 100) for p in (90, 50, 10, 5, 1))
LONG = {**SIZES, "long": "sqrt(T) >= 2 * K * m"}
NO_EPOCH = "2 * K * m <= sqrt(T) and sqrt(T) < 4 * K * m"


@claim(
    "theorem-1/terms",
    statement="(not in the paper) Where {long}, both terms in the bracket are there: {stated}.",
    formulas={"stated": f"{ROOT_TERM} >= 8 / 10 and {LOG_TERM} >= 0"},
    domain={**LONG, "horizon": "T >= 0"},
    setting=SETTING,
    model={"K": 2, "m": 1, "T": 100, "delta": "1/2"},
)
def terms(request: Request) -> Outcome:
    """sqrt(T) is at least 2, so log(T) is at least 1 and the logarithm under the root at least log(2)."""
    p = request.proof()
    p.have("sqrt(log(2 * K * m * log(T) / delta)) >= 8 / 10")
    p.have("log(sqrt(T) / (2 * K * m)) >= 0", hints=["log(1)"])
    return request.conclude(p.shown())


@claim(
    "theorem-1/large-memory",
    statement="If {large}, the theorem is trivially true, since the regret is at most T: {stated}.",
    where="Theorem 1, first sentence of the proof",
    formulas={
        "stated": f"T <= {STATED}",
        "repaired": f"implies({NO_EPOCH}, T <= {STATED})",
    },
    domain={**SIZES, "horizon": "T >= 2", "large": "m > sqrt(T)"},
    setting=SETTING,
    model={"K": 2, "m": 2, "T": 3, "delta": "1/2"},
    uses=("theorem-1/terms",),
)
def large_memory(request: Request) -> Outcome:
    """It needs T <= right side; search small T, K >= 2 and m = sqrt(T) + 1 for the contrary."""
    p, few = request.proof("repaired", without=("large",)), [NO_EPOCH]
    unit, sum_of_terms = "(K * m * sqrt(T))", f"({ROOT_TERM} + {LOG_TERM})"
    p.have("sqrt(T) * sqrt(T) == T and sqrt(T) >= 2 and K * m >= 1", given=few)
    p.have("sqrt(T) * sqrt(T) <= 4 * K * m * sqrt(T)", given=few)
    p.have(f"T <= {unit} * 4 and {unit} >= 0", given=few)
    p.use("theorem-1/terms", K="K", m="m", T="T", delta="delta")
    p.have(f"{ROOT_TERM} >= 8 / 10 and {LOG_TERM} >= 0", given=few)
    p.have(f"{unit} * 4 <= {unit} * (1200 * {sum_of_terms})", given=few)
    p.have(f"{unit} * (1200 * {sum_of_terms}) == {STATED}")
    return request.conclude(
        None,
        box=[{"K": 2, "m": L + 1, "T": L * L, "delta": delta} for L in range(2, 9) for delta in DELTAS],
        checked_on="K = 2, m = sqrt(T) + 1, sqrt(T) = 2..8",
        repair=Better(
            "For `2 * K * m <= sqrt(T) < 4 * K * m`, where no epoch is run, the right side is at least `T`.",
            p.shown().verdict,
        ),
    )


@claim(
    "theorem-1/final-constant",
    statement="Lemma 4 and Lemma 3 add up to the right side: {stated}.",
    where=LAST_LINE,
    formulas={
        "sum": f"{lemma_4.STATED} + {LEMMA_3}",
        "terms": f"{ROOT_TERM} + {LOG_TERM}",
        "stated": f"sum <= {STATED}",
        "sharp": "implies(sqrt(T) >= 4 * K * m, sum <= 400 * K * m * sqrt(T) * (terms))",
    },
    domain={**LONG, "horizon": "T >= 4", "epochs": f"S <= {EPOCHS}"},
    setting=SETTING,
    model={"K": 2, "m": 1, "T": 100, "S": 1, "delta": "1/2"},
    uses=("theorem-1/terms",),
)
def final_constant(request: Request) -> Outcome:
    """Two cases, sqrt(T) >= 4Km and below; linear in the root and the logarithms."""
    stated, sharp = _added(request.proof(), 1200), _added(request.proof("sharp"), 400).shown()
    return request.conclude(
        stated.shown(),
        tight=Better(
            "400 instead of 1200 for `sqrt(T) >= 4 * K * m`; no smaller constant for all delta, as the root "
            "grows without bound when delta tends to 0",
            sharp.verdict,
        ),
    )


def _added(p: Proof, constant: int) -> Proof:
    """In units of Km sqrt(T): 5 S + 400 root + 2 is at most the constant times (root + logarithm)."""
    unit, sum_of_terms = f"5 * S + 400 * {ROOT_TERM} + 2", f"{ROOT_TERM} + {LOG_TERM}"
    whole = f"(K * m * sqrt(T)) * ({constant} * ({sum_of_terms}))"
    p.have(f"{whole} == {constant} * K * m * sqrt(T) * ({sum_of_terms})")
    larger = f"(K * m * sqrt(T)) * ({unit}) <= {whole}"
    p.have(f"implies({unit} <= {constant} * ({sum_of_terms}), {larger})")
    p.use("theorem-1/terms")
    p.have(f"{ROOT_TERM} >= 8 / 10 and {LOG_TERM} >= 0")
    p.have("log(2) > 69 / 100 and K * m >= 1")
    long, ratio = "sqrt(T) >= 4 * K * m", "sqrt(T) / (4 * K * m)"
    p.have(f"sqrt(T) / (2 * K * m) == 2 * ({ratio})")
    p.have(f"implies({long}, log({ratio} + 1) <= log(sqrt(T) / (2 * K * m)))")
    p.have(f"implies({long}, S <= log2(sqrt(T) / (2 * K * m)) and 1 <= log2(sqrt(T) / (2 * K * m)))")
    given = [] if constant == 1200 else [long]
    p.have(f"{unit} <= {constant} * ({sum_of_terms})", given=given)
    return p


@claim(
    "theorem-1/vacuous",
    statement="(not in the paper) On the horizons of Algorithm 1 with {few}, the right side is at least T: "
    "{stated}.",
    formulas={"bound": STATED, "stated": "T <= bound"},
    domain={**HORIZONS, "few": "S <= 12"},
    setting=Setting(define=SETTING.define),
    model={"K": 2, "m": 1, "L": 24, "T": 576, "S": 2, "delta": "1/2"},
    uses=("theorem-1/terms",),
)
def vacuous(request: Request) -> Outcome:
    """In units of Km sqrt(T) the left side is 4 (2^S - 1), the right side 1200 times root and logarithm."""
    root = horizon_root(2, 1, 13)
    beyond: dict[str, Any] = {"K": 2, "m": 1, "S": 13, "L": root, "T": root**2, "delta": Fraction(1, 2)}
    return request.conclude(
        _few_epochs(request.proof()).shown,
        box=[beyond],
        remarks=tuple(_meaningful_from()),
        tight=Better("exactly: it can fail at `S == 13`", Verdict.CHECKED, Witness(beyond))
        if less(STATED, HORIZON, **beyond)
        else None,
    )


def _few_epochs(p: Proof) -> Proof:
    """log2(2 (2^S - 1)) is at least S, and at S = 12 almost 13."""
    unit, right = "4 * (power(2, S) - 1)", f"1200 * ({ROOT_TERM} + {LOG_TERM})"
    p.have("K * m >= 1")
    p.induct("i", "power(2, i) >= 2", start=1)
    p.have("(K * m) * (power(2, S) - 1) >= K * m")
    p.have("L >= 4 * (K * m)")
    p.have("sqrt(T) == L")
    p.have("sqrt(T) / (2 * K * m) == 2 * (power(2, S) - 1)")
    p.have(f"T == (K * m * sqrt(T)) * ({unit})")
    p.have(f"implies({unit} <= {right}, (K * m * sqrt(T)) * ({unit}) <= (K * m * sqrt(T)) * ({right}))")
    p.have(f"(K * m * sqrt(T)) * ({right}) == {STATED}")
    p.have("log(2) > 69 / 100")
    p.have(f"{LOG_TERM} == log(sqrt(T) / (2 * K * m)) / log(2)")
    p.have("log(sqrt(T) / (2 * K * m)) == log(2 * (power(2, S) - 1))")
    p.have(f"{LOG_TERM} * log(2) == log(2 * (power(2, S) - 1))")
    powers = "".join(f"{2**i} if i == {i} else " for i in range(12)) + "4096"
    p.induct("i", f"power(2, i) == ({powers})", upto="12")
    p.have("implies(S <= 11, 4 * (power(2, S) - 1) <= 1200 * S)")
    p.have("implies(S == 12, power(2, S) == 4096)")
    p.induct("i", "log(power(2, i)) == i * log(2)", hints=["log(2 * power(2, i))"])
    p.have("log(2 * (power(2, S) - 1)) >= S * log(2)")
    p.have("log(power(2, 12)) == 12 * log(2) and power(2, 12) == 4096")
    p.have("log(8192) == log(2) + log(4096)", hints=["log(2 * 4096)"])
    p.have("log(8192 / 8190) <= 2 / 8190")
    p.have("log(8190) >= 13 * log(2) - 1 / 1000", hints=["log(8190 * (8192 / 8190))"])
    p.have(f"implies(S <= 11, {LOG_TERM} >= S)")
    p.have(f"implies(S == 12, {LOG_TERM} >= 129 / 10)")
    p.use("theorem-1/terms")
    p.have(f"{ROOT_TERM} >= 8 / 10")
    p.have(f"{unit} <= {right}")
    return p


def _meaningful_from() -> Iterator[str]:
    """From which S on each bound is below T, in an example."""
    names = {
        "the printed bound": STATED,
        "the sharpened bound": SHARP,
        "the sharpened bound with the narrower C_s": SHARPEST,
    }
    for name, bound in names.items():
        at = {S: {"K": 2, "m": 1, "S": S, "T": horizon_root(2, 1, S) ** 2} for S in range(1, 30)}
        first = next(S for S in at if less(bound, HORIZON, delta=DELTA, **at[S]))
        yield f"For K = 2, m = 1, delta = {DELTA}, {name} is below T from S = {first} on."
