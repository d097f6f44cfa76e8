"""Closed walks as circulations: the windows of a tallying bandit, and what a walk counts in each cell.

Playing action a after the history s is an edge of the de Bruijn graph: from s to the last m-1 actions of
(s, a). It belongs to the *cell* (a, y), y the tally of a in the window (s, a). A word of length L repeated
for ever is a closed walk of length L; how often it uses each edge is an integer circulation of total L whose
support is connected, and every such circulation is the edge count of a closed walk (Euler). The *counts*
N_xy L of the paper are sums of the circulation over cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tallyplan.model.graph import Array
from tallyplan.model.rationals import ceil_div
from tallyplan.model.words import Runs, last, last_of_runs, length

CellCounts = tuple[int, ...]  # by cell: the cell of (x, y) is x m + y - 1
Flow = tuple[int, ...]  # by edge: how often a walk uses it


@dataclass(frozen=True)
class Windows:
    """The K^m edges of the de Bruijn graph on K^(m-1) histories, each with its cell."""

    actions: int
    memory: int

    @property
    def states(self) -> int:
        """The number of histories."""
        return int(self.actions ** (self.memory - 1))

    @property
    def cells(self) -> int:
        """The number of cells, K m."""
        return self.actions * self.memory

    @cached_property
    def tails(self) -> tuple[int, ...]:
        """By edge: the history before the action. Edges are windows read as numbers to the base K."""
        return tuple(edge // self.actions for edge in range(self.actions**self.memory))

    @cached_property
    def heads(self) -> tuple[int, ...]:
        """By edge: the history after the action."""
        return tuple(edge % self.states for edge in range(self.actions**self.memory))

    @cached_property
    def cell_of(self) -> tuple[int, ...]:
        """By edge: its cell."""
        return tuple(map(self._cell, range(self.actions**self.memory)))

    def _cell(self, edge: int) -> int:
        action, tally = edge % self.actions, 0
        for _ in range(self.memory):
            edge, past = divmod(edge, self.actions)
            tally += past == action
        return action * self.memory + tally - 1

    def counts_of_flow(self, flow: Sequence[int]) -> CellCounts:
        """By cell: how often a circulation uses it.

        >>> Windows(2, 2).counts_of_flow((0, 3, 3, 1))  # 0 1 0 1 0 1 1
        (3, 0, 3, 1)
        """
        counts = [0] * self.cells
        for cell, times in zip(self.cell_of, flow, strict=True):
            counts[cell] += times
        return tuple(counts)

    def flow_of_word(self, word: Sequence[int]) -> Flow:
        """By edge: how often one period of the word uses it when repeated for ever.

        >>> Windows(2, 2).flow_of_word((0, 1, 0, 1, 0, 1, 1))
        (0, 3, 3, 1)
        """
        actions: Array = np.asarray(word, dtype=np.int64)
        edges = np.zeros_like(actions)
        for age in range(self.memory):
            edges += np.roll(actions, age) * self.actions**age
        return tuple(np.bincount(edges, minlength=self.actions**self.memory).tolist())

    def components(self, edges: Iterable[int]) -> list[frozenset[int]]:
        """The sets of histories that the edges connect, the smallest first; histories without edges are left
        out."""
        part = {state: {state} for edge in edges for state in (self.tails[edge], self.heads[edge])}
        for edge in edges:
            one, other = part[self.tails[edge]], part[self.heads[edge]]
            if one is not other:
                one |= other
                for state in other:
                    part[state] = one
        return sorted({frozenset(states) for states in part.values()}, key=lambda s: (len(s), sorted(s)))


def counts_of_runs(actions: int, memory: int, runs: Runs) -> CellCounts:
    """By cell: how often one period uses it when the runs are repeated for ever; a recount by replay.

    From the second repeat on, once m - 1 steps lie inside the word, every repeat counts the same.

    >>> counts_of_runs(2, 2, (((0, 1), 3), ((1,), 1)))
    (3, 0, 3, 1)
    """
    counts = [0] * (actions * memory)
    history = last_of_runs(tuple(runs) * ceil_div(memory - 1, length(runs)), memory - 1)
    for word, repeats in runs:
        written = min(repeats, 1 + ceil_div(memory - 1, len(word)))
        for turn in range(written):
            times = repeats - written + 1 if turn == written - 1 else 1
            for action in word:
                tally = 1 + history.count(action)
                counts[action * memory + tally - 1] += times
                history = last((*history, action), memory - 1)
    return tuple(counts)


def weighted_sum(counts: CellCounts, weights: Sequence[int]) -> int:
    """The sum of the counts, each times its weight."""
    return sum(weight * times for weight, times in zip(weights, counts, strict=True))
