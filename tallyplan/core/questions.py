"""The questions of the compiled core, asked so that Ctrl-C and time limits work.

interface.h says what the core returns. A call first runs on this thread for a moment, unless the graph is
large. If that is not enough, it is made again on another thread, while this one waits in Python, where a
signal can reach it.

Every question may raise InstanceTooLarge, before anything is allocated, and TooWideError, if 128 bits do not
suffice. `look` is called every now and then while the core runs, and may raise to end it.
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from ctypes import byref, c_char, c_int32, c_int64, c_void_p, pointer
from itertools import chain
from typing import Any, NamedTuple
from weakref import finalize

from tallyplan.core.library import (
    DONE,
    NO_ANSWER,
    STOPPED,
    TOO_LARGE,
    TOO_WIDE,
    WRONG,
    Found,
    Given,
    Limits,
    Mean,
    NoAnswerError,
    Number,
    TooWideError,
    function,
    library,
)
from tallyplan.errors import InstanceTooLarge, InternalError
from tallyplan.limits import Progress, available_memory, in_bytes
from tallyplan.limits import available_cores as available_cores
from tallyplan.model.graph import Array, np
from tallyplan.model.words import Word

FIRST_NANOSECONDS = 40_000_000  # that a call may take on the thread of the caller
FIRST_BYTES = 2**25  # and take, without asking how much there is
FIRST_STATES = 2**19  # of a larger graph a moment is not enough
SECONDS_BETWEEN_LOOKS = 0.05  # at signals and limits while another thread computes
FARTHEST = 2**80  # steps that the core counts
MASK = 2**64 - 1

Look = Callable[[], None]


# -- graphs and numbers


class Graph(NamedTuple):
    """A graph as the core takes it, how many states it has, and the buffers that must live as long."""

    given: Given
    states: int
    buffers: tuple[Any, ...]


def graph_of_table(table: Sequence[Sequence[int]]) -> Graph:
    """The histories of a tallying bandit with integer losses."""
    width, entries = _numbers([*chain.from_iterable(table)])
    actions, memory = len(table), len(table[0])
    given = Given(actions, memory, width, entries.buffer_info()[0])
    return Graph(given, actions ** (memory - 1), (entries,))


def graph_of_edges(
    first: Array,
    heads: Array,
    costs: Sequence[int] | Array,
    times: Array | None = None,
) -> Graph:
    """A graph with stored edges: those of node s are first[s], ..., first[s + 1] - 1.

    An edge of negative cost is missing. `first` has 64-bit, `heads` and `times` (1 each, if they are not
    given) have 32-bit integers.
    """
    width, entries = _numbers(costs)
    taken, nodes = None if times is None else times.ctypes.data, len(first) - 1
    given = Given(0, 0, width, entries.buffer_info()[0], nodes, first.ctypes.data, heads.ctypes.data, taken)
    return Graph(given, nodes, (first, heads, entries, times))


def _numbers(values: Sequence[int] | Array) -> tuple[int, array[int]]:
    """(bytes of a number, a buffer of them)."""
    if not isinstance(values, list) and isinstance(values, np.ndarray) and values.dtype != object:
        return 8, array("q", values.astype(np.int64).tobytes())
    try:
        return 8, array("q", values)
    except OverflowError:
        if max(map(abs, values)) >= 2**126:
            raise TooWideError from None
    return 16, array("B", b"".join([value.to_bytes(16, "little", signed=True) for value in values]))


def _number(value: int) -> Number:
    """128 bits; they suffice for numbers that are not negative and below 2^126."""
    if value >= 2**126:
        raise TooWideError
    return Number(value & MASK if value & MASK < 2**63 else (value & MASK) - 2**64, value >> 64)


def _wide(low: int, high: int) -> int:
    """The same as the core returns it."""
    return (high << 64) | (low & MASK)


def _read(found: Found) -> list[int]:
    """The numbers of a result."""
    at = found.numbers
    numbers: list[int] = at[: found.count]
    library().tp_free(at)
    return numbers


def _vector(found: Found) -> Array:
    """The values of a result by state, where the core has them; those of 128 bits as Python integers."""
    width = found.bytes
    content = (c_char * (found.states * width)).from_address(found.values)
    finalize(content, library().tp_free, found.values).atexit = False
    if width < 16:
        return np.frombuffer(memoryview(content).toreadonly(), np.int32 if width == 4 else np.int64)
    parts = (content[i : i + 16] for i in range(0, len(content), 16))
    return np.array([int.from_bytes(part, "little", signed=True) for part in parts], dtype=object)


# -- calls


def call(
    name: str,
    inputs: tuple[Any, ...],
    result: Any,
    look: Look,
    states: int = 0,
    progress: Progress | None = None,
) -> None:
    """Call a function of these arguments, limits and a result; `states` is the size of the graph."""
    entry, limits = function(name), Limits(FIRST_BYTES, FIRST_NANOSECONDS, None, 1)
    status = entry(*inputs, byref(limits), result) if states <= FIRST_STATES else STOPPED
    if status == DONE:
        return
    if status in (TOO_LARGE, STOPPED):
        look()
        memory, stop = available_memory(), c_int32(0)
        limits = Limits(2**62 if memory is None else memory, -1, pointer(stop), available_cores())
        status = _watched(lambda: entry(*inputs, byref(limits), result), limits, look, progress)
    if status == TOO_LARGE:
        raise InstanceTooLarge(
            f"the question would need about {in_bytes(max(limits.needed, 8 * states))} of memory, "
            f"and {in_bytes(limits.memory)} are available."
        )
    if status == TOO_WIDE:
        raise TooWideError
    if status == NO_ANSWER:
        raise NoAnswerError
    if status == WRONG:
        raise InternalError("a result of the core failed its verification; please report this instance.")


def _watched(work: Callable[[], int], limits: Limits, look: Look, progress: Progress | None) -> int:
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


# -- cycles


class Cycle(NamedTuple):
    """A cycle of least mean: scale * cost - mean + potentials[head] - potentials[tail] >= 0 on every edge.

    `start` is the state in which the word begins; mean / scale is in lowest terms.
    """

    word: Word
    start: int
    mean: int
    scale: int
    potentials: Array


def cycle(graph: Graph, look: Look, progress: Progress | None = None) -> Cycle:
    """The minimum mean cycle.

    Raises
    ------
    NoAnswerError : there is no cycle.
    """
    found = Found()
    call("cycle", (byref(graph.given),), byref(found), look, graph.states, progress)
    start, scale, low, high, *word = _read(found)
    return Cycle(tuple(word), start, _wide(low, high), scale, _vector(found))


def single_runs(graph: Graph, periods: Sequence[int], look: Look) -> list[int]:
    """How often the best single-run word of these periods, or constant word, plays each action."""
    found, count = Found(), len(periods)
    call("single_run", (byref(graph.given), (c_int64 * count)(*periods), c_int64(count)), byref(found), look)
    return _read(found)


# -- a finite horizon


class Jump(NamedTuple):
    """From the layer `time` on, k + 1 blocks of `period` sweeps add the same each, `gain` at state 0."""

    time: int
    period: int
    k: int
    gain: int


class Planned(NamedTuple):
    """The least cost of a horizon, the jumps of the recursion, and a plan as runs; the sweeps it took."""

    cost: int
    jumps: list[Jump]
    runs: list[tuple[Word, int]]
    sweeps: int


def plan(graph: Graph, place: Word, horizon: int, look: Look, progress: Progress | None = None) -> Planned:
    """The best plan of so many steps from a place: after a history, or from a node, (node,).

    Raises
    ------
    NoAnswerError : there is no walk so long.
    """
    if horizon > FARTHEST:
        raise TooWideError
    found, size = Found(), len(place)
    inputs = (byref(graph.given), (c_int32 * size)(*place), c_int32(size), _number(horizon))
    call("plan", inputs, byref(found), look, graph.states, progress)
    numbers = _read(found)
    runs, (sweeps, *rest) = _runs(numbers[5:])
    jumps = _jumps(rest)
    return Planned(_total(numbers, jumps), jumps, runs, sweeps)


def _runs(numbers: list[int]) -> tuple[list[tuple[Word, int]], list[int]]:
    """The runs that these numbers begin with, and the other numbers."""
    letters, runs = 1 + 3 * numbers[0], []
    for length, low, high in _rows(numbers[1:letters], 3):
        runs.append((tuple(numbers[letters : letters + length]), _wide(low, high)))
        letters += length
    return runs, numbers[letters:]


def _jumps(numbers: list[int]) -> list[Jump]:
    rows = _rows(numbers, 7)
    return [Jump(_wide(*row[:2]), row[2], _wide(*row[3:5]), _wide(*row[5:])) for row in rows]


def _total(numbers: list[int], jumps: list[Jump]) -> int:
    """The value at the beginning of these numbers."""
    passed, blocks = numbers[2], _wide(*numbers[3:5])
    before = sum([(jump.k + 1) * jump.gain for jump in jumps[:passed]])
    return _wide(*numbers[:2]) + before + (blocks * jumps[passed].gain if blocks else 0)


def _rows(numbers: list[int], width: int) -> Iterator[tuple[int, ...]]:
    return zip(*[iter(numbers)] * width, strict=True)


class Layers:
    """The layers of the recursion up to `steps`, kept in the core; of any number of steps."""

    def __init__(self, graph: Graph, steps: int, look: Look, progress: Progress | None = None) -> None:
        if steps > FARTHEST:
            raise TooWideError
        found, inputs = Found(), (byref(graph.given), _number(steps))
        self.steps, self._graph, self._look, self._lock = steps, graph, look, threading.Lock()
        call("layers", inputs, byref(found), look, graph.states, progress)
        handle, self.sweeps, *jumps = _read(found)
        self._handle, self._free = c_void_p(handle), function("layers_free")
        self.jumps = _jumps(jumps)

    def cost(self, place: Word, steps: int) -> int | None:
        """The least cost of so many steps from a place; None: there is no walk so long."""
        found, size = Found(), len(place)
        inputs = (self._handle, (c_int32 * size)(*place), c_int32(size), _number(steps))
        with suppress(NoAnswerError), self._lock:
            call("value", inputs, byref(found), self._look)
            return _total(_read(found), self.jumps)
        return None

    def __del__(self) -> None:
        if hasattr(self, "_free"):
            self._free(self._handle)


# -- words of a given length


class Searched(NamedTuple):
    """The best closed walk of a length that a search found, and its proof as far as it came.

    No better walk visits a root of `stages`, (root, since, period), and no earlier one; with the potentials
    `last`, in units of the potentials that were known over `multiplier`, no cycle that is left has a smaller
    mean. No runs: there is no better walk than was known. No `last`: it has the minimum mean, or the search
    was not finished.
    """

    cost: int
    start: int
    runs: list[tuple[Word, int]]
    stages: list[tuple[int, ...]]
    multiplier: int
    last: Array | None


def best_word(
    graph: Graph,
    least: Cycle,
    period: int,
    known: int,
    look: Look,
    ends: type[Exception],
    progress: Progress | None = None,
) -> Searched | None:
    """The best closed walk of `period` steps, if one costs less than `known`.

    If `look` raises an error of the kind `ends`, there is what was found by then; None, if that is nothing.
    """
    found, (mean, _buffer) = Found(), _mean(least)
    inputs = (byref(graph.given), byref(mean), c_int64(period), _number(known))
    with suppress(ends):
        look()
        call("best_word", inputs, byref(found), look, graph.states, progress)
    if not found.numbers:
        return None
    low, high, start, multiplier, *rest = _read(found)
    end = 1 + 3 * rest[0]
    stages, (runs, _) = [*_rows(rest[1:end], 3)], _runs(rest[end:])
    last = _vector(found) if found.values else None
    return Searched(_wide(low, high), start, runs, stages, multiplier, last)


def ways_to(graph: Graph, least: Cycle, root: int, look: Look) -> Array:
    """By state, what the least way to the root costs beyond the mean, reduced by the potentials; -1: none."""
    found, (mean, _buffer) = Found(), _mean(least)
    inputs = byref(graph.given), byref(mean), c_int64(root)
    call("ways", inputs, byref(found), look, graph.states)
    return _vector(found)


def _mean(least: Cycle) -> tuple[Mean, array[int]]:
    """A minimum mean with its potentials as the core takes it, and the buffer that must live as long."""
    width, entries = _numbers(least.potentials)
    return Mean(_number(least.scale), _number(least.mean), width, entries.buffer_info()[0]), entries
