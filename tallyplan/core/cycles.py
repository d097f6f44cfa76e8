"""Minimum mean cycles and single-run words, asked of the compiled core."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import byref, c_int32, c_int64, c_void_p
from dataclasses import dataclass
from typing import Any

from tallyplan.core.library import Array, Owned, Table, bandit_in, call, library
from tallyplan.limits import Progress
from tallyplan.model.words import Word

MASK = 2**64 - 1


class _Edges(ctypes.Structure):
    """tp_edges."""

    _fields_ = (
        ("nodes", c_int64),
        ("first", c_void_p),
        ("heads", c_void_p),
        ("bytes", c_int32),
        ("costs", c_void_p),
        ("times", c_void_p),
    )


class _Cycle(ctypes.Structure):
    """tp_cycle."""

    _fields_ = (
        ("length", c_int64),
        ("word", ctypes.POINTER(c_int32)),
        ("start", c_int64),
        ("states", c_int64),
        ("potentials", c_void_p),
        ("bytes", c_int32),
        ("scale", c_int64),
        ("mean_low", c_int64),
        ("mean_high", c_int64),
    )


@dataclass(frozen=True)
class Cycle:
    """A cycle of least mean: scale * cost - mean + potentials[head] - potentials[tail] >= 0 on every edge.

    `start` is the state in which the word begins, or the node; mean / scale is in lowest terms.
    """

    word: Word
    start: int
    mean: int
    scale: int
    potentials: Array


def cycle_of_table(
    table: Table, highest: int, look: Callable[[], None], progress: Progress | None = None
) -> Cycle:
    """The minimum mean cycle of a tallying bandit with integer losses of at most `highest`.

    Raises
    ------
    InstanceTooLarge : before anything is allocated.
    TooWideError : 128 bits do not suffice.
    """
    bandit, _entries = bandit_in(table, highest)
    states = len(table) ** (len(table[0]) - 1)
    return _cycle("cycle_of_bandit", byref(bandit), states, look, progress)


def cycle_of_rows(
    first: Array,
    heads: Array,
    costs: tuple[int, Any],
    look: Callable[[], None],
    progress: Progress | None = None,
    times: Array | None = None,
) -> Cycle:
    """The minimum mean cycle of a graph: the edges of node s are first[s], ..., first[s + 1] - 1.

    `first` has 64-bit, `heads` and `times` (1 each, if they are not given) have 32-bit integers, and the
    costs are those of `numbers`.

    Raises
    ------
    InstanceTooLarge : before anything is allocated.
    NoAnswerError : there is no cycle.
    TooWideError : 128 bits do not suffice.
    """
    width, entries = costs
    taken = None if times is None else times.ctypes.data
    edges = _Edges(
        len(first) - 1, first.ctypes.data, heads.ctypes.data, width, entries.buffer_info()[0], taken
    )
    return _cycle("cycle_of_edges", byref(edges), len(first) - 1, look, progress)


def _cycle(name: str, graph: Any, states: int, look: Callable[[], None], progress: Progress | None) -> Cycle:
    found = _Cycle()
    call(name, graph, byref(found), states=states, look=look, progress=progress)
    word = tuple(found.word[: found.length])
    library().tp_free(found.word)
    potentials = Owned(found.potentials, found.states, found.bytes).array()
    mean = (found.mean_high << 64) + (found.mean_low & MASK)
    return Cycle(word, found.start, mean, found.scale, potentials)


def single_runs(
    table: Table, highest: int, look: Callable[[], None], *, every: bool, seconds: float | None = None
) -> list[int]:
    """How often a single-run word of least mean plays each action.

    `every` period is tried, or else those that promise most, for about so many seconds.

    Raises
    ------
    InstanceTooLarge : before anything is allocated.
    TooWideError : 128 bits do not suffice.
    """
    bandit, _entries = bandit_in(table, highest)
    runs = (c_int32 * len(table))()
    nanoseconds = -1 if seconds is None else max(0, int(seconds * 10**9))
    call("single_run", byref(bandit), c_int32(every), c_int64(nanoseconds), runs, look=look)
    return list(runs)
