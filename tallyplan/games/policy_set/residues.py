"""Which edges a walk of a given objective can use: what steps cost, with lengths and objectives as residues.

By weak duality the steps of a walk with objective v cost at most bound - v in all, its *room*; what each step
costs is `UpperBound.step_costs`. The relaxation mixes cheap cycles in fractions, and cycles that do not
touch; a walk cannot. If, for instance, all cheap cycles have even objectives, an odd v needs a dear detour.

So let k and n be any moduli. A walk of length L and objective v that uses an edge is, from that edge on, a
closed walk whose objective is v modulo k and whose length is L modulo n. If the cheapest of these (a shortest
path in windows x Z_k x Z_n) costs more than the room, no walk with objective v uses the edge, and it is left
out from there on. If no edge is left, v is not attained. All of it is integers: nothing is proposed here,
everything is proved.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tallyplan.games.policy_set.relaxation import MULTIPLIER_SCALE, Relaxation, UpperBound

Place = tuple[int, int, int]  # a history, an objective modulo k, a length modulo n


@dataclass(frozen=True)
class Question:
    """Closed walks of this length and objective, modulo (k, n), whose steps cost at most `room`."""

    objective: int
    length: int
    moduli: tuple[int, int]
    room: int


class Steps:
    """The edges that are left, each with its gain for the objective and its cost."""

    def __init__(self, relaxation: Relaxation, objective: Sequence[int], bound: UpperBound) -> None:
        self.windows = relaxation.windows
        self.gains = [objective[cell] for cell in self.windows.cell_of]
        self.costs = bound.step_costs(self.windows)
        self.leaving: list[list[int]] = [[] for _ in range(self.windows.states)]
        for edge, tail in enumerate(self.windows.tails):
            self.leaving[tail].append(edge)

    def edges(self) -> list[int]:
        """The edges that are left."""
        return [edge for leaving in self.leaving for edge in leaving]

    def remove(self, edge: int) -> None:
        """Leave an edge out."""
        self.leaving[self.windows.tails[edge]].remove(edge)


def usable_edges(
    relaxation: Relaxation, objective: Sequence[int], bound: UpperBound, value: int, effort: int
) -> list[int]:
    """Edges that contain all that a member with this objective can use; none: there is no such member.

    `bound` is one for the whole set; `effort` limits the places that are looked at.

    >>> from tallyplan.games.policy_set.relaxation import Branch
    >>> from tallyplan.games.policy_set.windows import Windows
    >>> words = Relaxation(Windows(2, 2), 7, ())
    >>> first = (1, 0, 0, 0)  # plays of action 0 with tally 1: 3.5 in the relaxation
    >>> bound = words.bound(first, Branch(), 1)
    >>> [usable_edges(words, first, bound, value, 1000) for value in (2, 3, 4)]
    [[0, 1, 2, 3], [0, 1, 2, 3], []]
    """
    steps = Steps(relaxation, objective, bound)
    room = bound.scaled - value * MULTIPLIER_SCALE
    for k, n in _moduli(relaxation.windows.memory):
        question = Question(value % k, relaxation.period % n, (k, n), room)
        effort = _sieve(steps, question, effort)
    return sorted(steps.edges())


def _moduli(memory: int) -> Iterator[tuple[int, int]]:
    """First no residues, only costs. Cheap cycles often have a length that divides m: then the length modulo
    k m says how often a walk goes round one of them, modulo k."""
    yield 1, 1
    for k in (2, 3):
        yield k, k * memory


def _sieve(steps: Steps, question: Question, effort: int) -> int:
    """Leave out the edges without such a walk, as long as there is effort; what is left of it."""
    kept: set[int] = set()
    for edge in steps.edges():
        if edge not in kept and effort > 0:
            walk, places = _cheapest(steps, question, edge)
            effort -= places
            kept.update(walk)
            if not walk:
                steps.remove(edge)
    return effort


def _cheapest(steps: Steps, question: Question, first: int) -> tuple[list[int], int]:
    """The edges of a cheapest closed walk that begins with `first`, none beyond the room; and the places
    looked at (Dijkstra's algorithm)."""
    heads, (k, n) = steps.windows.heads, question.moduli
    end = (steps.windows.tails[first], question.objective, question.length)
    heap = [(steps.costs[first], (heads[first], steps.gains[first] % k, 1 % n), first, (-1, 0, 0))]
    came: dict[Place, tuple[int, Place]] = {}
    while heap and heap[0][0] <= question.room:
        cost, place, edge, before = heapq.heappop(heap)
        if place in came:
            continue
        came[place] = (edge, before)
        if place == end:
            return _path(came, place), len(came)
        state, objective, length = place
        for edge in steps.leaving[state]:
            after = (heads[edge], (objective + steps.gains[edge]) % k, (length + 1) % n)
            if after not in came:
                heapq.heappush(heap, (cost + steps.costs[edge], after, edge, place))
    return [], len(came)


def _path(came: dict[Place, tuple[int, Place]], place: Place) -> list[int]:
    edges = []
    while place in came:
        edge, place = came[place]
        edges.append(edge)
    return edges
