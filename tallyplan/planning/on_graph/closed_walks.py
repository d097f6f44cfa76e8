"""The best word of length exactly L under repetition: the optimal L-cyclic policy, on the state graph.

Words of length L are the closed walks of length L on the histories (also for L < m, where a window covers
the word more than once). The core looks for the best of them, beginning with the minimum mean cycle and a
first word (`core/closed_walks.cpp` has the argument, `planning.reference` the same in plain Python); the word
is replayed here before it is returned.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tallyplan.answers import CyclicPolicy
from tallyplan.certificates import Potentials, Proof, removed_roots
from tallyplan.core.cycles import cycle_of_rows
from tallyplan.core.horizon import costs_of
from tallyplan.core.library import NoAnswerError, TooWideError, numbers
from tallyplan.core.words import Known, Search
from tallyplan.errors import InternalError
from tallyplan.limits import Progress, require_memory
from tallyplan.model.graph import Array, StateGraph, integer_type
from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import ceil_div
from tallyplan.model.replay import loss_of_runs
from tallyplan.model.words import Runs, Word, last_of_runs, length
from tallyplan.planning import reference
from tallyplan.planning.effort import OutOfTimeError, limited, tick
from tallyplan.planning.on_graph.cycles import minimum_mean

STATES_AFTER_THE_END = 2**17  # for so many, the best bound of a search that ran out of time takes a moment


@dataclass(frozen=True)
class Candidate:
    """A word of length L, and the integer cost of one period of it, repeated forever."""

    word: Word
    cost: int

    def mean(self, graph: StateGraph) -> Fraction:
        """The loss per step."""
        return Fraction(self.cost, len(self.word) * graph.denominator)


def cyclic_policy_on_graph(
    bandit: Bandit, period: int, deadline: float | None, progress: Progress
) -> CyclicPolicy:
    """The best word of the given length, or the best known with an interval if the deadline passes.

    Raises
    ------
    InstanceTooLarge : before anything is allocated.
    """
    graph = StateGraph(bandit)
    require_memory(100 * period, actions=period, length=1, what="actions in a word")
    require_memory(
        graph.states * (40 * graph.actions + 120),
        actions=graph.actions,
        length=graph.memory - 1,
        what="histories",
    )
    try:
        with limited(deadline):
            critical, first = minimum_mean(graph, progress)
    except OutOfTimeError:
        best = first_word(graph, (graph.best_constant(),), period)
        return _answer(graph, best, _least_loss(graph))
    best = first_word(graph, critical, period)
    if best.mean(graph) == first.mean:
        return _answer(graph, best, first)
    with limited(deadline):
        try:
            return _searched(graph, best, first, progress)
        except TooWideError:
            return _in_python(graph, best, first)


def _searched(graph: StateGraph, best: Candidate, first: Potentials, progress: Progress) -> CyclicPolicy:
    """The answer by the core, as far as it comes before the deadline."""
    period, per_cost = len(best.word), first.scale // graph.denominator
    per_step = int(first.mean * first.scale)
    known = Known(
        period,
        per_cost,
        per_step,
        first.values,
        budget=per_cost * best.cost - period * per_step,
        step=max(1, per_cost * graph.highest_cost // 4),
    )
    search = Search(costs_of(graph.bandit), known)
    with suppress(OutOfTimeError):
        tick()
        search.run(tick, lambda message: progress(f"best word of length {period}: {message}"))
    if runs := search.runs:
        better = _candidate(graph, runs)
        if better.cost >= best.cost or len(better.word) != period:
            raise InternalError("a closed walk did not replay to its cost; please report this instance.")
        best = better
    roots = [(root, (since, turn) if turn else None) for root, since, turn in search.stages]
    last = None
    if (found := search.last) is not None:
        last = Potentials(best.mean(graph), found[0] * first.scale, found[1])
    elif roots and not search.finished and graph.states <= STATES_AFTER_THE_END:
        with suppress(NoAnswerError, TooWideError):
            last = _rest(graph, [root for root, _ in roots])
    return _answer(graph, best, first, roots, last)


def _rest(graph: StateGraph, roots: list[int]) -> Potentials:
    """The least mean of a cycle that visits no root, with its potentials.

    Raises
    ------
    NoAnswerError : there is no such cycle.
    TooWideError : 128 bits do not suffice.
    """
    costs = graph.edge_costs(integer_type(graph.highest_cost)).reshape(-1)
    left = np.ones(graph.states, dtype=bool)
    left[roots] = False
    edges = np.arange(costs.size, dtype=np.int64)
    kept = edges[left[edges // graph.actions] & left[edges % graph.states]]
    rows = np.searchsorted(kept, np.arange(0, costs.size + 1, graph.actions, dtype=np.int64))
    heads = (kept % graph.states).astype(np.int32)
    given = numbers(costs[kept].tolist(), graph.highest_cost)
    found = cycle_of_rows(rows.astype(np.int64), heads, given, lambda: None)
    scale = found.scale * graph.denominator
    return Potentials(Fraction(found.mean, scale), scale, found.potentials)


def _in_python(graph: StateGraph, best: Candidate, first: Potentials) -> CyclicPolicy:
    """The same for integers of any size; the first word, if the time does not suffice."""
    explicit = reference.histories(graph.bandit)
    cycle = reference.Cycle(first.mean * graph.denominator, first.values.tolist(), (0, ()))
    try:
        known = (graph.state_of_word(best.word), best.word)
        found = reference.best_closed_walk(explicit, len(best.word), cycle, known)
    except OutOfTimeError:
        return _answer(graph, best, first)
    assert found.walk is not None  # `known` is one
    best = Candidate(found.walk[1], found.cost)
    per_step = Fraction(best.cost, len(best.word))
    values = np.array(found.last, dtype=object)
    last = Potentials(best.mean(graph), per_step.denominator * graph.denominator, values)
    return _answer(graph, best, first, found.roots, last)


def _answer(
    graph: StateGraph,
    best: Candidate,
    first: Potentials,
    roots: Sequence[tuple[int, tuple[int, int] | None]] = (),
    last: Potentials | None = None,
) -> CyclicPolicy:
    upper, rest = best.mean(graph), last or first
    proof = Proof(removed_roots(first, roots, rest))
    return CyclicPolicy(graph.bandit, len(best.word), min(rest.mean, upper), upper, best.word, proof)


def _least_loss(graph: StateGraph) -> Potentials:
    """No cycle has a smaller mean than the least loss of a window: the potentials are zero."""
    zeros: Array = np.zeros(graph.states, dtype=np.int64)
    return Potentials(min(graph.bandit.values()), graph.denominator, zeros)


def first_word(graph: StateGraph, critical: Word, period: int) -> Candidate:
    """The better of the best constant word and the critical word cut to length."""
    turns, rest = divmod(period, len(critical))
    if rest == 0:
        return Candidate(critical * turns, turns * _candidate(graph, [(critical, 1)]).cost)
    cut = _candidate(graph, [(critical, turns), (critical[:rest], 1)])
    action = graph.best_constant()
    constant = period * graph.scaled(graph.bandit.loss((action,) * graph.memory))
    return cut if cut.cost < constant else Candidate((action,) * period, constant)


def _candidate(graph: StateGraph, runs: Runs) -> Candidate:
    """The word given by runs, replayed."""
    played = [(tuple(word), repeats) for word, repeats in runs if word and repeats]
    keep = graph.memory - 1
    before = last_of_runs(played * max(1, ceil_div(keep, length(played))), keep)
    word = sum((word * repeats for word, repeats in played), ())  # there are few runs
    return Candidate(word, graph.scaled(loss_of_runs(graph.bandit, played, before)))
