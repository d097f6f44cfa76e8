"""Lemma 6: the policies that survive are nearly optimal.

For s = 1 there is no epoch 0. If C_0 is read as the formula says (n_0 = 1), then A_1 holds all policies, and
with h_1 = 0, h_2 = 1 one of them has gap 1: the event is impossible once 4 C_0 < 1. This is weakest at Km = 2
(K = 1 has no gap) and delta -> 1.
"""

from fractions import Fraction

from proofs_check.paper.lemma_8 import ELIMINATION, MODEL, SETTING, SYMBOLS
from proofs_check.stating import Better, Outcome, Request, Verdict, claim
from tallyplan.games.bounds import WIDTH
from tallyplan.games.schedule import horizon_root

WHERE = "Lemma 6 (lem:opt_gap)"


@claim(
    "lemma-6",
    statement="With probability at least 1 - delta, for all s = 1..S and all pi in A_s, C_(s-1) being "
    "{width}: {stated}.",
    formulas={"width": WIDTH.where(s="s - 1"), "gap": "4 * width", "stated": "mean - mu <= gap"},
    domain={"memory": "m <= sqrt(T)", "first": "s >= 1", "last": "s <= S"},
    assuming=("with probability at least 1 - delta",),
    uses=("lemma-6/chain",),
)
def lemma_6(request: Request) -> Outcome:
    """At s = 1, search the horizons of Algorithm 1 for the first with 4 C_0 < 1 for some delta < 1."""
    deltas = [*(Fraction(tenth, 10) for tenth in range(1, 10)), Fraction(999, 1000)]
    gap = {"K": 2, "m": 1, "s": 1, "mean": 1, "mu": 0}  # of always x_2 and always x_1, h_1 = 0, h_2 = 1
    return request.conclude(
        None,
        box=[
            {**gap, "S": S, "T": horizon_root(2, 1, S) ** 2, "delta": delta}
            for S in range(1, 20)
            for delta in deltas
        ],
        checked_on="s = 1, K = 2, m = 1, the horizons of Algorithm 1",
        repair=Better(
            "On the events of Lemma 7 it holds for s = 2..S, all that is used (claim lemma-6/chain).",
            request.result("lemma-6/chain").outcome.verdict,
        ),
    )


@claim(
    "lemma-6/chain",
    statement="On the events of Lemma 7, for every policy x of A_s: {stated}.",
    where="Lemma 6, steps (i) to (iv) of the proof",
    formulas={
        "stated": "loss_of(x) - loss_of(star) <= 4 * C(s - 1)",
        "attained": "loss_of(x) - loss_of(star) == 4 * C(s - 1)",
    },
    domain={**ELIMINATION, "later": "2 <= s <= S", "survives": "1 <= x <= n and member(x, s) == 1"},
    setting=SETTING,
    symbols={**SYMBOLS, "x": "a policy"},
    model={**MODEL, "s": 2, "x": 2},
    uses=("lemma-8",),
)
def chain(request: Request) -> Outcome:
    """The policy was kept after epoch s - 1, in which pi* was present (Lemma 8)."""
    p = request.proof()
    p.use("lemma-8", j="s - 1")
    errors = {"hat": [[1, 1, 1], [3, 3, 3]], "loss_of": [0, 4], "chosen": [1]}  # of C, in opposite directions
    attained = request.sequent("attained").holds({**MODEL, "s": 2, "x": 2, **errors})
    return request.conclude(
        p.shown(),
        tight=Better("4 is the best factor, given errors up to C", Verdict.CHECKED) if attained else None,
    )
