"""The least losses of many loss tables at once: one Bellman step is a few numpy operations on all of them.

A table is a row of Km integers over a common divisor, the loss h_x(y) in column x*m + y - 1. Nothing rounds:
the integer type is chosen by a bound on the largest number that can occur.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallyplan.model.graph import integer_type

Array = NDArray[Any]
CHUNK = 1 << 22  # entries of the largest intermediate array


@dataclass(frozen=True)
class Tables:
    """Loss tables as integer rows over their divisors."""

    rows: Sequence[Sequence[int]]
    divisors: Sequence[int]

    def least(self, solve: Callable[[Array], Array], steps: int, work: int) -> list[int]:
        """`solve` on chunks of rows; a table takes `work` entries, and at most `steps` losses are added."""
        highest = max((max(row) for row in self.rows), default=0)
        kind = integer_type(4 * (steps + 1) * (highest + 1))
        size = max(1, CHUNK // work)
        chunks = [self.rows[i : i + size] for i in range(0, len(self.rows), size)]
        return [int(value) for chunk in chunks for value in solve(np.array(chunk, dtype=kind))]


@dataclass(frozen=True)
class Layer:
    """The histories of one length: for each history and action, the loss that is paid and the successor."""

    losses: Array
    successors: Array


def layer(actions: int, memory: int, length: int) -> Layer:
    """All histories of `length` <= m - 1 actions, by code; shorter ones lead to histories one longer."""
    histories = list(product(range(actions), repeat=length))
    losses = [[a * memory + history.count(a) for a in range(actions)] for history in histories]
    after = actions ** min(length + 1, memory - 1)
    codes = np.arange(len(histories))[:, None] * actions + np.arange(actions)[None, :]
    return Layer(np.array(losses), codes % after)


def step(rows: Array, of: Layer, values: Array) -> Array:
    """One Bellman step; the last axis of `values` are the histories, the first one the tables."""
    paid = rows[:, of.losses]
    paid = paid.reshape(len(rows), *[1] * (values.ndim - 2), *of.losses.shape)
    result: Array = np.min(paid + values[..., of.successors], axis=-1)
    return result


def least_walk(rows: Array, actions: int, memory: int, steps: int, start: Sequence[int]) -> Array:
    """The least cost of `steps` steps after the history `start` (at most m - 1 actions), table by table."""
    lengths = [min(len(start) + t, memory - 1) for t in range(steps + 1)]
    layers = {length: layer(actions, memory, length) for length in set(lengths[:-1])}
    values = np.zeros((len(rows), actions ** lengths[-1]), dtype=rows.dtype)
    for length in reversed(lengths[:-1]):
        values = step(rows, layers[length], values)
    code = sum(action * actions**i for i, action in enumerate(reversed(start)))
    chosen: Array = values[:, code]
    return chosen


def least_closed_walk(rows: Array, actions: int, memory: int, length: int) -> Array:
    """The least cost of a closed walk of this length, table by table: words of that length, repeated."""
    full = layer(actions, memory, memory - 1)
    states = len(full.losses)
    unreachable = (length + 1) * (int(rows.max()) + 1)
    values = np.full((len(rows), states, states), unreachable, dtype=rows.dtype)
    values[:, np.arange(states), np.arange(states)] = 0
    for _ in range(length):
        values = np.minimum(step(rows, full, values), unreachable)
    least: Array = values[:, np.arange(states), np.arange(states)].min(axis=1)
    return least


def exact(values: Sequence[int], divisors: Sequence[int], ratio: Fraction) -> list[Fraction]:
    """The values as losses."""
    return [ratio * value / divisor for value, divisor in zip(values, divisors, strict=True)]
