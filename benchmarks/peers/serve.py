"""The loop of a Python solver: read an instance, answer every `solve` line with a JSON object.

The language is that of the compiled peers (instance.hpp): the first line holds K, m, the denominator and the
K*m integers of the table. Only the solve is on the clock, not what `prepare` builds. Standard library and
numpy only: this file runs in every environment.
"""

import ctypes
import gc
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Instance:
    actions: int
    memory: int
    denominator: int
    table: tuple[tuple[int, ...], ...]

    @property
    def states(self) -> int:
        return int(self.actions ** (self.memory - 1))

    def costs(self, dtype: Any = np.int32, length: int | None = None) -> Array:
        """Integer costs of all edges out of the histories of `length` actions, shape (K^length, K)."""
        length = self.memory - 1 if length is None else length
        costs = np.empty((self.actions**length, self.actions), dtype=dtype)
        for action, row in enumerate(self.table):
            tally = np.zeros(1, dtype=np.int32)
            for _ in range(length):
                tally = np.add.outer(tally, np.arange(self.actions) == action).ravel()
            costs[:, action] = np.array(row, dtype=dtype)[tally]
        return costs

    def successors(self) -> Array:
        """The state that every edge leads to, shape (n, K)."""
        states = np.arange(self.states, dtype=np.int64)[:, None] * self.actions
        return (states + np.arange(self.actions)) % self.states

    def edges(self) -> Iterator[tuple[int, int, int]]:
        """(state, its successor, cost) of every edge, as plain integers."""
        sources = np.repeat(np.arange(self.states), self.actions)
        columns = (sources, self.successors().ravel(), self.costs().ravel())
        return zip(*(column.tolist() for column in columns), strict=True)


def read_instance(line: str) -> Instance:
    actions, memory, denominator, *entries = map(int, line.split())
    rows = tuple(tuple(entries[x * memory : (x + 1) * memory]) for x in range(actions))
    return Instance(actions, memory, denominator, rows)


def status_bytes(name: str) -> int:
    with open("/proc/self/status", encoding="ascii") as lines:
        for line in lines:
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) * 1024
    return 0


def forget_peak() -> int:
    """Give unused memory back, start the peak anew and return what is held now."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as control:
            control.write("5")
    except OSError:
        return status_bytes("VmHWM")
    return status_bytes("VmRSS")


def as_text(value: Fraction | float) -> str:
    return f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else repr(float(value))


def say(**answer: Any) -> None:
    print(json.dumps(answer), flush=True)


def timed(solve: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    started = time.perf_counter()
    result = solve(*arguments)
    return time.perf_counter() - started, result


def serve(prepare: Callable[[Instance], Any], solve: Callable[..., Fraction | float]) -> None:
    """Answer until the input ends: `solve(prepare(instance), *words)` for every line `solve words...`."""
    baseline = forget_peak()
    prepared = prepare(read_instance(sys.stdin.readline()))
    say(ready=True)
    for line in sys.stdin:
        command, *words = line.split()
        if command == "solve":
            seconds, value = timed(solve, prepared, *words)
            say(value=as_text(value), seconds=seconds, baseline=baseline, peak=status_bytes("VmHWM"))
