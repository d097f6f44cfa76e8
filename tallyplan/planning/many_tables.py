"""Many tables of one size at once, values only: lambda*, OPT_T and the best closed walks, table by table.

The core sweeps the tables side by side, one in each lane of its vectors, in integers of 32 or 64 bits, whose
width it chooses by a bound. A table that this does not prove, or whose numbers may exceed 64 bits, is asked
by itself.

Tables are integers of shape (N, K, m), `tables[i, x, y - 1]` the loss h_x(y) of table i times whatever
denominator it has; what is returned is in the same units.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ctypes import byref, c_int64, c_void_p
from fractions import Fraction
from typing import Any

import numpy as np

from tallyplan.core.library import Tables, TooWideError, Walks
from tallyplan.core.questions import call
from tallyplan.limits import silent
from tallyplan.model.graph import Array
from tallyplan.model.instance import TallyingBandit
from tallyplan.planning.cyclic import optimal_cyclic_policy
from tallyplan.planning.effort import tick
from tallyplan.planning.horizon import plan_on_graph
from tallyplan.planning.mean_cycle import cycle_on_graph


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
        unit, (bandit,) = _bandits(tables[i : i + 1])
        costs[i], lengths[i] = (unit * cycle_on_graph(bandit).value).as_integer_ratio()
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
        return _each(
            tables, lambda bandit: [plan_on_graph(bandit, T, tuple(start), silent).value for T in horizons]
        )


def closed_walks(tables: Array, longest: int) -> Array:
    """The least cost of a closed walk of 1, 2, ..., `longest` steps: a row for each length."""
    try:
        found = np.empty((longest, len(tables)), dtype=np.int64)
        _asked("closed_walks", tables, c_int64(longest), _at(found))
        return found
    except TooWideError:
        lengths = range(1, longest + 1)
        return _each(tables, lambda bandit: [L * optimal_cyclic_policy(bandit, L).value for L in lengths])


def _asked(name: str, tables: Array, *arguments: Any) -> None:
    """Ask the core. A memory of 1 is one of 2 for losses that do not depend on the tally."""
    if tables.dtype.kind == "O" and max(tables.flat, default=0) >= 2**63:
        raise TooWideError
    longer = tables if tables.shape[2] > 1 else tables.repeat(2, axis=2)
    entries = np.ascontiguousarray(longer, dtype=np.int64)
    given = Tables(*entries.shape, entries.ctypes.data)
    *inputs, result = arguments
    call(name, (byref(given), *inputs), result, tick)


def _at(array: Array) -> c_void_p:
    return c_void_p(array.ctypes.data)


def _each(tables: Array, answers: Callable[[TallyingBandit], list[Fraction]]) -> Array:
    """A column of integers for each table."""
    unit, bandits = _bandits(tables)
    return np.array([[int(unit * value) for value in answers(bandit)] for bandit in bandits], dtype=object).T


def _bandits(tables: Array) -> tuple[int, list[TallyingBandit]]:
    """The tables one by one, and what their losses are to be multiplied by."""
    unit = max(1, int(tables.max()))
    fractions = ([[Fraction(loss, unit) for loss in row] for row in table] for table in tables.tolist())
    return unit, [*map(TallyingBandit, fractions)]
