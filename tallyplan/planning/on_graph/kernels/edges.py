"""Sweeps over stored edge costs, for questions on a graph from which states were removed.

`costs` has the shape (K, R, K): the edge of action a from state d R + rest leads to state rest K + a. A
removed edge costs so much that no minimum takes it.
"""

from __future__ import annotations

from typing import Any

from numba import njit


@njit(cache=True)
def relax(values: Any, parents: Any, costs: Any, floor: Any) -> int:
    """One in-place Bellman-Ford sweep: lower `values`, not below `floor`; the actions go to `parents`."""
    dropped, rests, actions = costs.shape
    changes = 0
    for d in range(dropped):
        for rest in range(rests):
            state = d * rests + rest
            best = values[state]
            action = -1
            for a in range(actions):
                candidate = costs[d, rest, a] + values[rest * actions + a]
                if candidate < best:
                    best = candidate
                    action = a
            if action >= 0 and values[state] > floor:
                values[state] = max(best, floor)
                parents[state] = action
                changes += 1
    return changes


@njit(cache=True)
def spread(
    members: Any, entries: Any, slack: Any, budget: Any, scratch: Any, nothing: Any, found: Any
) -> int:
    """One step forward from a table (members, entries): new members to `found`, entries to `scratch`.

    `scratch` is a vector over the states that holds `nothing` everywhere, and holds it again after `collect`.
    """
    _, rests, actions = slack.shape
    count = 0
    for i in range(members.size):
        d, rest = 0, members[i]
        while rest >= rests:  # cheaper than a division
            d, rest = d + 1, rest - rests
        for a in range(actions):
            total = entries[i] + slack[d, rest, a]
            if total < budget:
                successor = rest * actions + a
                if scratch[successor] == nothing:
                    found[count] = successor
                    count += 1
                    scratch[successor] = total
                elif total < scratch[successor]:
                    scratch[successor] = total
    return count


@njit(cache=True)
def collect(members: Any, scratch: Any, nothing: Any, entries: Any) -> None:
    """Move the entries of the members out of `scratch`, which is left clean."""
    for i in range(members.size):
        entries[i] = scratch[members[i]]
        scratch[members[i]] = nothing
