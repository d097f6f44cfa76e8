"""The Bellman step, many at a time, in place, on a vector whose digits rotate.

A state is D = m - 1 digits. The step reads the K states that differ in their *newest* digit and writes
the K states that differ in their *oldest* one, with the same digits in between. So the new values can
stand where the old ones were, if from then on that digit position holds the oldest action: position 0 is
replaced in the first step, position 1 in the second, and after D steps every position has had its turn
and the vector is back in its standard order. Tallies do not care which position holds which action.

With x_a = cost of a at its tally + value and y_a = the same at one tally more, the new values of a group of K
are min(y_d, min over a != d of x_a): the two smallest x serve all d, O(1) a state.

Steps whose positions lie in one *group* of digits touch only blocks of K^(digits of the group) entries
that do not know of each other. So a block is brought into the cache once for all of them, as columns
(*lanes*) side by side, which makes every inner loop a loop over neighbours in memory. A whole turn of D
steps costs two or three passes over the vector.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tallyplan.graph import Array

LANES = 128  # columns of a tile
ROWS = 1024  # rows of a tile at most: two tiles of 4-byte numbers fill a megabyte, the second-level cache


def digit_groups(actions: int, digits: int) -> list[int]:
    """The boundaries 0 = b_0 < ... < D of groups of digits, about equal, each with at most ROWS words."""
    most = _digits_in(actions)
    groups = max(1, -(-digits // most))
    sizes = [digits // groups + (i < digits % groups) for i in range(groups)]
    return [0, *np.cumsum(sizes).tolist()]


def word_tallies(actions: int) -> Array:
    """`[a, w]`: how often a occurs in the word w of as many digits as fit a tile, leading zeros included."""
    digits = _digits_in(actions)
    tallies = np.zeros((actions, 1), dtype=np.int64)
    for _ in range(digits):
        tallies = (tallies[:, :, None] + np.eye(actions, dtype=np.int64)[:, None, :]).reshape(actions, -1)
    return tallies


def tiles(size: int, rows: int, inner: int) -> int:
    """The number of tiles of one pass; `inner` is K^(digits below the group)."""
    columns = size // rows if inner == 1 else inner
    return -(-columns // LANES) * (1 if inner == 1 else size // (rows * inner))


def _digits_in(actions: int) -> int:
    digits = 1
    while actions ** (digits + 1) <= ROWS:
        digits += 1
    return digits


@njit(cache=True, nogil=True)
def sweep_tiles(values: Any, costs: Any, tally: Any, group: Any, steps: Any, which: Any, shift: Any) -> None:
    """The steps (first, last) of a group of digits (how many below, in, above), on the tiles `which`."""
    below, digits, above = group
    actions = costs.shape[0]
    rows, inner = actions**digits, actions**below
    chunk, word = 0, 1
    while word < tally.shape[1]:
        word *= actions
        chunk += 1
    one, two = np.empty((rows, LANES), values.dtype), np.empty((rows, LANES), values.dtype)
    table = np.empty((actions, digits + 1, LANES), values.dtype)
    outside = np.empty(LANES, np.int64)
    work = np.empty((actions + 2, LANES), values.dtype)
    columns = values.size // rows if inner == 1 else inner
    across = -(-columns // LANES)
    lane_digits = above if inner == 1 else below
    padding = chunk - digits
    for tile in range(which[0], which[1]):
        block, start = tile // across, (tile % across) * LANES
        lanes = min(LANES, columns - start)
        for a in range(actions):
            fixed = tally_of(a, block, above, tally, word, chunk) if inner > 1 else 0
            for lane in range(lanes):
                outside[lane] = fixed + tally_of(a, start + lane, lane_digits, tally, word, chunk)
            for t in range(digits + 1):
                for lane in range(lanes):
                    table[a, t, lane] = costs[a, outside[lane] + t]
        if inner == 1:
            _load_columns(values, one, start * rows, rows, lanes, shift)
        else:
            _load_rows(values, one, block * rows * inner + start, inner, rows, lanes, shift)
        if actions == 2:
            result = _steps_two(one, two, steps, digits, lanes, table, tally)
        else:
            result = _steps_many(one, two, steps, rows, lanes, table, tally, padding, work)
        if inner == 1:
            _store_columns(values, result, start * rows, rows, lanes)
        else:
            _store_rows(values, result, block * rows * inner + start, inner, rows, lanes)


@njit(cache=True, nogil=True)
def tally_of(a: int, code: int, digits: int, tally: Any, word: int, chunk: int) -> int:
    """How often `a` occurs among the `digits` digits of a code, a chunk at a time."""
    total = 0
    while digits > 0:
        total += tally[a, code % word]
        if a == 0 and digits < chunk:
            total -= chunk - digits
        code //= word
        digits -= chunk
    return total


@njit(cache=True, nogil=True)
def _load_rows(values: Any, tile: Any, start: int, inner: int, rows: int, lanes: int, shift: Any) -> None:
    for row in range(rows):
        source, target = values[start + row * inner : start + row * inner + lanes], tile[row]
        for lane in range(lanes):
            target[lane] = source[lane] - shift


@njit(cache=True, nogil=True)
def _store_rows(values: Any, tile: Any, start: int, inner: int, rows: int, lanes: int) -> None:
    for row in range(rows):
        source, target = tile[row], values[start + row * inner : start + row * inner + lanes]
        for lane in range(lanes):
            target[lane] = source[lane]


@njit(cache=True, nogil=True)
def _load_columns(values: Any, tile: Any, start: int, rows: int, lanes: int, shift: Any) -> None:
    """Transposed, in strips of 16 entries, a cache line each."""
    for first in range(0, rows, 16):
        last = min(rows, first + 16)
        for lane in range(lanes):
            source = values[start + lane * rows : start + (lane + 1) * rows]
            for row in range(first, last):
                tile[row, lane] = source[row] - shift


@njit(cache=True, nogil=True)
def _store_columns(values: Any, tile: Any, start: int, rows: int, lanes: int) -> None:
    for first in range(0, rows, 16):
        last = min(rows, first + 16)
        for lane in range(lanes):
            target = values[start + lane * rows : start + (lane + 1) * rows]
            for row in range(first, last):
                target[row] = tile[row, lane]


@njit(cache=True, nogil=True)
def _steps_two(source: Any, target: Any, steps: Any, digits: int, lanes: int, table: Any, tally: Any) -> Any:
    """The steps for two actions; returns the tile that holds the result."""
    for step in range(steps[0], steps[1]):
        stride = 1 << step
        for high in range(0, 1 << digits, 2 * stride):
            for zero in range(high, high + stride):
                one = zero + stride
                ones = tally[1, zero]
                zeros = digits - 1 - ones
                x0, y0, x1, y1 = table[0, zeros], table[0, zeros + 1], table[1, ones], table[1, ones + 1]
                v0, v1, new0, new1 = source[zero], source[one], target[zero], target[one]
                for lane in range(lanes):
                    a, b = v0[lane], v1[lane]
                    new0[lane] = min(a + y0[lane], b + x1[lane])
                    new1[lane] = min(a + x0[lane], b + y1[lane])
        source, target = target, source
    return source


@njit(cache=True, nogil=True)
def _steps_many(
    source: Any,
    target: Any,
    steps: Any,
    rows: int,
    lanes: int,
    table: Any,
    tally: Any,
    padding: int,
    work: Any,
) -> Any:
    """The steps for any number of actions; `padding` leading zeros are counted in `tally` but not there."""
    actions = table.shape[0]
    for step in range(steps[0], steps[1]):
        stride = actions**step
        for high in range(0, rows, actions * stride):
            for base in range(high, high + stride):
                _group(source, target, base, stride, lanes, table, tally, padding, work)
        source, target = target, source
    return source


@njit(cache=True, nogil=True)
def _group(
    source: Any,
    target: Any,
    base: int,
    stride: int,
    lanes: int,
    table: Any,
    tally: Any,
    padding: int,
    work: Any,
) -> None:
    """One group of K rows: the smallest and second smallest x, then the new rows."""
    actions = table.shape[0]
    least, second = work[actions], work[actions + 1]
    zero = tally[0, base] - padding - 1  # digit `step` of base is a zero that is not among the others
    _add(source[base], table[0, zero], work[0], lanes)
    _add(source[base + stride], table[1, tally[1, base]], work[1], lanes)
    _two_smallest(work[0], work[1], least, second, lanes)
    for a in range(2, actions):
        _add(source[base + a * stride], table[a, tally[a, base]], work[a], lanes)
        _two_smallest_with(work[a], least, second, lanes)
    _add(source[base], table[0, zero + 1], target[base], lanes)
    _least_of_others(work[0], least, second, target[base], lanes)
    for a in range(1, actions):
        row = base + a * stride
        _add(source[row], table[a, tally[a, base] + 1], target[row], lanes)
        _least_of_others(work[a], least, second, target[row], lanes)


# The loops below are kept apart, each storing at the width of its arrays: fused, the sums would be widened.


@njit(cache=True, nogil=True)
def _add(values: Any, costs: Any, total: Any, lanes: int) -> None:
    for lane in range(lanes):
        total[lane] = values[lane] + costs[lane]


@njit(cache=True, nogil=True)
def _two_smallest(x: Any, y: Any, least: Any, second: Any, lanes: int) -> None:
    for lane in range(lanes):
        least[lane] = min(x[lane], y[lane])
        second[lane] = max(x[lane], y[lane])


@njit(cache=True, nogil=True)
def _two_smallest_with(x: Any, least: Any, second: Any, lanes: int) -> None:
    for lane in range(lanes):
        second[lane] = min(second[lane], max(least[lane], x[lane]))
        least[lane] = min(least[lane], x[lane])


@njit(cache=True, nogil=True)
def _least_of_others(x: Any, least: Any, second: Any, new: Any, lanes: int) -> None:
    """new = min(new, the least of the others): the second smallest where this x is the smallest."""
    for lane in range(lanes):
        others = second[lane] if x[lane] == least[lane] else least[lane]
        new[lane] = min(new[lane], others)
