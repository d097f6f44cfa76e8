"""Howard's policy iteration for the least mean cycle of the graph of tallies, in floats: a guess for a proof.

`tally_graph.py` says what the graph is: from the state s the action d drops out, which leaves
a rest, and the action a != d comes in; or the state stays as it is, at the cost of a loop.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tallyplan.planning.compiling import compiled, part

UNREACHED = 1e300  # above the value of every state
MOST_ROUNDS = 5000  # far more than are needed, unless rounding errors make the iteration repeat itself


@compiled
def bound_and_gradient(
    losses: Any, slopes: Any, states: Any, rests: Any, after: Any, without: Any, values: Any, tolerance: float
) -> Any:
    """The least mean for these slopes and how it changes with them; `values` are improved to potentials."""
    steps, loops, cheapest = _costs(losses, slopes, states, rests, after)
    mean, cycle, actions = least_mean_cycle(steps, loops, after, without, values, tolerance)
    memory = losses.shape[1]
    gradient = np.zeros(slopes.shape)
    for i in range(len(cycle)):
        reached = states[cycle[(i + 1) % len(cycle)]]
        for x in range(len(reached)):
            if 0 < reached[x] < memory:
                gradient[x, reached[x] - 1] += reached[x]
        arm = actions[i] if actions[i] >= 0 else cheapest[cycle[i]]
        tally = reached[arm]
        if tally < memory:
            gradient[arm, tally - 1] -= memory
        if actions[i] >= 0 and 1 < tally < memory:
            rise = np.sign(slopes[arm, tally - 1] - slopes[arm, tally - 2]) * (tally - 1) * (memory - tally)
            gradient[arm, tally - 1] -= rise
            gradient[arm, tally - 2] += rise
    return mean, gradient / len(cycle)


@part
def _costs(losses: Any, slopes: Any, states: Any, rests: Any, after: Any) -> Any:
    """`TallyGraph.costs` in floats."""
    actions, memory = losses.shape
    own, jumping, holding = losses.copy(), np.empty(losses.shape), np.zeros((actions, memory + 1))
    for x in range(actions):
        for y in range(1, memory + 1):
            if y < memory:
                own[x, y - 1] -= memory * slopes[x, y - 1]
                holding[x, y] = y * slopes[x, y - 1]
            jumping[x, y - 1] = own[x, y - 1]
            if 1 < y < memory:
                jumping[x, y - 1] -= abs(slopes[x, y - 1] - slopes[x, y - 2]) * (y - 1) * (memory - y)
    hold, loops = np.zeros(len(states)), np.full(len(states), UNREACHED)
    cheapest = np.zeros(len(states), np.int64)
    for s in range(len(states)):
        for x in range(actions):
            y = states[s, x]
            hold[s] += holding[x, y]
            if y > 0 and own[x, y - 1] < loops[s]:
                loops[s], cheapest[s] = own[x, y - 1], x
        loops[s] += hold[s]
    steps = np.empty(rests.shape)
    for r in range(len(rests)):
        for a in range(actions):
            steps[r, a] = jumping[a, rests[r, a]] + hold[after[r, a]]
    return steps, loops, cheapest


@compiled
def least_mean_cycle(steps: Any, loops: Any, after: Any, without: Any, values: Any, tolerance: float) -> Any:
    """(mean, states of the cycle, action that leaves each of them or -1 for a loop); improves `values`.

    `steps[r, a]` is the cost of adding a to the rest r, which leads to `after[r, a]`; `without[s, d]` is the
    rest of s without d, or -1.
    """
    states = len(loops)
    following, action, cost = np.arange(states), np.full(states, -1), loops.copy()
    for _ in range(MOST_ROUNDS):
        mean, root = _best_cycle(following, cost)
        _evaluate(following, cost, mean, root, values)
        improved = _improve(steps, loops, after, without, values, following, action, cost, mean, tolerance)
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


@part
def _best_cycle(following: Any, cost: Any) -> Any:
    """The least mean of a cycle of the policy, and a state on that cycle."""
    seen = np.full(len(following), -1)
    mean, root = UNREACHED, -1
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


@part
def _evaluate(following: Any, cost: Any, mean: float, root: int, values: Any) -> None:
    """values[s] = cost - mean + values[next] for the states that lead to the root; others keep theirs."""
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


@part
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
        best, next_best = UNREACHED, UNREACHED
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
