"""Bellman-Ford on the implicit state graph of a tallying bandit, in place, without a stored edge.

The cost of playing a in state (d, rest) depends on the dropped action d only through [d = a]:

    x_a = costs[a, c_a]     + values[successor]     for a != d,     c_a = tally of a in `rest`,
    y_d = costs[d, c_d + 1] + values[successor]     for a  = d,

so the candidate for (d, rest) is min(y_d, min over a != d of x_a), and the two smallest x serve all d: O(1)
a state.

States are treated in blocks of consecutive `rest`. Inside a block the tallies of the high digits are
fixed, so the costs of an action over the block are a ready-made vector (`planes`), and every loop runs
over neighbours in memory. A block whose K input blocks have not changed since its last turn is left out,
and sweeps go forwards and backwards by turns: together that saves three quarters of the work.

Values never go below `floor`; whoever calls chooses it so low that only a negative cycle leads there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tallyplan.model.graph import Array
from tallyplan.planning.compiling import compiled, part

BLOCK = 2048  # `rest`s in a block at most


def block_tallies(actions: int, digits: int) -> tuple[Array, int]:
    """Tallies of every action in all words of the low digits that fit a block; how many digits are left."""
    low = 0
    while low < digits and actions ** (low + 1) <= BLOCK:
        low += 1
    tallies = np.zeros((actions, 1), dtype=np.int64)
    for _ in range(low):
        tallies = (tallies[:, :, None] + np.eye(actions, dtype=np.int64)[:, None, :]).reshape(actions, -1)
    return tallies, digits - low


def cost_planes(costs: Array, tallies: Array, high: int) -> Array:
    """`[a, c]`: the costs of a over a block whose high digits hold a c times, c up to one more."""
    return np.stack(
        [np.stack([row[low + c] for c in range(high + 2)]) for row, low in zip(costs, tallies, strict=True)]
    )


@compiled
def relax(
    values: Any,
    parents: Any,
    planes: Any,
    high: int,
    floor: Any,
    changed: Any,
    treated: Any,
    clock: int,
    backwards: bool,
) -> Any:
    """One sweep: lower `values`, keep the action that did it; returns (number of changes, clock).

    `changed[b]` is the time at which block b of the values last changed, `treated[r]` the time at which block
    r of the `rest`s last had its turn.
    """
    actions, _, size = planes.shape
    rests = values.size // actions
    blocks = rests // size
    tallies = np.zeros(actions, np.int64)
    x = np.empty((actions, size), values.dtype)
    inputs = np.empty((actions, size), values.dtype)
    work = np.empty((6, size), values.dtype)
    changes = 0
    for turn in range(blocks):
        block = blocks - 1 - turn if backwards else turn
        if not _fresh(changed, treated, block, actions):
            continue
        clock += 1
        treated[block] = clock
        _count_digits(block, high, tallies)
        _columns(
            values[block * size * actions : (block + 1) * size * actions].reshape((size, actions)), inputs
        )
        for a in range(actions):
            _add(inputs[a], planes[a, tallies[a]], x[a])
        _two_smallest(x, work)
        clock += 1
        for d in range(actions):
            _add(inputs[d], planes[d, tallies[d] + 1], work[4])
            _choose(d, work)
            first = d * rests + block * size
            lowered = _lower(
                values[first : first + size], parents[first : first + size], work[4], work[5], floor
            )
            if lowered:
                changed[d * blocks + block] = clock
                changes += lowered
    return changes, clock


@part
def _fresh(changed: Any, treated: Any, block: int, actions: int) -> bool:
    """Whether one of the input blocks changed since the last turn."""
    for a in range(actions):
        if changed[block * actions + a] >= treated[block]:
            return True
    return False


@part
def _count_digits(code: int, digits: int, tallies: Any) -> None:
    tallies[:] = 0
    for _ in range(digits):
        tallies[code % tallies.size] += 1
        code //= tallies.size


@part
def _columns(rows: Any, columns: Any) -> None:
    for a in range(columns.shape[0]):
        source, target = rows[:, a], columns[a]
        for i in range(target.size):
            target[i] = source[i]


# The loops below are kept apart, each storing at the width of its arrays: fused, the sums would be widened.


@part
def _add(values: Any, costs: Any, total: Any) -> None:
    for i in range(total.size):
        total[i] = values[i] + costs[i]


@part
def _two_smallest(x: Any, work: Any) -> None:
    """work[0..3]: the smallest x, its action, the second smallest, its action."""
    least, which, second, which_second = work[0], work[1], work[2], work[3]
    if x.shape[0] == 1:
        return
    x0, x1 = x[0], x[1]
    for i in range(least.size):
        less = x1[i] < x0[i]
        least[i] = x1[i] if less else x0[i]
        second[i] = x0[i] if less else x1[i]
        which[i] = less
        which_second[i] = not less
    for a in range(2, x.shape[0]):
        _include(x[a], a, least, which, second, which_second)


@part
def _include(x: Any, a: int, least: Any, which: Any, second: Any, which_second: Any) -> None:
    for i in range(least.size):
        first, middle = x[i] < least[i], x[i] < second[i]
        which_second[i] = which[i] if first else (a if middle else which_second[i])
        second[i] = least[i] if first else (x[i] if middle else second[i])
        which[i] = a if first else which[i]
        least[i] = x[i] if first else least[i]


@part
def _choose(d: int, work: Any) -> None:
    """work[4], which holds y_d, becomes min(y_d, the least x of the others), and work[5] its action."""
    least, which, second, which_second, best, action = work[0], work[1], work[2], work[3], work[4], work[5]
    for i in range(best.size):
        mine = which[i] == d
        other = second[i] if mine else least[i]
        other_action = which_second[i] if mine else which[i]
        less = other < best[i]
        action[i] = other_action if less else d
        best[i] = other if less else best[i]


@part
def _lower(values: Any, parents: Any, best: Any, action: Any, floor: Any) -> int:
    changes = 0
    for i in range(values.size):
        new = max(best[i], floor)
        less = new < values[i]
        values[i] = new if less else values[i]
        parents[i] = action[i] if less else parents[i]
        changes += less
    return changes
