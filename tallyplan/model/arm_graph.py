"""The states that an arm bandit can reach, and the actions that lead from one to another.

States are numbered in the order of a breadth-first search from the beginning, actions in order: certificates
rely on it. Memory is asked for before it is taken, each time that the number of states has doubled.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple

from tallyplan.errors import InstanceTooLarge
from tallyplan.limits import available_memory, in_bytes
from tallyplan.model.arms import ArmBandit
from tallyplan.model.instance import State
from tallyplan.model.rationals import shown
from tallyplan.model.words import Word

BYTES_PER_STATE, BYTES_PER_EDGE = 300, 100


class Edge(NamedTuple):
    """Out of a state, by an action."""

    action: int
    to: int
    cost: int


@dataclass(frozen=True)
class ArmGraph:
    """The reachable states, and by state its edges in the order of the actions; costs are integers.

    >>> from tallyplan import Arm
    >>> graph = ArmGraph.of(ArmBandit([Arm(0, [1, 1], [0, 0], ["0", "1/2"])] * 2))
    >>> graph.states
    ((0, 0), (1, 0), (0, 1))
    >>> graph.edges[1]
    [Edge(action=0, to=1, cost=1), Edge(action=1, to=2, cost=0)]
    """

    bandit: ArmBandit
    states: tuple[State, ...] = field(repr=False)
    edges: list[list[Edge]] = field(repr=False)

    @staticmethod
    @lru_cache(maxsize=4)
    def of(bandit: ArmBandit) -> ArmGraph:
        """Search breadth first.

        Raises
        ------
        InstanceTooLarge : more states can be reached than fit in memory.
        """
        costs = [
            [loss if loss is None else bandit.scaled(loss) for loss in arm.losses] for arm in bandit.arms
        ]
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
                to = number.get(following)
                if to is None:
                    to = number[following] = len(states)
                    states.append(following)
                row.append(Edge(action, to, cost))
            edges.append(row)
        return ArmGraph(bandit, tuple(states), edges)

    @cached_property
    def number(self) -> dict[State, int]:
        """The number of each state."""
        return {state: i for i, state in enumerate(self.states)}

    @cached_property
    def highest_cost(self) -> int:
        """Of an edge."""
        return max((edge.cost for row in self.edges for edge in row), default=0)

    @cached_property
    def first(self) -> list[int]:
        """The edges of state s, all edges in a row, are first[s], ..., first[s + 1] - 1."""
        return list(accumulate(map(len, self.edges), initial=0))

    @cached_property
    def longest(self) -> list[int | None]:
        """By state, the length of the longest walk from there; None where there is one forever.

        A state all of whose edges have such a length has one more than the largest.
        """
        into: list[list[int]] = [[] for _ in self.edges]
        for s, row in enumerate(self.edges):
            for edge in row:
                into[edge.to].append(s)
        left, found = list(map(len, self.edges)), list[int | None]([None] * len(self.edges))
        done = deque(s for s, count in enumerate(left) if not count)
        for s in done:
            found[s] = 0
        while done:
            s = done.popleft()
            for before in into[s]:
                left[before] -= 1
                if not left[before]:
                    lengths = [found[edge.to] for edge in self.edges[before]]
                    found[before] = 1 + max(length for length in lengths if length is not None)
                    done.append(before)
        return found

    def longest_from(self, state: int) -> int | None:
        """The length of the longest walk from a state; None: there is one forever."""
        return self.longest[state] if not all(self.edges) else None

    def following(self, state: int, action: int) -> int:
        """The state after an action that may be played."""
        return next(edge.to for edge in self.edges[state] if edge.action == action)

    def way_to(self, target: int, start: int = 0) -> Word:
        """The actions of a shortest walk from a state to another, which can be reached from it."""
        came: dict[int, tuple[int, int]] = {}
        ahead = deque([start])
        while ahead and target not in came and target != start:
            s = ahead.popleft()
            for action, to, _ in self.edges[s]:
                if to not in came and to != start:
                    came[to] = s, action
                    ahead.append(to)
        word = list[int]()
        while target != start:
            target, action = came[target]
            word.append(action)
        return tuple(reversed(word))


def _require_room(states: int, actions: int) -> None:
    needed = states * (BYTES_PER_STATE + BYTES_PER_EDGE * actions)
    available = available_memory() if needed > 2**28 else None
    if available is not None and needed > available:
        raise InstanceTooLarge(
            f"more than {shown(states // 2)} states of the arms can be reached; going on would need about "
            f"{in_bytes(needed)} of memory, and {in_bytes(available)} are available."
        )
