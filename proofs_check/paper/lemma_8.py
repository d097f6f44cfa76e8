"""Lemma 8: the best cyclic policy is never eliminated.

Stated (label lem:pi_star_in_As). If |muhat_s(pi) - mu(pi)| <= C_s for all s and all pi in A_s (the events B_s
of Lemma 7), then pi* is in every A_s, and 0 <= muhat_s(pi*) - muhat_s(pihat_s) <= 2 C_s.

Proved by the induction of the paper: pi* is in A_1, which holds all policies; and if pi* is in A_s, then
muhat_s(pi*) - muhat_s(pihat_s) <= 2 C_s follows from three linear inequalities (z3), and that is the rule by
which pi* stays in A_{s+1}.

Checked as well, on all sets A_s that an adversary can bring about on a box (`elimination`), which also shows
that no threshold below 2 C_s would do.
"""

from __future__ import annotations

from fractions import Fraction

from proofs_check.claim import Outcome, Request, Tight, claim
from proofs_check.computations.elimination import RULE, Elimination, box, eliminations, play
from proofs_check.steps import Step, Verdict
from proofs_check.ways.analysis import proof
from proofs_check.ways.for_all import for_all
from tallyplan.formula import Formula

STATED = Formula("2 * C")
SMALLER = Fraction(1, 100)


@claim(
    "lemma-8",
    statement=(
        "On the events B_1..B_S, pi* is in every A_s, and 0 <= muhat_s(pi*) - muhat_s(pihat_s) <= "
        f"{STATED}, C = C_s."
    ),
    where="Lemma 8 (lem:pi_star_in_As)",
)
def lemma_8(request: Request) -> Outcome:
    """The induction step by z3; and every A_s that an adversary can bring about on a box, exactly."""
    played = list(eliminations(RULE, request, "lemma-8"))
    bad = next((one for one in played if not one.survives or one.excess > STATED(C=one.width)), None)
    worst = max(played, key=lambda one: one.excess / one.width)
    enumerated = Step(
        f"pi* survives on {box(request)}", f"enumeration ({len(played)} worst epochs)", bad is None
    )
    steps = [*induction_steps(), enumerated]
    return proof(
        steps,
        "any K, m, T and any A_s",
        method="induction, its step by z3; all small A_s enumerated",
        said=(f"The largest excess of pi* on the box is {worst.excess / worst.width} C.",),
        violation=None if bad is None else bad.witness(),
        tight=_tight(worst),
    )


def induction_steps() -> list[Step]:
    """From pi* in A_s to pi* in A_{s+1}, on the event B_s."""
    return [
        for_all(
            "best besthat mu muhat C real",
            given=["best <= mu", "abs(besthat - best) <= C", "abs(muhat - mu) <= C"],
            then=f"besthat - muhat <= {STATED}",
            words=f"muhat(pi*) - muhat(pihat) <= {STATED}, since mu(pi*) <= mu(pihat), both errors <= C",
        ),
        for_all(
            "excess C real",
            given=[f"excess <= {STATED}"],
            then=f"excess <= {RULE}",
            words=f"an excess of at most {STATED} keeps pi* in A_(s+1), whose rule is {RULE}",
        ),
    ]


def _tight(worst: Elimination) -> Tight | None:
    """2 C_s, if it is attained and the same epoch with a slightly smaller threshold eliminates pi*."""
    smaller = Formula(f"({RULE}) - C * {SMALLER.numerator} / {SMALLER.denominator}")
    again = play(worst.bandit, worst.width, worst.words, worst.errors, smaller)
    if worst.excess != STATED(C=worst.width) or again.survives:
        return None
    return Tight(
        f"{STATED} is attained; a smaller threshold eliminates pi*", Verdict.CHECKED, worst.witness()
    )
