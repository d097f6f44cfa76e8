"""The recursion over a finite horizon, asked of the compiled core: plans, and values of any time to go."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import POINTER, byref, c_int32, c_int64, c_void_p
from dataclasses import dataclass
from itertools import chain
from threading import Lock
from typing import Any

from tallyplan.core.library import Array, Owned, TooWideError, bandit_in, call, function, library, numbers
from tallyplan.limits import Progress
from tallyplan.model.graph import StateGraph, integer_type
from tallyplan.model.instance import Bandit, TallyingBandit
from tallyplan.model.words import Word

Look = Callable[[], None]
MASK = 2**64 - 1
FARTHEST = 2**100  # steps of which the core counts every one; of more, it is told what matters


class Number(ctypes.Structure):
    """tp_number."""

    _fields_ = (("low", c_int64), ("high", c_int64))

    def __int__(self) -> int:
        return int((self.high << 64) | (self.low & MASK))


class _Jump(ctypes.Structure):
    """tp_jump."""

    _fields_ = (("time", Number), ("period", c_int64), ("k", Number), ("gain", Number))


class _Value(ctypes.Structure):
    """tp_value."""

    _fields_ = (("cost", Number), ("jumps", c_int64), ("blocks", Number))


class _Plan(ctypes.Structure):
    """tp_plan."""

    _fields_ = (
        ("value", _Value),
        ("jumps", c_int64),
        ("parts", c_int64),
        ("letters", c_int64),
        ("sweeps", c_int64),
        ("jump", POINTER(_Jump)),
        ("lengths", POINTER(c_int64)),
        ("repeats", POINTER(Number)),
        ("letter", POINTER(c_int32)),
    )


class Vector(ctypes.Structure):
    """tp_vector."""

    _fields_ = (("states", c_int64), ("values", c_void_p), ("bytes", c_int32))


class Windows(ctypes.Structure):
    """tp_windows."""

    _fields_ = (("actions", c_int32), ("memory", c_int32), ("bytes", c_int32), ("costs", c_void_p))


@dataclass(frozen=True)
class Jump:
    """From the layer `time` on, k + 1 blocks of `period` sweeps add the same each, `gain` at state 0."""

    time: int
    period: int
    k: int
    gain: int


@dataclass(frozen=True)
class Costs:
    """A bandit as the core takes it: a tp_bandit or tp_windows, the other None, and the buffer they need."""

    memory: int
    states: int
    bandit: Any
    windows: Any
    buffer: Any


def costs_of(bandit: Bandit) -> Costs:
    """Integer costs of a bandit: its table or, if it is not a tallying one, those of all windows.

    Raises
    ------
    InstanceTooLarge : before anything is allocated.
    TooWideError : 128 bits do not suffice.
    """
    graph = StateGraph(bandit)
    if isinstance(bandit, TallyingBandit):
        table, entries = bandit_in(bandit.integers, graph.highest_cost)
        return Costs(bandit.memory, graph.states, byref(table), None, entries)
    kind = integer_type(graph.highest_cost)
    levels = (graph.window_costs((), level, kind) for level in range(bandit.memory))
    width, entries = numbers(
        chain.from_iterable(level.ravel().tolist() for level in levels), graph.highest_cost
    )
    windows = Windows(bandit.actions, bandit.memory, width, entries.buffer_info()[0])
    return Costs(bandit.memory, graph.states, None, byref(windows), entries)


def number(value: int) -> Number:
    """128 bits."""
    return Number(value & MASK if value & MASK < 2**63 else (value & MASK) - 2**64, value >> 64)


@dataclass(frozen=True)
class Found:
    """The least cost of a horizon, the jumps of the recursion, and a plan as runs; the sweeps it took."""

    cost: int
    jumps: list[Jump]
    runs: list[tuple[Word, int]]
    sweeps: int


def plan(costs: Costs, start: Word, horizon: int, look: Look, progress: Progress | None = None) -> Found:
    """The best plan of so many steps after a history.

    Raises
    ------
    InstanceTooLarge : before anything is allocated.
    TooWideError : 128 bits do not suffice.
    """
    if horizon < 2 * FARTHEST:
        return _plan(costs, start, horizon, look, progress)
    # Of a longer horizon only the remainder by the length of the word that is repeated matters. After a plan
    # of some horizon, another one has the same remainder by the period of the last jump, so the same word.
    steps = FARTHEST
    for _ in range(3):
        found = _plan(costs, start, steps, look, progress)
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
    return Found(found.cost + more * last.gain, found.jumps, found.runs, found.sweeps)


def _plan(costs: Costs, start: Word, horizon: int, look: Look, progress: Progress | None) -> Found:
    found = _Plan()
    history = (c_int32 * len(start))(*start)
    inputs = (costs.bandit, costs.windows, history, c_int32(len(start)), number(horizon))
    call("plan", *inputs, byref(found), states=costs.states, look=look, progress=progress)
    letters, runs, at = tuple(found.letter[: found.letters]), [], 0
    for length, repeats in zip(found.lengths[: found.parts], found.repeats[: found.parts], strict=True):
        runs.append((letters[at : at + length], int(repeats)))
        at += length
    jumps = _jumps(found)
    for memory in (found.lengths, found.repeats, found.letter):
        library().tp_free(memory)
    return Found(_total(found.value, jumps), jumps, runs, found.sweeps)


def ways_to(costs: Costs, scale: int, mean: int, root: int, look: Look) -> Array:
    """By state, the least total of scale * cost - mean on the way to a state on a cycle of that mean.

    Raises
    ------
    InstanceTooLarge : before anything is allocated.
    TooWideError : 128 bits do not suffice.
    """
    found = Vector()
    if mean >= 2**126 or scale >= 2**126:
        raise TooWideError
    inputs = (costs.bandit, costs.windows, number(scale), number(mean), c_int64(root))
    call("ways", *inputs, byref(found), look=look)
    return Owned(found.values, found.states, found.bytes).array()


def _jumps(found: _Plan) -> list[Jump]:
    jumps = [Jump(int(one.time), one.period, int(one.k), int(one.gain)) for one in found.jump[: found.jumps]]
    library().tp_free(found.jump)
    return jumps


def _total(value: _Value, jumps: list[Jump]) -> int:
    before = sum((jump.k + 1) * jump.gain for jump in jumps[: value.jumps])
    blocks = int(value.blocks)
    return int(value.cost) + before + (blocks * jumps[value.jumps].gain if blocks else 0)


class Layers:
    """The layers of the recursion up to `steps`, kept in the core; of any number of steps.

    Raises
    ------
    InstanceTooLarge : before anything is allocated.
    TooWideError : 128 bits do not suffice.
    """

    def __init__(self, costs: Costs, steps: int, look: Look, progress: Progress | None = None) -> None:
        handle, found = c_void_p(), _Plan()
        within = min(steps, FARTHEST)
        inputs = (costs.bandit, costs.windows, number(within))
        call("layers", *inputs, byref(handle), states=costs.states, look=look, progress=progress)
        self.steps, self._memory = steps, costs.memory
        self._handle, self._free, self._look, self._lock = handle, function("layers_free"), look, Lock()
        call("jumps", handle, byref(found))
        self.jumps, self.sweeps = _jumps(found), found.sweeps
        if within < steps and (not self.jumps or self.jumps[-1].k * self.jumps[-1].period < FARTHEST // 2):
            raise TooWideError

    def cost(self, history: Word, steps: int) -> int:
        """The least cost of so many steps after a history of any length."""
        missing, more = min(steps, self._memory - 1 - len(history)), 0
        if steps - missing > FARTHEST:  # far beyond the last jump, of which every block adds the same
            last = self.jumps[-1]
            blocks = (steps - missing - last.time) // last.period
            steps, more = steps - blocks * last.period, blocks * last.gain
        value, played = _Value(), (c_int32 * len(history))(*history)
        with self._lock:
            inputs = (self._handle, played, c_int32(len(history)), number(steps))
            call("value", *inputs, byref(value), look=self._look)
        return _total(value, self.jumps) + more

    def __del__(self) -> None:
        if hasattr(self, "_free"):
            self._free(self._handle)
