"""Loads the compiled library, and calls it so that Ctrl-C and time limits work.

interface.h says what the functions do. A call first runs on this thread for a moment, unless the graph is
large. If that is not enough, it is made again on another thread, while this one waits in Python, where a
signal can reach it.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import threading
from array import array
from collections.abc import Callable, Iterable, Sequence
from ctypes import byref, c_char_p, c_int32, c_int64, c_void_p
from functools import cache
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tallyplan.errors import InstanceTooLarge, InternalError
from tallyplan.limits import Progress, available_memory, in_bytes

FOLDER = Path(__file__).parent
DONE, STOPPED, TOO_LARGE, TOO_WIDE, NO_ANSWER, WRONG = range(6)
FIRST_NANOSECONDS = 40_000_000  # that a call may take on the thread of the caller
FIRST_BYTES = 2**25  # and take, without asking how much there is
FIRST_STATES = 2**19  # of a larger graph a moment is not enough
SECONDS_BETWEEN_LOOKS = 0.05  # at signals and limits while another thread computes
MASK = 2**64 - 1
VARIANT = "TALLYPLAN_CORE"  # an environment variable: the variant that is used, whatever the processor

Array = npt.NDArray[Any]
Table = Sequence[Sequence[int]]


class Limits(ctypes.Structure):
    """tp_limits."""

    _fields_ = (
        ("memory", c_int64),
        ("nanoseconds", c_int64),
        ("stop", ctypes.POINTER(c_int32)),
        ("threads", c_int32),
        ("needed", c_int64),
        ("progress", c_int64),
    )


class Number(ctypes.Structure):
    """tp_number."""

    _fields_ = (("low", c_int64), ("high", c_int64))


class Given(ctypes.Structure):
    """tp_graph."""

    _fields_ = (
        ("actions", c_int32),
        ("memory", c_int32),
        ("bytes", c_int32),
        ("costs", c_void_p),
        ("nodes", c_int64),
        ("first", c_void_p),
        ("heads", c_void_p),
        ("times", c_void_p),
    )


class Mean(ctypes.Structure):
    """tp_mean."""

    _fields_ = (("scale", Number), ("mean", Number), ("bytes", c_int32), ("potentials", c_void_p))


class Found(ctypes.Structure):
    """tp_found."""

    _fields_ = (
        ("count", c_int64),
        ("numbers", ctypes.POINTER(c_int64)),
        ("states", c_int64),
        ("values", c_void_p),
        ("bytes", c_int32),
    )

    def read(self) -> list[int]:
        """The numbers."""
        return self.numbers[: self.count]

    def vector(self) -> Array:
        """The values by state, which are given back when nobody uses them any more."""
        address, self.values = self.values, None
        return Owned(address, self.states, self.bytes).array()

    def __del__(self) -> None:
        for memory in (self.numbers, self.values):
            if memory and library is not None:  # at the end of Python it may be gone
                library().tp_free(memory)


class TooWideError(Exception):
    """128 bits do not suffice: `planning.reference` must serve."""


class NoAnswerError(Exception):
    """There is no answer: the graph has no cycle."""


@cache
def library() -> ctypes.CDLL:
    """The library, if it was built from the sources beside it."""
    path = FOLDER / ("compiled.dll" if os.name == "nt" else "compiled.so")
    rebuild = "build it with `make`, or install tallyplan again with pip."
    try:
        loaded = ctypes.CDLL(str(path))
    except OSError as error:
        raise ImportError(f"the compiled core cannot be loaded ({error}); {rebuild}") from None
    for name in ("tp_sources", "tp_variants", "tp_variant"):
        getattr(loaded, name).restype = c_char_p
    loaded.tp_free.argtypes, loaded.tp_free.restype = (c_void_p,), None
    sources = sorted(path for path in FOLDER.iterdir() if path.suffix in (".h", ".hpp", ".cpp"))
    here = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    if sources and here != loaded.tp_sources().decode():
        raise ImportError(f"the compiled core was built from other sources than {FOLDER} has; {rebuild}")
    return loaded


def variants() -> list[str]:
    """The variants that were built, the plain one first."""
    names: list[str] = library().tp_variants().decode().split()
    return names


@cache
def function(name: str, variant: str | None = None) -> Any:
    """A function of the core for this processor, or for the one that $TALLYPLAN_CORE names."""
    chosen = variant or os.environ.get(VARIANT) or library().tp_variant().decode()
    return getattr(library(), f"tp_{name}_{chosen}")


def available_cores() -> int:
    """The cores that this process may use; all of them where the system does not say."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def call(
    name: str,
    *arguments: Any,
    states: int = 0,
    look: Callable[[], None] = lambda: None,
    progress: Progress | None = None,
) -> None:
    """Call a function whose last arguments are its limits and its result: (..., limits, result).

    `states` is the size of the graph. `look` is called every now and then while the call runs, and may raise
    to end it.

    Raises
    ------
    InstanceTooLarge : before anything is allocated.
    """
    *inputs, result = arguments
    entry, limits = function(name), Limits(FIRST_BYTES, FIRST_NANOSECONDS, None, 1, 0, 0)
    status = entry(*inputs, byref(limits), result) if states <= FIRST_STATES else STOPPED
    if status in (TOO_LARGE, STOPPED):
        look()
        memory, stop = available_memory(), c_int32(0)
        limits = Limits(
            2**62 if memory is None else memory, -1, ctypes.pointer(stop), available_cores(), 0, 0
        )
        status = _watched(lambda: entry(*inputs, byref(limits), result), limits, look, progress)
    if status == TOO_LARGE:
        raise InstanceTooLarge(
            f"the question would need about {in_bytes(limits.needed)} of memory, "
            f"and {in_bytes(limits.memory)} are available."
        )
    if status == TOO_WIDE:
        raise TooWideError
    if status == NO_ANSWER:
        raise NoAnswerError
    if status == WRONG:
        raise InternalError("a result of the core failed its verification; please report this instance.")


def _watched(
    work: Callable[[], int], limits: Limits, look: Callable[[], None], progress: Progress | None
) -> int:
    """The status of work on another thread; what signals and limits raise on this one ends it."""
    status: list[int] = []
    thread = threading.Thread(target=lambda: status.append(work()), daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(SECONDS_BETWEEN_LOOKS)
            look()
            if progress is not None and thread.is_alive():
                progress(f"{limits.progress} sweeps")
    except BaseException:
        limits.stop.contents.value = 1
        thread.join()
        raise
    return status[0]


def wide(low: int, high: int) -> int:
    """A number of 128 bits."""
    return (high << 64) | (low & MASK)


def number(value: int) -> Number:
    """The same as the core takes it."""
    return Number(value & MASK if value & MASK < 2**63 else (value & MASK) - 2**64, value >> 64)


def numbers(values: Sequence[int], largest: int) -> tuple[int, Any]:
    """(bytes of a number, a buffer of them) for numbers of at most `largest` in absolute value.

    Raises
    ------
    TooWideError : 128 bits do not suffice.
    """
    if largest < 2**63:
        return 8, array("q", values)
    if largest >= 2**126:
        raise TooWideError
    return 16, array("B", b"".join([value.to_bytes(16, "little", signed=True) for value in values]))


@dataclass(frozen=True)
class Graph:
    """A graph as the core takes it, how many states it has, and the buffers that must live as long.

    `connected`: from every state every one that lasts can be reached, as among histories.
    """

    given: Given
    states: int
    buffers: tuple[Any, ...]
    connected: bool = True


def graph_of_table(table: Table, highest: int) -> Graph:
    """The histories of a tallying bandit with integer losses of at most `highest`.

    Raises
    ------
    TooWideError : 128 bits do not suffice.
    """
    width, entries = numbers([*chain.from_iterable(table)], highest)
    actions, memory = len(table), len(table[0])
    given = Given(actions, memory, width, entries.buffer_info()[0])
    return Graph(given, actions ** (memory - 1), (entries,))


def graph_of_edges(
    first: Array,
    heads: Array,
    costs: Sequence[int],
    highest: int,
    times: Array | None = None,
    *,
    connected: bool = True,
) -> Graph:
    """A graph with stored edges: those of node s are first[s], ..., first[s + 1] - 1.

    An edge of negative cost is missing. `first` has 64-bit, `heads` and `times` (1 each, if they are not
    given) have 32-bit integers.

    Raises
    ------
    TooWideError : 128 bits do not suffice.
    """
    width, entries = numbers(costs, highest)
    taken = None if times is None else times.ctypes.data
    nodes = len(first) - 1
    given = Given(
        0, 0, width, entries.buffer_info()[0], nodes, first.ctypes.data, heads.ctypes.data, taken
    )
    return Graph(given, nodes, (first, heads, entries, times), connected)


class Owned:
    """Memory that the core has handed over, as an array that gives it back when nobody uses it any more."""

    def __init__(self, address: int, size: int, width: int) -> None:
        self._address, self._free = address, library().tp_free  # at the end of Python `library` may be gone
        self.__array_interface__ = {
            "version": 3,
            "shape": (size,),
            "typestr": f"<i{width}" if width <= 8 else "|V16",
            "data": (address, False),
        }

    def __del__(self) -> None:
        self._free(self._address)

    def array(self) -> Array:
        """The numbers; those of 128 bits as Python integers."""
        owned = np.asarray(self)
        if owned.dtype.itemsize < 16:
            return owned
        return np.array([int.from_bytes(number, "little", signed=True) for number in owned], dtype=object)
