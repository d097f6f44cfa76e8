"""Proposition 1, lower bound: a needle that takes m plays in a row to find.

Stated (label prop1). An action x* is drawn at random, h_{x*}(m) = 0, every other loss is 1. An optimal policy
loses m - 1; a player makes at least mK/64 queries before he observes h_{x*}(m); so E[CPR] >= mK/64 - (m - 1)
>= mK/128 for K above some constant, and "there exists a problem such that any algorithm" has that regret.

Shown. To *test* an action is to play it m times in a row. Tests of different actions share no step, so the
j-th test ends at step jm or later. All losses are 1 until x* is tested, so the order of the tests is fixed in
advance, and x* is equally likely to be any of them. With q = min(K, floor(T/m)) tests, the least expected
loss is

    ( sum over j = 1..q of (jm - 1)  +  (K - q) T ) / K,

attained by testing the actions in turn; minus OPT = min(T, m - 1) this is the exact Bayes regret, m(K - 1)/2
for T >= mK. So mK/128 holds for every K >= 2 and T >= mK, fails for K = 1 and for short T, and the
quantifiers should read "for every algorithm there is a problem". A recursion over beliefs gives the same
numbers on a box.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from proofs_check import definitions
from proofs_check.boxes import binary_tables, needle
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
from proofs_check.computations.alg_det import exploration
from proofs_check.computations.hidden import least_expected_loss
from proofs_check.steps import Step, Verdict
from proofs_check.ways.arguments import settled
from proofs_check.ways.for_all import equal_zero, for_all
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit

WHERE = "Proposition 1, lower bound (prop1)"
STATED = Formula("m * K / 128")
OPTIMUM = Formula("m - 1")
QUERIES, QUERIES_EXACT = Formula("m * K / 64"), Formula("m * (K + 1) / 2")
TESTS = Formula("min(K, floor(T / m))")
BAYES_LOSS = Formula("(q * (q + 1) / 2 * m - q + (K - q) * T) / K")
BAYES_REGRET = Formula("m * (K - 1) / 2")

Size = tuple[int, int, int]  # (K, m, T)


def bayes_regret(actions: int, memory: int, horizon: int) -> Fraction:
    """The exact Bayes regret of the construction, by the formula."""
    q = TESTS(K=actions, m=memory, T=horizon)
    return BAYES_LOSS(q=q, K=actions, m=memory, T=horizon) - min(Fraction(horizon), OPTIMUM(m=memory))


def bayes_regret_by_beliefs(actions: int, memory: int, horizon: int) -> Fraction:
    """The same by the recursion over what a player can know."""
    instances = [_needle_at(x, actions, memory) for x in range(actions)]
    return least_expected_loss(instances, horizon) - least_expected_loss(instances[:1], horizon)


@claim(
    "proposition-1-lower",
    statement=(
        "With x* uniform, h_{x*}(m) = 0 and every other loss 1, the expected complete policy regret of "
        f"every player is at least {STATED}."
    ),
    where=WHERE,
)
def lower(request: Request) -> Outcome:
    """Prove the exact Bayes regret, confirm it by beliefs on a box, and find where it is below mK/128."""
    sizes = list(_box(request))
    differing = [size for size in sizes if bayes_regret(*size) != bayes_regret_by_beliefs(*size)]
    failing = next((size for size in sizes if bayes_regret(*size) < STATED(K=size[0], m=size[1])), None)
    also = next((s for s in sizes if s[0] > 1 and bayes_regret(*s) < STATED(K=s[0], m=s[1])), None)
    steps = [] if differing else regret_steps()
    last_short = _last_failing_horizon(2, 1000)
    return Outcome(
        after_search(failing, _below_by_beliefs),
        "K >= 2 and T >= mK (and in part of T < mK)",
        Evidence(
            "the exact Bayes regret, proved and confirmed by a recursion over beliefs on a box",
            len(sizes),
            (
                *steps,
                f"Formula and beliefs agree at {len(sizes) - len(differing)} of {len(sizes)} sizes (K,m,T).",
                f"The smallest failure with K >= 2 is (K,m,T) = {also}; for K = 2, m = 1000 the bound fails "
                f"up to T = {last_short}; for T < m nobody has any regret.",
                "Against a deterministic player the worst x* is the one he tests last: regret m(K - 1).",
            ),
        ),
        witness=_witness(*failing) if failing else None,
        tight=Tight(
            f"{BAYES_REGRET} for T >= mK: the exact Bayes regret, attained by testing the actions in turn",
            by_proof(steps),
            _witness(2, 1, 2),
        )
        if by_proof(steps) is Verdict.ARGUED
        else None,
        repair=Repair(
            f"For every K >= 2 and T >= mK it is at least {BAYES_REGRET} >= m * K / 4, with no large K.",
            by_proof([*steps, _repaired()] if steps else []),
        ),
    )


@claim(
    "proposition-1-lower/quantifiers",
    statement=(
        "There exists a problem such that the expected complete policy regret of any (possibly randomized) "
        f"algorithm on this problem is at least {STATED}."
    ),
    where=WHERE,
)
def quantifiers(request: Request) -> Outcome:
    """On a fixed table, play an optimal sequence without looking: regret 0, for all tables of a box."""
    tables = [h for K in (1, 2) for m in (1, 2) for h in binary_tables(K, m)]
    regrets = [min(definitions.policy_regret(h, a, _all(h, 4)) for a in _all(h, 4)) for h in tables]
    defeated = all(
        regret < STATED(K=h.actions, m=h.memory) for regret, h in zip(regrets, tables, strict=True)
    )
    best = min(_all(tables[0], 1), key=lambda actions: definitions.total_loss(tables[0], actions))
    zero = definitions.policy_regret(tables[0], best, _all(tables[0], 1))
    return Outcome(
        Verdict.REFUTED if defeated and zero == 0 else Verdict.UNDECIDED,
        "no K, m, T: for every fixed table one algorithm has regret 0",
        Evidence(
            "the algorithm that plays an optimal sequence of the fixed table, whatever it sees",
            len(tables),
            ("Its complete policy regret is 0 by definition, and mK/128 > 0, for every table.",),
        ),
        witness=Witness({"horizon": 1, "algorithm plays": best, "regret": zero}, tables[0]),
        repair=Repair(
            "For every algorithm there exists a problem: what is proved is a bound on the average over x*, "
            f"which is {BAYES_REGRET} for T >= mK (claim proposition-1-lower).",
            by_proof(regret_steps()),
        ),
    )


@claim(
    "proposition-1-lower/queries",
    statement=f"In expectation the player makes at least {QUERIES} queries before observing h_{{x*}}(m).",
    where=WHERE,
)
def queries(request: Request) -> Outcome:
    """The j-th test ends at step jm at the earliest; average over the place of x* among the tests."""
    boxes = [(K, m) for K in range(1, 5) for m in range(1, 4 if K < 4 else 3)]
    by_beliefs = {(K, m): least_expected_loss(_needles(K, m), m * K) + 1 for K, m in boxes}
    agree = all(value == QUERIES_EXACT(K=K, m=m) for (K, m), value in by_beliefs.items())
    failing = next((size for size in boxes if by_beliefs[size] < QUERIES(K=size[0], m=size[1])), None)
    steps = [
        *test_steps(),
        for_all("m K real", given=["m >= 1", "K >= 1"], then=f"{QUERIES_EXACT} >= {QUERIES}"),
    ]
    return Outcome(
        settled(
            failing,
            lambda size: _queries_in_turn(*size) < QUERIES(K=size[0], m=size[1]),
            steps if agree else [Step("beliefs agree", "recursion", False)],
        ),
        "all K and m, T >= mK",
        Evidence(
            "tests in a row, step by step; a recursion over beliefs for K <= 4, m <= 3 (2 if K = 4)",
            len(boxes),
            tuple(steps),
        ),
        witness=_witness(*failing, failing[0] * failing[1]) if failing else None,
        tight=Tight(
            f"{QUERIES_EXACT}, exactly, attained by testing the actions in turn",
            by_proof(steps),
            Witness({"horizon": 4, "queries": by_beliefs[2, 2]}, needle(2, 2)),
        )
        if agree and by_proof(steps) is Verdict.ARGUED
        else None,
    )


def test_steps() -> list[Step]:
    """The j-th test ends at step jm or later, so a query of h_{x*}(m) takes m(K + 1)/2 steps on average."""
    import sympy

    j, m, K = sympy.symbols("j m K", positive=True, integer=True)
    mean = sympy.summation(j * m, (j, 1, K)) / K
    return [
        for_all(
            "t u m integer",
            given=["t < u", "u <= t + m - 1"],
            then="u - m + 1 <= t and t <= u",
            words="tests that end less than m steps apart share the step where the first ends, so they are "
            "of the same action: tests of different actions end m steps apart",
        ),
        for_all(
            "t u j m integer",
            given=["t >= j * m", "u >= t + m"],
            then="u >= (j + 1) * m",
            words="the j-th test ends at step jm or later (from j to j + 1)",
        ),
        equal_zero(
            mean - QUERIES_EXACT.sympy(m=m, K=K),
            words=f"x* is each of the K tests with probability 1/K: the mean of jm is {QUERIES_EXACT}",
        ),
    ]


def regret_steps() -> list[Step]:
    """The exact Bayes loss and regret."""
    import sympy

    j, m, K, q, T = sympy.symbols("j m K q T", positive=True, integer=True)
    loss = (sympy.summation(j * m - 1, (j, 1, q)) + (K - q) * T) / K
    return [
        *test_steps(),
        for_all(
            "t j m T integer",
            given=["t >= j * m", "t <= T"],
            then="t - 1 >= j * m - 1 and T >= j * m - 1",
            words="a player whose j-th test finds x* has lost at least jm - 1, one who never does T",
        ),
        equal_zero(loss - BAYES_LOSS.sympy(m=m, K=K, q=q, T=T), words=f"the mean loss is {BAYES_LOSS}"),
        equal_zero(
            BAYES_LOSS.sympy(m=m, K=K, q=K, T=T) - (m - 1) - BAYES_REGRET.sympy(m=m, K=K),
            words=f"with all K tests (q = K, T >= mK), minus OPT = m - 1, the regret is {BAYES_REGRET}",
        ),
    ]


def _queries_in_turn(actions: int, memory: int) -> Fraction:
    """The mean number of queries when the actions are tested in turn, by replay."""
    explored = exploration(actions, memory)
    needles = _needles(actions, memory)
    first = [
        next(t for t in range(len(explored)) if definitions.step_loss(h, explored, t) == 0) for h in needles
    ]
    return Fraction(sum(first) + len(first), actions)


def _repaired() -> Step:
    return for_all(
        "m K real",
        given=["m >= 1", "K >= 2"],
        then=f"{BAYES_REGRET} >= m * K / 4 and m * K / 4 >= {STATED}",
    )


def _box(request: Request) -> Iterator[Size]:
    """Small K, m, T first."""
    memories = {1: 4, 2: 4, 3: 3, 4: 2} if not request.thorough else {1: 5, 2: 5, 3: 4, 4: 3}
    return (
        (K, m, T) for K, most in memories.items() for m in range(1, most + 1) for T in range(1, m * K + 3)
    )


def _needle_at(x: int, actions: int, memory: int) -> TallyingBandit:
    rows = list(needle(actions, memory).losses)
    return TallyingBandit([*rows[1 : x + 1], rows[0], *rows[x + 1 :]])


def _needles(actions: int, memory: int) -> list[TallyingBandit]:
    return [_needle_at(x, actions, memory) for x in range(actions)]


def _below_by_beliefs(size: Size) -> bool:
    K, m, T = size
    return bayes_regret_by_beliefs(K, m, T) < STATED(K=K, m=m)


def _last_failing_horizon(actions: int, memory: int) -> int:
    """The last T at which the Bayes regret is below the stated bound."""
    bound = STATED(K=actions, m=memory)
    failing = (T for T in range(memory * actions) if bayes_regret(actions, memory, T) < bound)
    return max(failing, default=0)


def _witness(actions: int, memory: int, horizon: int) -> Witness:
    facts = {"horizon": horizon, "Bayes regret": bayes_regret_by_beliefs(actions, memory, horizon)}
    return Witness(facts | {"stated": STATED(K=actions, m=memory)}, needle(actions, memory))


def _all(bandit: TallyingBandit, horizon: int) -> list[definitions.Actions]:
    return list(definitions.everything(bandit, horizon))
