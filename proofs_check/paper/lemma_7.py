"""Lemma 7: all estimates of an epoch are within C_s.

The Km cells are numbered 1 .. Km, share(c) is N_xy(pi) of cell c, and most(c) the largest share that a policy
of A_s has there.
"""

from fractions import Fraction
from math import comb

from proofs_check.balls import decimal, less
from proofs_check.stating import Better, Outcome, Request, Witness, claim
from tallyplan.formula import Formula
from tallyplan.games.bounds import WIDTH

WHERE = "Lemma 7 (lem:mu_conc)"
MEANS = "the mean of an observation given the past and the action is the loss"
LOG = "log(2 * K * m * S / delta)"
COIN_CONSTANT, FAILURE = Fraction(2, 5), Fraction(1, 10**9)  # below 1/2, and refuted by a fair coin
SIZES = {
    "actions": "K >= 1",
    "memory": "m >= 1",
    "horizon": "T >= 1",
    "epochs": "S >= 1",
    "probability": "0 < delta and delta < 1",
}


@claim(
    "lemma-7",
    statement="For each s, the probability that |muhat_s(pi) - mu(pi)| > {width} for some pi in A_s "
    "satisfies {stated}.",
    formulas={"width": WIDTH, "stated": "missing <= delta / S"},
    domain={**SIZES, "horizon": "sqrt(T) == 4 * K * m * (2**S - 1)"},
    symbols={"missing": "the probability that some estimate of epoch s is off by more than C_s"},
    assuming=(MEANS,),
    uses=("lemma-7/hoeffding", "lemma-7/subset"),
)
def lemma_7(request: Request) -> Outcome:
    """Hoeffding for each cell, a union bound over the Km cells, and then the event is a subset of B_s."""
    shown = request.argue(
        "Each of the Km cells is off by more than C_sxy with probability at most delta / (K m S) "
        "(lemma-7/hoeffding); these add up to delta / S.",
        f"If no cell is, every estimate is within `{request.formulas.width}` (lemma-7/subset).",
    )
    return request.conclude(
        shown,
        remarks=("The paper assumes m <= sqrt(T) only; Algorithm 1 fits these horizons (algorithm-1).",),
        tight=Better("`C_s / 8`: `1 / 2` in place of 32 (claim lemma-7/hoeffding)", shown.verdict),
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
    assuming=("m <= sqrt(T), so that N_xy is well defined (Lemma 2)", MEANS),
)
def hoeffding(request: Request) -> Outcome:
    """Hoeffding's bound from the cumulant, and its best constant; a fair coin refutes a smaller one."""
    f, coin = request.formulas, _fair_coin()
    shown = request.argue(
        "For X in [0,1] with mean p convexity gives E exp(x(X - p)) <= exp(f(x)), f = log(1 - p + p e^x) - "
        "xp; f(0) = f'(0) = 0 and f'' = u(1 - u) <= 1/4, u = p e^x / (1 - p + p e^x), so f <= x^2 / 8.",
        "Markov's inequality at x = 4 w, on both sides: n observations are off by more than w with "
        "probability at most 2 exp(-2 n w^2).",
        f"There are n = `{f.observations}`; with 1/2 in place of 32 in the width 2 n w^2 is `{LOG}`, and "
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


def _fair_coin() -> Witness | None:
    """The fewest throws of a fair coin that this constant does not bound; balls tell what is too far off."""
    width = Formula("sqrt(k / n * log(2 / x))").where(k=str(COIN_CONSTANT), x=str(FAILURE))
    for n in range(1, 100):
        off = (h for h in range(n // 2 + 1, n + 1) if less(width, Formula("h / n - 1 / 2"), n=n, h=h))
        missed = Fraction(2 * sum(comb(n, heads) for heads in range(next(off, n + 1), n + 1)), 2**n)
        if missed > FAILURE:
            told = {"mean": Fraction(1, 2), "allowed failure probability": FAILURE}
            seen = {"failure probability": decimal(Formula("x"), x=missed)}
            return Witness({"constant": COIN_CONSTANT, "n": n, **told, **seen})
    return None
