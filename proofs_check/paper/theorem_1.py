"""Theorem 1: the regret of Algorithm 1, where the bound is nontrivial, and a sharper one."""

from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from proofs_check.balls import less, sign
from proofs_check.bounds import LEMMA_3, LEMMA_3_SHARP
from proofs_check.paper import lemma_4
from proofs_check.stating import Better, Outcome, Proof, Request, Setting, Verdict, Witness, claim
from tallyplan.formula import Formula
from tallyplan.games.bounds import EPOCHS, ROOT, THEOREM_1
from tallyplan.games.schedule import horizon_root

WHERE = "Theorem 1 (thm:upper)"
LAST_LINE = "Theorem 1, last line of the proof"
ROOT_TERM, LOG_TERM = "sqrt(log(2 * K * m * log(T) / delta))", "log2(sqrt(T) / (2 * K * m))"
STATED = THEOREM_1.formula
SHARP = Formula(f"{lemma_4.SHARP} + {LEMMA_3_SHARP}")
SHARPEST = Formula(str(SHARP).replace("32 *", "4 *"))
EVENT = "on the event of Lemma 7, of probability at least 1 - delta"
HORIZONS = {
    "actions": "K >= 1",
    "memory": "m >= 1",
    "probability": "0 < delta and delta < 1",
    "epochs": "S >= 1",
    "square": "T == L * L",
    "horizon": f"L == {ROOT}",
}
SETTING = Setting(define={"log2(r)": "log(r) / log(2)"}, variables="S real")
DELTA = Fraction(1, 20)
HORIZON = Formula("T")
DELTAS = tuple(Fraction(p, 100) for p in (90, 50, 10, 5, 1))


def picture(path: str) -> None:
    """Where the right side is negative, vacuous, or says something."""
    from proofs_check.pictures.theorem_1 import figure

    figure(path)


@claim(
    "theorem-1",
    statement="For any tallying bandit problem, with probability at least 1 - delta, {stated}.",
    picture=picture,
    formulas={"bound": STATED, "stated": "loss - OPT <= bound"},
    domain={
        "actions": "K >= 1",
        "memory": "m >= 1",
        "horizon": "T >= 2",
        "probability": "0 < delta and delta < 1",
    },
    uses=("theorem-1/domain", "theorem-1/final-constant"),
)
def theorem_1(request: Request) -> Outcome:
    """Search the smallest square T, then the smallest Km, with a negative right side for some delta < 1."""
    tenths = [Fraction(tenth, 10) for tenth in range(1, 10)]
    squares = [L * L for L in range(2, 50)]
    firsts = ", ".join(f"Km = {_first_negative(L)} for sqrt(T) = {L}" for L in (10, 100, 1000))
    repaired = request.result("theorem-1/domain")
    return request.conclude(
        None,
        box={"T": squares, "m": [1], "K": range(1, 200), "delta": tenths, "loss": [0], "OPT": [0]},
        remarks=(
            "On the table h = 0 every regret is 0. K and m enter as Km; at T = 1 the right side is "
            "undefined.",
            f"For delta = {DELTA} it is negative from {firsts} on.",
        ),
        tight=request.result("theorem-1/final-constant").outcome.tight,
        repair=Better(
            f"The theorem as printed, for {repaired.claim.on} (claim theorem-1/domain); with 400 for 1200 "
            "(claim theorem-1/final-constant).",
            repaired.outcome.verdict,
        ),
    )


def _first_negative(L: int) -> int:
    """The first Km at which the right side is negative, by bisection: its root grows slower than its log2."""
    return 1 + bisect_left(
        range(1, 100 * L), True, key=lambda Km: sign(STATED, K=Km, m=1, T=L * L, delta=DELTA) == -1
    )


@claim(
    "theorem-1/terms",
    statement="(not in the paper) Where {long}, both terms in the bracket are there: {stated}.",
    formulas={"stated": f"{ROOT_TERM} >= 8 / 10 and {LOG_TERM} >= 0"},
    domain={
        "actions": "K >= 1",
        "memory": "m >= 1",
        "probability": "0 < delta and delta < 1",
        "long": "sqrt(T) >= 2 * K * m",
        "horizon": "T >= 0",
    },
    setting=SETTING,
    model={"K": 2, "m": 1, "T": 100, "delta": "1/2"},
)
def terms(request: Request) -> Outcome:
    """sqrt(T) is at least 2, so log(T) is at least 1 and the logarithm under the root at least log(2)."""
    p = request.proof()
    p.have("K * m >= 1")
    p.have("sqrt(T) >= 2 and T >= 4")
    p.have("sqrt(T) / (2 * K * m) >= 1")
    p.have("log(2) > 69 / 100 and log(4) == 2 * log(2)", hints=["log(2 * 2)"])
    p.have("log(T) >= 1")
    p.have("K * m * log(T) >= 1")
    p.have("2 * K * m * log(T) / delta >= 2")
    p.have("log(2 * K * m * log(T) / delta) >= log(2)")
    p.have("sqrt(log(2 * K * m * log(T) / delta)) >= 8 / 10")
    p.have("log(sqrt(T) / (2 * K * m)) >= 0", hints=["log(1)"])
    return request.conclude(p.shown())


@claim(
    "theorem-1/large-memory",
    statement="If {memory}, the theorem is trivially true, since the regret is at most T: {stated}.",
    where="Theorem 1, first sentence of the proof",
    formulas={
        "stated": f"T <= {STATED}",
        "repaired": "implies(T >= 0 and K >= 1 and m >= 1 and 2 * K * m <= sqrt(T) and sqrt(T) < 4 * K * m "
        f"and 0 < delta and delta < 1, T <= {STATED})",
    },
    domain={"memory": "m > sqrt(T)"},
    setting=SETTING,
    model={"K": 2, "m": 1, "T": 16, "delta": "1/2"},
    uses=("theorem-1/terms",),
)
def large_memory(request: Request) -> Outcome:
    """It needs T <= right side; search small T, K >= 2 and m = sqrt(T) + 1 for the contrary."""
    repaired = request.argue(
        "As 2Km <= sqrt(T) < 4Km, T is at least 4, the root at least 8/10 and the logarithm not negative "
        "(theorem-1/terms), so the right side is at least 960 Km sqrt(T) > T.",
        name="repaired",
    )
    return request.conclude(
        None,
        box=[{"K": 2, "m": L + 1, "T": L * L, "delta": delta} for L in range(2, 9) for delta in DELTAS],
        checked_on="K = 2, m = sqrt(T) + 1, sqrt(T) = 2..8",
        repair=Better(
            "For `2 * K * m <= sqrt(T) < 4 * K * m`, where no epoch is run, the right side is at least `T`.",
            repaired.verdict,
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
    domain={
        "actions": "K >= 1",
        "memory": "m >= 1",
        "probability": "0 < delta and delta < 1",
        "long": "sqrt(T) >= 2 * K * m",
        "horizon": "T >= 4",
        "epochs": f"S <= {EPOCHS}",
    },
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
    p.have("K * m >= m")
    p.have("(m + 1) * sqrt(T) <= 2 * (K * m * sqrt(T))")
    p.have(f"{lemma_4.STATED} + {LEMMA_3} <= (K * m * sqrt(T)) * ({unit})")
    whole = f"(K * m * sqrt(T)) * ({constant} * ({sum_of_terms}))"
    p.have(f"{whole} == {constant} * K * m * sqrt(T) * ({sum_of_terms})")
    larger = f"(K * m * sqrt(T)) * ({unit}) <= {whole}"
    p.have(f"implies({unit} <= {constant} * ({sum_of_terms}), {larger})")
    p.use("theorem-1/terms")
    p.have(f"{ROOT_TERM} >= 8 / 10 and {LOG_TERM} >= 0")
    p.have("log(2) > 69 / 100 and K * m >= 1")
    long, ratio = "sqrt(T) >= 4 * K * m", "sqrt(T) / (4 * K * m)"
    p.have(f"sqrt(T) / (2 * K * m) == 2 * ({ratio})")
    p.have(f"implies({long}, {ratio} >= 1)")
    p.have(f"implies({long}, log({ratio} + 1) <= log(sqrt(T) / (2 * K * m)))")
    p.have(f"implies({long}, log(sqrt(T) / (2 * K * m)) >= log(2))")
    p.have(f"implies({long}, S <= log2(sqrt(T) / (2 * K * m)) and 1 <= log2(sqrt(T) / (2 * K * m)))")
    p.have(f"implies(sqrt(T) < 4 * K * m, log({ratio} + 1) <= log(2))")
    p.have("implies(sqrt(T) < 4 * K * m, S <= 1)")
    given = [] if constant == 1200 else [long]
    p.have(f"{unit} <= {constant} * ({sum_of_terms})", given=given)
    p.have(larger, given=given)
    return p


@claim(
    "theorem-1/domain",
    statement="(not in the paper) On the horizons of Algorithm 1, with probability 1 - delta, {stated}.",
    where=f"{WHERE}, read with Algorithm 1",
    formulas={"bound": STATED, "stated": "loss - OPT <= bound"},
    domain=HORIZONS,
    assuming=(EVENT,),
    uses=("algorithm-1/schedule", "lemma-3", "lemma-4", "theorem-1/final-constant"),
)
def domain(request: Request) -> Outcome:
    """Lemma 4 and Lemma 3 on these horizons, and the last line of the proof."""
    roots = ", ".join(str(horizon_root(2, 1, S)) for S in range(1, 6))
    return request.conclude(
        request.argue(
            "The S epochs take T steps (algorithm-1/schedule). The regret is the loss beyond T mu (lemma-4) "
            "and T mu - OPT (lemma-3); theorem-1/final-constant adds them up.",
        ),
        remarks=(f"For K = 2, m = 1 these are sqrt(T) = {roots}, ...",),
    )


@claim(
    "theorem-1/sharpened",
    statement="(not in the paper) With probability at least 1 - delta, {stated}. Beyond their widths, "
    "the S - 1 later epochs cost m - 1 for each policy, not sqrt(T).",
    where=LAST_LINE,
    formulas={"sharp": SHARP, "stated": "loss - OPT <= sharp"},
    domain=HORIZONS,
    assuming=(EVENT,),
    uses=("lemma-3", "lemma-4", "lemma-7/hoeffding"),
)
def sharpened(request: Request) -> Outcome:
    """Add up what the lemmas really give."""
    shown = request.argue(
        "Lemma 4 with its best constants (lemma-4, sharp) and Lemma 3 with m - 1 for m + 1."
    )
    return request.conclude(
        shown,
        tight=Better(
            f"`{SHARPEST}`, if `C_s` is taken with `1 / 2` in place of 32 (claim lemma-7/hoeffding), so that "
            "all widths are 8 times narrower",
            shown.verdict,
        ),
    )


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
