"""Proposition 1, the last line of the proof of the upper bound.

Stated. mK + m minus what OPT loses in the steps mK+1 .. m(K+1) is at most (m + 1) K.

Shown. That needs m <= K: if the table is 0, OPT loses nothing and mK + m > (m + 1) K for m > K. The
proposition itself stands for all m (`proposition-1-upper`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from proofs_check import definitions
from proofs_check.boxes import binary_tables
from proofs_check.certified import certified_plan
from proofs_check.claim import Outcome, Repair, Request, Tight, claim
from proofs_check.steps import Verdict, weakest
from proofs_check.ways.for_all import for_all
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import replay
from tallyplan.model.words import expand

SIZES = tuple((K, m) for K in range(1, 4) for m in range(1, 4))


@dataclass(frozen=True)
class Case:
    """One table at T = m(K + 1), and what the planner's optimal policy loses in the last m steps."""

    bandit: TallyingBandit
    tail: Fraction

    @property
    def horizon(self) -> int:
        """The last step of the line."""
        return self.bandit.memory * (self.bandit.actions + 1)

    def satisfies(self, formula: Formula) -> bool:
        """Whether the formula holds here."""
        return self._holds(formula, self.tail)

    def _holds(self, formula: Formula, tail: Fraction) -> bool:
        return formula.holds(K=self.bandit.actions, m=self.bandit.memory, tail=tail)

    def witness(self) -> Witness:
        """For the reader."""
        return Witness({"horizon": self.horizon, "tail": self.tail}, self.bandit)


@dataclass(frozen=True)
class Failing(Case):
    """A table at which the line fails, whichever optimal policy is meant."""

    stated: Formula

    def confirmed(self) -> bool:
        """Every optimal policy, by the definitions."""
        bandit, first = self.bandit, self.bandit.memory * self.bandit.actions
        least = definitions.optimum(bandit, self.horizon)
        tails = [
            sum((definitions.step_loss(bandit, a, t) for t in range(first, self.horizon)), Fraction(0))
            for a in definitions.everything(bandit, self.horizon)
            if definitions.total_loss(bandit, a) == least
        ]
        return not any(self._holds(self.stated, tail) for tail in tails)


@claim(
    "proposition-1-upper/last-step",
    statement=(
        "{stated}, where tail is the loss of an optimal policy in the steps mK+1 .. m(K+1) (the last line of "
        "the proof)."
    ),
    where="Proposition 1, proof of the upper bound (prop1)",
    formulas={
        "stated": "m * K + m - tail <= (m + 1) * K",
        "holds": "implies(m <= K, stated)",
        "fails": "implies(m > K and tail == 0, not (stated))",
    },
    domain={"actions": "K >= 1", "memory": "m >= 1", "losses": "tail >= 0"},
    integers="K m",
    symbols={"tail": "what an optimal policy loses in the steps mK+1 .. m(K+1)"},
    uses=("proposition-1-upper",),
)
def last_step(request: Request) -> Outcome:
    """Evaluate the line at T = m(K+1) on every {0,1} table, smallest K and m first; z3 where it holds."""
    f = request.formulas
    cases = [case for case in _cases(request) if all(case.satisfies(one) for one in request.domain)]
    failing = [case for case in cases if not case.satisfies(f.stated)]
    sizes = dict.fromkeys((case.bandit.actions, case.bandit.memory) for case in failing)
    exactly = {
        name: request.show(name, [for_all("K m integer", given=request.domain, then=getattr(f, name))])
        for name in ("holds", "fails")
    }
    violation = Failing(failing[0].bandit, failing[0].tail, f.stated) if failing else None
    return request.conclude(
        None,
        method="search over {0,1} tables; the witness tried on every optimal policy",
        cases=len(cases),
        checked_on="every {0,1} table with K, m <= 3, T = m(K+1)",
        violation=violation,
        remarks=(
            f"Of K, m <= 3 the line fails at (K,m) = {', '.join(map(str, sizes)) or 'no size'}.",
            *(step for one in exactly.values() for step in one.steps),
        ),
        tight=Tight(
            "m <= K, exactly: for m > K the table h = 0 breaks it",
            weakest(*(one.verdict for one in exactly.values())),
            violation.witness(),
        )
        if violation
        else None,
        repair=Repair(
            "The proposition stands, with m * K - 1 (claim proposition-1-upper). Bound the exploration by "
            "what OPT itself pays: it loses at most mK - m more than OPT in its first m steps.",
            request.result("proposition-1-upper").outcome.shown.get("sharp", Verdict.UNDECIDED),
        ),
    )


def _cases(request: Request) -> Iterator[Case]:
    for K, m in SIZES:
        request.progress(f"proposition-1-upper/last-step: K = {K}, m = {m}")
        for bandit in binary_tables(K, m):
            yield Case(bandit, sum(_optimal_losses(bandit)[m * K :], Fraction(0)))


def _optimal_losses(bandit: TallyingBandit) -> list[Fraction]:
    """The losses, step by step, of the planner's optimal policy for T = m(K+1)."""
    actions = expand(certified_plan(bandit, bandit.memory * (bandit.actions + 1)).runs)
    return [replay(bandit, [action], actions[:t]) for t, action in enumerate(actions)]
