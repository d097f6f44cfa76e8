"""Whether an answer of ours proves itself: by the independent checker or, when large, by its test in numpy.

Words and plans are added up from the definitions; the potentials are evaluated on every edge with numpy.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

import tallyplan as tp
from proofs_check.definitions import step_loss, total_loss
from tallyplan.answers import CyclicPolicy, MeanCycle, Plan
from tallyplan.certificates import PotentialsOnHistories
from tallyplan.model.graph import StateGraph
from tallyplan.model.words import Runs

CHECKER_STATES = 10**5  # beyond, the standard-library checker takes too long
CHECKER_EDGES = 2 * 10**8  # about half a minute; beyond, the verdict is "undecided"


@dataclass(frozen=True)
class LeastLoss:
    """The least loss of T steps from the empty history, without a plan: what the peers compute."""

    bandit: tp.TallyingBandit
    horizon: int
    value: Fraction


def verdict(answer: Plan | MeanCycle | CyclicPolicy | LeastLoss) -> str:
    """'accepted', 'refused: ...', 'undecided: ...' or, for a large answer, what was verified."""
    bandit = answer.bandit
    assert isinstance(bandit, tp.TallyingBandit)
    if isinstance(answer, LeastLoss):
        planned = tp.optimal_plan(bandit, answer.horizon).value
        return "a plan replays to it" if planned == answer.value else "refused: a plan has another value"
    if StateGraph(bandit).states <= CHECKER_STATES:
        found = tp.check(answer.certificate, limit=CHECKER_EDGES)
        return found.status if found else f"{found.status}: {found.reason}"
    if isinstance(answer, Plan):
        total = sum_of_runs(bandit, answer.runs)
        return "plan replayed" if total == answer.value else "refused: the plan does not cost what is claimed"
    if isinstance(answer.proof, PotentialsOnHistories):
        if mean_of_word(bandit, answer.word) != answer.value:
            return "refused: the word does not attain the value"
        return potentials_verdict(StateGraph(bandit), answer.proof, answer.value)
    return "not checked: too large"


def potentials_verdict(graph: StateGraph, proof: PotentialsOnHistories, value: Fraction) -> str:
    """Whether scale*(loss - value) + phi(s') - phi(s) >= 0 on every edge."""
    multiplier, subtract = Fraction(proof.scale, graph.denominator), proof.scale * value
    if multiplier.denominator != 1 or subtract.denominator != 1:
        return "refused: the scale does not make the reduced costs integers"
    phi = np.asarray(proof.potentials)
    largest = max(abs(int(phi.max())), abs(int(phi.min())))
    if multiplier * graph.highest_cost + abs(subtract) + 2 * largest >= 2**63:
        return "undecided: beyond 64 bits"
    after = phi.astype(np.int64).reshape(graph.rests, graph.actions)
    before = phi.astype(np.int64).reshape(graph.dropped, graph.rests, 1)
    for plane, potentials in zip(graph.edge_costs(np.int32), before, strict=True):
        if (plane.astype(np.int64) * int(multiplier) - int(subtract) + after - potentials).min() < 0:
            return "refused: a reduced cost is negative"
    return "potentials hold on every edge"


def mean_of_word(bandit: tp.TallyingBandit, word: Sequence[int]) -> Fraction:
    """The loss per step of a word repeated forever: that of its last turn, once the window is full."""
    actions = tuple(word) * (bandit.memory // len(word) + 2)
    last_turn = range(len(actions) - len(word), len(actions))
    return sum((step_loss(bandit, actions, t) for t in last_turn), Fraction(0)) / len(word)


def sum_of_runs(bandit: tp.TallyingBandit, runs: Runs) -> Fraction:
    """The loss of a plan, step by step where it has at most a million steps."""
    if sum(len(word) * repeats for word, repeats in runs) > 10**6:
        return tp.replay_runs(bandit, runs)
    return total_loss(bandit, [action for word, repeats in runs for _ in range(repeats) for action in word])
