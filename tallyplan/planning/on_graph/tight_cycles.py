"""One optimal word, the same whatever code found the potentials.

At the fixed point of Bellman-Ford, the optimal words are the cycles of *tight* edges, those with
cost + phi(successor) = phi(state). The one that is chosen starts from the smallest state from which tight
edges lead on for ever, and takes the smallest action that does, until a state comes back.

A search in depth finds it without looking at most of the graph: states in order, actions in order. A state is
given up when all of its tight edges lead to states that were given up: no cycle is to be reached from it.
When a tight edge leads back to the path, every state of the path leads on for ever, and every edge that was
tried before those of the path was given up: the path is the one wanted.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tallyplan.errors import InternalError
from tallyplan.model.graph import Array, StateGraph
from tallyplan.model.words import Word

EdgeCost = Callable[[int, int], int]


def tight_cycle(graph: StateGraph, cost: EdgeCost, potentials: Array, has_tight: Array) -> Word:
    """The word of the cycle; `has_tight` says which states have a tight edge."""
    given_up: set[int] = set()
    for start in np.flatnonzero(has_tight):
        if int(start) in given_up:
            continue
        word = _from(graph, cost, potentials, int(start), given_up)
        if word:
            return word
    raise InternalError("no cycle of tight edges was found; please report this instance.")


def _from(graph: StateGraph, cost: EdgeCost, potentials: Array, start: int, given_up: set[int]) -> Word:
    """The cycle that the path from `start` ends in; empty, and `start` given up, if there is none."""
    met = {start: 0}  # the states of the path, and when each was met
    path = [start]
    untried = [iter(range(graph.actions))]  # of each state of the path
    word: list[int] = []
    while path:
        state, value = path[-1], int(potentials[path[-1]])
        for action in untried[-1]:
            to = graph.successor(state, action)
            if to in given_up or cost(state, action) + int(potentials[to]) != value:
                continue
            word.append(action)
            if to in met:
                return tuple(word[met[to] :])
            met[to] = len(path)
            path.append(to)
            untried.append(iter(range(graph.actions)))
            break
        else:
            given_up.add(state)
            del met[state], path[-1], untried[-1], word[-1:]
    return ()
