"""A word from a circulation: Hierholzer's tour, written as runs so that a long word stays short.

Peel simple cycles off the circulation, each as often as its thinnest edge allows: at most one cycle per
edge, since each peeling uses up an edge. Then walk: go round the first cycle, and in its last turn, whenever
a history is reached for the first time, go round the other cycles through it, each in the same way. The list
has a few entries per cycle, however large the circulation is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tallyplan.errors import InternalError
from tallyplan.games.policy_set.windows import Windows
from tallyplan.model.words import RunBuilder, Word


@dataclass(frozen=True)
class Cycle:
    """A simple cycle of the circulation, to be gone round `turns` times."""

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
    through: dict[int, list[Cycle]] = {}
    for cycle in cycles:
        for edge in cycle.edges:
            through.setdefault(windows.tails[edge], []).append(cycle)
    done: set[tuple[int, ...]] = set()
    runs = RunBuilder()
    detours = [_walk(windows, cycles[0], windows.tails[cycles[0].edges[0]], through, done)]
    while detours:
        piece = next(detours[-1], None)
        if piece is None:
            detours.pop()
        elif isinstance(piece, Detour):
            detours.append(_walk(windows, piece.cycle, piece.state, through, done))
        else:
            runs.repeat(*piece)
    if len(done) < len(cycles):
        raise InternalError("a circulation with a disconnected support was taken for a walk; please report.")
    return runs.finish()


@dataclass(frozen=True)
class Detour:
    """Another cycle, to be gone round from a history that the walk has reached."""

    cycle: Cycle
    state: int


def _walk(
    windows: Windows,
    cycle: Cycle,
    state: int,
    through: dict[int, list[Cycle]],
    done: set[tuple[int, ...]],
) -> Iterator[tuple[Word, int] | Detour]:
    """The pieces of one cycle from `state` on, and the detours to take on its last turn."""
    done.add(cycle.edges)
    start = [windows.tails[edge] for edge in cycle.edges].index(state)
    edges = cycle.edges[start:] + cycle.edges[:start]
    word = tuple(edge % windows.actions for edge in edges)
    yield word, cycle.turns - 1
    for edge, action in zip(edges, word, strict=True):
        here = windows.tails[edge]
        for other in through.pop(here, []):
            if other.edges not in done:
                yield Detour(other, here)
        yield (action,), 1


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
