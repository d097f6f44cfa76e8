"""Theorem 1: the regret of Algorithm 1, where the bound is nontrivial, and a sharper one."""

from bisect import bisect_left
from fractions import Fraction

from proofs_check.balls import sign
from proofs_check.bounds import LEMMA_3_SHARP
from proofs_check.paper import lemma_4
from proofs_check.stating import Better, Outcome, Request, claim
from tallyplan.formula import Formula
from tallyplan.games.bounds import ROOT, THEOREM_1
from tallyplan.games.schedule import horizon_root

WHERE = "Theorem 1 (thm:upper)"
LAST_LINE = "Theorem 1, last line of the proof"
STATED = THEOREM_1.formula
SHARP = Formula(f"{lemma_4.SHARP} + {LEMMA_3_SHARP}")
SHARPEST = Formula(str(SHARP).replace("32 *", "4 *"))
EVENT = "on the event of Lemma 7, of probability at least 1 - delta"
SIZES = {"actions": "K >= 1", "memory": "m >= 1", "probability": "0 < delta and delta < 1"}
HORIZONS = {**SIZES, "epochs": "S >= 1", "square": "T == L * L", "horizon": f"L == {ROOT}"}
DELTA = Fraction(1, 20)


def picture(path: str) -> None:
    """Where the right side is negative, at least T, or nontrivial."""
    from proofs_check.pictures.theorem_1 import figure

    figure(path)


@claim(
    "theorem-1",
    statement="For any tallying bandit problem, with probability at least 1 - delta, {stated}.",
    picture=picture,
    formulas={"bound": STATED, "stated": "loss - OPT <= bound"},
    domain={**SIZES, "horizon": "T >= 2"},
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
            f"The theorem as printed, for {repaired.claim.on} (claim theorem-1/domain).",
            repaired.outcome.verdict,
        ),
    )


def _first_negative(L: int) -> int:
    """The first Km at which the right side is negative, by bisection: its root grows slower than its log2."""
    return 1 + bisect_left(
        range(1, 100 * L), True, key=lambda Km: sign(STATED, K=Km, m=1, T=L * L, delta=DELTA) == -1
    )


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
