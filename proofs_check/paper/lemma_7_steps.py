"""Lemma 7, the steps: the errors of the cells add up to C_s, by two inequalities between their shares."""

from fractions import Fraction
from itertools import product

from proofs_check import definitions
from proofs_check.paper.lemma_7 import LOG
from proofs_check.stating import Better, Outcome, Request, Setting, Verdict, Witness, claim

CELLS = Setting(
    define={
        "cell_width(K, m, L, S, delta, s, v)": f"sqrt(32 / (2**s * v * L) * {LOG})",
        "C(K, m, L, S, delta, s)": f"sqrt(32 * K * m / (2**s * L) * {LOG})",
    },
    variables="r u v g real; share(integer) most(integer) truth(integer) observed(integer) real",
)


@claim(
    "lemma-7/subset",
    statement="If every cell is within C_sxy, then for every pi in A_s {stated} (a subset of 'B').",
    where="Lemma 7, proof",
    formulas={
        "stated": "abs(sum(share(c) * observed(c) for c in between(1, K * m)) "
        "- sum(share(c) * truth(c) for c in between(1, K * m))) <= C(L, S, delta, s)",
    },
    domain={
        "actions": "K >= 1",
        "memory": "m >= 1",
        "root": "L >= 1",
        "epochs": "S >= 1",
        "epoch": "s >= 0",
        "probability": "0 < delta and delta < 1",
        "shares": "sum(share(c) for c in between(1, K * m)) == 1",
        "largest": "all(0 <= share(c) <= most(c) for c in between(1, K * m))",
        "event": "all(implies(share(c) > 0, abs(observed(c) - truth(c)) <= "
        "cell_width(L, S, delta, s, most(c))) for c in between(1, K * m))",
    },
    setting=CELLS,
    symbols={
        "share": "share(c), the share of cell c in a period of the policy",
        "most": "most(c), the largest share of cell c in a period of a policy of A_s",
        "truth": "truth(c), the expected loss of cell c",
        "observed": "observed(c), the mean of the observations of cell c",
    },
    model={"K": 2, "m": 2, "L": 400, "S": 2, "s": 1, "delta": "1/2", "share": ["1/4"], "most": ["1/2"]}
    | {"truth": ["1/2"], "observed": ["1/2", 1]},
    uses=("lemma-7/step-i", "lemma-7/step-ii"),
)
def subset(request: Request) -> Outcome:
    """Each cell by step (i), their sum by induction, and step (ii)."""
    return request.conclude(
        request.argue(
            "A cell of share x > 0 is off by at most C_sxy = U / sqrt(most), U = C_s / sqrt(Km); times x "
            "that is at most U sqrt(x) (lemma-7/step-i).",
            "The sum over the cells is at most U times the sum of the roots of the shares, which is at most "
            "sqrt(Km) (lemma-7/step-ii).",
        ),
        remarks=("The letter B in the proof should be B_s.", "Cells with N_xy = 0 are left out."),
    )


@claim(
    "lemma-7/step-i",
    statement="{stated}, where u is N_xy(pi) and v is N_xy(pi_sxy).",
    where="Lemma 7, proof, step (i)",
    formulas={
        "stated": "u / sqrt(v) <= sqrt(u)",
        "equal": "implies(u / sqrt(v) == sqrt(u), u == 0 or u == v)",
    },
    domain={"counts": "0 <= u <= v", "met": "v > 0"},
    setting=CELLS,
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
    """Is the largest share of a cell y / m, for all words of the box, of one turn of m steps or of two?"""
    for K, m, turns in product((2, 3), range(1, 5 if request.thorough else 4), (1, 2)):
        L = turns * m
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
    setting=CELLS,
    symbols={"n": "the number of cells", "f": "f(s), the share of cell s"},
    model={"n": 2, "f": [1, 4]},
)
def step_ii(request: Request) -> Outcome:
    """Induction on the cells: the square of the sum of the roots is at most n times the sum."""
    p = request.proof()
    known = "r >= 0 and u >= 0 and v >= 0 and g >= 0 and r * r <= u * v"
    p.have(f"implies({known}, (2 * r * g) * (2 * r * g) <= (u * g * g + v) * (u * g * g + v))", all="r u v g")
    R, S = "sum(sqrt(f(s)) for s in between(1, j))", "sum(f(s) for s in between(1, j))"
    p.induct("j", f"{R} >= 0 and {S} >= 0", upto="n")
    next_R = R.replace("(1, j)", "(1, j + 1)")
    inside = {"all": "j", "given": ["0 <= j", "j < n"]}
    square = f"implies({R} * {R} <= j * {S}, 2 * {R} * sqrt(f(j + 1)) <= j * f(j + 1) + {S})"
    p.have(square, hints=["sqrt(f(j + 1))"], **inside)
    p.have(f"{next_R} * {next_R} == {R} * {R} + 2 * {R} * sqrt(f(j + 1)) + f(j + 1)", **inside)
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
