"""Lemma 8: the best cyclic policy is never eliminated.

Stated (label lem:pi_star_in_As). If |muhat_s(pi) - mu(pi)| <= C_s for all s and all pi in A_s (the events B_s
of Lemma 7), then pi* is in every A_s, and 0 <= muhat_s(pi*) - muhat_s(pihat_s) <= 2 C_s.

Proved by the induction of the paper, the sets A_s being in the formulas: pi* is in A_1, which holds all
policies; and if pi* is in A_j, then its excess is at most 2 C_j, and that is the rule by which it stays in
A_{j+1}.

Checked as well, on all sets A_s that an adversary can bring about on a box (`elimination`), which also shows
that no threshold below 2 C_s would do.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from proofs_check.claim import Formulas, Outcome, Request, Tight, claim
from proofs_check.computations.elimination import RULE, Elimination, box, eliminations, play
from proofs_check.steps import Fact, Verdict
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.sequences import definition
from proofs_check.witness import Witness
from tallyplan.formula import Formula

STATED = Formula("2 * C")
EVENT = Formula("abs(hat(p, j) - loss_of(p)) <= C(j)")
STRICTER = Fraction(1, 100)  # by this share of C_s, to see that no smaller threshold will do
VARIABLES = (
    "member(integer, integer) best(integer) star p j s integer; "
    "hat(integer, integer) loss_of(integer) C(integer) real"
)
SYMBOLS = {
    "good": "1 on the events B_1, B_2, .. of Lemma 7, else 0",
    "member": "member(p, j), 1 if policy p is in A_j, else 0",
    "hat": "hat(p, j), the estimate of policy p in epoch j",
    "loss_of": "loss_of(p), the true loss per step of policy p",
    "best": "best(j), the policy of A_j with the least estimate",
    "star": "a policy of least true loss",
    "p": "a policy",
}


def event(f: Formulas, p: str, j: str) -> Fact:
    """On the events, the estimates of the policies of A_j are right up to C_j."""
    right = f.event.where(p=p, j=j)
    return definition(
        "the events of Lemma 7", f"implies(good == 1 and {j} >= 1 and member({p}, {j}) == 1, {right})"
    )


def stays(f: Formulas, p: str, j: str) -> Fact:
    """Line 19 of Algorithm 1: which policies stay in A_(j+1)."""
    kept = f"hat({p}, {j}) <= hat(best({j}), {j}) + {f.rule.where(j=j)}"
    return definition(
        "A_(j+1)",
        f"implies({j} >= 1, (member({p}, {j} + 1) == 1) == (member({p}, {j}) == 1 and {kept}))",
    )


def least(p: str, j: str) -> Fact:
    """If A_j is not empty, best(j) is in it, and no policy of A_j has a smaller estimate."""
    return definition(
        "the least estimate",
        f"implies(member({p}, {j}) == 1, "
        f"member(best({j}), {j}) == 1 and hat(best({j}), {j}) <= hat({p}, {j}))",
    )


def star_is_best(p: str) -> Fact:
    """No policy has a smaller true loss than pi*."""
    return definition("pi*", f"loss_of(star) <= loss_of({p})")


@dataclass(frozen=True)
class Lost:
    """An epoch in which pi* is eliminated, or its excess is too large."""

    epoch: Elimination
    rule: Formula

    def witness(self) -> Witness:
        """For the reader."""
        return self.epoch.witness()

    def confirmed(self) -> bool:
        """Played again from the definitions, the same policies survive."""
        one = self.epoch
        return play(one.bandit, one.width, one.words, one.errors, self.rule) == one


@claim(
    "lemma-8",
    statement=(
        "If {event} for every epoch j and every policy p of A_j, and A_(j+1) keeps those whose estimate is "
        "at most {rule} above the least one, then pi* is in every A_j, and 0 <= muhat_j(pi*) - "
        "muhat_j(pihat_j) <= {excess}: {stated}."
    ),
    where="Lemma 8 (lem:pi_star_in_As)",
    formulas={
        "event": EVENT,
        "rule": RULE.where(C="C(j)"),
        "excess": STATED.where(C="C(j)"),
        "stated": "member(star, j) == 1 and 0 <= hat(star, j) - hat(best(j), j) and "
        "hat(star, j) - hat(best(j), j) <= excess",
    },
    domain={"on_event": "good == 1", "first": "j >= 1"},
    integers="j star",
    symbols={**SYMBOLS, "j": "an epoch"},
)
def lemma_8(request: Request) -> Outcome:
    """The induction by z3; and every A_s that an adversary can bring about on a box, exactly."""
    f = request.formulas
    known = [
        *(event(f, "star", "j"), event(f, "best(j)", "j"), least("star", "j"), star_is_best("best(j)")),
        definition("A_1, which holds all policies", "member(star, 1) == 1"),
    ]
    survives = induction(
        VARIABLES,
        on="j",
        start=1,
        given=[f.on_event, *known, stays(f, "star", "j")],
        then="member(star, j) == 1",
        words="pi* is in A_1, and stays",
    )
    stated = for_all(VARIABLES, given=[*request.domain, *known, survives.at()], then=f.stated)
    rule, allowed = (one.put("C(j)", "C") for one in (f.rule, f.excess))
    played = list(eliminations(rule, request, "lemma-8"))
    bad = next((one for one in played if not one.survives or one.excess > allowed(C=one.width)), None)
    worst = max(played, key=lambda one: one.excess / one.width)
    return request.conclude(
        request.show("stated", [survives, stated]),
        method="induction on the epochs, z3; all small A_s enumerated",
        cases=len(played),
        checked_on=box(request),
        violation=bad and Lost(bad, rule),
        remarks=(f"The largest excess of pi* on the box is {worst.excess / worst.width} C.",),
        tight=_tight(worst, rule, allowed),
    )


def _tight(worst: Elimination, rule: Formula, allowed: Formula) -> Tight | None:
    """2 C_s, if it is attained and the same epoch with a slightly smaller threshold eliminates pi*."""
    smaller = Formula(f"({rule}) - C * {STRICTER.numerator} / {STRICTER.denominator}")
    again = play(worst.bandit, worst.width, worst.words, worst.errors, smaller)
    if worst.excess != allowed(C=worst.width) or again.survives:
        return None
    return Tight(
        f"{allowed} is attained; a smaller threshold eliminates pi*", Verdict.CHECKED, worst.witness()
    )
