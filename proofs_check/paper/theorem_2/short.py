"""Theorem 2, its remarks: long memories, what it rules out, and m = 1.

Stated. By Proposition 1 one may assume m <= T/100, because for m > T/100 the regret is linear in T. The
theorem rules out bounds of the form poly(m, K) + K sqrt(T). For m = 1 it recovers the classical bound
sqrt(KT).

Shown. The needle of Proposition 1 does not give the first: its regret is (1 - 1/K)(T - m + 1) for m <= T < 2m
and 0 for T < m. A lower threshold does: let h_{x*}(y) = 1 for y < theta and 0 for y >= theta, every other
loss 1, with theta = min(m, ceil(T/2)). Before step 2 theta at most one action has been played theta times,
and as all losses are 1 until x* has, that action is fixed in advance: it is x* with probability at most 1/K.
So E[loss] >= (1 - 1/K) (2 theta - 1) + (1/K)(theta - 1), while always x* loses theta - 1: the regret is at
least (1 - 1/K) theta >= T/200.
"""

from __future__ import annotations

from fractions import Fraction

from proofs_check.boxes import needle
from proofs_check.claim import (
    Evidence,
    Outcome,
    Repair,
    Request,
    Tight,
    Witness,
    after_search,
    by_proof,
    claim,
)
from proofs_check.computations.hidden import least_expected_loss
from proofs_check.paper.proposition_1.lower import bayes_regret, bayes_regret_by_beliefs
from proofs_check.steps import Step, Verdict
from proofs_check.ways.for_all import for_all, identity
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit

WHERE = "Theorem 2 and the text around it (thm:lower)"
THRESHOLD = Formula("min(m, ceil(T / 2))")
THRESHOLD_REGRET = Formula("(1 - 1 / K) * theta")
ADDITIVE = Formula("K * sqrt(T)")


@claim(
    "theorem-2/short-horizons",
    statement=(
        "Due to Proposition 1 one can assume m <= T/100, because the regret scales linearly with T for m > "
        "T/100: on its construction E[CPR] >= c T."
    ),
    where=WHERE,
)
def short_horizons(request: Request) -> Outcome:
    """Look for a regret that is no constant fraction of T; prove a linear bound with a lower threshold."""
    box = [(K, m, T) for K in (2, 3) for m in range(1, 5) for T in range(1, 9) if 100 * m > T]
    failing = next((size for size in box if bayes_regret(*size) == 0), None)
    thresholds = {size: threshold_regret(*size) for size in box}
    met = all(value >= _bound(*size) for size, value in thresholds.items())
    steps = threshold_steps()
    long = bayes_regret(2, 1000, 1000)
    return Outcome(
        after_search(failing, lambda size: bayes_regret_by_beliefs(*size) == 0),
        "not for m > T/2; a constant fraction of mK for T >= mK",
        Evidence(
            "the exact Bayes regret of the construction; of a lower threshold, by beliefs on a box",
            len(box),
            (
                f"At K = 2, T = m = 1000 the regret of the needle is {long}, no constant fraction of T.",
                *steps,
                f"With the lower threshold the exact Bayes regret is at least {THRESHOLD_REGRET} at all "
                f"{len(box)} sizes (K,m,T) of the box: {'yes' if met else 'no'}.",
            ),
        ),
        witness=Witness(
            {"horizon": failing[2], "Bayes regret": bayes_regret(*failing)}, needle(failing[0], failing[1])
        )
        if failing
        else None,
        repair=Repair(
            "It is linear in T by another construction: h_{x*}(y) = 0 from y = theta on, every other "
            f"loss 1, with theta = {THRESHOLD}: E[CPR] >= {THRESHOLD_REGRET} >= T / 200 for K >= 2 and m > "
            "T/100.",
            by_proof(steps) if met else Verdict.UNDECIDED,
        ),
    )


@claim(
    "theorem-2/rules-out",
    statement=f"The bound c sqrt(mKT) shows that a regret of poly(m, K) + O({ADDITIVE}) is impossible.",
    where=WHERE,
)
def rules_out(request: Request) -> Outcome:
    """Compare the two bounds for all K, m and T: where is sqrt(mKT) the larger one, and by how much?"""
    steps = [
        for_all(
            "a c K m L p root real",
            given=[
                "a > 0",
                "c > 0",
                "K >= 1",
                "p >= 0",
                "m * c * c >= 4 * a * a * K",
                "root > 0",
                "L > 0",
                "root * root == m * K * L * L",
                "a * K * L > p",
            ],
            then="c * root > p + a * K * L",
            words="for m >= 4 (a/c)^2 K and L = sqrt(T) > p/(aK): c sqrt(mKT) > p + a K sqrt(T)",
        ),
    ]
    only = for_all(
        "m K T real",
        given=["m >= 1", "K >= 1", "T >= 1", "m <= K"],
        then="m * K * T <= K * K * T",
        words=f"for m <= K the bound sqrt(mKT) is at most {ADDITIVE}: it rules out nothing there",
    )
    return Outcome(
        by_proof(steps),
        "through m much larger than K",
        Evidence("z3, for all real values", 2, (*steps, only)),
        tight=Tight("nothing is ruled out for m <= K", by_proof([only])),
    )


@claim(
    "theorem-2/memory-one",
    statement="For m = 1 the tallying bandit is the stochastic bandit, and the bound is the classical c "
    "sqrt(KT).",
    where=WHERE,
)
def memory_one(request: Request) -> Outcome:
    """Set m = 1: the maximum is the root for T >= K; the repaired construction has K arms there."""
    steps = [
        for_all(
            "K T root real",
            given=["K >= 1", "T >= K", "root >= 0", "root * root == K * T"],
            then="max(K, root) == root",
            words="max{K, sqrt(KT)} = sqrt(KT) for T >= K",
        ),
        for_all(
            "t s integer",
            given=["s >= t - 1 + 1", "s <= t"],
            then="s == t",
            words="m = 1: the window is the current step, the tally is 1 and the loss h_x(1)",
        ),
        identity("K * (0 + 1)", "K", words="N = K (floor(1/24) + 1) = K arms"),
    ]
    return Outcome(
        by_proof(steps),
        "m = 1, K >= 2, T >= K",
        Evidence(
            "the statement at m = 1",
            len(steps),
            (
                *steps,
                "The printed proof takes m large and 24 | m; with theorem-2/set-size repaired it covers m "
                "= 1.",
            ),
        ),
    )


def threshold_steps() -> list[Step]:
    """The argument for theta <= m, 2 theta - 1 <= T."""
    return [
        for_all(
            "t theta one two integer",
            given=["one >= theta", "two >= theta", "one + two <= t"],
            then="t >= 2 * theta",
            words="before step 2 theta at most one action has been played theta times",
        ),
        identity(
            "(1 - 1 / K) * (2 * theta - 1) + (theta - 1) / K - (theta - 1)",
            str(THRESHOLD_REGRET),
            words=f"it is x* with probability at most 1/K: the regret is at least {THRESHOLD_REGRET}",
        ),
        for_all(
            "m T half theta integer",
            given=["m >= 1", "T >= 1", "2 * half <= T + 1", "2 * half >= T", "theta == min(m, half)"],
            then="theta <= m and 2 * theta - 1 <= T",
            words=f"theta = {THRESHOLD} is at most m and (T + 1)/2",
        ),
        for_all(
            "m T half theta K real",
            given=["m >= 1", "T >= 1", "2 * half >= T", "theta == min(m, half)", "K >= 2", "100 * m > T"],
            then=f"{THRESHOLD_REGRET} >= T / 200",
            words=f"{THRESHOLD_REGRET} >= T/200 for K >= 2, m > T/100",
        ),
    ]


def threshold_regret(actions: int, memory: int, horizon: int) -> Fraction:
    """The exact Bayes regret with the lower threshold, by the recursion over beliefs."""
    theta = int(THRESHOLD(m=memory, T=horizon))
    low = [int(y < theta) for y in range(1, memory + 1)]
    instances = [
        TallyingBandit([low if x == hidden else [1] * memory for x in range(actions)])
        for hidden in range(actions)
    ]
    return least_expected_loss(instances, horizon) - least_expected_loss(instances[:1], horizon)


def _bound(actions: int, memory: int, horizon: int) -> Fraction:
    return THRESHOLD_REGRET(K=actions, theta=THRESHOLD(m=memory, T=horizon))
