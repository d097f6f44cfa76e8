"""Lemma 7: all estimates of an epoch are within C_s.

The Km cells are numbered 1 .. Km, share(c) is N_xy(pi) of cell c, and most(c) the largest share that a policy
of A_s has there.
"""

from fractions import Fraction

from proofs_check.computations.fair_coin import too_small
from proofs_check.stating import Better, Outcome, Request, Setting, Verdict, claim, weakest
from tallyplan.games.bounds import WIDTH

WHERE = "Lemma 7 (lem:mu_conc)"
HYPOTHESES = (
    "m <= sqrt(T), so that N_xy is well defined (Lemma 2)",
    "the observations of a cell are independent given the past",
)
LOG = "log(2 * K * m * S / delta)"
COIN_CONSTANT = Fraction(2, 5)  # below 1/2, and refuted by a fair coin
SIZES = {
    "actions": "K >= 1",
    "memory": "m >= 1",
    "horizon": "T >= 1",
    "epochs": "S >= 1",
    "probability": "0 < delta and delta < 1",
}
CELLS = Setting(
    define={
        "cell_width(K, m, L, S, delta, s, v)": f"sqrt(32 / (2**s * v * L) * {LOG})",
        "C(K, m, L, S, delta, s)": f"sqrt(32 * K * m / (2**s * L) * {LOG})",
    },
    variables="v real; share(integer) most(integer) truth(integer) observed(integer) real",
)


@claim(
    "lemma-7",
    statement="For each s, the probability that |muhat_s(pi) - mu(pi)| > {width} for some pi in A_s "
    "satisfies {stated}.",
    formulas={"width": WIDTH, "stated": "missing <= delta / S"},
    domain=SIZES,
    symbols={"missing": "the probability that some estimate of epoch s is off by more than C_s"},
    assuming=HYPOTHESES,
    uses=("lemma-7/hoeffding", "lemma-7/subset"),
)
def lemma_7(request: Request) -> Outcome:
    """Hoeffding for each cell, a union bound over the Km cells, and then the event is a subset of B_s."""
    narrower = request.result("lemma-7/hoeffding").outcome.tight
    return request.conclude(
        request.argue(
            "Each of the Km cells is off by more than C_sxy with probability at most delta / (K m S) "
            "(lemma-7/hoeffding); these add up to delta / S.",
            f"If no cell is, every estimate is within {request.formulas.width} (lemma-7/subset).",
        ),
        tight=narrower
        and Better(
            "`C_s / 8`: `1 / 2` in place of 32 (claim lemma-7/hoeffding)",
            weakest(narrower.verdict, Verdict.ARGUED),
        ),
    )


@claim(
    "lemma-7/hoeffding",
    statement="By Hoeffding's bound, the probability that h_x(y) and the mean of the observations of the "
    "cell differ by more than {width} satisfies {stated}.",
    where="Lemma 7, proof (eqn:helper1)",
    formulas={
        "observations": "2**s * most(c) * sqrt(T)",
        "width": f"sqrt(32 / (observations) * {LOG})",
        "stated": "failing(width) <= delta / (K * m * S)",
    },
    domain={**SIZES, "met": "most(c) > 0"},
    symbols={
        "failing": "failing(w), the probability that the mean of the observations of a cell is off by more "
        "than w",
        "c": "the number of a cell",
        "most": "most(c), the largest share of cell c in a period of a policy of A_s",
    },
    assuming=HYPOTHESES,
)
def hoeffding(request: Request) -> Outcome:
    """Hoeffding's bound from the cumulant, and its best constant; a fair coin refutes a smaller one."""
    f, coin = request.formulas, too_small(COIN_CONSTANT)
    shown = request.argue(
        "For X in [0,1] with mean p convexity gives E exp(x(X - p)) <= exp(f(x)), f = log(1 - p + p e^x) - "
        "xp; f(0) = f'(0) = 0 and f'' = u(1 - u) <= 1/4, u = p e^x / (1 - p + p e^x), so f <= x^2 / 8.",
        "Markov's inequality at x = 4 w, on both sides: n observations are off by more than w with "
        "probability at most 2 exp(-2 n w^2).",
        f"There are n = {f.observations}; with 1/2 in place of 32 in the width 2 n w^2 is {LOG}, and "
        "2 exp(-that) is delta / (K m S).",
    )
    return request.conclude(
        shown,
        remarks=(
            f"The constant {COIN_CONSTANT} is too small, by a fair coin thrown {coin.facts['n']} times.",
        )
        if coin
        else (),
        tight=Better("`1 / 2` in place of 32, exactly what Hoeffding's bound gives", shown.verdict, coin),
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
