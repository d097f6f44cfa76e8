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
from proofs_check.ways.inductions import later_periods, loses_on_the_needle, plays_only
from proofs_check.ways.sequences import SIZES, Cyclic, Play, alike, always, needle
from tallyplan.formula import Formula

A, W, ONES = Play("a"), Cyclic("w"), Cyclic("o")
VARIABLES = f"{SIZES}; {A.variables}; {W.variables}; {ONES.variables}; x i j t integer; mu OPT real"


def steps(request: Request, conclusion: Formula) -> list[Step]:
    """The argument; only the last step knows the conclusion."""
    f = request.formulas
    given = [f.memory, f.well_defined]
    start = alike(VARIABLES, W, "0", W, "L", agree=W.repeats, given=given)
    later, periods = later_periods(VARIABLES, W, start.losses, "mu", W.is_best(), given)
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
                *(f.memory, f.square, f.well_defined, W.begins()),
                *(start.totals.at(i="T"), periods.at(j="L")),
                *conclusions(admitted),
            ],
            then=conclusion,
            words="T steps from the start lose at most m - 1 more than T steps after the first period",
        ),
    ]


def attained(request: Request, conclusion: Formula, lower: Step) -> list[Step]:
    """On the needle the lower end is attained; the other direction is the lower end itself."""
    f = request.formulas
    everybody = loses_on_the_needle(VARIABLES, A, f.memory)
    plays = plays_only(VARIABLES, ONES)
    zero = induction(
        VARIABLES,
        on="i",
        start=0,
        given=[
            *(f.memory, f.well_defined, ONES.adds("L + i + 1"), ONES.loses("L + i + 1")),
            *(plays.at(t="L + i + 1"), plays.at(t="L + i + 1 - m")),
            *(always(ONES, "1", "L + i + 1"), needle("1", "m")),
        ],
        then="o_total(L + i) == o_total(L)",
        words="from the second period on it loses nothing",
    )
    mu = for_all(
        VARIABLES,
        given=[
            *(f.memory, f.well_defined, f.actions),
            *(ONES.is_at_least_best(), always(ONES, "1", "o_any"), zero.at(i="L")),
        ],
        then="L * mu <= 0",
        words="so mu is at most 0",
    )
    return [
        *(*everybody, plays, zero, mu),
        for_all(
            VARIABLES,
            given=[*request.domain, A.is_optimal(), everybody[-1].at(t="T"), *conclusions(mu, lower)],
            then=conclusion,
            words="T mu is at most 0 and OPT at least m - 1",
        ),
    ]
