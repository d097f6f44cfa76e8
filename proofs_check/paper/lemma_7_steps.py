"""Lemma 7, the two inequalities of its proof, between the shares of the cells."""

from fractions import Fraction
from itertools import product

from proofs_check import definitions
from proofs_check.stating import Better, Outcome, Request, Setting, Verdict, Witness, claim

REALS = Setting(variables="r u v g real")
EPOCH_ONE_SIZES = ((2, 1, 2), (2, 2, 2), (2, 2, 4), (2, 2, 6), (3, 2, 4), (2, 3, 6), (3, 3, 3))
MORE_SIZES = ((2, 2, 8), (2, 4, 8), (3, 2, 6), (3, 3, 6), (4, 2, 4))  # (K, m, sqrt(T)) of a thorough run


@claim(
    "lemma-7/step-i",
    statement="{stated}, where u is N_xy(pi) and v is N_xy(pi_sxy).",
    where="Lemma 7, proof, step (i)",
    formulas={
        "stated": "u / sqrt(v) <= sqrt(u)",
        "equal": "implies(u / sqrt(v) == sqrt(u), u == 0 or u == v)",
    },
    domain={"counts": "0 <= u <= v", "met": "v > 0"},
    setting=REALS,
    symbols={
        "u": "the share of a cell in a period of the policy",
        "v": "the largest share of the cell in a period of a policy of A_s",
    },
    model={"u": 1, "v": 4},
)
def step_i(request: Request) -> Outcome:
    """The two roots; then the largest N_xy over all words, which makes epoch 1 cheaper."""
    equal = request.proof("equal").shown()
    return request.conclude(
        request.proof().shown(),
        remarks=(f"Equality only where N_xy(pi) is 0 or the maximum: {equal.verdict}.",),
        tight=Better(
            "in epoch 1, if m divides `sqrt(T)`, `K >= 2`: the maximum is `y / m`, the sum at most `sqrt(m)`",
            Verdict.CHECKED,
        )
        if _largest_in_epoch_one(request)
        else None,
    )


def _largest_in_epoch_one(request: Request) -> bool:
    """Is the largest share of a cell y / m, for all words of the box?"""
    for K, m, L in EPOCH_ONE_SIZES + (MORE_SIZES if request.thorough else ()):
        request.progress(f"lemma-7/step-i: K, m, sqrt(T) = {K}, {m}, {L}")
        counts = [definitions.period_counts(word, m, n=1) for word in product(range(K), repeat=L)]
        for x, y in product(range(K), range(1, m + 1)):
            if Fraction(max(c[x, y] for c in counts), L) != Fraction(y, m):
                return False
    return True


@claim(
    "lemma-7/step-ii",
    statement="(Cauchy and Schwarz) The sum over n cells, with n = Km and shares that sum to 1 at most "
    "sqrt(Km), satisfies {stated}.",
    where="Lemma 7, proof, step (ii)",
    formulas={
        "roots": "sum(sqrt(f(s)) for s in between(1, n))",
        "stated": "roots <= sqrt(n * sum(f(s) for s in between(1, n)))",
    },
    domain={"cells": "n >= 0", "positive": "all(f(s) >= 0 for s in between(1, n))"},
    setting=REALS,
    symbols={"n": "the number of cells", "f": "f(s), the share of cell s"},
    model={"n": 2, "f": [1, 4]},
)
def step_ii(request: Request) -> Outcome:
    """Induction on the cells: the square of the sum of the roots is at most n times the sum."""
    p = request.proof()
    known = "r >= 0 and u >= 0 and v >= 0 and g >= 0 and r * r <= u * v"
    p.have(f"implies({known}, (2 * r * g) * (2 * r * g) <= (u * g * g + v) * (u * g * g + v))", all="r u v g")
    p.have(f"implies({known}, 2 * r * g <= u * g * g + v)", all="r u v g")
    R, S = "sum(sqrt(f(s)) for s in between(1, j))", "sum(f(s) for s in between(1, j))"
    p.induct("j", f"{R} >= 0 and {S} >= 0", upto="n")
    next_R, next_S = (one.replace("(1, j)", "(1, j + 1)") for one in (R, S))
    inside = {"all": "j", "given": ["0 <= j", "j < n"]}
    square = f"implies({R} * {R} <= j * {S}, 2 * {R} * sqrt(f(j + 1)) <= j * f(j + 1) + {S})"
    p.have(square, hints=["sqrt(f(j + 1))"], **inside)
    p.have(f"{next_R} * {next_R} == {R} * {R} + 2 * {R} * sqrt(f(j + 1)) + f(j + 1)", **inside)
    p.have(f"(j + 1) * {next_S} == j * {S} + j * f(j + 1) + {S} + f(j + 1)", **inside)
    p.induct("j", f"{R} * {R} <= j * {S}", upto="n")
    return request.conclude(
        p.shown(),
        tight=Better(
            "attained by 1^m 2^m ... K^m (`K * m` divides `sqrt(T)`, `2 <= K <= 4`, `m <= 4`): every share "
            "is `1 / (K * m)`",
            Verdict.CHECKED,
            Witness({"K": 2, "m": 2, "horizon": 16, "word": (0, 0, 1, 1), "every N_xy": Fraction(1, 4)}),
        )
        if all(_equal_counts(K, m) for K in range(2, 5) for m in range(1, 5))
        else None,
    )


def _equal_counts(K: int, m: int) -> bool:
    """Does the policy 1^m 2^m ... K^m meet every cell equally often? Then the sum is Km sqrt(1/(Km))."""
    word = tuple(x for x in range(K) for _ in range(m))
    counts = definitions.period_counts(word, m, n=1)
    return all(counts[x, y] == 1 for x in range(K) for y in range(1, m + 1))
