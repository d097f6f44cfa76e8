"""Lemma 3, the lower end: the best cyclic policy from the empty history, and a table that attains it.

Write L = sqrt(T) and w for the best cyclic policy. From its m-th step on, w loses at step t what it loses at
step L + t; so T steps from the start lose at most m - 1 more than T steps after the first period, which lose
T mu, as every period but the first loses the same where m <= L + 1. OPT is not more than what w loses.

With h_1(m) = 0 and every other loss 1, no window of the first m - 1 steps holds m actions, so every sequence
loses m - 1 there, while always playing action 1 loses nothing from step m on: mu is 0.
"""

from __future__ import annotations

from proofs_check.claim import Request
from proofs_check.steps import Step, conclusions
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.sequences import SIZES, Cyclic, Play, alike, always_one, needle
from tallyplan.formula import Formula

A, W, ONES = Play("a"), Cyclic("w"), Cyclic("o")
VARIABLES = f"{SIZES}; {A.variables}; {W.variables}; {ONES.variables}; x i j t integer; mu OPT real"


def steps(request: Request, conclusion: Formula) -> list[Step]:
    """The argument; only the last step knows the conclusion."""
    f = request.formulas
    start = alike(
        VARIABLES,
        W,
        "0",
        W,
        "L",
        agree=lambda i: W.repeats(i),
        given=[f.memory, f.well_defined],
    )
    later = induction(
        VARIABLES,
        on="t",
        start="L",
        given=[
            *(f.memory, f.well_defined),
            W.adds("t + 1"),
            W.adds("t + L + 1"),
            start.losses.at(i="t + 1"),
        ],
        then=f"w_total(t + L) - w_total(t) == {W.period}",
        words="every L steps after the first period lose what the second period loses",
    )
    periods = induction(
        VARIABLES,
        on="j",
        start=0,
        given=[*(f.memory, f.well_defined), W.is_best(), later.at(t="j * L + L")],
        then="w_total(j * L + L) - w_total(L) == j * L * mu",
        words="j periods after the first lose j L mu",
    )
    admitted = for_all(
        VARIABLES,
        given=[W.is_at_least_optimal(), W.acts("w_any")],
        then="OPT <= w_total(T)",
        words="OPT is not more than what w loses in T steps",
    )
    return [
        *(*start.steps, later, periods, admitted),
        for_all(
            VARIABLES,
            given=[
                *(f.memory, f.square, f.well_defined),
                W.begins(),
                start.totals.at(i="T"),
                periods.at(j="L"),
                *conclusions(admitted),
            ],
            then=conclusion,
            words="T steps from the start lose at most m - 1 more than T steps after the first period",
        ),
    ]


def attained(request: Request, conclusion: Formula, lower: Step) -> list[Step]:
    """On the needle the lower end is attained; the other direction is the lower end itself."""
    f = request.formulas
    few = induction(
        VARIABLES,
        on="t",
        start=0,
        given=[A.begins_to_count("x"), A.counts("x", "t + 1")],
        then="a_count(x, t) <= t",
        words="in t steps nothing is played more than t times",
    )
    opening = induction(
        VARIABLES,
        on="t",
        start=0,
        upto="m - 1",
        given=[
            A.begins(),
            A.adds("t + 1"),
            A.loses("t + 1"),
            needle("a(t + 1)", "a_count(a(t + 1), t + 1) - a_count(a(t + 1), max(t + 1 - m, 0))"),
            A.begins_to_count("a(t + 1)"),
            few.at(x="a(t + 1)", t="t + 1"),
        ],
        then="a_total(t) == t",
        words="no tally of the first m - 1 steps is m, so all of them lose 1",
    )
    least = induction(
        VARIABLES,
        on="t",
        start="m - 1",
        given=[f.memory, opening.at(t="m - 1"), A.adds("t + 1"), A.bounded("t + 1")],
        then="a_total(t) >= m - 1",
        words="every sequence loses m - 1",
    )
    plays = induction(
        VARIABLES,
        on="t",
        start=0,
        given=[ONES.begins_to_count("1"), ONES.counts("1", "t + 1"), always_one(ONES, "t + 1")],
        then="o_count(1, t) == t",
        words="always playing 1 has played it t times",
    )
    zero = induction(
        VARIABLES,
        on="i",
        start=0,
        given=[
            *(f.memory, f.well_defined),
            ONES.adds("L + i + 1"),
            ONES.loses("L + i + 1"),
            needle("1", "m"),
            plays.at(t="L + i + 1"),
            plays.at(t="L + i + 1 - m"),
            always_one(ONES, "L + i + 1"),
        ],
        then="o_total(L + i) == o_total(L)",
        words="from the second period on it loses nothing",
    )
    mu = for_all(
        VARIABLES,
        given=[
            *(f.memory, f.well_defined, f.actions),
            ONES.is_at_least_best(),
            always_one(ONES, "o_any"),
            zero.at(i="L"),
        ],
        then="L * mu <= 0",
        words="so mu is at most 0",
    )
    return [
        *(few, opening, least, plays, zero, mu),
        for_all(
            VARIABLES,
            given=[*request.domain, A.is_optimal(), least.at(t="T"), *conclusions(mu, lower)],
            then=conclusion,
            words="T mu is at most 0 and OPT at least m - 1",
        ),
    ]
