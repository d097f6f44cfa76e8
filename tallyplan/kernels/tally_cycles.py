"""Howard's policy iteration for the least mean cycle of the graph of tallies, in floats: a guess for a proof.

`planning/large/tally_graph.py` says what the graph is: from the state s the action d drops out, which leaves a rest,
and the action a != d comes in; or the state stays as it is, at the cost of a loop.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

FAR = 1e300


@njit(cache=True, nogil=True)
def least_mean_cycle(steps: Any, loops: Any, after: Any, without: Any, values: Any, tolerance: float) -> Any:
    """(mean, states of the cycle, action that leaves each of them or -1 for a loop); `values` are improved in place.

    `steps[r, a]` is the cost of adding a to the rest r, which leads to `after[r, a]`; `without[s, d]` is the rest
    of s without d, or -1.
    """
    states = len(loops)
    following, action, cost = np.arange(states), np.full(states, -1), loops.copy()
    while True:
        mean, root = _best_cycle(following, cost)
        _evaluate(following, cost, mean, root, values)
        improved = _improve(
            steps, loops, after, without, values, following, action, cost, mean, tolerance
        )
        if not improved:
            break
    length, state = 1, following[root]
    while state != root:
        length, state = length + 1, following[state]
    cycle, actions = np.empty(length, np.int64), np.empty(length, np.int64)
    for i in range(length):
        cycle[i], actions[i] = state, action[state]
        state = following[state]
    return mean, cycle, actions


@njit(cache=True, nogil=True)
def _best_cycle(following: Any, cost: Any) -> Any:
    """The least mean of a cycle of the policy, and a state on that cycle."""
    seen = np.full(len(following), -1)
    mean, root = FAR, -1
    for start in range(len(following)):
        state = start
        while seen[state] == -1:
            seen[state] = start
            state = following[state]
        if seen[state] != start:
            continue
        total, length, here = cost[state], 1, following[state]
        while here != state:
            total, length, here = total + cost[here], length + 1, following[here]
        if total / length < mean:
            mean, root = total / length, state
    return mean, root


@njit(cache=True, nogil=True)
def _evaluate(following: Any, cost: Any, mean: float, root: int, values: Any) -> None:
    """values[s] = cost - mean + values[next] for the states that lead to the root; others keep what they have."""
    unseen, leads, strays, open_ = 0, 1, 2, 3
    mark, path = np.zeros(len(following), np.int8), np.empty(len(following), np.int64)
    mark[root] = leads
    for start in range(len(following)):
        state, length = start, 0
        while mark[state] == unseen:
            mark[state] = open_
            path[length] = state
            length, state = length + 1, following[state]
        verdict = leads if mark[state] == leads else strays
        for i in range(length - 1, -1, -1):
            state = path[i]
            mark[state] = verdict
            if verdict == leads:
                values[state] = cost[state] - mean + values[following[state]]


@njit(cache=True, nogil=True)
def _improve(
    steps: Any,
    loops: Any,
    after: Any,
    without: Any,
    values: Any,
    following: Any,
    action: Any,
    cost: Any,
    mean: float,
    tolerance: float,
) -> bool:
    """Give every state the best step that lowers its value by more than the tolerance; whether any did."""
    rests, actions = steps.shape
    first, second = np.empty(rests, np.int64), np.empty(rests, np.int64)
    for r in range(rests):
        best, next_best = FAR, FAR
        for a in range(actions):
            value = steps[r, a] + values[after[r, a]]
            if value < best:
                next_best, second[r] = best, first[r]
                best, first[r] = value, a
            elif value < next_best:
                next_best, second[r] = value, a
    improved = False
    for s in range(len(loops)):
        best = values[s] - tolerance
        if loops[s] - mean < -tolerance:
            best = loops[s] - mean + values[s]
            following[s], action[s], cost[s], improved = s, -1, loops[s], True
        for d in range(actions):
            r = without[s, d]
            if r < 0:
                continue
            a = second[r] if first[r] == d else first[r]
            value = steps[r, a] - mean + values[after[r, a]]
            if value < best:
                best = value
                following[s], action[s], cost[s], improved = after[r, a], a, steps[r, a], True
        if best < values[s] - tolerance:
            values[s] = best
    return improved
