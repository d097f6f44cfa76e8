"""Proposition 1, the last line of the proof of the upper bound.

Stated. mK + m minus what OPT loses in the steps mK+1 .. m(K+1) is at most (m + 1) K.

Shown. That needs m <= K: if the table is 0, OPT loses nothing and mK + m > (m + 1) K for m > K. The
proposition itself stands for all m (`proposition-1-upper`).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from proofs_check import definitions
from proofs_check.boxes import binary_tables
from proofs_check.certified import certified_plan
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
from proofs_check.paper.proposition_1.upper import exploration_steps
from proofs_check.steps import Step, Verdict
from proofs_check.ways.for_all import for_all
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import replay
from tallyplan.model.words import expand

STATED = Formula("(m + 1) * K")
LAST_STEP = Formula("m * K + m - tail")
EXPLORATION = Formula("head + m * K - m")
SIZES = tuple((K, m) for K in range(1, 4) for m in range(1, 4))


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
        "m <= K, and only there" if by_proof(exactly_there) is Verdict.ARGUED else "K, m <= 3",
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
        if smallest and by_proof(exactly_there) is Verdict.ARGUED
        else None,
        repair=_repair() if smallest else None,
    )


def _tables(request: Request) -> Iterator[TallyingBandit]:
    for K, m in SIZES:
        request.progress(f"proposition-1-upper/last-step: K = {K}, m = {m}")
        yield from binary_tables(K, m)


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
        "The proposition stands (claim proposition-1-upper). Bound the exploration by what OPT itself "
        f"pays: all h_x(y) sum to at most {EXPLORATION}, head being OPT's loss in its first m steps. Then "
        "the same proof gives m * K, for all m and K.",
        by_proof([*exploration_steps(), combined]),
    )
