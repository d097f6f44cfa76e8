"""Sweeps over stored edge costs: for small graphs, and for graphs from which states were removed.

`costs` has the shape (dropped, R, K): the edge of action a from state d R + rest leads to state rest K + a,
or to the only state if m = 1. A removed edge costs so much that no minimum takes it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tallyplan.planning.compiling import compiled, part


@compiled
def fill(table: Any, multiplier: int, subtract: int, costs: Any) -> None:
    """Reduced costs of a tallying bandit: from `table[a, t]` if the digits of the state hold a t times.

    From one state to the next only the digits that roll over change, a constant number of them on average.
    """
    dropped, rests, actions = costs.shape
    last = table.shape[1] - 1
    digits = np.zeros(last + 1, np.int64)  # the newest action first, and one more for the end
    tallies = np.zeros(actions + 1, np.int64)
    tallies[0] = last
    for state in range(dropped * rests):
        d = state // rests
        for a in range(actions):
            costs[d, state - d * rests, a] = multiplier * table[a, tallies[a]] - subtract
        place = 0
        while place < last and digits[place] == actions - 1:
            tallies[actions - 1] -= 1
            tallies[0] += 1
            digits[place] = 0
            place += 1
        tallies[digits[place]] -= 1
        digits[place] += 1
        tallies[digits[place]] += 1


@compiled
def relax(values: Any, parents: Any, costs: Any, floor: Any, sweeps: int) -> bool:
    """Up to so many Bellman-Ford sweeps in place, forwards and backwards by turns; False: nothing changes.

    Values are lowered, but not below `floor`, and the actions that lowered them go to `parents`.
    """
    dropped, rests, actions = costs.shape
    stride = actions if dropped > 1 else 0
    for sweep in range(sweeps):
        changed = False
        for i in range(dropped):
            d = i if sweep % 2 == 0 else dropped - 1 - i
            for j in range(rests):
                rest = j if sweep % 2 == 0 else rests - 1 - j
                state, first = d * rests + rest, rest * stride
                best, action = values[state], -1
                for a in range(actions):
                    candidate = costs[d, rest, a] + values[first + a if stride else 0]
                    if candidate < best:
                        best, action = candidate, a
                if action >= 0 and values[state] > floor:
                    values[state] = max(best, floor)
                    parents[state] = action
                    changed = True
        if not changed:
            return False
    return True


@compiled
def parent_cycle(parents: Any, actions: int) -> int:
    """The least state on a cycle of the parent graph, or -1; `parents` is -1 where there is none.

    Of several cycles, the one that is reached from the least state from which any is.
    """
    states = parents.size
    mark = np.zeros(states, dtype=np.int32)
    for start in range(states):
        state = start
        while mark[state] == 0 and parents[state] >= 0:
            mark[state] = start + 1
            state = (state * actions + parents[state]) % states
        if parents[state] >= 0 and mark[state] == start + 1:
            least, at = state, (state * actions + parents[state]) % states
            while at != state:
                least, at = min(least, at), (at * actions + parents[at]) % states
            return least
    return -1


@part
def bellman(costs: Any, source: Any, target: Any) -> Any:
    """One Bellman step: target[s] = min over a of cost + source[successor], less its value at state 0."""
    dropped, rests, actions = costs.shape
    if actions == 2 and dropped == 2:  # loops of their own, in which the compiler sees how few there are
        for d in range(2):
            for rest in range(rests):
                first = 2 * rest
                target[d * rests + rest] = min(
                    costs[d, rest, 0] + source[first], costs[d, rest, 1] + source[first + 1]
                )
    elif actions == 3 and dropped == 3:
        for d in range(3):
            for rest in range(rests):
                first = 3 * rest
                target[d * rests + rest] = min(
                    costs[d, rest, 0] + source[first],
                    costs[d, rest, 1] + source[first + 1],
                    costs[d, rest, 2] + source[first + 2],
                )
    else:
        for d in range(dropped):
            for rest in range(rests):
                best = costs[d, rest, 0] + source[rest * actions if dropped > 1 else 0]
                for a in range(1, actions):
                    best = min(best, costs[d, rest, a] + source[rest * actions + a if dropped > 1 else 0])
                target[d * rests + rest] = best
    shift = target[0]
    for state in range(target.size):
        target[state] -= shift
    return shift


@compiled
def follow_rows(costs: Any, rows: Any, shifts: Any) -> None:
    """Bellman steps from the first row to the next, round and round, and what each was shifted by."""
    turn = rows.shape[0]
    for i in range(shifts.size):
        shifts[i] = bellman(costs, rows[i % turn], rows[(i + 1) % turn])


@compiled
def descend(costs: Any, rows: Any, state: int, word: Any) -> int:
    """The best actions from `state` on, one for each row, the last row first; where they lead is returned.

    Of equals, the first is the best.
    """
    dropped, rests, actions = costs.shape
    for i in range(word.size):
        row = rows[word.size - 1 - i]
        d = state // rests
        rest = state - d * rests
        first = rest * actions if dropped > 1 else 0
        best, action = costs[d, rest, 0] + row[first], 0
        for a in range(1, actions):
            candidate = costs[d, rest, a] + row[first + a if dropped > 1 else 0]
            if candidate < best:
                best, action = candidate, a
        word[i] = action
        state = first + action if dropped > 1 else 0
    return state
