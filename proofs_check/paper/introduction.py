"""Remarks before the main results, and special cases that the paper names."""

from proofs_check.paper.counterexample_3 import COMPETITOR, DEFINED, OTHER
from proofs_check.stating import Better, Outcome, Request, Setting, claim

WORDS = [[1], [2], [1, 2], [2, 1, 1]]


@claim(
    "introduction/oblivious",
    statement="When m = 1, for a fixed class of competitors the policy regret equals the traditional regret: "
    "a competitor loses after its own history what it is charged after the player's, {stated}.",
    where="Restricting the adversary, before Counterexample 1",
    formulas={"stated": "total(e, T) == charged(a, e, T)"},
    domain={"horizon": "T >= 0"},
    setting=Setting(define=DEFINED, m="1"),
    symbols=COMPETITOR,
    model={"T": 3, "a": [1, 2], "e": [2], "h": [[1], ["1/2"]]},
)
def oblivious(request: Request) -> Outcome:
    """Every tally is 1."""
    p = request.proof()
    p.induct("t", "total(e, t) == charged(a, e, t)")
    return request.conclude(p.shown())


@claim(
    "introduction/stochastic",
    statement="In the stochastic bandit, m = 1, a policy has zero constant action regret if and only if it "
    "has zero complete policy regret: always the best action x is optimal, {stated}.",
    where="Section 1, and Section 3 before Counterexample 3",
    formulas={"stated": "total(always(x), T) == OPT(T)"},
    domain={
        "action": "1 <= x <= K",
        "best": "all(h(x, 1) <= h(z, 1) for z in between(1, K))",
        "horizon": "T >= 0",
    },
    setting=Setting(define=DEFINED, m="1"),
    symbols={"x": "an action of least loss"},
    model={"K": 2, "T": 3, "x": 1, "h": [["1/3"], ["1/2"]]},
)
def stochastic(request: Request) -> Outcome:
    """No step of any sequence loses less than the best action."""
    p = request.proof()
    p.induct("t", "total(always(x), t) <= total(best(T), t)")
    return request.conclude(p.shown())


@claim(
    "introduction/special-cases",
    statement="Rotting, improving, single-peaked and congested bandits of memory m are tallying bandits: "
    "with a loss f_x that depends only on how often x was played in the last m steps, taken as the table h, "
    "{stated}.",
    where="Sections 1, 3 and 5",
    formulas={"stated": "total(a, T) == sum(h(a(s), tally(a, s)) for s in between(1, T))"},
    domain={"memory": "m >= 1", "horizon": "T >= 0"},
    setting=Setting(define={"tally(a, m, t)": "count(a, a(t), t) - count(a, a(t), t - m)"}),
    model={"m": 2, "T": 3, "a": [1, 2], "h": [[0, 1], [1, "1/2"]]},
)
def special_cases(request: Request) -> Outcome:
    """Any rows: increasing are rotting or congested, decreasing improving, unimodal single-peaked."""
    p = request.proof()
    p.induct("t", "total(a, t) == sum(h(a(s), tally(a, s)) for s in between(1, t))")
    return request.conclude(p.shown())


@claim(
    "introduction/restricted",
    statement="When the adversary is g-restricted, it is straightforward to achieve CPR bounds that are "
    "sublinear in T and depend exponentially on m: some player has {stated}, whatever T is.",
    where="Restricting the adversary, before Counterexample 2",
    formulas={"stated": "regret <= m * K**m + m - 1"},
    domain={"actions": "K >= 1", "memory": "m >= 1", "horizon": "T >= 1"},
    symbols={"regret": "the complete policy regret of the player who tries all windows first"},
    assuming=("feedback without noise",),
)
def restricted(request: Request) -> Outcome:
    """Try all K^m windows, which takes m steps each; then do as well as an optimal sequence would."""
    return request.conclude(
        request.argue(
            "Playing all windows of m actions takes m K^m steps, or the game ends before, at losses of at "
            "most 1. All losses of full windows are known then; playing on as an optimal sequence does costs "
            "the same as it from the m-th step on, and at most 1 more in each of the m - 1 steps before.",
        ),
        remarks=("With noise each window must be tried often; that is not carried out here.",),
    )


@claim(
    "introduction/experts-regret",
    statement="Algorithms with expert advice would guarantee O(T^(3/4)) CPR. The step between, not printed "
    "there: what bounds their regret, the traditional regret, bounds the complete policy regret. For always "
    "x_1 on h_1 = (1/2, 1/2), h_2 = (1, 0), against the competitor e: {stated}.",
    where="Section 4.1, before Algorithm 1",
    formulas={
        "stated": "total(always(1), T) - OPT(T) <= max(0, total(always(1), T) - charged(always(1), e, T))",
    },
    domain={"horizon": "T >= 1", "competitor": "plays(e, T)"},
    setting=OTHER,
    symbols=COMPETITOR,
    model={"T": 2, "e": [1]},
    uses=("introduction/oblivious", "counterexample-3/or-traditional"),
)
def experts_regret(request: Request) -> Outcome:
    """Play x_1 forever on a table where this has no traditional regret."""
    ever = request.result("counterexample-3/or-traditional").outcome
    return request.conclude(
        None,
        box={"T": range(1, 9), "e": WORDS},
        remarks=(
            "For every T >= 2 the traditional regret is 0 against all of X^T, and the complete policy regret "
            f"T/2 - 1: {ever.verdict} (claim counterexample-3/or-traditional).",
            "The exponent is right: sqrt(KT log N) with N = K^sqrt(T) is T^(3/4) sqrt(K log K).",
        ),
        repair=Better(
            "For `m == 1` the two regrets are equal (claim introduction/oblivious).",
            request.result("introduction/oblivious").outcome.verdict,
        ),
    )
