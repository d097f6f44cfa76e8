"""Sweeps over the implicit state graph of a tallying bandit, without a stored edge.

The cost of playing a in state (d, rest) depends on the dropped action d only through [d = a]:

    A_a = costs[a, c_a]     + values[successor]     for a != d,     c_a = tally of a in `rest`
    B_d = costs[d, c_d + 1] + values[successor]     for a  = d,

so the new value of (d, rest) is min(B_d, min over a != d of A_a), and the two smallest A serve all d: O(1)
a state, not O(K). Tallies come from a small table over the low digits of `rest` plus one count a block of
high digits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tallyplan.graph import Array

BLOCK = 4096


def low_tallies(actions: int, digits: int) -> Array:
    """Tallies of every action in all words of as many low digits as fit in a block: shape (K, K^q)."""
    count = 0
    while count < digits and actions ** (count + 1) <= BLOCK:
        count += 1
    tallies = np.zeros((actions, 1), dtype=np.uint8)
    for _ in range(count):
        one_more = np.eye(actions, dtype=np.uint8)
        tallies = (tallies[:, :, None] + one_more[:, None, :]).reshape(actions, -1)
    return tallies


@njit(cache=True)
def _block_tallies(block: int, actions: int, tallies: Any) -> None:
    """Count the actions among the high digits but action 0, whose leading zeros the caller counts."""
    tallies[:] = 0
    while block > 0:
        tallies[block % actions] += 1
        block //= actions


@njit(cache=True)
def bellman(values: Any, out: Any, costs: Any, low: Any, high_digits: int, shift: Any) -> None:
    """`out` = one step of the Bellman recursion applied to `values`, minus `shift`."""
    actions, block_size = low.shape
    rests = values.size // actions
    high = np.zeros(actions, dtype=np.int64)
    for block in range(rests // block_size):
        _block_tallies(block, actions, high)
        high[0] = high_digits - high[1:].sum()
        for lo in range(block_size):
            rest = block * block_size + lo
            at = rest * actions
            first = costs[0, high[0] + low[0, lo]] + values[at]
            first_action = 0
            second = costs[1, high[1] + low[1, lo]] + values[at + 1] if actions > 1 else first
            if actions > 1 and second < first:
                first, second, first_action = second, first, 1
            for a in range(2, actions):
                candidate = costs[a, high[a] + low[a, lo]] + values[at + a]
                if candidate < first:
                    first, second, first_action = candidate, first, a
                elif candidate < second:
                    second = candidate
            for d in range(actions):
                again = costs[d, high[d] + low[d, lo] + 1] + values[at + d]
                other = second if d == first_action else first
                if actions == 1 or again < other:
                    other = again
                out[d * rests + rest] = other - shift


@njit(cache=True)
def relax(values: Any, parents: Any, costs: Any, low: Any, high_digits: int) -> int:
    """One in-place Bellman-Ford sweep: lower `values`, keep the action that did it, count the changes."""
    actions, block_size = low.shape
    rests = values.size // actions
    high = np.zeros(actions, dtype=np.int64)
    changes = 0
    for block in range(rests // block_size):
        _block_tallies(block, actions, high)
        high[0] = high_digits - high[1:].sum()
        for lo in range(block_size):
            rest = block * block_size + lo
            at = rest * actions
            first = costs[0, high[0] + low[0, lo]] + values[at]
            first_action = 0
            second = costs[1, high[1] + low[1, lo]] + values[at + 1] if actions > 1 else first
            second_action = 1
            if actions > 1 and second < first:
                first, second, first_action, second_action = second, first, 1, 0
            for a in range(2, actions):
                candidate = costs[a, high[a] + low[a, lo]] + values[at + a]
                if candidate < first:
                    first, second, first_action, second_action = candidate, first, a, first_action
                elif candidate < second:
                    second, second_action = candidate, a
            for d in range(actions):
                best = costs[d, high[d] + low[d, lo] + 1] + values[at + d]
                action = d
                if d != first_action and first < best:
                    best, action = first, first_action
                elif d == first_action and actions > 1 and second < best:
                    best, action = second, second_action
                state = d * rests + rest
                if best < values[state]:
                    values[state] = best
                    parents[state] = action
                    changes += 1
    return changes


@njit(cache=True)
def parent_cycle(parents: Any, actions: int) -> int:
    """A state on a cycle of the parent graph, or -1; `parents` is -1 where there is none."""
    states = parents.size
    mark = np.zeros(states, dtype=np.int32)
    for start in range(states):
        state = start
        while mark[state] == 0 and parents[state] >= 0:
            mark[state] = start + 1
            state = (state * actions + parents[state]) % states
        if parents[state] >= 0 and mark[state] == start + 1:
            return state
    return -1


@njit(cache=True)
def same_step(before: Any, after: Any, before_now: Any, after_now: Any) -> bool:
    """Whether after - before equals after_now - before_now everywhere; stops at the first difference."""
    for i in range(before.size):
        if after[i] - before[i] != after_now[i] - before_now[i]:
            return False
    return True
