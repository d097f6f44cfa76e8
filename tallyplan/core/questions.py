"""The questions of the compiled core: cycles, plans, values and words. Its interface.h says what it returns.

Raised by all of them:
InstanceTooLarge, before anything is allocated; TooWideError, if 128 bits do not suffice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from ctypes import byref, c_int32, c_int64, c_void_p
from dataclasses import dataclass
from itertools import islice
from threading import Lock

import numpy as np

from tallyplan.core.library import (
    Array,
    Found,
    Graph,
    Mean,
    NoAnswerError,
    TooWideError,
    call,
    function,
    number,
    numbers,
    wide,
)
from tallyplan.limits import Progress
from tallyplan.model.words import Word

Look = Callable[[], None]
FARTHEST = 2**80  # steps of which the core counts every one; of more, it is told what matters


@dataclass(frozen=True)
class Cycle:
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
    call("cycle", byref(graph.given), byref(found), states=graph.states, look=look, progress=progress)
    start, scale, low, high, *word = found.read()
    return Cycle(tuple(word), start, wide(low, high), scale, found.vector())


def single_runs(graph: Graph, look: Look, *, every: bool, seconds: float | None = None) -> list[int]:
    """How often a single-run word of least mean plays each action.

    `every` period is tried, or else those that promise most, for about so many seconds.
    """
    found = Found()
    nanoseconds = -1 if seconds is None else max(0, int(seconds * 10**9))
    call("single_run", byref(graph.given), c_int32(every), c_int64(nanoseconds), byref(found), look=look)
    return found.read()


# -- a finite horizon


@dataclass(frozen=True)
class Jump:
    """From the layer `time` on, k + 1 blocks of `period` sweeps add the same each, `gain` at state 0."""

    time: int
    period: int
    k: int
    gain: int


@dataclass(frozen=True)
class Planned:
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
    if horizon < 2 * FARTHEST:
        return _plan(graph, place, horizon, look, progress)
    if not graph.connected:
        raise TooWideError
    # Of a longer horizon only the remainder by the length of the word that is repeated matters. After a plan
    # of some horizon, another one has the same remainder by the period of the last jump, so the same word.
    steps = FARTHEST
    for _ in range(3):
        found = _plan(graph, place, steps, look, progress)
        at = max(range(len(found.runs)), key=lambda i: found.runs[i][1])
        word, repeats = found.runs[at]
        if repeats * len(word) < FARTHEST // 2:
            raise TooWideError
        turns, other = divmod(horizon - steps, len(word))
        steps += other
    last = found.jumps[-1]
    more = turns * (len(word) // last.period)
    found.jumps[-1] = Jump(last.time, last.period, last.k + more, last.gain)
    found.runs[at] = word, repeats + turns
    return Planned(found.cost + more * last.gain, found.jumps, found.runs, found.sweeps)


def _plan(graph: Graph, place: Word, horizon: int, look: Look, progress: Progress | None) -> Planned:
    found = Found()
    inputs = (byref(graph.given), (c_int32 * len(place))(*place), c_int32(len(place)), number(horizon))
    call("plan", *inputs, byref(found), states=graph.states, look=look, progress=progress)
    given = iter(found.read())
    value = tuple(islice(given, 5))
    sweeps, jumps = next(given), _jumps(given)
    parts = [(next(given), wide(next(given), next(given))) for _ in range(next(given))]
    runs = [(tuple(islice(given, length)), repeats) for length, repeats in parts]
    return Planned(_total(value, jumps), jumps, runs, sweeps)


def _jumps(given: Iterator[int]) -> list[Jump]:
    return [
        Jump(
            wide(next(given), next(given)),
            next(given),
            wide(next(given), next(given)),
            wide(next(given), next(given)),
        )
        for _ in range(next(given))
    ]


def _total(value: tuple[int, ...], jumps: list[Jump]) -> int:
    low, high, passed, *more = value
    before = sum((jump.k + 1) * jump.gain for jump in jumps[:passed])
    blocks = wide(*more)
    return wide(low, high) + before + (blocks * jumps[passed].gain if blocks else 0)


class Layers:
    """The layers of the recursion up to `steps`, kept in the core; of any number of steps."""

    def __init__(self, graph: Graph, steps: int, look: Look, progress: Progress | None = None) -> None:
        found, within = Found(), min(steps, FARTHEST)
        self.steps, self._graph, self._look, self._lock = steps, graph, look, Lock()
        if within < steps and not graph.connected:
            raise TooWideError
        inputs = (byref(graph.given), number(within))
        call("layers", *inputs, byref(found), states=graph.states, look=look, progress=progress)
        given = iter(found.read())
        self._handle, self._free = c_void_p(next(given)), function("layers_free")
        self.sweeps, self.jumps = next(given), _jumps(given)
        if within < steps and (not self.jumps or self.jumps[-1].k * self.jumps[-1].period < FARTHEST // 2):
            raise TooWideError

    def cost(self, place: Word, steps: int) -> int | None:
        """The least cost of so many steps from a place; None: there is no walk so long."""
        more, missing = 0, min(steps, max(0, self._graph.given.memory - 1 - len(place)))
        if steps - missing > FARTHEST:  # far beyond the last jump, of which every block adds the same
            last = self.jumps[-1]
            blocks = (steps - missing - last.time) // last.period
            steps, more = steps - blocks * last.period, blocks * last.gain
        found = Found()
        inputs = (self._handle, (c_int32 * len(place))(*place), c_int32(len(place)), number(steps))
        try:
            with self._lock:
                call("value", *inputs, byref(found), look=self._look)
        except NoAnswerError:
            return None
        return _total(tuple(found.read()), self.jumps) + more

    def __del__(self) -> None:
        if hasattr(self, "_free"):
            self._free(self._handle)


# -- words of a given length


@dataclass(frozen=True)
class Searched:
    """The best closed walk of a length that a search found, and its proof as far as it came.

    No better walk visits a root of `stages`, (root, since, period), and no earlier one; with the potentials
    `last`, in units of the potentials that were known over `multiplier`, no cycle that is left has a smaller
    mean. No runs: there is no better walk than was known. No `last`: it has the minimum mean, or the search
    was not finished.
    """

    finished: bool
    cost: int
    start: int
    runs: list[tuple[Word, int]]
    stages: list[tuple[int, int, int]]
    multiplier: int
    last: Array | None


class Search:
    """The search for a closed walk of `period` steps that costs less than `known`.

    `run` may be ended by `look`, and then `found` says what was found by then.
    """

    def __init__(self, graph: Graph, least: Cycle, period: int, known: int) -> None:
        self._graph, self._least, self._asked = graph, least, (c_int64(period), number(known))
        self._found = Found()

    def run(self, look: Look, progress: Progress | None = None) -> None:
        """Until no better word is left, or until `look` raises."""
        least, _buffer = _mean(self._least)
        inputs = (byref(self._graph.given), byref(least), *self._asked)
        states = self._graph.states
        call("best_word", *inputs, byref(self._found), states=states, look=look, progress=progress)

    def found(self) -> Searched | None:
        """None: the search was ended before it began."""
        if not self._found.numbers:
            return None
        given = iter(self._found.read())
        finished, cost = bool(next(given)), wide(next(given), next(given))
        start, multiplier = next(given), next(given)
        stages = [(next(given), next(given), next(given)) for _ in range(next(given))]
        parts = [(next(given), next(given)) for _ in range(next(given))]
        runs = [(tuple(islice(given, length)), repeats) for length, repeats in parts]
        last = self._found.vector() if self._found.values else None
        return Searched(finished, cost, start, runs, stages, multiplier, last)


def ways_to(graph: Graph, least: Cycle, root: int, look: Look) -> Array:
    """By state, what the least way to the root costs beyond the mean, reduced by the potentials; -1: none."""
    found, (mean, _buffer) = Found(), _mean(least)
    call("ways", byref(graph.given), byref(mean), c_int64(root), byref(found), states=graph.states, look=look)
    return found.vector()


def _mean(least: Cycle) -> tuple[Mean, object]:
    """A minimum mean with its potentials as the core takes it, and the buffer that must live as long."""
    if least.potentials.dtype == object:
        potentials = least.potentials.tolist()
        width, entries = numbers(potentials, max(least.mean, least.scale, -min(potentials)))
        return Mean(number(least.scale), number(least.mean), width, entries.buffer_info()[0]), entries
    wider = least.potentials.astype(np.int64)
    return Mean(number(least.scale), number(least.mean), 8, wider.ctypes.data), wider
