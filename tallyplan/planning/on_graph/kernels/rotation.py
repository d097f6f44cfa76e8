"""The Bellman step, many at a time, in place, on a vector whose digits rotate.

A state is D = m - 1 digits. The step reads the K states that differ in their *newest* digit and writes
the K states that differ in their *oldest* one, with the same digits in between. So the new values can
stand where the old ones were, if from then on that digit position holds the oldest action: position 0 is
replaced in the first step, position 1 in the second, and after D steps every position has had its turn
and the vector is back in its standard order. Tallies do not care which position holds which action.

With x_a = cost of a at its tally + value and y_a = the same at one tally more, the new values of a group of K
are min(y_d, min over a != d of x_a): the two smallest x serve all d, O(1) a state.

Steps whose positions lie in one *group* of digits touch only blocks of K^(digits of the group) entries
that do not know of each other. So blocks are brought into the cache once for all of them, as columns
(*lanes*) side by side, which makes every inner loop a loop over neighbours in memory. A whole turn of D
steps costs two or three passes over the vector.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tallyplan.model.graph import Array
from tallyplan.planning.compiling import compiled, part

ROWS = 256  # rows of a tile at most
TILE = 2**16  # entries of a tile: two of them, of 4 bytes each, fit the second-level cache


def digit_groups(actions: int, digits: int) -> list[int]:
    """The boundaries 0 = b_0 < ... < D of groups of digits, about equal, each with at most ROWS words."""
    most = _digits_in(actions)
    groups = max(1, -(-digits // most))
    sizes = [digits // groups + (i < digits % groups) for i in range(groups)]
    return [0, *np.cumsum(sizes).tolist()]


def word_tallies(actions: int, digits: int) -> Array:
    """`[a, w]`: how often a occurs in the word w of so many digits."""
    one_more = np.eye(actions, dtype=np.int16)[:, None, :]
    tallies = np.zeros((actions, 1), dtype=np.int16)
    for _ in range(digits):
        tallies = (tallies[:, :, None] + one_more).reshape(actions, -1)
    return tallies


def tiles(size: int, rows: int, inner: int) -> int:
    """The number of tiles of one pass; `inner` is K^(digits below the group)."""
    columns, blocks = (size // rows, 1) if inner == 1 else (inner, size // (rows * inner))
    width = TILE // rows
    return -(-columns // width) * -(-blocks // max(1, width // columns))


def _digits_in(actions: int) -> int:
    digits = 1
    while actions ** (digits + 1) <= ROWS:
        digits += 1
    return digits


@compiled
def sweep_tiles(
    values: Any,
    costs: Any,
    row_tally: Any,
    lane_tally: Any,
    block_tally: Any,
    below: int,
    steps: Any,
    which: Any,
    shift: Any,
    two_actions: Any,
    three_actions: Any,
    four_actions: Any,
    five_actions: Any,
) -> None:
    """The steps (first, last) of a group of digits with `below` digits below it, on the tiles `which`.

    `two_actions` to `five_actions` are None unless there are that many actions. That is known when the kernel
    is compiled, and only the steps that are needed are compiled.

    Tallies in words of digits: `row_tally` in the group; `lane_tally` in the digits below, and
    `block_tally` in those above, or for the lowest group `lane_tally` in those above and `block_tally` in
    none.
    """
    actions, rows = row_tally.shape
    inner = actions**below
    width = TILE // rows
    digits = np.sum(row_tally[:, 0])
    one, two = np.empty((rows, width), values.dtype), np.empty((rows, width), values.dtype)
    table = np.empty((actions, digits + 1, width), values.dtype)
    work = np.empty((actions + 2, width), values.dtype)
    columns, blocks = lane_tally.shape[1], block_tally.shape[1]
    across, together = -(-columns // width), max(1, width // columns)
    for tile in range(which[0], which[1]):
        start = (tile % across) * width
        first = (tile // across) * together
        last = min(blocks, first + together)
        here = min(width, columns - start)
        lanes = (last - first) * here
        for block in range(first, last):
            at = (block - first) * here
            _price(table, costs, lane_tally, block_tally, block, start, here, at)
            if inner > 1:
                _load_rows(values, one, block * rows * inner + start, inner, rows, here, at, shift)
        if inner == 1:
            _load_columns(values, one, start * rows, rows, lanes, shift)
        if two_actions is not None:
            result = _steps_two(one, two, steps, lanes, table, row_tally)
        elif three_actions is not None:
            result = _steps_three(one, two, steps, lanes, table, row_tally)
        elif four_actions is not None:
            result = _steps_four(one, two, steps, lanes, table, row_tally)
        elif five_actions is not None:
            result = _steps_five(one, two, steps, lanes, table, row_tally)
        else:
            result = _steps_many(one, two, steps, lanes, table, row_tally, work)
        if inner == 1:
            _store_columns(values, result, start * rows, rows, lanes)
        else:
            for block in range(first, last):
                at = (block - first) * here
                _store_rows(values, result, block * rows * inner + start, inner, rows, here, at)


@part
def _price(
    table: Any,
    costs: Any,
    lane_tally: Any,
    block_tally: Any,
    block: int,
    start: int,
    lanes: int,
    at: int,
) -> None:
    """`table[a, t]`: the costs of a in the lanes from `at` on, if it occurs t times in the group itself."""
    actions, tallies, _ = table.shape
    for a in range(actions):
        outside = lane_tally[a, start : start + lanes]
        for t in range(tallies):
            row, prices = table[a, t, at : at + lanes], costs[a, t + block_tally[a, block] :]
            for lane in range(lanes):
                row[lane] = prices[outside[lane]]


@part
def _load_rows(
    values: Any, tile: Any, start: int, inner: int, rows: int, lanes: int, at: int, shift: Any
) -> None:
    for row in range(rows):
        source, target = values[start + row * inner : start + row * inner + lanes], tile[row, at : at + lanes]
        for lane in range(lanes):
            target[lane] = np.subtract(source[lane], shift)


@part
def _store_rows(values: Any, tile: Any, start: int, inner: int, rows: int, lanes: int, at: int) -> None:
    for row in range(rows):
        source, target = tile[row, at : at + lanes], values[start + row * inner : start + row * inner + lanes]
        for lane in range(lanes):
            target[lane] = source[lane]


@part
def _load_columns(values: Any, tile: Any, start: int, rows: int, lanes: int, shift: Any) -> None:
    """Transposed, in strips of 16 entries, a cache line each."""
    for first in range(0, rows, 16):
        last = min(rows, first + 16)
        for lane in range(lanes):
            source = values[start + lane * rows : start + (lane + 1) * rows]
            for row in range(first, last):
                tile[row, lane] = source[row] - shift


@part
def _store_columns(values: Any, tile: Any, start: int, rows: int, lanes: int) -> None:
    for first in range(0, rows, 16):
        last = min(rows, first + 16)
        for lane in range(lanes):
            target = values[start + lane * rows : start + (lane + 1) * rows]
            for row in range(first, last):
                target[row] = tile[row, lane]


# The inner loops index whole arrays, row by row: slices would be counted references, a good part of the work.
# `np.add` of two 32-bit numbers is a 32-bit number; a plain + would be compiled at 64 bits, half as wide.


@part
def _steps_two(source: Any, target: Any, steps: Any, lanes: int, table: Any, tally: Any) -> Any:
    """The steps for two actions; returns the tile that holds the result."""
    for step in range(steps[0], steps[1]):
        stride = 1 << step
        for high in range(0, tally.shape[1], 2 * stride):
            for r0 in range(high, high + stride):
                r1 = r0 + stride
                t0, t1 = np.int64(tally[0, r0]) - 1, np.int64(tally[1, r0])
                for lane in range(lanes):
                    a, b = source[r0, lane], source[r1, lane]
                    x0, x1 = np.add(a, table[0, t0, lane]), np.add(b, table[1, t1, lane])
                    target[r0, lane] = min(np.add(a, table[0, t0 + 1, lane]), x1)
                    target[r1, lane] = min(np.add(b, table[1, t1 + 1, lane]), x0)
        source, target = target, source
    return source


@part
def _steps_three(source: Any, target: Any, steps: Any, lanes: int, table: Any, tally: Any) -> Any:
    """The same for three actions."""
    for step in range(steps[0], steps[1]):
        stride = 3**step
        for high in range(0, tally.shape[1], 3 * stride):
            for r0 in range(high, high + stride):
                r1, r2 = r0 + stride, r0 + 2 * stride
                t0, t1, t2 = np.int64(tally[0, r0]) - 1, np.int64(tally[1, r0]), np.int64(tally[2, r0])
                for lane in range(lanes):
                    a, b, c = source[r0, lane], source[r1, lane], source[r2, lane]
                    x0, x1 = np.add(a, table[0, t0, lane]), np.add(b, table[1, t1, lane])
                    x2 = np.add(c, table[2, t2, lane])
                    target[r0, lane] = min(np.add(a, table[0, t0 + 1, lane]), min(x1, x2))
                    target[r1, lane] = min(np.add(b, table[1, t1 + 1, lane]), min(x0, x2))
                    target[r2, lane] = min(np.add(c, table[2, t2 + 1, lane]), min(x0, x1))
        source, target = target, source
    return source


@part
def _steps_four(source: Any, target: Any, steps: Any, lanes: int, table: Any, tally: Any) -> Any:
    """The same for four actions."""
    for step in range(steps[0], steps[1]):
        stride = 4**step
        for high in range(0, tally.shape[1], 4 * stride):
            for r0 in range(high, high + stride):
                r1, r2, r3 = r0 + stride, r0 + 2 * stride, r0 + 3 * stride
                t0, t1 = np.int64(tally[0, r0]) - 1, np.int64(tally[1, r0])
                t2, t3 = np.int64(tally[2, r0]), np.int64(tally[3, r0])
                for lane in range(lanes):
                    a, b, c, d = source[r0, lane], source[r1, lane], source[r2, lane], source[r3, lane]
                    x0, x1 = np.add(a, table[0, t0, lane]), np.add(b, table[1, t1, lane])
                    x2, x3 = np.add(c, table[2, t2, lane]), np.add(d, table[3, t3, lane])
                    x01, x23 = min(x0, x1), min(x2, x3)
                    target[r0, lane] = min(np.add(a, table[0, t0 + 1, lane]), min(x1, x23))
                    target[r1, lane] = min(np.add(b, table[1, t1 + 1, lane]), min(x0, x23))
                    target[r2, lane] = min(np.add(c, table[2, t2 + 1, lane]), min(x3, x01))
                    target[r3, lane] = min(np.add(d, table[3, t3 + 1, lane]), min(x2, x01))
        source, target = target, source
    return source


@part
def _steps_five(source: Any, target: Any, steps: Any, lanes: int, table: Any, tally: Any) -> Any:
    """The same for five actions."""
    for step in range(steps[0], steps[1]):
        stride = 5**step
        for high in range(0, tally.shape[1], 5 * stride):
            for r0 in range(high, high + stride):
                r1, r2, r3, r4 = r0 + stride, r0 + 2 * stride, r0 + 3 * stride, r0 + 4 * stride
                t0, t1, t2 = np.int64(tally[0, r0]) - 1, np.int64(tally[1, r0]), np.int64(tally[2, r0])
                t3, t4 = np.int64(tally[3, r0]), np.int64(tally[4, r0])
                for lane in range(lanes):
                    a, b, c = source[r0, lane], source[r1, lane], source[r2, lane]
                    d, e = source[r3, lane], source[r4, lane]
                    x0, x1 = np.add(a, table[0, t0, lane]), np.add(b, table[1, t1, lane])
                    x2, x3 = np.add(c, table[2, t2, lane]), np.add(d, table[3, t3, lane])
                    x4 = np.add(e, table[4, t4, lane])
                    x01, x34 = min(x0, x1), min(x3, x4)
                    x012, x234 = min(x01, x2), min(x2, x34)
                    target[r0, lane] = min(np.add(a, table[0, t0 + 1, lane]), min(x1, x234))
                    target[r1, lane] = min(np.add(b, table[1, t1 + 1, lane]), min(x0, x234))
                    target[r2, lane] = min(np.add(c, table[2, t2 + 1, lane]), min(x01, x34))
                    target[r3, lane] = min(np.add(d, table[3, t3 + 1, lane]), min(x012, x4))
                    target[r4, lane] = min(np.add(e, table[4, t4 + 1, lane]), min(x012, x3))
        source, target = target, source
    return source


@part
def _steps_many(source: Any, target: Any, steps: Any, lanes: int, table: Any, tally: Any, work: Any) -> Any:
    """The same for any number of actions."""
    actions, rows = tally.shape
    for step in range(steps[0], steps[1]):
        stride = actions**step
        for high in range(0, rows, actions * stride):
            for base in range(high, high + stride):
                _group(source, target, base, stride, lanes, table, tally, work)
        source, target = target, source
    return source


@part
def _group(
    source: Any, target: Any, base: int, stride: int, lanes: int, table: Any, tally: Any, work: Any
) -> None:
    """K rows: the x_a and the two smallest of them go to `work`, then come the new rows."""
    actions = table.shape[0]
    least, second = actions, actions + 1
    t0, t1 = np.int64(tally[0, base]) - 1, np.int64(tally[1, base])
    for lane in range(lanes):
        work[0, lane] = source[base, lane] + table[0, t0, lane]
        work[1, lane] = source[base + stride, lane] + table[1, t1, lane]
        work[least, lane] = min(work[0, lane], work[1, lane])
        work[second, lane] = max(work[0, lane], work[1, lane])
    for a in range(2, actions):
        row, t = base + a * stride, np.int64(tally[a, base])
        for lane in range(lanes):
            work[a, lane] = source[row, lane] + table[a, t, lane]
            work[second, lane] = min(work[second, lane], max(work[least, lane], work[a, lane]))
            work[least, lane] = min(work[least, lane], work[a, lane])
    for a in range(actions):
        row, t = base + a * stride, np.int64(tally[a, base]) + (0 if a == 0 else 1)
        for lane in range(lanes):
            target[row, lane] = source[row, lane] + table[a, t, lane]
            others = work[second, lane] if work[a, lane] == work[least, lane] else work[least, lane]
            target[row, lane] = min(target[row, lane], others)
