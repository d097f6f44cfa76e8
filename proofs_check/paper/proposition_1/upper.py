"""Proposition 1, upper bound: the regret of ALG_det under deterministic feedback.

Stated (label prop1). ALG_det plays every action m times in a row, learns every h_x(y), and then plays an
optimal plan for the remaining T - mK steps; its complete policy regret is at most (m + 1) K.

Shown, for K >= 2 and T >= mK. Let OPT play x c_x times in its first m steps: there its tallies are 1 .. c_x,
so it loses the sum A of these m cells, and the exploration, which meets every cell once, loses at most A + mK
- m. From (K, ..., K) play OPT's own actions of the steps mK+1 .. T: the first min(m - 1, T - mK) of them lose
at most 1 each, and from the m-th on the window lies inside, so that they lose what OPT loses there. The
regret is at most (mK - m) + min(m - 1, T - mK) = min(mK - 1, T - m). It is attained by h_1(m) = 0, every
other loss 1.

ALG_det is also played on every {0,1} table of a box, exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from proofs_check import definitions
from proofs_check.bounds import PROPOSITION_1 as STATED
from proofs_check.bounds import PROPOSITION_1_SHARP as SHARP
from proofs_check.boxes import needle, span
from proofs_check.claim import Evidence, Outcome, Request, Tight, Witness, by_proof, claim
from proofs_check.computations.alg_det import exploration, regret_of_alg_det, regrets_of_alg_det
from proofs_check.computations.every_table import EveryTable
from proofs_check.steps import Step, Verdict
from proofs_check.ways.arguments import losses_sum_to_at_most_their_number, settled, window_lies_inside
from proofs_check.ways.for_all import for_all, identity
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

    def bound(self, formula: Formula) -> Fraction:
        """A formula in K, m and T, here."""
        given = {"K": self.bandit.actions, "m": self.bandit.memory, "T": self.horizon}
        return formula(**{name: given[name] for name in formula.names})

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
        "For any problem with deterministic feedback, the complete policy regret of ALG_det is at most "
        f"{STATED}."
    ),
    where="Proposition 1, upper bound (prop1)",
    picture=picture,
)
def upper(request: Request) -> Outcome:
    """Carry out a sharper argument for all K, m and T >= mK; play ALG_det on every {0,1} table of a box."""
    worst = list(largest_regrets(request))
    violation = next((case for case in worst if case.regret > case.bound(STATED)), None)
    steps = regret_steps(STATED)
    verdict = settled(violation, Case.confirmed, steps)
    box = f"every {{0,1}} table with {_listed_sizes()}, T = mK..mK+2m+4"
    return Outcome(
        verdict,
        "all K, m and T >= mK (ALG_det needs mK steps)" if verdict is Verdict.ARGUED else box,
        Evidence(
            "what OPT itself pays for exploring, step by step; ALG_det on every {0,1} table of a box",
            sum(2 ** (K * m) * len(_horizons(K, m)) for K, memories in SIZES for m in memories),
            (*steps, f"Box: {box}. The largest regret there is {max(case.regret for case in worst)}."),
        ),
        witness=violation.witness() if violation else None,
        tight=_tight(worst),
    )


def regret_steps(bound: Formula) -> list[Step]:
    """The argument for a bound in K, m and T; the last step is the only one that uses it."""
    return [
        *exploration_steps(),
        window_lies_inside(
            "start",
            "start + m - 1",
            where="start s t m integer",
            given=["m >= 1"],
            words="OPT's own tail after the exploration: from its m-th step on the window lies inside the "
            "tail, so the loss is OPT's; the first min(m - 1, T - mK) steps lose at most 1 each",
        ),
        for_all(
            "m K T A middle late explored rest OPT real",
            given=[
                "m >= 1",
                "K >= 1",
                "T >= m * K",
                "explored <= A + m * K - m",
                "middle >= 0",
                "rest <= min(m - 1, T - m * K) + late",
                "OPT == A + middle + late",
            ],
            then=f"explored + rest - OPT <= {bound}",
            words="OPT = A (first m steps) + middle + late (steps from mK + m on): the regret is at most "
            f"{bound}",
        ),
    ]


def exploration_steps() -> list[Step]:
    """The exploration loses at most what OPT loses in its first m steps, and mK - m more."""
    return [
        for_all(
            "s t m integer",
            given=["1 <= s", "s <= t", "t <= m"],
            then="s >= t - m + 1",
            words="in its first m steps OPT sees its whole past, so action x has tallies 1, 2, .., c_x and "
            "the steps lose m different cells of the table, in sum A",
        ),
        losses_sum_to_at_most_their_number(),
        identity(
            "m * K - m",
            "m * (K - 1)",
            words="the exploration meets every cell once: A and mK - m other cells, at most 1 each",
        ),
    ]


def attained_steps() -> list[Step]:
    """h_1(m) = 0, every other loss 1, K >= 2: the regret is exactly SHARP."""
    return [
        for_all(
            "t y m integer",
            given=["t <= m - 1", "y <= t"],
            then="y < m",
            words="OPT = m - 1: every policy loses 1 in its first m - 1 steps, and always x_1 nothing after",
        ),
        for_all(
            "t y m integer",
            given=["t >= 1", "t <= m - 1", "y <= t"],
            then="y < m",
            words="after (K, .., K), K >= 2, x_1 is in no window: the first min(m - 1, T - mK) steps lose "
            "1, and always x_1 nothing after; the exploration loses mK - 1",
        ),
        for_all(
            "m K T real",
            given=["m >= 1", "K >= 2", "T >= m * K"],
            then=f"m * K - 1 + min(m - 1, T - m * K) - (m - 1) == {SHARP}",
            words=f"the regret on h_1(m) = 0, every other loss 1, is {SHARP}",
        ),
    ]


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


def _tight(worst: Sequence[Case]) -> Tight | None:
    """The exact supremum: proved from both sides, and met at every (K, m, T) of the box."""
    several = [case for case in worst if case.bandit.actions > 1]
    single = [case for case in worst if case.bandit.actions == 1]
    by_planner = all(
        regret_of_alg_det(needle(K, m), T) == SHARP(K=K, m=m, T=T)
        for K in (2, 3)
        for m in (1, 2, 3)
        for T in (m * K, m * K + m, 10**6)
    )
    met = by_planner and all(case.regret == case.bound(SHARP) for case in several)
    shown = by_proof(regret_steps(SHARP) + attained_steps())
    first = next((case for case in several if case.regret > 0 and case.confirmed()), None)
    if not met or first is None or any(case.regret for case in single) or shown is not Verdict.ARGUED:
        return None
    statement = f"{SHARP} for K >= 2, attained by h_1(m) = 0, every other loss 1; and 0 for K = 1"
    return Tight(statement, shown, first.witness())


def _listed_sizes() -> str:
    return ", ".join(f"K = {K}: m = {span(memories)}" for K, memories in SIZES)
