"""The minimum mean cycle: the least long-run loss per step, lambda*, exactly.

Every policy's long-run mean is that of a cycle of the state graph, so lambda* is the least mean of a cycle.
Keep the best word known, with integer cost S over l steps, and run Bellman-Ford on the edge costs l*cost -
S from zero potentials, keeping for every state the action that last lowered it:

- a cycle of this *parent graph* has a negative sum, hence a mean below S/l: it is the new best word, and we
  start again;
- a sweep that changes nothing leaves potentials phi with  l*cost(s, a) - S + phi(s') - phi(s) >= 0  on
  every edge. Along any cycle the potentials cancel, so no mean is below S/l: they are the certificate.

The best single-run word is usually optimal already, and then only the second case occurs.

Numbers: let W bound |l*cost - S|. From every state a walk of m-1 steps leads to every other. So if no mean
is below S/l, no walk costs less than -(m-1) W (it could be closed to a cycle), and potentials stay above the
*floor* -(m-1) W - 1. They are not lowered beyond it. If one stands on it when nothing changes any more, then
every state, m-1 steps from there, is below zero and so has a parent: the parent graph has a cycle.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from tallyplan.certificate import document
from tallyplan.errors import InternalError
from tallyplan.graph import Array, StateGraph
from tallyplan.instance import Bandit, TallyingBandit
from tallyplan.limits import Progress, require_memory, silent
from tallyplan.planning.single_run import best_word_of
from tallyplan.planning.sweeps import NO_PARENT, Sweeps, follow, make_sweeps
from tallyplan.sequences import Word, mean_of_word

CHECK = 16  # sweeps before the first search for a parent cycle, and between two of them
VECTORS = 4  # potentials, parents, marks of the cycle search, the verifying sweep


@dataclass(frozen=True)
class MeanCycle:
    """The answer to `minimum_mean_cycle`.

    Attributes
    ----------
    value : lambda*, the least long-run loss per step.
    word : a word that attains it when repeated for ever.
    scale, potentials : scale*(loss - value) + potential(successor) - potential(state) >= 0 on every edge,
        states by code.
    certificate : the document that `tallyplan.check` verifies.
    """

    bandit: Bandit = field(repr=False)
    value: Fraction
    word: Word
    scale: int = field(repr=False)
    potentials: Array = field(repr=False, compare=False)

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """Built on first use; its size is that of the potentials."""
        return document(
            self.bandit,
            claim={"question": "mean-cycle"},
            value=self.value,
            primal={"word": list(self.word)},
            dual={"scale": self.scale, "potentials": self.potentials.tolist()},
        )


def minimum_mean_cycle(bandit: Bandit, *, progress: Progress = silent) -> MeanCycle:
    """The least long-run loss per step over all policies, a word that attains it, and potentials that prove
    it.

    Parameters
    ----------
    bandit : any instance; K^(m-1) states must fit in memory.
    progress : called with a line of words now and then.

    Returns
    -------
    MeanCycle, its word replayed and its potentials verified on every edge before it is returned.

    Raises
    ------
    InstanceTooLarge : before anything is allocated.

    Notes
    -----
    Memory: 4 vectors over the states for large tallying bandits (no edge is stored), K^m edge costs
    otherwise. Time: O(n) a sweep; the number of sweeps is instance dependent, typically tens.

    Examples
    --------
    >>> from tallyplan import TallyingBandit
    >>> answer = minimum_mean_cycle(TallyingBandit([["0", "1"], ["0", "1"]]))
    >>> answer.value, answer.word
    (Fraction(0, 1), (0, 1))
    >>> minimum_mean_cycle(TallyingBandit([["2/7"]])).value  # K = m = 1
    Fraction(2, 7)
    """
    graph = StateGraph(bandit)
    require_memory(
        4 * VECTORS * graph.states, actions=graph.actions, length=graph.memory - 1, what="histories"
    )
    word: Word | None = _first_word(graph)
    while word is not None:
        best = word
        sweeps, cost, floor = _reduced(graph, best)
        potentials, word = _bellman_ford(sweeps, floor, progress)
    value = Fraction(cost, len(best) * graph.denominator)
    _verify(bandit, sweeps, potentials, best, value)
    return MeanCycle(bandit, value, best, len(best) * graph.denominator, potentials)


def _first_word(graph: StateGraph) -> Word:
    bandit = graph.bandit
    if isinstance(bandit, TallyingBandit):
        return best_word_of(graph)[1]
    return min(((action,) for action in range(bandit.actions)), key=lambda word: mean_of_word(bandit, word))


def _reduced(graph: StateGraph, word: Word) -> tuple[Sweeps, int, int]:
    """Sweeps over l*cost - S for a word of length l and cost S; S; and the floor for potentials."""
    length = len(word)
    cost = graph.scaled(mean_of_word(graph.bandit, word) * length)
    widest = length * max(1, graph.highest_cost)
    sweeps = make_sweeps(
        graph, 2 * (graph.memory + 2) * widest, vectors=VECTORS, multiplier=length, subtract=cost
    )
    return sweeps, cost, -(graph.memory - 1) * widest - 1


def _bellman_ford(sweeps: Sweeps, floor: int, progress: Progress) -> tuple[Array, Word | None]:
    """Potentials at a fixed point and None, or whatever they are and a strictly better word."""
    graph = sweeps.graph
    potentials: Array = np.zeros(graph.states, dtype=sweeps.kind)
    parents = np.full(graph.states, NO_PARENT, dtype=np.int16)
    sweep = 0
    while sweeps.relax(potentials, parents, floor):
        sweep += 1
        progress(f"minimum mean cycle: sweep {sweep} over {graph.states} histories")
        if sweep % CHECK == 0:
            state = sweeps.parent_cycle(parents)
            if state >= 0:
                return potentials, follow(graph, parents, state)
    if int(potentials.min()) > floor:
        return potentials, None
    state = sweeps.parent_cycle(parents)
    if state < 0:
        raise InternalError("a potential reached its floor without a cycle; please report this instance.")
    return potentials, follow(graph, parents, state)


def _verify(bandit: Bandit, sweeps: Sweeps, potentials: Array, word: Word, value: Fraction) -> None:
    """The word has the value; the Bellman step (other code) does not lower the potentials."""
    lowered, shift = sweeps.power(potentials, 1)
    if mean_of_word(bandit, word) != value or not bool(np.all(lowered + shift >= potentials)):
        raise InternalError(
            "the minimum mean cycle failed its own verification; please report this instance."
        )
