"""Theorem 1: the constant 1200, and a sharper bound for the same algorithm.

Stated, as the last line of the proof: Lemma 4 and Lemma 3 add up to
Km sqrt(T) (5S + 400 root) + (m + 1) sqrt(T) <= 1200 Km sqrt(T) (root + log2(sqrt(T)/(2Km))).

Proved for r = sqrt(T)/(Km) >= 2. In units of Km sqrt(T), with y for the root, b = log2(r/4 + 1),
a = log2(r/2) and q = (m + 1)/(Km) <= 2, the line reads 5b + 400y + q <= 1200 (y + a). For r >= 4, that is
S >= 1, b <= a and a >= 1; for 2 <= r < 4, b <= 1, a >= 0 and y > 1. Both are linear, for z3. As delta -> 0, y
grows without bound and the others stay, so 400 is the least constant, and it is enough.

Sharpened. The same algorithm, with what the lemmas really give on sqrt(T) = 4Km(2^S - 1): the first epoch
costs 4Km sqrt(T); every later execution m - 1 instead of sqrt(T) (`lemma-5`); the widths 32 (2 + sqrt(2))
or, with 1/2 in Hoeffding's bound, 4 (2 + sqrt(2)) (`lemma-4/constant`); and Lemma 3 (m - 1) sqrt(T).
"""

from __future__ import annotations

from fractions import Fraction

from proofs_check.claim import Outcome, Request, Tight, by_proof, claim
from proofs_check.computations.schedule import EPOCHS, ROOT, horizon_root
from proofs_check.paper import lemma_5, lemma_7
from proofs_check.paper.lemma_4 import statement as lemma_4
from proofs_check.paper.lemma_4 import widths as lemma_4_widths
from proofs_check.steps import Step
from proofs_check.ways.analysis import again, exactly, first_false, in_balls, proof
from proofs_check.ways.balls import less
from proofs_check.ways.for_all import for_all, identity
from tallyplan.formula import Formula

WHERE = "Theorem 1, last line of the proof"

STATED = Formula(
    "1200 * K * m * sqrt(T) * (sqrt(log(2 * K * m * log(T) / delta)) + log2(sqrt(T) / (2 * K * m)))"
)
BEST = Formula("400")
LEMMA_3 = Formula("(m + 1) * sqrt(T)")
LEMMA_3_SHARP = Formula("(m - 1) * sqrt(T)")
LATER_STARTS = Formula("(S - 1) * K * m * (m - 1)")
SHARP = Formula(
    "32 * (2 + sqrt(2)) * K * m * sqrt(T) * sqrt(log(2 * K * m * S / delta)) + 4 * K * m * sqrt(T)"
    " + (S - 1) * K * m * (m - 1) + (m - 1) * sqrt(T)"
)
SHARPEST = Formula(str(SHARP).replace("32 *", "4 *"))
HORIZONS = f"sqrt(T) = {ROOT}, S >= 1 an integer"
ROOT_TERM, LOG_TERM = "sqrt(log(2 * K * m * log(T) / delta))", "log2(sqrt(T) / (2 * K * m))"


@claim(
    "theorem-1/final-constant",
    statement=f"{lemma_4.STATED} + {LEMMA_3} <= {STATED}, S = log2(sqrt(T) / (4Km) + 1).",
    where=WHERE,
)
def final_constant(request: Request) -> Outcome:
    """Linear in the root and the logarithms, for z3; the coefficient of the root is the best constant."""
    left = Formula(str(_left()).replace("S", f"({EPOCHS})"))
    fails = less(STATED, left, K=2, m=1, T=4, delta=Fraction(9, 10))
    cases = (
        {"K": 2, "m": 1, "S": S, "T": horizon_root(2, 1, S) ** 2, "delta": Fraction(1, 10**digits)}
        for S in (1, 2, 5)
        for digits in (1, 10, 1000)
    )
    return proof(
        [*final_steps(), *_below_four()],
        "sqrt(T) >= 2Km (S >= 1 on the horizons of Algorithm 1)",
        method="z3, linear in the root and the logarithms",
        said=(
            f"{_equivalent()}.",
            f"At T = 4, K = 2, m = 1, delta = 9/10, below that, it {'fails' if fails else 'holds'}.",
        ),
        tight=Tight(f"{BEST} instead of 1200; no smaller constant for all delta", by_proof(best_steps())),
        violation=first_false(_left(), STATED, cases),
    )


def _equivalent() -> Step:
    """Solved for the root."""
    return for_all(
        "U y a b q real",
        given=["U > 0"],
        then=f"({_short_left()} <= {_short(STATED)}) == (800 * y >= 5 * b + q - 1200 * a)",
        words="the line says 800 y >= 5 log2(r/4 + 1) + (m + 1)/(Km) - 1200 log2(r/2), y being the root",
    )


def _left() -> Formula:
    return Formula(f"{lemma_4.STATED} + {LEMMA_3}")


def final_steps(bound: Formula | None = None) -> list[Step]:
    """r >= 4: b <= a, a >= 1, q <= 2, y >= 0."""
    return [
        *exactly("r", "r >= 4", "r / 4 + 1 <= r / 2"),
        identity(f"({LEMMA_3}) / (K * m * sqrt(T))", "(m + 1) / (K * m)", words="q = (m + 1) / (K * m)"),
        for_all("K m real", given=["K >= 1", "m >= 1"], then="(m + 1) / (K * m) <= 2"),
        in_balls("1", "2 * log(T)", T=16),
        for_all(
            "U y a b q real",
            given=["U > 0", "y >= 0", "a >= 1", "b <= a", "q <= 2"],
            then=f"{_short_left()} <= {_short(bound or STATED)}",
            words=f"{_short_left()} <= {_short(bound or STATED)} for a >= 1, b <= a, q <= 2, U = Km sqrt(T)",
        ),
    ]


def _below_four() -> list[Step]:
    """2 <= r < 4: b <= 1, a >= 0, q <= 2, y > 1."""
    return [
        in_balls("1", "sqrt(log(2 * log(T)))", T=4),
        for_all(
            "U y a b q real",
            given=["U > 0", "y > 1", "a >= 0", "b <= 1", "q <= 2"],
            then=f"{_short_left()} <= {_short(STATED)}",
            words="the same for a >= 0, b <= 1, q <= 2, y > 1 (2Km <= sqrt(T) < 4Km)",
        ),
    ]


def best_steps() -> list[Step]:
    """400 is enough, and with c < 400 the left side is larger once y is large."""
    best = Formula(str(STATED).replace("1200", f"({BEST})"))
    return [
        *final_steps(best),
        for_all(
            "c y a real",
            given=[f"0 < c and c < {BEST}", "a >= 1", f"y * ({BEST} - c) > c * a"],
            then="400 * y > c * (y + a)",
            words=f"for c < {BEST} the 400 y alone exceeds c * (y + a) once y > c * a / ({BEST} - c)",
        ),
    ]


def _short(formula: Formula) -> str:
    """In U = Km sqrt(T), y = the root, a = log2(r/2)."""
    return str(formula).replace(ROOT_TERM, "y").replace(LOG_TERM, "a").replace("K * m * sqrt(T)", "U")


def _short_left() -> str:
    """Lemma 4, where S = b, and Lemma 3, which is q U."""
    return f"{_short(lemma_4.STATED).replace('S', 'b')} + q * U"


def lemma_3_steps() -> list[Step]:
    """Lemma 3 with m - 1, hence with m + 1: the best block of OPT, repeated, pays again for m - 1 steps."""
    return [
        for_all(
            "t m integer",
            given=["m >= 1", "t >= m"],
            then="t - m + 1 >= 1",
            words="from its m-th step on, the window of a block lies inside the block",
        ),
        for_all(
            "L m mu block OPT real",
            given=["L >= 1", "m >= 1", "L * block <= OPT", "L * mu <= block + (m - 1)"],
            then=f"L * L * mu - OPT <= {LEMMA_3_SHARP}".replace("sqrt(T)", "L")
            + f" and {LEMMA_3_SHARP} <= {LEMMA_3}".replace("sqrt(T)", "L"),
            words=f"T mu(pi*) - OPT_T <= {LEMMA_3_SHARP} <= {LEMMA_3}, from the cheapest block of OPT",
        ),
    ]


@claim(
    "theorem-1/log-factor",
    statement=f"(not in the paper) The term with log2 may be {LATER_STARTS}, without sqrt(T).",
    where=WHERE,
)
def log_factor(request: Request) -> Outcome:
    """It comes from sqrt(T) for each execution in Lemma 5; m - 1 is enough there; add up S - 1 epochs."""
    return proof(_starts_steps(), HORIZONS, method="z3, from Lemma 5 with m - 1")


def _starts_steps() -> list[Step]:
    return [
        again(
            "lemma-5",
            f"an execution loses at most {lemma_5.START} more in its first period",
            lemma_5.sharp_steps(),
        ),
        identity(
            f"(S - 1) * K * m * ({lemma_5.START})",
            str(LATER_STARTS),
            words=f"S - 1 epochs of Km executions: {LATER_STARTS}",
        ),
    ]


@claim(
    "theorem-1/sharpened",
    statement=(
        f"(not in the paper) With probability at least 1 - delta, the regret of Algorithm 1 is at most "
        f"{SHARP}."
    ),
    where=WHERE,
)
def sharpened(request: Request) -> Outcome:
    """Add up what the lemmas really give; then z3 shows that it is below the printed bound."""
    return proof(
        sharp_steps(),
        f"{HORIZONS}, observations independent given the past",
        method="the lemmas with their best constants, z3",
        tight=Tight(
            f"{SHARPEST}, if C_s is taken with 1/2 in place of 32", by_proof([*sharp_steps(), *_narrower()])
        ),
    )


def sharp_steps() -> list[Step]:
    """First epoch, later starts, widths, Lemma 3; and the comparison with the printed bound."""
    sharp = _units(SHARP)
    parts = f"U * 4 + p + {lemma_4_widths.BOTH_SHARP} * U * x + d"
    return [
        lemma_7.all_epochs(),
        again(
            "lemma-4/first-epoch",
            f"the first epoch costs at most {lemma_4.FIRST_EPOCH}",
            lemma_4.first_epoch_steps(),
        ),
        *_starts_steps(),
        again(
            "lemma-4/constant",
            f"the widths add up to at most {lemma_4_widths.BOTH_SHARP} Km sqrt(T) root",
            lemma_4_widths.sharp_steps(),
        ),
        *lemma_3_steps(),
        identity(parts, sharp, words="these four add up to the bound"),
        *_below_the_printed(sharp),
    ]


def _units(formula: Formula) -> str:
    """In U = Km sqrt(T), x the root with S, p the later starts, d Lemma 3."""
    text = str(formula).replace("sqrt(log(2 * K * m * S / delta))", "x").replace(str(LATER_STARTS), "p")
    return text.replace(str(LEMMA_3_SHARP), "d").replace("K * m * sqrt(T)", "U")


def _below_the_printed(sharp: str) -> list[Step]:
    """p <= (S - 1) U and d <= U, v = 2^S <= 2(v - 1) = r/2 (so S <= a), and x <= y."""
    sizes = ["p <= (S - 1) * U", "d <= U", "0 <= x", "x <= y", "S <= a"]
    return [
        for_all(
            "K m v L real",
            given=["K >= 1", "m >= 1", "v >= 2", "L == 4 * K * m * (v - 1)"],
            then="m - 1 <= L and (m - 1) * L <= K * m * L and v <= 2 * (v - 1)",
        ),
        again("lemma-4/log-t", "S <= log(T)", lemma_4_widths.log_steps()),
        for_all(
            "U S p d x y a q real",
            given=["U > 0", "S >= 1", *sizes, "q > 0", "q * q == 2"],
            then=f"{sharp.replace('sqrt(2)', 'q')} <= {_short(STATED)}",
            words="so it is at most the printed bound, for every S >= 1",
        ),
    ]


def _narrower() -> list[Step]:
    """C_s with 1/2 is 8 times narrower, and Lemma 7 holds for it."""
    eight = identity(str(lemma_4_widths.BOTH_SHARPEST), f"({lemma_4_widths.BOTH_SHARP}) / 8")
    return [
        again("lemma-7/hoeffding", "1/2 is enough in Hoeffding's bound", lemma_7.narrower_steps()),
        eight,
    ]
