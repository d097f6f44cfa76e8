"""An instance as the peers read it: one line, K, m, the denominator and the K*m integers of the table.

This file runs in every environment: standard library and numpy only.
"""

import json
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


def read_instance(line: str) -> Instance:
    actions, memory, denominator, *entries = map(int, line.split())
    rows = tuple(tuple(entries[x * memory : (x + 1) * memory]) for x in range(actions))
    return Instance(actions, memory, denominator, rows)


def as_text(value: Fraction | float) -> str:
    return f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else repr(float(value))


def say(**answer: Any) -> None:
    print(json.dumps(answer), flush=True)
