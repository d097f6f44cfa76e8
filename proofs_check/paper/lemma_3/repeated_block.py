"""Lemma 3, the upper end: repeat the best block of an optimal sequence.

Write L = sqrt(T), a for an optimal sequence, cut into L blocks of L steps, and b for the cyclic sequence that
repeats the block that loses least. L times its loss is at most OPT. From the m-th step of a period on, the
window of b lies inside the period, so that b loses there what a lost in the block; the m - 1 steps before
cost at most 1 more each. Hence L mu <= (m - 1) + OPT / L.
"""

from __future__ import annotations

from proofs_check.claim import Request
from proofs_check.steps import Step, conclusions
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.sequences import SIZES, Block, Play, alike, least_block
from tallyplan.formula import Formula

A = Play("a")
B = Block("b", A, "best * L")
VARIABLES = f"{SIZES}; {A.variables}; {B.variables}; best x i j integer; least mu OPT real"


def steps(request: Request, conclusion: Formula) -> list[Step]:
    """The argument; only the last step knows the conclusion."""
    f = request.formulas
    best, no_better = least_block(A, "j")
    blocks = induction(
        VARIABLES,
        on="j",
        start=0,
        upto="L",
        given=[A.begins(), no_better],
        then="a_total(j * L) >= j * least",
        words="j blocks lose at least j times what the best block loses",
    )
    mean = for_all(
        VARIABLES,
        given=[f.period, f.square, blocks.at(j="L"), A.is_optimal()],
        then="L * least <= OPT",
        words="the best block loses at most OPT / L",
    )
    copied = for_all(
        VARIABLES,
        given=["1 <= i", "i <= L", B.copies("L + i"), B.later_periods("i"), B.first_period("i")],
        then="b(L + i) == a(best * L + i)",
        words="the second period of b plays the block",
    )
    repeated = alike(
        VARIABLES,
        B,
        "L",
        A,
        "best * L",
        agree=lambda i: copied.at(i=i),
        given=[f.memory, f.period, best],
        upto="L",
    )
    admitted = for_all(
        VARIABLES,
        given=[f.period, best, B.is_at_least_best(), B.copies("b_any"), A.acts("best * L + b_place(b_any)")],
        then=f"L * mu <= {B.period}",
        words="b is a cyclic policy, so mu is at most its mean",
    )
    period = for_all(
        VARIABLES,
        given=[f.memory, f.period, best, *conclusions(admitted), repeated.totals.at(i="L")],
        then="L * mu <= least + m - 1",
        words="a period of b loses at most m - 1 more than the block",
    )
    return [
        *(blocks, mean, copied, *repeated.steps, admitted, period),
        for_all(
            VARIABLES,
            given=[f.memory, f.period, f.square, *conclusions(mean, period)],
            then=conclusion,
            words="L periods",
        ),
    ]
