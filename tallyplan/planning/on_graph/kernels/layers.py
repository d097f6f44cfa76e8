"""Sweeps over stored edge costs until a jump is found; `planning.on_graph.layers` has the mathematics.

The same decisions as there, from the same fingerprints: `layers.py` and `fingerprints.py` are this file in
Python, for integers of any size and any number of layers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tallyplan.planning.compiling import compiled, part
from tallyplan.planning.on_graph.fingerprints import OFTEN, SELDOM
from tallyplan.planning.on_graph.kernels.edges import bellman

SPREAD = 0x1E3779B97F4A7C15  # an odd number: multiplying by it spreads fingerprints over a table


@compiled
def advance(
    costs: Any,
    rows: Any,
    shifts: Any,
    swept: int,
    sample: Any,
    weights: Any,
    of_constants: int,
    left: int,
    blocks: int,
    span: int,
) -> Any:
    """(i, p, k, swept): from layer i on, k+1 blocks of p sweeps are a jump, k >= `blocks`; k = 0: any k is.

    Layer i is i sweeps after rows[0]; it goes to rows[i], and what it was shifted by to shifts[i - 1]. Those
    up to `swept` are there already, and on return more may be, up to i + p at least. With no jump in `left`
    sweeps, i = left and p = 0; where the rows do not suffice, i = -1.
    """
    size = rows.shape[0]
    sums, shapes = np.zeros(size, np.int64), np.zeros(size, np.int64)
    not_before = np.zeros(size, np.int64)  # by period
    places = 4
    while places < 2 * size:
        places *= 2
    last_seen = np.full(places, -1, np.int64)
    work = np.empty((3, rows.shape[1]), np.int64)
    offset, next_search = 0, 0
    for i in range(min(left, size - 1) + 1):
        swept = _sweep(costs, rows, shifts, swept, i)
        if i:
            offset += shifts[i - 1]
        shapes[i] = _shape(rows[i], sample, weights)
        sums[i] = shapes[i] + offset * of_constants
        place = ((shapes[i] * SPREAD) >> 24) & (places - 1)
        while last_seen[place] >= 0 and shapes[last_seen[place]] != shapes[i]:
            place = (place + 1) & (places - 1)
        repeated, last_seen[place] = last_seen[place], i
        longest = 0
        if i >= next_search:
            next_search = i + min(max(1, i // OFTEN), SELDOM)
            longest = i // 3
        for trial in range(longest + 1):
            if trial == 0 and repeated >= 0:
                p = i - repeated
            elif trial > 0 and _in_progression(sums, i, trial):
                p = trial
            else:
                continue
            if i < not_before[p] or i + blocks * p >= left:
                continue
            if i + p >= size:
                return -1, 0, 0, swept
            swept = _sweep(costs, rows, shifts, swept, i + p)
            k, constant = _blocks(costs, rows, shifts, i, p, (left - i) // p - 1, span, work)
            if k >= blocks:
                while constant and i > 0 and _equal(rows[i - 1], rows[i - 1 + p]):
                    i -= 1
                return i, p, 0 if constant else k, swept
            not_before[p] = i + (k + 1) * p
    return left if left < size else -1, 0, 0, swept


@part
def _sweep(costs: Any, rows: Any, shifts: Any, swept: int, to: int) -> int:
    """The layers after `swept`, up to `to`."""
    while swept < to:
        shifts[swept] = bellman(costs, rows[swept], rows[swept + 1])
        swept += 1
    return swept


@part
def _shape(row: Any, sample: Any, weights: Any) -> Any:
    """The weighted sum modulo 2^64, over all states or, where there is a sample, over that and all once."""
    total = np.int64(0)
    if sample.size:
        for i in range(sample.size):
            total += weights[i] * row[sample[i]]
        for state in range(row.size):
            total += row[state]
    else:
        for state in range(row.size):
            total += weights[state] * row[state]
    return total


@part
def _in_progression(sums: Any, i: int, p: int) -> bool:
    if sums[i] - 2 * sums[i - p] + sums[i - 2 * p] != 0:
        return False
    return bool(sums[i - p] - 2 * sums[i - 2 * p] + sums[i - 3 * p] == 0)


@part
def _equal(one: Any, other: Any) -> bool:
    for state in range(one.size):
        if one[state] != other[state]:
            return False
    return True


@part
def _blocks(costs: Any, rows: Any, shifts: Any, i: int, p: int, longest: int, span: int, work: Any) -> Any:
    """The largest k for which blocks of p from layer i on are a jump, or 0; whether its gain is constant."""
    largest: Any = np.int64(0)
    for state in range(rows.shape[1]):
        work[2, state] = rows[i + p, state] - rows[i, state]
        largest = max(largest, abs(work[2, state]))
    if largest == 0:
        return longest, True
    longest = min(longest, span // largest)
    gain = np.int64(0)
    for step in range(i, i + p):
        gain += shifts[step]
    low, high, galloping = 0, longest + 1, True  # it holds for `low`, and not for `high`
    while high - low > 1:
        k = max(1, 2 * low) if galloping and 2 * low <= longest else (low + high) // 2
        if _holds(costs, rows[i], p, k, gain, work):
            low = k
        else:
            high, galloping = k, False
    return low, False


@part
def _holds(costs: Any, base: Any, p: int, k: int, gain: Any, work: Any) -> bool:
    """Whether p sweeps from base + k by lead to base + (k+1) by, where `by` is in work[2]."""
    for state in range(base.size):
        work[0, state] = base[state] + k * work[2, state]
    total = np.int64(0)
    for step in range(p):
        total += bellman(costs, work[step % 2], work[(step + 1) % 2])
    if total != gain:
        return False
    for state in range(base.size):
        if work[p % 2, state] != base[state] + (k + 1) * work[2, state]:
            return False
    return True
