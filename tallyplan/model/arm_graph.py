"""The graph of arms that are automata: the states that they can reach, and the actions that lead on.

States are numbered in the order of a breadth-first search from the beginning, actions in order: certificates
rely on it. Memory is asked for before it is taken, each time that the number of states has doubled.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

from tallyplan.errors import InstanceTooLarge
from tallyplan.limits import available_memory, in_bytes
from tallyplan.model.instance import ArmBandit, State
from tallyplan.model.rationals import shown
from tallyplan.model.words import Word

BYTES_PER_STATE, BYTES_PER_EDGE = 300, 100


class Edge(NamedTuple):
    """Out of a state, by an action."""

    action: int
    to: int
    cost: int
    time: int = 1


@dataclass(frozen=True)
class ArmGraph:
    """The reachable states, and by state its edges in the order of the actions; costs are integers.

    >>> graph = graph_of_arms(ArmBandit([Arm(0, [1, 1], [0, 0], ["0", "1/2"])] * 2))
    >>> graph.states, graph.edges[1][1]
    (((0, 0), (1, 0), (0, 1)), Edge(action=1, to=2, cost=0, time=1))
    """

    states: tuple[State, ...] = field(repr=False)
    edges: list[list[Edge]] = field(repr=False)

    @cached_property
    def number(self) -> dict[State, int]:
        """The number of each state."""
        return {state: i for i, state in enumerate(self.states)}

    @cached_property
    def longest(self) -> list[int | None]:
        """By state, the length of the longest walk from there; None where there is one forever."""
        found = list[int | None]([None] * len(self.edges))
        if all(self.edges):
            return found
        sorter = TopologicalSorter({s: {edge.to for edge in row} for s, row in enumerate(self.edges)})
        with suppress(CycleError):  # what no cycle can be reached from is sorted all the same
            sorter.prepare()
        while ready := sorter.get_ready():
            for s in ready:
                found[s] = max((1 + (found[edge.to] or 0) for edge in self.edges[s]), default=0)
            sorter.done(*ready)
        return found

    def way_to(self, target: int) -> Word:
        """The actions of a shortest walk from the beginning to a state: back along what found it first."""
        rows = reversed(list(enumerate(self.edges)))
        came = {edge.to: (s, edge.action) for s, row in rows for edge in reversed(row)}
        word = list[int]()
        while target:
            target, action = came[target]
            word.append(action)
        return tuple(reversed(word))


@lru_cache(maxsize=4)
def graph_of_arms(bandit: ArmBandit) -> ArmGraph:
    """Search breadth first.

    Raises
    ------
    InstanceTooLarge : more states can be reached than fit in memory.
    """
    costs = [[None if loss is None else bandit.scaled(loss) for loss in arm.losses] for arm in bandit.arms]
    played, rested = ([getattr(arm, name) for arm in bandit.arms] for name in ("played", "rested"))
    first = bandit.state_after(())
    number, states, edges = {first: 0}, [first], list[list[Edge]]()
    for state in states:
        if len(edges) & (len(edges) - 1) == 0:
            _require_room(2 * len(edges), bandit.actions)
        rest = tuple([row[i] for row, i in zip(rested, state, strict=True)])
        row = list[Edge]()
        for action in bandit.allowed(state) if None in rest else range(bandit.actions):
            i = state[action]
            cost = costs[action][i]
            if cost is None:
                continue
            following = (*rest[:action], played[action][i], *rest[action + 1 :])
            to = number.setdefault(following, len(states))
            if to == len(states):
                states.append(following)
            row.append(Edge(action, to, cost))
        edges.append(row)
    return ArmGraph(tuple(states), edges)


def _require_room(states: int, actions: int) -> None:
    needed = states * (BYTES_PER_STATE + BYTES_PER_EDGE * actions)
    available = available_memory() if needed > 2**28 else None
    if available is not None and needed > available:
        raise InstanceTooLarge(
            f"more than {shown(states // 2)} states of the arms can be reached; going on would need about "
            f"{in_bytes(needed)} of memory, and {in_bytes(available)} are available."
        )
