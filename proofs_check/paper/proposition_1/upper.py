"""Proposition 1, upper bound: the regret of ALG_det under deterministic feedback.

Stated (label prop1). ALG_det plays every action m times in a row, learns every h_x(y), and then plays an
optimal plan for the remaining T - mK steps; its complete policy regret is at most (m + 1) K.

Shown, for all K, m and T >= mK, the model being in the formulas (`exploration`). The exploration loses at
most mK - m more than OPT in its first m steps. From (K, ..., K) play OPT's own actions of the steps mK+1 ..
T: the first min(m - 1, T - mK) of them lose at most 1 each, and from the m-th on the window lies inside, so
that they lose what OPT loses there. The regret is at most (mK - m) + min(m - 1, T - mK) = min(mK - 1, T - m).
It is attained for K >= 2 by h_1(m) = 0, every other loss 1.

ALG_det is also played on every {0,1} table of a box, exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from proofs_check import definitions
from proofs_check.bounds import PROPOSITION_1 as STATED
from proofs_check.bounds import PROPOSITION_1_SHARP as SHARP
from proofs_check.boxes import first_failing, needle, span
from proofs_check.claim import Outcome, Request, Tight, claim
from proofs_check.computations.alg_det import exploration, regret_of_alg_det, regrets_of_alg_det
from proofs_check.computations.every_table import EveryTable
from proofs_check.paper.proposition_1.exploration import NEEDLE_VARIABLES, needle_steps, regret_steps
from proofs_check.steps import Step, conclusions
from proofs_check.ways.for_all import for_all
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit

SIZES = ((1, range(1, 7)), (2, range(1, 7)), (3, range(1, 5)))  # K and its memories
SMALL_ENOUGH = 2**13


@dataclass(frozen=True)
class Case:
    """One instance, one horizon, and the regret of ALG_det there."""

    bandit: TallyingBandit
    horizon: int
    regret: Fraction

    def satisfies(self, formula: Formula) -> bool:
        """Whether a formula in K, m, T and loss - OPT holds here; only that difference is known."""
        K, m = self.bandit.actions, self.bandit.memory
        return formula.holds(K=K, m=m, T=self.horizon, loss=self.regret, OPT=0)

    def witness(self) -> Witness:
        """For the reader."""
        return Witness({"horizon": self.horizon, "regret": self.regret}, self.bandit)

    def confirmed(self) -> bool:
        """Is this the regret when every continuation and every sequence is tried, by the definitions?"""
        if self.bandit.actions**self.horizon > SMALL_ENOUGH:
            return False
        explored = tuple(exploration(self.bandit.actions, self.bandit.memory))
        rest = definitions.everything(self.bandit, self.horizon - len(explored))
        loss = min(definitions.total_loss(self.bandit, (*explored, *actions)) for actions in rest)
        return self.regret == loss - definitions.optimum(self.bandit, self.horizon)


def picture(path: str) -> None:
    """The regret of ALG_det on every {0,1} table, as histograms."""
    from proofs_check.pictures.proposition_1 import draw

    draw(path, STATED, SHARP)


@claim(
    "proposition-1-upper",
    statement=(
        "For any problem with deterministic feedback, the complete policy regret of ALG_det, which needs mK "
        "steps, is at most {bound}: {stated}."
    ),
    where="Proposition 1, upper bound (prop1)",
    picture=picture,
    formulas={
        "bound": STATED,
        "stated": "loss - OPT <= bound",
        "sharper": SHARP,
        "sharp": "loss - OPT <= sharper",
        "attained": "implies(K >= 2, loss - OPT == sharper)",
    },
    domain={"actions": "K >= 1", "memory": "m >= 1", "horizon": "T >= m * K"},
    integers="K m T",
    uses=("proposition-1-lower/optimum",),
)
def upper(request: Request) -> Outcome:
    """Carry out a sharper argument for all K, m and T >= mK; play ALG_det on every {0,1} table of a box."""
    f = request.formulas
    worst = list(largest_regrets(request))
    return request.conclude(
        request.show("stated", regret_steps(request, f.stated)),
        method="what OPT itself pays for exploring, by induction; ALG_det on every {0,1} table of a box",
        cases=sum(2 ** (K * m) * len(_horizons(K, m)) for K, memories in SIZES for m in memories),
        checked_on=f"every {{0,1}} table with {_listed_sizes()}, T = mK..mK+2m+4",
        violation=first_failing(worst, f.stated),
        remarks=(
            f"The largest regret of the box is {max(case.regret for case in worst)}; for K = 1 it is "
            f"{max(case.regret for case in worst if case.bandit.actions == 1)}.",
        ),
        tight=_tight(request, worst),
    )


def attained_steps(request: Request, sharp: Sequence[Step]) -> list[Step]:
    """h_1(m) = 0, every other loss 1, K >= 2: the regret is the sharper bound."""
    f = request.formulas
    optimum = request.quote("proposition-1-lower/optimum", "exact")
    on_needle = needle_steps(request, optimum)
    given = [*request.domain, *conclusions(sharp[-1], on_needle[-1])]
    return [*sharp, *on_needle, for_all(NEEDLE_VARIABLES, given=given, then=f.attained)]


def largest_regrets(request: Request) -> Iterator[Case]:
    """For each (K, m, T) of the box, the first table with the largest regret."""
    for K, memories in SIZES:
        for m in memories:
            request.progress(f"proposition-1-upper: every table with K = {K}, m = {m}")
            tables = EveryTable(K, m)
            for T, regrets in regrets_of_alg_det(tables, _horizons(K, m)).items():
                row = int(regrets.argmax())
                yield Case(tables.bandit(row), T, Fraction(int(regrets[row])))


def _horizons(actions: int, memory: int) -> range:
    return range(memory * actions, memory * actions + 2 * memory + 5)


def _tight(request: Request, worst: Sequence[Case]) -> Tight | None:
    """The exact supremum: shown from both sides, and met at every (K, m, T) of the box with K >= 2."""
    f = request.formulas
    sharp = regret_steps(request, f.sharp)
    request.show("sharp", sharp)
    attained = request.show("attained", attained_steps(request, sharp))
    planned = [
        Case(needle(K, m), T, regret_of_alg_det(needle(K, m), T))
        for K in (2, 3)
        for m in (1, 2, 3)
        for T in (m * K, m * K + m, 10**6)
    ]
    met = all(case.satisfies(f.attained) for case in [*planned, *worst])
    first = next((case for case in worst if case.regret > 0 and case.confirmed()), None)
    if not met or first is None:
        return None
    statement = f"{f.sharper}, attained for every K >= 2 by h_1(m) = 0, every other loss 1"
    return Tight(statement, attained.verdict, first.witness())


def _listed_sizes() -> str:
    return ", ".join(f"K = {K}: m = {span(memories)}" for K, memories in SIZES)
