"""One optimal word, the same whatever code found the potentials.

At the fixed point of Bellman-Ford, the optimal words are the cycles of *tight* edges, those with
cost + phi(successor) = phi(state). The one that is chosen starts from the smallest state from which tight
edges lead on for ever, and takes the smallest action that does, until a state comes back.

A search in depth finds it without looking at most of the graph: states in order, actions in order. A state is
given up when all of its tight edges lead to states that were given up: no cycle is to be reached from it.
When a tight edge leads back to the path, every state of the path leads on for ever, and every edge that was
tried before those of the path was given up: the path is the one wanted. A search that gives up many states is
interrupted by sweeps that give up many at once: raise the potentials of those that are given up by 1, and the
states without a tight edge are those that a Bellman step brings above their potential.
"""

from __future__ import annotations

import numpy as np

from tallyplan.errors import InternalError
from tallyplan.model.graph import Array
from tallyplan.model.words import Word
from tallyplan.planning.effort import tick
from tallyplan.planning.on_graph.sweeps import Sweeps

PATIENCE = 500  # states given up before the first sweeps; twice as many before the next
PATIENCE_COMPILED = 2**20  # so many take a tenth of a second or two


def tight_cycle(sweeps: Sweeps, potentials: Array, has_tight: Array) -> Word:
    """The word of the cycle; `has_tight` says which states have a tight edge, and may be changed."""
    costs = sweeps.compiled_costs()
    patience = PATIENCE if costs is None else PATIENCE_COMPILED
    if costs is not None:  # the sweeps may have changed to compiled code, and to its type, just now
        potentials = potentials.astype(costs.dtype, copy=False)
    while not (word := _search(sweeps, costs, potentials, has_tight, patience)):
        for _ in range(sweeps.graph.memory):
            raised, shift = sweeps.power(potentials + ~has_tight, 1)
            has_tight = has_tight & (raised + shift == potentials)
        patience *= 2
    return word


def _search(sweeps: Sweeps, costs: Array | None, potentials: Array, has_tight: Array, patience: int) -> Word:
    """The word, or an empty one once more states than that were given up; compiled if it has the costs."""
    if costs is None:
        word, given_up = _first_cycle(sweeps, potentials, has_tight, patience)
    else:
        from tallyplan.planning.on_graph.kernels.tight import first_cycle

        graph = sweeps.graph
        found, given_up = first_cycle(
            costs, graph.actions, graph.memory, potentials, has_tight.view(np.uint8), patience
        )
        word = tuple(found.tolist())
    if not word and given_up <= patience:
        raise InternalError("no cycle of tight edges was found; please report this instance.")
    return word


def _first_cycle(sweeps: Sweeps, potentials: Array, has_tight: Array, patience: int) -> tuple[Word, int]:
    """The word, and how many states were given up."""
    given_up: set[int] = set()
    word: Word = ()
    for start in np.flatnonzero(has_tight).tolist():
        if start not in given_up:
            word = _from(sweeps, potentials, start, given_up)
        tick()
        if word or len(given_up) > patience:
            break
    return word, len(given_up)


def _from(sweeps: Sweeps, potentials: Array, start: int, given_up: set[int]) -> Word:
    """The cycle that the path from `start` ends in; empty, and `start` given up, if there is none."""
    graph = sweeps.graph
    actions, states = graph.actions, graph.states
    met = {start: 0}  # the states of the path, and when each was met
    path, untried = [start], [iter(range(actions))]  # actions of each state of the path
    word: list[int] = []
    while path:
        state, value = path[-1], potentials.item(path[-1])
        for action in untried[-1]:
            to = (state * actions + action) % states
            if to in given_up or sweeps.cost(state, action) + potentials.item(to) != value:
                continue
            word.append(action)
            if to in met:
                return tuple(word[met[to] :])
            met[to] = len(path)
            path.append(to)
            untried.append(iter(range(actions)))
            break
        else:
            given_up.add(state)
            del met[state], path[-1], untried[-1], word[-1:]
    return ()
