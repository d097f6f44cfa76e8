"""Lemma 4, second half of the proof (eqn:help5): the sum of the widths, and its constant.

Stated. 8Km sum_{s=2..S} n_s sqrt(T) C_{s-1} <= 400 Km sqrt(T) sqrt(log(2KmS / delta)), and S <= log T.

Proved. The widths C_s make it a sum of 64 * 2^(s/2): geometric with the ratio q = sqrt(2). Its closed form is
shown by induction on S; what remains are polynomial inequalities in v = 2^(S/2) and q, which z3 decides. With
r = sqrt(T)/(Km), 2^S = r/4 + 1. Without rounding in between, the quotient of the two sides is a function of
u = 2^(S/2) that increases to its supremum: 32 (2 + sqrt(2)) instead of 400, and 8 times less with the
constant 1/2 in Hoeffding's bound (`lemma-7/hoeffding`).
"""

from __future__ import annotations

from proofs_check.claim import Outcome, Request, Tight, Witness, by_proof, claim
from proofs_check.computations.schedule import EPOCHS, PERIODS, WIDTH
from proofs_check.steps import Step
from proofs_check.ways.analysis import (
    derivative,
    exactly,
    first_false,
    in_balls,
    inequality,
    limit,
    proof,
    telescopes,
)
from proofs_check.ways.balls import decimal
from proofs_check.ways.for_all import for_all, identity
from tallyplan.formula import Formula

WHERE = "Lemma 4, proof (eqn:help5)"
RUNS = "S >= 1 (Algorithm 1 runs an epoch)"

WIDTH_BEFORE = Formula("sqrt(64 * K * m / (2**s * sqrt(T)) * log(2 * K * m * S / delta))")
WIDTH_TERM = Formula("64 * (K * m)**(3 / 2) * sqrt(log(2 * K * m * S / delta)) * T**(1 / 4) * 2**(s / 2)")

FACTOR = Formula("64")
GEOMETRIC = Formula("(2**((S + 1) / 2) - 2) / (sqrt(2) - 1)")  # the sum of 2^(s/2), s = 2..S
SUM_BOUND = Formula("400")
SUM_SHARP = Formula("64 * (2 + sqrt(2))")

RADICAND = Formula("r / 4 + 1")
ROOT_BOUND = Formula("r")
ROOT_SINCE = Formula("r >= 4 / 3")

BOTH = Formula("64 * (sqrt(2) * u - 2) / (sqrt(2) - 1) / (2 * sqrt(u**2 - 1))")  # u = 2^(S/2)
BOTH_SHARP = Formula("32 * (2 + sqrt(2))")
BOTH_SHARPEST = Formula("4 * (2 + sqrt(2))")  # C_s with 1/2 instead of 32, 8 times narrower

LOG_BOUND = Formula("log(T)")
LOG_SHARP = Formula("log2(T) / 2")


@claim(
    "lemma-4/substitution",
    statement=f"C_(s-1) = {WIDTH_BEFORE}, and 8 Km n_s sqrt(T) C_(s-1) = {WIDTH_TERM}.",
    where=WHERE,
)
def substitution(request: Request) -> Outcome:
    """Two identities, simplified by sympy; the log is one positive symbol."""
    return proof(_substitution_steps(), "all K, m, T, s, S, delta", method="sympy simplifies both to 0")


def _substitution_steps() -> list[Step]:
    hidden, width, term = (_log_hidden(text) for text in (WIDTH_BEFORE, WIDTH, WIDTH_TERM))
    before = width.replace("2**s", "2**(s - 1)")
    return [
        identity(before, hidden, integers="s", words=f"C_(s-1) == {WIDTH_BEFORE}"),
        identity(f"8 * K * m * {PERIODS} * sqrt(T) * ({hidden})", term, integers="s"),
    ]


def _log_hidden(formula: Formula) -> str:
    """The logarithm, which both sides share, as the symbol E."""
    return str(formula).replace("log(2 * K * m * S / delta)", "E")


@claim(
    "lemma-4/geometric-sum",
    statement=f"{FACTOR} sum_(s=2..S) 2**(s/2) <= {SUM_BOUND} * 2**(S/2).",
    where=WHERE,
)
def geometric_sum(request: Request) -> Outcome:
    """The closed form by induction on S, then z3 in v = 2^(S/2) and q = sqrt(2); the limit is the best."""
    violation = first_false(
        f"({FACTOR}) * ({GEOMETRIC})", f"({SUM_BOUND}) * 2**(S / 2)", ({"S": S} for S in range(1, 65))
    )
    sup = [
        *_sum_steps(SUM_SHARP),
        limit(f"{FACTOR} * (sqrt(2) * v - 2) / (sqrt(2) - 1) / v", "v", SUM_SHARP),
    ]
    return proof(
        _sum_steps(SUM_BOUND),
        "every integer S >= 1",
        method="induction and z3",
        violation=violation,
        tight=Tight(f"{SUM_SHARP} = {decimal(SUM_SHARP)}, the supremum, not attained", by_proof(sup)),
    )


def _sum_steps(bound: Formula) -> list[Step]:
    in_v = str(GEOMETRIC).replace("2**((S + 1) / 2)", "sqrt(2) * v")
    return [
        *telescopes("2**(S / 2)", GEOMETRIC, index="S", first=2),
        identity(in_v, "(sqrt(2) * v - 2) / (sqrt(2) - 1)", words=f"{GEOMETRIC} == {in_v}, v = 2**(S/2)"),
        for_all(
            "v q real",
            given=["q > 0", "q * q == 2", "v > 0"],
            then=f"{FACTOR} * (q * v - 2) < {_with_q(bound)} * v * (q - 1)",
            words=f"{FACTOR} * (q * v - 2) / (q - 1) < {_with_q(bound)} * v for v = 2**(S/2), q = sqrt(2)",
        ),
    ]


def _with_q(formula: Formula) -> str:
    return f"({formula})".replace("sqrt(2)", "q")


@claim(
    "lemma-4/root",
    statement="sqrt(sqrt(T) / (4Km) + 1) <= T**(1/4) / sqrt(Km).",
    where=WHERE,
)
def root(request: Request) -> Outcome:
    """Squared, it reads r/4 + 1 <= r with r = sqrt(T)/(Km); S >= 1 is r >= 4."""
    exact = by_proof(exactly("r", ROOT_SINCE, f"{RADICAND} <= {ROOT_BOUND}"))
    outside = Witness({"r": 1, "left": decimal(Formula("sqrt(r / 4 + 1)"), r=1), "right": 1})
    return inequality(
        "r real",
        given=["r >= 4"],
        then=f"{RADICAND} <= {ROOT_BOUND}",
        domain=RUNS,
        more=(for_all("r real", given=["r >= 4"], then=f"4 * ({RADICAND}) > r and 2 * ({RADICAND}) <= r"),),
        tight=Tight(
            "sqrt(T) >= 4Km/3, exactly; on S >= 1 the left is at most 1/sqrt(2) of the right", exact, outside
        ),
    )


@claim(
    "lemma-4/constant",
    statement=f"8Km sum_(s=2..S) n_s sqrt(T) C_(s-1) <= {SUM_BOUND} Km sqrt(T) sqrt(log(2KmS/delta)).",
    where=WHERE,
)
def constant(request: Request) -> Outcome:
    """The sum and the root together; without rounding in between, the quotient increases to its supremum."""
    narrow = identity(str(BOTH_SHARPEST), f"({BOTH_SHARP}) / sqrt(32 / (1 / 2))")
    return proof(
        constant_steps(),
        "sqrt(T) = 4Km(2^S - 1), every integer S >= 1",
        method="induction, z3 and sympy",
        said=(
            f"With the right constant in Hoeffding's bound it is {BOTH_SHARPEST} = {decimal(BOTH_SHARPEST)}: "
            f"{by_proof([*sharp_steps(), narrow])}.",
        ),
        tight=Tight(
            f"{BOTH_SHARP} = {decimal(BOTH_SHARP)}, the supremum, not attained", by_proof(sharp_steps())
        ),
    )


def constant_steps() -> list[Step]:
    """The printed proof."""
    return [
        *_substitution_steps(),
        *_sum_steps(SUM_BOUND),
        for_all("r real", given=["r >= 4"], then=f"{RADICAND} <= {ROOT_BOUND}"),
    ]


def sharp_steps() -> list[Step]:
    """The quotient of the sum and Km sqrt(T) sqrt(log) increases in u = 2^(S/2) and tends to the supremum."""
    bare = "(sqrt(2) * u - 2) / sqrt(u**2 - 1)"
    return [
        identity(
            "sqrt(k) / ((4 * k * w)**2)**(1 / 4)",
            "1 / (2 * sqrt(w))",
            words="sqrt(Km) / T**(1/4) == 1 / (2 * sqrt(2**S - 1))",
        ),
        identity(str(BOTH), f"{FACTOR} / (sqrt(2) - 1) / 2 * ({bare})"),
        derivative(bare, "u", "(2 * u - sqrt(2)) / (u**2 - 1)**(3 / 2)"),
        for_all("u q real", given=["q > 0", "q * q == 2", "u >= q"], then="2 * u - q > 0"),
        limit(BOTH, "u", BOTH_SHARP),
    ]


@claim("lemma-4/log-t", statement=f"S <= {LOG_BOUND}, S = {EPOCHS}.", where=WHERE)
def log_t(request: Request) -> Outcome:
    """S is largest for Km = 1; with x = sqrt(T), log(T) - S increases, and is positive at the left end."""
    fails = in_balls(LOG_BOUND, EPOCHS, K=1, m=1, T=1)
    outside = Witness({"K": 1, "m": 1, "horizon": 1, "S": decimal(EPOCHS, K=1, m=1, T=1)})
    sharp = for_all("x real", given=["x >= 4 / 3"], then="x / 4 + 1 <= x")  # x = sqrt(T) = 2**LOG_SHARP
    half = identity(str(LOG_SHARP), "log2(sqrt(T))")
    return proof(
        log_steps(),
        "every T >= 2",
        method="monotone in T, Arb at the left end",
        said=(f"At T = 1 it fails: {fails}.",),
        tight=Tight(
            f"S <= {LOG_SHARP} = 0.7213 log(T) for T >= 2; T = 1 is the only exception",
            by_proof([sharp, half, fails]),
            outside,
        ),
        violation=first_false(EPOCHS, LOG_BOUND, ({"K": 1, "m": 1, "T": T} for T in range(2, 50))),
    )


def log_steps() -> list[Step]:
    """S <= log(T) for Km = 1, hence for all, and at T = 2, hence from there on."""
    gap = f"{LOG_BOUND} - {EPOCHS}".replace(" * K * m", "").replace("T", "x**2")
    return [
        for_all("k x real", given=["k >= 1", "x > 0"], then="x / (4 * k) + 1 <= x / 4 + 1"),
        derivative(gap, "x", "2 / x - 1 / ((x + 4) * log(2))"),
        in_balls("1 / 2", "log(2)"),
        for_all("x l real", given=["x > 0", "l > 1 / 2"], then="2 * (x + 4) * l > x"),
        in_balls(EPOCHS, LOG_BOUND, K=1, m=1, T=2),
    ]
