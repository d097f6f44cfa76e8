"""Many tables of one size at once, asked of the compiled core: values only.

Tables are integers of shape (N, K, m), `tables[i, x, y - 1]` the loss h_x(y) of table i times whatever
denominator it has; what is returned is in the same units.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from ctypes import byref, c_int32, c_int64, c_void_p

import numpy as np

from tallyplan.core.library import TooWideError
from tallyplan.core.questions import Array, call


class _Tables(ctypes.Structure):
    """tp_tables."""

    _fields_ = (("count", c_int64), ("actions", c_int32), ("memory", c_int32), ("tables", c_void_p))


class _Walks(ctypes.Structure):
    """tp_walks."""

    _fields_ = (
        ("start", c_void_p),
        ("length", c_int64),
        ("horizons", c_void_p),
        ("horizons_count", c_int64),
    )


def least_means(tables: Array, look: Callable[[], None]) -> tuple[Array, Array, Array]:
    """The cost and the length of a word for each table, and whether it is proved that no mean is smaller.

    Raises
    ------
    TooWideError : 64 bits do not suffice.
    """
    given, _entries = _given(tables)
    costs, lengths, proved = (np.zeros(len(tables), dtype=kind) for kind in (np.int64, np.int64, np.uint8))
    call("least_means", byref(given), _at(costs), _at(lengths), _at(proved), look=look)
    return costs, lengths, proved


def least_walks(
    tables: Array, horizons: Sequence[int], start: Sequence[int], look: Callable[[], None]
) -> Array:
    """OPT_T after the history `start`, at most m - 1 actions: a row for each of the horizons.

    Raises
    ------
    TooWideError : 64 bits do not suffice.
    """
    given, _entries = _given(tables)
    rising = sorted(set(horizons))
    if rising[-1] >= 2**62:
        raise TooWideError
    steps, history = np.array(rising, dtype=np.int64), np.array(start, dtype=np.int32)
    walks = _Walks(history.ctypes.data, len(history), steps.ctypes.data, len(steps))
    found = np.empty((len(steps), len(tables)), dtype=np.int64)
    call("least_walks", byref(given), byref(walks), _at(found), look=look)
    return found[np.searchsorted(steps, horizons)]


def closed_walks(tables: Array, longest: int, look: Callable[[], None]) -> Array:
    """The least cost of a closed walk of 1, 2, ..., `longest` steps: a row for each length.

    Raises
    ------
    TooWideError : 64 bits do not suffice.
    """
    given, _entries = _given(tables)
    found = np.empty((longest, len(tables)), dtype=np.int64)
    call("closed_walks", byref(given), c_int64(longest), _at(found), look=look)
    return found


def _given(tables: Array) -> tuple[_Tables, Array]:
    """The tables as the core takes them, and the array that must live as long.

    A table with a memory of 1 is one with a memory of 2 whose losses do not depend on the tally.
    """
    if tables.dtype.kind == "O" and max(tables.flat, default=0) >= 2**63:
        raise TooWideError
    entries = np.ascontiguousarray(
        tables if tables.shape[2] > 1 else tables.repeat(2, axis=2), dtype=np.int64
    )
    count, actions, memory = entries.shape
    return _Tables(count, actions, memory, entries.ctypes.data), entries


def _at(array: Array) -> c_void_p:
    return c_void_p(array.ctypes.data)
