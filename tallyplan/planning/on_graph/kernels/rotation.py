"""The Bellman step, many at a time, in place, on a vector whose digits rotate.

A state is D = m - 1 digits. The step reads the K states that differ in their *newest* digit and writes
the K states that differ in their *oldest* one, with the same digits in between. So the new values can
stand where the old ones were, if from then on that digit position holds the oldest action: position 0 is
replaced in the first step, position 1 in the second, and after D steps every position has had its turn
and the vector is back in its standard order. Tallies do not care which position holds which action.

With x_a = cost of a at its tally + value and y_a = the same at one tally more, the new values of a group of K
are min(y_d, min over a != d of x_a): the two smallest x serve all d, O(1) a state.

Steps whose positions lie in one *group* of digits touch only blocks of K^(digits of the group) entries
that do not know of each other. So blocks are brought into the cache once for all of them, LANES of them side
by side as the columns of a *tile*: each row is a vector of the machine, and the x, the two smallest of them
and the new values never leave its registers. A whole turn of D steps costs two or three passes over the
vector.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tallyplan.model.graph import Array
from tallyplan.planning.compiling import compiled, part
from tallyplan.planning.on_graph.kernels.vectors import (
    LANES,
    everywhere,
    gather,
    greater,
    if_equal,
    lesser,
    load,
    minus,
    plus,
    store,
    transpose,
)

ROWS = 1024  # rows of a tile at most: with 16 lanes of 8 bytes it fits the second-level cache
UNROLLED = 5  # for up to so many actions the loop over them is unrolled, in a kernel of their own


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


def tiles(columns: int, blocks: int) -> int:
    """The number of tiles of one pass."""
    return -(-columns // LANES) * blocks


def arms_of(actions: int) -> tuple[int, ...]:
    """A tuple whose length, which the compiler knows, is the number of actions; empty for many actions."""
    return (0,) * actions if actions <= UNROLLED else ()


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
    arms: Any,
) -> None:
    """The steps (first, last) of a group of digits with `below` digits below it, on the tiles `which`.

    Tallies in words of digits: `row_tally` in the group; `lane_tally` in the digits below, and
    `block_tally` in those above, or for the lowest group `lane_tally` in those above and `block_tally` in
    none. The length of `arms` is that of `arms_of`.
    """
    actions, rows = row_tally.shape
    inner = actions**below
    columns = lane_tally.shape[1]
    across = -(-columns // LANES)
    places = _places(row_tally)
    tile = np.empty((rows, LANES), values.dtype)
    table = np.empty((actions * (row_tally[0, 0] + 1), LANES), values.dtype)
    for number in range(which[0], which[1]):
        block, first = number // across, number % across * LANES
        lanes = min(LANES, columns - first)
        _price(table, costs, lane_tally, block_tally[:, block], first, lanes)
        start = first * rows if inner == 1 else block * rows * inner + first
        _load(values, tile, start, inner, lanes)
        if shift != 0:
            _lower(tile, shift)
        for step in range(steps[0], steps[1]):
            stride = actions**step
            for high in range(0, rows, actions * stride):
                for base in range(high, high + stride):
                    _group(tile, table, places, base, stride, arms)
        _store(values, tile, start, inner, lanes)


@part
def _group(tile: Any, table: Any, places: Any, base: int, stride: int, arms: Any) -> None:
    """The K rows from `base` on that differ in one digit: the two smallest x, then the new values."""
    actions = len(arms) or places.shape[1]
    least = second = everywhere(table.dtype.type(np.iinfo(table.dtype).max))
    for a in range(actions):
        x = plus(load(tile, (base + a * stride) * LANES), load(table, places[base, a]))
        second = lesser(second, greater(least, x))
        least = lesser(least, x)
    for a in range(actions):
        at, place = (base + a * stride) * LANES, places[base, a]
        value = load(tile, at)
        x, y = plus(value, load(table, place)), plus(value, load(table, place + LANES))
        store(tile, at, lesser(y, if_equal(x, least, second, least)))


@part
def _places(tally: Any) -> Any:
    """`[w, a]`: where `table` has the costs of a if it occurs in w as often, a digit 0 of w left out."""
    actions, words = tally.shape
    places = np.empty((words, actions), np.int64)
    for word in range(words):
        for a in range(actions):
            others = np.int64(tally[a, word]) - (1 if a == 0 else 0)
            places[word, a] = (a * (tally[0, 0] + 1) + others) * LANES
    return places


@part
def _price(table: Any, costs: Any, lane_tally: Any, block_tally: Any, first: int, lanes: int) -> None:
    """Row a (digits + 1) + t of `table`: the costs of a in the lanes if it occurs t times in the group."""
    actions, columns = lane_tally.shape
    tallies = table.shape[0] // actions
    for a in range(actions):
        outside = a * columns + first
        for t in range(tallies):
            price, row = a * costs.shape[1] + block_tally[a] + t, a * tallies + t
            if lanes == LANES:
                store(table, row * LANES, gather(costs, price, lane_tally, outside))
            else:
                for lane in range(lanes):
                    table[row, lane] = costs[a, block_tally[a] + t + lane_tally[a, first + lane]]


@part
def _load(values: Any, tile: Any, start: int, inner: int, lanes: int) -> None:
    rows = tile.shape[0]
    if inner == 1 and lanes == LANES <= rows:
        for first in range(0, rows, LANES):
            row = min(first, rows - LANES)  # the last square may overlap the one before
            transpose(values, start + row, rows, tile, row * LANES, LANES)
    elif inner > 1 and lanes == LANES:
        for row in range(rows):
            store(tile, row * LANES, load(values, start + row * inner))
    else:
        between_lanes, between_rows = (rows, 1) if inner == 1 else (1, inner)
        for lane in range(lanes):
            for row in range(rows):
                tile[row, lane] = values[start + lane * between_lanes + row * between_rows]


@part
def _store(values: Any, tile: Any, start: int, inner: int, lanes: int) -> None:
    rows = tile.shape[0]
    if inner == 1 and lanes == LANES <= rows:
        for first in range(0, rows, LANES):
            row = min(first, rows - LANES)
            transpose(tile, row * LANES, LANES, values, start + row, rows)
    elif inner > 1 and lanes == LANES:
        for row in range(rows):
            store(values, start + row * inner, load(tile, row * LANES))
    else:
        between_lanes, between_rows = (rows, 1) if inner == 1 else (1, inner)
        for lane in range(lanes):
            for row in range(rows):
                values[start + lane * between_lanes + row * between_rows] = tile[row, lane]


@part
def _lower(tile: Any, shift: Any) -> None:
    for row in range(tile.shape[0]):
        store(tile, row * LANES, minus(load(tile, row * LANES), everywhere(shift)))
