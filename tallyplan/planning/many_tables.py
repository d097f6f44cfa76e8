"""Many tables of one size at once, values only: lambda*, OPT_T and the best closed walks, table by table.

The core sweeps the tables side by side, one in each lane of its vectors, in integers of 32 or 64 bits, whose
width it chooses by a bound. A table that this does not prove, or whose numbers may exceed 64 bits, is asked
by itself.

Tables are integers of shape (N, K, m), `tables[i, x, y - 1]` the loss h_x(y) of table i times whatever
denominator it has; what is returned is in the same units.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ctypes import byref, c_int64, c_void_p
from fractions import Fraction
from itertools import islice, product
from typing import Any

import numpy as np

from tallyplan.core.library import Tables, TooWideError, Walks
from tallyplan.core.questions import call
from tallyplan.limits import silent
from tallyplan.model.graph import Array
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.words import Word, last
from tallyplan.planning.effort import tick
from tallyplan.planning.on_graph.cycles import minimum_mean


def least_means(tables: Array) -> tuple[Array, Array]:
    """The least mean of each table, as a cost and the length that it is divided by."""
    if tables.shape[1] == 1 or tables.shape[2] == 1:  # a constant word is best
        return tables[:, :, -1].min(axis=1), np.ones(len(tables), dtype=np.int64)
    costs, lengths, proved = (np.zeros(len(tables), dtype=kind) for kind in (np.int64, np.int64, np.uint8))
    try:
        _asked("least_means", tables, _at(costs), _at(lengths), _at(proved))
    except TooWideError:
        costs, lengths = costs.astype(object), lengths.astype(object)
    for i in np.flatnonzero(proved == 0):
        highest = max(1, int(tables[i].max()))
        bandit = TallyingBandit([[Fraction(int(loss), highest) for loss in row] for row in tables[i]])
        found = minimum_mean(bandit, silent)
        costs[i], lengths[i] = highest // bandit.denominator * found.mean, found.scale
    return costs, lengths


def least_walks(tables: Array, horizons: Sequence[int], start: Sequence[int] = ()) -> Array:
    """OPT_T after the history `start`, at most m - 1 actions: a row for each of the horizons."""
    rising = sorted(set(horizons))
    try:
        if rising[-1] >= 2**62:
            raise TooWideError
        steps, history = np.array(rising, dtype=np.int64), np.array(start, dtype=np.int32)
        walks = Walks(history.ctypes.data, len(history), steps.ctypes.data, len(steps))
        found = np.empty((len(steps), len(tables)), dtype=np.int64)
        _asked("least_walks", tables, byref(walks), _at(found))
        return found[np.searchsorted(steps, horizons)]
    except TooWideError:
        columns = []
        for table in tables:
            ends = [min(ends.values()) for ends in islice(_ends(table, tuple(start)), rising[-1] + 1)]
            columns.append([ends[horizon] for horizon in horizons])
        return np.array(columns, dtype=object).T


def closed_walks(tables: Array, longest: int) -> Array:
    """The least cost of a closed walk of 1, 2, ..., `longest` steps: a row for each length."""
    try:
        found = np.empty((longest, len(tables)), dtype=np.int64)
        _asked("closed_walks", tables, c_int64(longest), _at(found))
        return found
    except TooWideError:
        _, actions, memory = tables.shape
        columns = []
        for table in tables:
            roots = [*product(range(actions), repeat=memory - 1)]
            walks = [[*islice(_ends(table, root), longest + 1)] for root in roots]
            pairs = [*zip(roots, walks, strict=True)]
            columns.append(
                [min(ends[t][root] for root, ends in pairs if root in ends[t]) for t in range(1, longest + 1)]
            )
        return np.array(columns, dtype=object).T


def _asked(name: str, tables: Array, *arguments: Any) -> None:
    """Ask the core. A memory of 1 is one of 2 for losses that do not depend on the tally."""
    if tables.dtype.kind == "O" and max(tables.flat, default=0) >= 2**63:
        raise TooWideError
    longer = tables if tables.shape[2] > 1 else tables.repeat(2, axis=2)
    entries = np.ascontiguousarray(longer, dtype=np.int64)
    given = Tables(*entries.shape, entries.ctypes.data)
    call(name, byref(given), *arguments, look=tick)


def _at(array: Array) -> c_void_p:
    return c_void_p(array.ctypes.data)


def _ends(table: Array, start: Word) -> Iterator[dict[Word, int]]:
    """After 0, 1, 2, ... steps from `start`: the least cost of a walk to each history, in any integers."""
    actions, memory = table.shape
    ends = {start: 0}
    while True:
        yield ends
        tick()
        further: dict[Word, int] = {}
        for history, paid in ends.items():
            for action in range(actions):
                to = last((*history, action), memory - 1)
                cost = paid + int(table[action, history.count(action)])
                further[to] = min(cost, further.get(to, cost))
        ends = further
