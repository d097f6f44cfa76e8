"""Many tables of one size at once, values only: lambda*, OPT_T and the best closed walks, table by table.

Tables lie side by side, for least means one in each lane of the core's vectors, for walks along the last axis
of arrays; in integers of 32 or 64 bits, whose width is chosen by a bound, and walks beyond that in Python's.
A table whose least mean the core does not prove in this way is asked by itself.

Tables are integers of shape (N, K, m), `tables[i, x, y - 1]` the loss h_x(y) of table i times whatever
denominator it has; what is returned is in the same units.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ctypes import byref, c_int64, c_void_p
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np

from tallyplan.core.library import Given, TooWideError
from tallyplan.core.questions import call
from tallyplan.model.graph import Array
from tallyplan.model.instance import TallyingBandit
from tallyplan.planning.effort import tick
from tallyplan.planning.mean_cycle import cycle_on_graph

CELLS = 2**17  # numbers that are treated at a time


def least_means(tables: Array) -> tuple[Array, Array]:
    """The least mean of each table, as a cost and the length that it is divided by."""
    if tables.shape[1] == 1 or tables.shape[2] == 1:  # a constant word is best
        return tables[:, :, -1].min(axis=1), np.ones(len(tables), dtype=np.int64)
    costs, lengths = np.zeros((2, len(tables)), dtype=np.int64)
    try:
        if int(tables.max(initial=0)) >= 2**63:
            raise TooWideError
        entries = np.ascontiguousarray(tables, dtype=np.int64)
        given, count = Given(*tables.shape[1:], 8, entries.ctypes.data), c_int64(len(tables))
        first, second = c_void_p(costs.ctypes.data), c_void_p(lengths.ctypes.data)
        call("least_means", (byref(given), count, first), second, tick)
    except TooWideError:
        costs, lengths = costs.astype(object), lengths.astype(object)
    for i in np.flatnonzero(lengths == 0):
        unit = max(1, int(tables[i].max()))
        bandit = TallyingBandit([[Fraction(loss, unit) for loss in row] for row in tables[i].tolist()])
        costs[i], lengths[i] = (unit * cycle_on_graph(bandit).value).as_integer_ratio()
    return costs, lengths


def least_walks(tables: Array, horizons: Sequence[int], start: Sequence[int] = ()) -> Array:
    """OPT_T after the history `start`, at most m - 1 actions: a row for each of the horizons."""
    return _in_pieces(tables, max(horizons), 1, partial(_least_walks, horizons, start))


def _least_walks(horizons: Sequence[int], start: Sequence[int], tables: Array, _: int) -> Array:
    """By the Bellman recursion; before the history is full, nothing leaves the window."""
    count, actions, memory = tables.shape
    missing = memory - 1 - len(start)
    code = sum(action * actions**i for i, action in enumerate(reversed(start)))
    openings = [_costs(tables, start, length) for length in range(missing)]
    found, costs = np.empty((len(horizons), count), tables.dtype), _costs(tables, (), memory - 1)
    values = np.zeros((actions ** (memory - 1), count), tables.dtype)
    for time in range(max(0, *(T - missing for T in horizons)) + 1):
        for number in (j for j, T in enumerate(horizons) if max(0, T - missing) == time):
            words = actions ** min(missing, horizons[number])
            least = values[code * words : (code + 1) * words] if time else values[:words]
            for opening in reversed(openings[: horizons[number]]):
                least = _step(opening, least)
            found[number] = least[0]
        tick()
        values = _step(costs, values)
    return found


def closed_walks(tables: Array, longest: int) -> Array:
    """The least cost of a closed walk of 1, 2, ..., `longest` steps: a row for each length."""
    states = tables.shape[1] ** (tables.shape[2] - 1)
    return _in_pieces(tables, longest, states, partial(_closed_walks, longest))


def _closed_walks(longest: int, tables: Array, never: int) -> Array:
    """The recursion of all walks that end in a state, for every state at once."""
    costs, found = _costs(tables, (), tables.shape[2] - 1), []
    states = range(len(costs))
    values = np.full((len(costs), len(costs), len(tables)), never, tables.dtype)
    values[states, states] = 0
    for _ in range(longest):
        tick()
        values = _step(costs[:, :, None], values)
        found.append(values[states, states].min(axis=0))
    return np.array(found)


def _in_pieces(tables: Array, steps: int, ends: int, answer: Callable[[Array, int], Array]) -> Array:
    """answer(tables, never) for chunks of tables whose walks, to each of `ends`, fit a cache.

    `never` is more than any walk costs, and the type holds twice that. A memory of 1 is one of 2 for losses
    that do not depend on the tally.
    """
    never = (steps + 1) * (int(tables.max(initial=0)) + 1)
    kind = np.int32 if never < 2**30 else np.int64 if never < 2**62 else object
    tables = (tables if tables.shape[2] > 1 else tables.repeat(2, axis=2)).astype(kind)
    size = max(1, CELLS // (tables.shape[1] ** tables.shape[2] * ends))
    starts = range(0, len(tables) or 1, size)
    return np.concatenate([answer(tables[first : first + size], never) for first in starts], axis=1)


def _costs(tables: Array, start: Sequence[int], length: int) -> Array:
    """[word, action, table]: the cost of an action after `start` and each word of a given length."""
    actions = range(tables.shape[1])
    words = np.array([*product(actions, repeat=length)], dtype=np.int64)
    tallies = [(words == a).sum(axis=1) + list(start).count(a) for a in actions]
    return np.stack([tables[:, a, tally].T for a, tally in enumerate(tallies)], axis=1)


def _step(costs: Array, values: Array) -> Array:
    """By word, the least cost of an action and what follows, where `values` has words with it at the end.

    If all are as long as a history, the action of a word that leaves the window first does not matter.
    """
    after = values.reshape(-1, costs.shape[1], *values.shape[1:])
    least: Array = (costs.reshape(-1, len(after), *costs.shape[1:]) + after).min(axis=2)
    return least.reshape(-1, *values.shape[1:])
