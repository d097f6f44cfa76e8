"""Proposition 1, upper bound: the regret of ALG_det under deterministic feedback.

Stated (label prop1). ALG_det plays every action m times in a row, learns every h_x(y), and then plays an
optimal plan for the remaining T - mK steps; its complete policy regret is at most (m + 1) K.

Shown, for K >= 2 and T >= mK. Let OPT play x c_x times in its first m steps: there its tallies are 1 .. c_x,
so it loses the sum A of these m cells, and the exploration, which meets every cell once, loses at most A + mK
- m. From (K, ..., K) play OPT's own actions of the steps mK+1 .. T: the first min(m - 1, T - mK) of them lose
at most 1 each, and from the m-th on the window lies inside, so that they lose what OPT loses there. The
regret is at most (mK - m) + min(m - 1, T - mK) = min(mK - 1, T - m). It is attained by h_1(m) = 0, every
other loss 1.

The last line of the printed proof bounds mK + m - (what OPT loses in the steps mK+1 .. m(K+1)) by (m + 1) K,
which needs m <= K; the proposition itself stands for all m.

ALG_det is also played on every {0,1} table of a box, exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from proofs_check import definitions
from proofs_check.alg_det import exploration, regret_of_alg_det, regrets_of_alg_det
from proofs_check.arguments import losses_sum_to_at_most_their_number, settled, window_lies_inside
from proofs_check.boxes import binary_tables, needle, span
from proofs_check.claim import (
    Evidence,
    Outcome,
    Repair,
    Request,
    Step,
    Tight,
    Verdict,
    Witness,
    after_search,
    by_proof,
    claim,
)
from proofs_check.every_table import EveryTable
from proofs_check.exact import certified_plan
from proofs_check.formula import Formula
from proofs_check.universal import for_all, identity
from tallyplan.instance import TallyingBandit
from tallyplan.sequences import expand, replay

STATED = Formula("(m + 1) * K")
SHARP = Formula("min(T - m, m * K - 1)")
LAST_STEP = Formula("m * K + m - tail")
EXPLORATION = Formula("head + m * K - m")

SIZES = ((1, range(1, 7)), (2, range(1, 7)), (3, range(1, 5)))  # K and its memories
LAST_STEP_SIZES = tuple((K, m) for K in range(1, 4) for m in range(1, 4))
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
    from proofs_check.plots.proposition_1 import draw

    draw(path)


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
        "all K, m and T >= mK (ALG_det needs mK steps)" if verdict is Verdict.PROVED else box,
        Evidence(
            "what OPT itself pays for exploring, step by step; ALG_det on every {0,1} table of a box",
            sum(2 ** (K * m) * len(_horizons(K, m)) for K, memories in SIZES for m in memories),
            (*steps, f"Box: {box}. The largest regret there is {max(case.regret for case in worst)}."),
        ),
        witness=violation.witness() if violation else None,
        tight=_tight(worst),
    )


@claim(
    "proposition-1-upper/last-step",
    statement=(
        f"{LAST_STEP} <= {STATED}, where tail is the loss of an optimal policy in the steps mK+1 .. m(K+1) "
        "(the last line of the proof)."
    ),
    where="Proposition 1, proof of the upper bound (prop1)",
)
def last_step(request: Request) -> Outcome:
    """Evaluate the line at T = m(K+1) on every {0,1} table, smallest K and m first; prove where it holds."""
    failures: dict[tuple[int, int], Witness] = {}
    cases = 0
    for bandit in _tables(request):
        K, m = bandit.actions, bandit.memory
        tail = sum(_optimal_losses(bandit)[m * K :], Fraction(0))
        left, right = LAST_STEP(K=K, m=m, tail=tail), STATED(K=K, m=m)
        cases += 1
        if left > right and (K, m) not in failures:
            facts = {"horizon": m * (K + 1), "tail": tail, "left": left, "right": right}
            failures[K, m] = Witness(facts, bandit)
    smallest = next(iter(failures.values()), None)
    exactly_there = _needs_few_memories()
    return Outcome(
        after_search(smallest, _fails_for_every_optimal_policy),
        "m <= K, and only there" if by_proof(exactly_there) is Verdict.PROVED else "K, m <= 3",
        Evidence(
            "search over {0,1} tables; the witness tried on every optimal policy",
            cases,
            (
                f"Of K, m <= 3 the line fails at (K,m) = {', '.join(map(str, failures)) or 'no size'}.",
                *exactly_there,
            ),
        ),
        witness=smallest,
        tight=Tight("m <= K, exactly: for m > K the table h = 0 breaks it", by_proof(exactly_there), smallest)
        if smallest and by_proof(exactly_there) is Verdict.PROVED
        else None,
        repair=_repair() if smallest else None,
    )


def regret_steps(bound: Formula) -> list[Step]:
    """The argument for a bound in K, m and T; the last step is the only one that uses it."""
    return [
        *exploration_steps(),
        window_lies_inside(
            "start", "start + m - 1", where="start s t m integer", given=["m >= 1"],
            name="OPT's own tail after the exploration: from its m-th step on the window lies inside the "
            "tail, so the loss is OPT's; the first min(m - 1, T - mK) steps lose at most 1 each",
        ),
        for_all(
            "m K T A middle late explored rest OPT real",
            given=["m >= 1", "K >= 1", "T >= m * K", "explored <= A + m * K - m", "middle >= 0",
                   "rest <= min(m - 1, T - m * K) + late", "OPT == A + middle + late"],
            then=f"explored + rest - OPT <= {bound}",
            name=f"OPT = A (first m steps) + middle + late (steps from mK + m on): the regret is at most {bound}",
        ),
    ]  # fmt: skip


def exploration_steps() -> list[Step]:
    """The exploration loses at most what OPT loses in its first m steps, and mK - m more."""
    return [
        for_all(
            "s t m integer", given=["1 <= s", "s <= t", "t <= m"], then="s >= t - m + 1",
            name="in its first m steps OPT sees its whole past, so action x has tallies 1, 2, .., c_x and "
            "the steps lose m different cells of the table, in sum A",
        ),
        losses_sum_to_at_most_their_number(),
        identity("m * K - m", "m * (K - 1)",
                 name="the exploration meets every cell once: A and mK - m other cells, at most 1 each"),
    ]  # fmt: skip


def attained_steps() -> list[Step]:
    """h_1(m) = 0, every other loss 1, K >= 2: the regret is exactly SHARP."""
    return [
        for_all(
            "t y m integer", given=["t <= m - 1", "y <= t"], then="y < m",
            name="OPT = m - 1: every policy loses 1 in its first m - 1 steps, and always x_1 nothing after",
        ),
        for_all(
            "t y m integer", given=["t >= 1", "t <= m - 1", "y <= t"], then="y < m",
            name="after (K, .., K), K >= 2, x_1 is in no window: the first min(m - 1, T - mK) steps lose 1, "
            "and always x_1 nothing after; the exploration loses mK - 1",
        ),
        for_all(
            "m K T real", given=["m >= 1", "K >= 2", "T >= m * K"],
            then=f"m * K - 1 + min(m - 1, T - m * K) - (m - 1) == {SHARP}",
            name=f"the regret on h_1(m) = 0, every other loss 1, is {SHARP}",
        ),
    ]  # fmt: skip


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
    """The exact supremum: proved from above and below, met at every (K, m, T) of the box and by the planner."""
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
    if not met or first is None or any(case.regret for case in single) or shown is not Verdict.PROVED:
        return None
    statement = f"{SHARP} for K >= 2, attained by h_1(m) = 0, every other loss 1; and 0 for K = 1"
    return Tight(statement, shown, first.witness())


def _tables(request: Request) -> Iterator[TallyingBandit]:
    for K, m in LAST_STEP_SIZES:
        request.progress(f"proposition-1-upper/last-step: K = {K}, m = {m}")
        yield from binary_tables(K, m)


def _listed_sizes() -> str:
    return ", ".join(f"K = {K}: m = {span(memories)}" for K, memories in SIZES)


def _optimal_losses(bandit: TallyingBandit) -> list[Fraction]:
    """The losses, step by step, of the planner's optimal policy for T = m(K+1)."""
    actions = expand(certified_plan(bandit, bandit.memory * (bandit.actions + 1)).runs)
    return [replay(bandit, [action], actions[:t]) for t, action in enumerate(actions)]


def _fails_for_every_optimal_policy(witness: Witness) -> bool:
    """Whichever optimal policy the proof takes, the line fails there, by the definitions."""
    bandit = witness.bandit
    assert isinstance(bandit, TallyingBandit)
    K, m, T = bandit.actions, bandit.memory, witness.facts["horizon"]
    least = definitions.optimum(bandit, T)
    optimal = [a for a in definitions.everything(bandit, T) if definitions.total_loss(bandit, a) == least]
    tails = [
        sum((definitions.step_loss(bandit, actions, t) for t in range(m * K, T)), Fraction(0))
        for actions in optimal
    ]
    return all(LAST_STEP(K=K, m=m, tail=tail) > STATED(K=K, m=m) for tail in tails)


def _needs_few_memories() -> list[Step]:
    """The line holds for m <= K whatever the tail, and fails for m > K when the tail is 0."""
    return [
        for_all("m K tail real", given=["m <= K", "tail >= 0"], then=f"{LAST_STEP} <= {STATED}"),
        for_all("m K tail real", given=["m > K", "tail == 0"], then=f"{LAST_STEP} > {STATED}"),
    ]


def _repair() -> Repair:
    combined = for_all(
        "m K tail head explored rest real",
        given=["K >= 1", "m >= 1", f"explored <= {EXPLORATION}", "rest <= m", "tail >= 0", "head >= 0"],
        then=f"explored + rest - head - tail <= m * K and m * K <= {STATED}",
    )
    return Repair(
        "The proposition stands (claim proposition-1-upper). Bound the exploration by what OPT itself pays: "
        f"all h_x(y) sum to at most {EXPLORATION}, head being OPT's loss in its first m steps. Then the same "
        "proof gives m * K, for all m and K.",
        by_proof([*exploration_steps(), combined]),
    )
