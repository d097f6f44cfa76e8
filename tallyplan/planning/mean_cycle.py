"""The minimum mean cycle: the least long-run loss per step, lambda*, exactly.

Every policy's long-run mean is that of a cycle of the state graph, so lambda* is the least mean of a cycle.
Keep the best word known, with integer cost S over l steps, and run Bellman-Ford on the edge costs l*cost -
S from zero potentials, keeping for every state the action that last lowered it:

- a cycle of this *parent graph* has a negative sum, hence a mean below S/l: it is the new best word, and we
  start again;
- a sweep that changes nothing leaves potentials phi with  l*cost(s, a) - S + phi(s') - phi(s) >= 0  on
  every edge. Along any cycle the potentials cancel, so no mean is below S/l: they are the certificate.

The best single-run word is usually optimal already, and then only the second case occurs.

Where there is no room for the graph, a tallying bandit is planned without it (`planning.large`): the answer
is then exact if a proof was found, and otherwise a certified interval.

Numbers: let W bound |l*cost - S|. From every state a walk of m-1 steps leads to every other. So if no mean
is below S/l, no walk costs less than -(m-1) W (it could be closed to a cycle), and potentials stay above the
*floor* -(m-1) W - 1. They are not lowered beyond it. If one stands on it when nothing changes any more, then
every state, m-1 steps from there, is below zero and so has a parent: the parent graph has a cycle.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from tallyplan.answers import document
from tallyplan.errors import InstanceTooLarge, InternalError, InvalidInput
from tallyplan.limits import Progress, require_memory, silent
from tallyplan.model.graph import Array, StateGraph
from tallyplan.model.instance import Bandit, TallyingBandit
from tallyplan.model.rationals import rational, shown
from tallyplan.model.replay import mean_of_word
from tallyplan.model.words import Word
from tallyplan.planning.on_graph.sweeps import NO_PARENT, Sweeps, follow, make_sweeps
from tallyplan.planning.single_run import best_word_of
from tallyplan.planning.without_graph.interval import Effort, MeanCycleBounds

CHECK = 16  # sweeps before the first search for a parent cycle, and between two of them
VECTORS = 4  # potentials, parents, marks of the cycle search, the verifying sweep

METHODS = ("auto", "graph", "two-arms", "bounds")
FIRST_SECONDS = 20.0  # for bounds, before a graph that is larger than AT_ONCE is swept
AT_ONCE = 2**22  # states up to which the graph is swept before anything else is tried


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

    @property
    def exact(self) -> bool:
        """Always: a search on the graph ends with the optimum."""
        return True

    @property
    def lower(self) -> Fraction:
        """The value, as the lower end of an interval."""
        return self.value

    @property
    def upper(self) -> Fraction:
        """The value, as the upper end of an interval."""
        return self.value

    @property
    def method(self) -> str:
        """The name of the method that proves `lower`."""
        return "potentials"

    @property
    def argument(self) -> str:
        """The proof in words."""
        return f"potentials on {len(self.potentials)} histories, verified on every edge"

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


def minimum_mean_cycle(
    bandit: Bandit,
    *,
    method: str = "auto",
    gap: Fraction | float | str = 0,
    time_limit: float | None = None,
    progress: Progress = silent,
) -> MeanCycle | MeanCycleBounds:
    """The least long-run loss per step over all policies, a word that attains it, and a proof.

    Parameters
    ----------
    bandit : any instance. Tallying bandits may be of any size; of the others, K^(m-1) states must fit in
        memory.
    method : "graph" insists on the state graph, "bounds" does without it, "two-arms" is "bounds" for K = 2.
        "auto" takes the graph where it fits, unless it is large and there is a proof without it.
    gap : without the graph, stop as soon as upper - lower <= gap * upper.
    time_limit : without the graph, seconds after which the search for better bounds ends.
    progress : called with a line of words now and then.

    Returns
    -------
    MeanCycle, its word replayed and its potentials verified on every edge; or, without the graph,
    MeanCycleBounds, its word replayed: `exact` says whether `lower` and `upper` meet, and `value` is the
    optimum if they do.

    Raises
    ------
    InvalidInput : an unknown method, or one that is not for this bandit; a negative gap or time limit.
    InstanceTooLarge : before anything is allocated.

    Notes
    -----
    Memory with the graph: 4 vectors over the states for large tallying bandits (no edge is stored), K^m edge
    costs otherwise. Time: O(n) a sweep; the number of sweeps is instance dependent, typically tens. Two arms
    without the graph: O(m^2) time, O(m) memory.

    Examples
    --------
    >>> from tallyplan import TallyingBandit
    >>> answer = minimum_mean_cycle(TallyingBandit([["0", "1"], ["0", "1"]]))
    >>> answer.value, answer.word
    (Fraction(0, 1), (0, 1))
    >>> minimum_mean_cycle(TallyingBandit([["2/7"]])).value  # K = m = 1
    Fraction(2, 7)
    >>> minimum_mean_cycle(TallyingBandit([["0"] * 150 + ["1"] * 50, ["1/2"] * 200])).value  # m = 200
    Fraction(1, 8)
    """
    effort = effort_of(gap, time_limit, progress)
    check_method(bandit, method)
    if method == "graph" or not isinstance(bandit, TallyingBandit):
        return cycle_on_graph(bandit, progress=progress)
    if method == "auto" and StateGraph(bandit).states <= AT_ONCE:
        with suppress(InstanceTooLarge):
            return cycle_on_graph(bandit, progress=progress)
    from tallyplan.planning.without_graph.long_run import is_quick, mean_cycle_bounds

    if method == "auto" and fits_graph(bandit):
        first = effort if effort.deadline is not None or is_quick(bandit) else effort.within(FIRST_SECONDS)
        quick = mean_cycle_bounds(bandit, first)
        if time_limit is None and not effort.enough(quick.lower, quick.upper):
            return cycle_on_graph(bandit, progress=progress)
        return quick
    return mean_cycle_bounds(bandit, effort)


def cycle_on_graph(bandit: Bandit, *, progress: Progress = silent) -> MeanCycle:
    """The minimum mean cycle by sweeps over the state graph, with potentials for every history.

    Raises
    ------
    InstanceTooLarge : before anything is allocated.
    """
    graph = StateGraph(bandit)
    _require_room(graph)
    word: Word | None = _first_word(graph)
    while word is not None:
        best = word
        sweeps, cost, floor = _reduced(graph, best)
        potentials, word = _bellman_ford(sweeps, floor, progress)
    value = Fraction(cost, len(best) * graph.denominator)
    _verify(bandit, sweeps, potentials, best, value)
    return MeanCycle(bandit, value, best, len(best) * graph.denominator, potentials)


def check_method(bandit: Bandit, method: str) -> None:
    """Refuse a method that is none, or not for this bandit."""
    if method not in METHODS:
        raise InvalidInput(f"method is {shown(method)}; it is one of {', '.join(METHODS)}.")
    if method in ("two-arms", "bounds") and not isinstance(bandit, TallyingBandit):
        raise InvalidInput(f"the method {method!r} is for tallying bandits; this one needs the state graph.")
    if method == "two-arms" and bandit.actions != 2:
        raise InvalidInput(f"the method 'two-arms' is for two actions; this bandit has {bandit.actions}.")


def effort_of(gap: Fraction | float | str, time_limit: float | None, progress: Progress) -> Effort:
    """The limits of a search for bounds, read and checked."""
    exact = rational(gap, "gap")
    if exact < 0:
        raise InvalidInput(f"gap is {shown(gap)}; it must be at least 0.")
    if time_limit is not None and not time_limit >= 0:
        raise InvalidInput(f"time_limit is {shown(time_limit)}; it must be a number of seconds, at least 0.")
    return Effort.of(exact, time_limit, progress)


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
