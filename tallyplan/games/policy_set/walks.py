"""Closed walks as circulations on the state graph: what they count in each cell, and words from them.

Playing action a after the history s is an edge of the state graph. It belongs to the *cell* (a, y), y the
tally of a in the window (s, a). A word of length L repeated forever is a closed walk of length L; how often
it uses each edge is an integer circulation of total L whose support is connected, and every such circulation
is the edge count of a closed walk (Euler). The *counts* N_xy L of the paper are sums of the circulation over
cells.

A word from a circulation is Hierholzer's tour, written as runs so that a long word stays short. Peel simple
cycles off the circulation, each as often as its thinnest edge allows: at most one cycle per edge, since each
peeling uses up an edge. Then walk: go round the first cycle, and in its last turn, whenever a history is
reached for the first time, go round the other cycles through it, each in the same way. The list has a few
entries per cycle, however large the circulation is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from tallyplan.errors import InternalError
from tallyplan.model.rationals import ceil_div
from tallyplan.model.replay import Cell, tally_counts
from tallyplan.model.words import Runs, Word, last, last_of_runs, length, shortest

CellCounts = tuple[int, ...]  # by cell: the cell of (x, y) is x m + y - 1
Flow = tuple[int, ...]  # by edge: how often a walk uses it


@dataclass(frozen=True)
class Windows:
    """The K^m edges of the state graph, each a window read as a number to the base K, with its cell."""

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
        """By edge: the history before the action."""
        return tuple(edge // self.actions for edge in range(self.actions**self.memory))

    @cached_property
    def heads(self) -> tuple[int, ...]:
        """By edge: the history after the action."""
        return tuple(edge % self.states for edge in range(self.actions**self.memory))

    @cached_property
    def cell_of(self) -> tuple[int, ...]:
        """By edge: its cell."""
        return tuple(self._cell(edge) for edge in range(self.actions**self.memory))

    def _cell(self, edge: int) -> int:
        action = edge % self.actions
        earlier = [edge // self.actions**age % self.actions for age in range(1, self.memory)]
        return action * self.memory + earlier.count(action)

    def counts_of_flow(self, flow: Sequence[int]) -> CellCounts:
        """By cell: how often a circulation uses it.

        >>> Windows(2, 2).counts_of_flow((0, 3, 3, 1))  # 0 1 0 1 0 1 1
        (3, 0, 3, 1)
        """
        counts = [0] * self.cells
        for cell, times in zip(self.cell_of, flow, strict=True):
            counts[cell] += times
        return tuple(counts)

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
    """By cell: how often one period uses it when the runs are repeated forever; a recount by replay.

    >>> counts_of_runs(2, 2, (((0, 1), 3), ((1,), 1)))
    (3, 0, 3, 1)
    """
    counts: Counter[Cell] = Counter()
    history = last_of_runs(tuple(runs) * ceil_div(memory - 1, length(runs)), memory - 1)
    for word, repeats in runs:
        counts += tally_counts(word, memory, repeats=repeats, start=history)
        history = last((*history, *last_of_runs([(word, repeats)], memory - 1)), memory - 1)
    return tuple(counts[x, y] for x in range(actions) for y in range(1, memory + 1))


def weighted_sum(counts: CellCounts, weights: Sequence[int]) -> int:
    """The sum of the counts, each times its weight."""
    return sum(weight * times for weight, times in zip(weights, counts, strict=True))


@dataclass(frozen=True)
class Cycle:
    """A simple cycle of the circulation, which the walk goes round `turns` times."""

    edges: tuple[int, ...]
    turns: int


def tour(windows: Windows, flow: Sequence[int]) -> tuple[tuple[Word, int], ...]:
    """A closed walk that uses every edge exactly as often as the circulation says, as runs (word, repeats).

    Raises
    ------
    InternalError : if the support is not connected, or the flow not a circulation.

    Examples
    --------
    >>> tour(Windows(2, 2), (0, 3, 3, 1))
    (((1, 0), 2), ((1, 1, 0), 1))
    """
    cycles = _peel(windows, flow)
    through: dict[int, list[Cycle]] = defaultdict(list)
    for cycle in cycles:
        for edge in cycle.edges:
            through[windows.tails[edge]].append(cycle)
    runs, entered = list[tuple[Word, int]](), set[Cycle]()
    state, ahead = windows.tails[cycles[0].edges[0]], list[Cycle | int](cycles[:1])
    while ahead:  # what comes next is last: an edge to be used, or a cycle to be gone round from here
        step = ahead.pop()
        if isinstance(step, int):
            if state in through:
                ahead += [step, *reversed(through.pop(state))]
            else:
                runs.append(((step % windows.actions,), 1))
                state = windows.heads[step]
        elif step not in entered:
            entered.add(step)
            start = [windows.tails[edge] for edge in step.edges].index(state)
            edges = step.edges[start:] + step.edges[:start]
            runs.append((tuple(edge % windows.actions for edge in edges), step.turns - 1))
            ahead += reversed(edges)
    if len(entered) < len(cycles):
        raise InternalError("a circulation with a disconnected support was taken for a walk; please report.")
    return shortest(runs)


def _peel(windows: Windows, flow: Sequence[int]) -> list[Cycle]:
    left = {edge: times for edge, times in enumerate(flow) if times}
    leaving: dict[int, list[int]] = {}
    for edge in left:
        leaving.setdefault(windows.tails[edge], []).append(edge)
    cycles = []
    while left:
        cycle = _simple_cycle(windows, leaving, next(iter(left)))
        turns = min(left[edge] for edge in cycle)
        for edge in cycle:
            left[edge] -= turns
            if not left[edge]:
                del left[edge]
                leaving[windows.tails[edge]].remove(edge)
        cycles.append(Cycle(cycle, turns))
    return cycles


def _simple_cycle(windows: Windows, leaving: dict[int, list[int]], edge: int) -> tuple[int, ...]:
    state, path, where = windows.tails[edge], list[int](), dict[int, int]()
    while state not in where:
        where[state] = len(path)
        if not leaving.get(state):
            raise InternalError("a flow that is not a circulation was taken for a walk; please report.")
        path.append(leaving[state][0])
        state = windows.heads[path[-1]]
    return tuple(path[where[state] :])
