"""The minimum mean cycle on the state graph, by integer Bellman-Ford.

Every policy's long-run mean is that of a cycle of the state graph, so lambda* is the least mean of a cycle.
Keep the best word known, with integer cost S over l steps, and run Bellman-Ford on the edge costs l*cost -
S from zero potentials, keeping for every state the action that last lowered it:

- a cycle of this *parent graph* has a negative sum, hence a mean below S/l: it is the new best word, and we
  start again;
- a sweep that changes nothing leaves potentials phi with  l*cost(s, a) - S + phi(s') - phi(s) >= 0  on
  every edge. Along any cycle the potentials cancel, so no mean is below S/l: they are the certificate.

The best single-run word is usually optimal already, and then only the second case occurs.

Numbers: let W bound |l*cost - S|. From every state a walk of m-1 steps leads to every other. So if no mean
is below S/l, no walk costs less than -(m-1) W (it could be closed to a cycle), and potentials stay above
the *floor* -(m-1) W - 1. They are not lowered beyond it. If one is at the floor when nothing changes any
more, then every state, m-1 steps from there, is below zero and so has a parent: the parent graph has a
cycle.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import gcd

import numpy as np

from tallyplan.answers import MeanCycle
from tallyplan.certificates import PotentialsOnHistories
from tallyplan.errors import InstanceTooLarge, InternalError
from tallyplan.limits import Progress, require_memory, silent
from tallyplan.model.graph import Array, StateGraph
from tallyplan.model.instance import Bandit, TallyingBandit
from tallyplan.model.replay import mean_of_word
from tallyplan.model.words import Word, least_rotation
from tallyplan.planning import compiling
from tallyplan.planning.effort import Effort, tick
from tallyplan.planning.on_graph.long_run_policy import long_run_policy
from tallyplan.planning.on_graph.sweeps import Sweeps, follow, make_sweeps, no_parents
from tallyplan.planning.on_graph.tight_cycles import tight_cycle
from tallyplan.planning.single_run import good_single_run_word

SWEEPS_TO_EXPECT = 50
SWEEPS_PER_CHECK = 16  # sweeps before the first search for a parent cycle, and between two of them
AT_ONCE = Effort(deadline=0.0)  # a first word that takes no search
VECTORS = 4  # potentials, parents, marks of the cycle search, the verifying sweep


def cycle_on_graph(bandit: Bandit, *, progress: Progress = silent) -> MeanCycle:
    """The minimum mean cycle by sweeps over the state graph, with potentials for every history.

    Raises
    ------
    InstanceTooLarge : before anything is allocated.
    """
    word, value, proof = minimum_mean(StateGraph(bandit), progress)
    return MeanCycle(bandit, value, value, word, proof, partial(long_run_policy, bandit, value, word))


def minimum_mean(graph: StateGraph, progress: Progress) -> tuple[Word, Fraction, PotentialsOnHistories]:
    """A word of least mean, that mean, and the proof.

    Which code sweeps depends on what the process has done before; the answer does not. At the fixed point the
    potentials, divided by their scale, are the least losses beyond the mean on the way from a history to
    any other, whatever the order of the sweeps; they choose the word (`tight_cycles`).
    """
    _require_room(graph)
    compiling.charge(compiling.QUESTION)
    cost, word = _first_word(graph)
    tight = None
    while tight is None:
        length = len(word)
        sweeps, floor = _reduced(graph, length, cost)
        potentials, tight, word = _bellman_ford(sweeps, floor, progress)
        cost = cost if tight is not None else _cost(graph, word)
    best = least_rotation(tight_cycle(sweeps, potentials, tight))
    common = gcd(length, cost)
    if common > 1:
        common = gcd(common, int(np.gcd.reduce(potentials)))
        potentials //= common
    proof = PotentialsOnHistories(length // common * graph.denominator, potentials)
    return best, Fraction(cost, length * graph.denominator), proof


def fits_graph(bandit: Bandit) -> bool:
    """Whether the state graph can be swept in the memory there is."""
    try:
        _require_room(StateGraph(bandit))
    except InstanceTooLarge:
        return False
    return True


def _require_room(graph: StateGraph) -> None:
    require_memory(
        4 * VECTORS * graph.states, actions=graph.actions, length=graph.memory - 1, what="histories"
    )


def _first_word(graph: StateGraph) -> tuple[int, Word]:
    """A word to begin with, after the integer cost of a period of it."""
    if isinstance(graph.bandit, TallyingBandit):
        return good_single_run_word(graph, AT_ONCE)
    tick()  # the edges of other kinds are listed by Python: with no time for that, none are
    word = (graph.best_constant(),)
    return _cost(graph, word), word


def _cost(graph: StateGraph, word: Word) -> int:
    """The integer cost of a period of a word."""
    return graph.scaled(mean_of_word(graph.bandit, word) * len(word))


def _reduced(graph: StateGraph, length: int, cost: int) -> tuple[Sweeps, int]:
    """Sweeps over l*cost - S for a word of length l and cost S, and the floor for potentials."""
    widest = length * max(1, graph.highest_cost)
    sweeps = make_sweeps(
        graph,
        2 * (graph.memory + 2) * widest,
        vectors=VECTORS,
        expected=SWEEPS_TO_EXPECT,
        multiplier=length,
        subtract=cost,
    )
    return sweeps, -(graph.memory - 1) * widest - 1


def _bellman_ford(sweeps: Sweeps, floor: int, progress: Progress) -> tuple[Array, Array | None, Word]:
    """Potentials at a fixed point, and which states have a tight edge; or else a strictly better word.

    The Bellman step that finds the tight edges is other code: it verifies the potentials on every edge, and
    would lower one that has reached its floor.
    """
    graph = sweeps.graph
    potentials: Array = np.zeros(graph.states, dtype=sweeps.kind)
    parents = no_parents(graph)
    sweep = 0
    while sweeps.relax(potentials, parents, floor, SWEEPS_PER_CHECK):
        sweep += SWEEPS_PER_CHECK
        progress(f"minimum mean cycle: sweep {sweep} over {graph.states} histories")
        tick()
        state = sweeps.parent_cycle(parents)
        if state >= 0:
            return potentials, None, follow(graph, parents, state)
    tight = sweeps.tight(potentials)
    if tight is not None:
        return potentials, tight, ()
    state = sweeps.parent_cycle(parents)
    if state < 0:
        raise InternalError("potentials failed their verification; please report this instance.")
    return potentials, None, follow(graph, parents, state)
