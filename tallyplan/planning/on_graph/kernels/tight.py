"""The search in depth for a cycle of tight edges; `tight_cycles` has the argument."""

from __future__ import annotations

from typing import Any

import numpy as np

from tallyplan.planning.compiling import compiled, part

GIVEN_UP, UNTRIED, ON_THE_PATH = 0, 1, 2


@compiled
def first_cycle(costs: Any, actions: int, memory: int, potentials: Any, marks: Any, patience: int) -> Any:
    """The word of the cycle and how many states were given up; the word is empty after more than `patience`.

    The costs are by state and action or, of a tallying bandit, by action and tally. `marks` is 1 for the
    states with a tight edge and 0 for the others, which are given up from the start; it is changed.
    """
    states = potentials.size
    stored = costs.shape[0] == states
    path, word = np.empty(states, np.int64), np.empty(states, np.int32)  # the pages in use are paid for
    given_up = 0
    for start in range(states):
        if marks[start] != UNTRIED:
            continue
        depth, path[0], word[0], marks[start] = 0, start, -1, ON_THE_PATH
        while depth >= 0:
            state, action, to = path[depth], word[depth] + 1, 0
            while action < actions:
                to = (state * actions + action) % states
                if marks[to] != GIVEN_UP:
                    at, column = state, action
                    if not stored:
                        at, column = action, _tally(state, action, actions, memory - 1)
                    if costs[at, column] + potentials[to] == potentials[state]:
                        break
                action += 1
            word[depth] = action
            if action == actions:
                marks[state] = GIVEN_UP
                given_up, depth = given_up + 1, depth - 1
            elif marks[to] == ON_THE_PATH:
                first = 0
                while path[first] != to:
                    first += 1
                return word[first : depth + 1], given_up
            else:
                depth += 1
                path[depth], word[depth], marks[to] = to, -1, ON_THE_PATH
        if given_up > patience:
            break
    return word[:0], given_up


@part
def _tally(state: int, action: int, actions: int, digits: int) -> int:
    """How often the digits of the state hold the action."""
    tally = 0
    for _ in range(digits):
        older = state // actions
        if state - older * actions == action:
            tally += 1
        state = older
    return tally
