"""One sweep over all states, done by the code that suits the instance.

- `DenseSweeps` (numpy) stores the K^m edge costs. It serves every kind of bandit and every integer type,
  Python integers included, and starts at once: the choice for small instances.
- `TallySweeps` (compiled) stores no edge. It serves large tallying bandits whose numbers provably fit a
  machine integer.

Both offer the Bellman step and the Bellman-Ford step; the planning files are written in terms of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from tallyplan.graph import Array, StateGraph, integer_type
from tallyplan.instance import TallyingBandit
from tallyplan.limits import require_memory

DENSE_EDGES = 2**17  # below, numpy answers before a compiler has warmed up
NO_PARENT = -1


class Sweeps(Protocol):
    """Integer costs `multiplier * cost - subtract` on every edge, and the two sweeps over them."""

    graph: StateGraph
    kind: type

    def bellman(self, values: Array) -> tuple[Array, int]:
        """min over a of cost + values[successor]: a vector with 0 at state 0, and the number taken off."""

    def relax(self, values: Array, parents: Array) -> bool:
        """Lower `values` in place where an edge allows it, its action to `parents`; False: fixed point."""

    def parent_cycle(self, parents: Array) -> int:
        """A state on a cycle of the parent graph, or -1."""

    def same_step(self, before: Array, after: Array, before_now: Array, after_now: Array) -> bool:
        """Whether after - before equals after_now - before_now."""


def make_sweeps(
    graph: StateGraph, bound: int, *, vectors: int, multiplier: int = 1, subtract: int = 0
) -> Sweeps:
    """The sweeps for an instance, with a type that holds every number up to `bound`.

    `vectors` is how many vectors over the states the caller keeps: memory is refused before it is allocated.
    """
    kind = integer_type(bound)
    compiled = isinstance(graph.bandit, TallyingBandit) and kind is not object and graph.memory > 1
    compiled = compiled and graph.states * graph.actions > DENSE_EDGES
    size = np.dtype(kind).itemsize if kind is not object else 40
    copies = vectors if compiled else vectors + 3 * graph.actions
    require_memory(
        copies * size * graph.states, actions=graph.actions, length=graph.memory - 1, what="histories"
    )
    chosen = TallySweeps if compiled else DenseSweeps
    return chosen(graph, kind, multiplier, subtract)


def best_action(graph: StateGraph, values: Array, state: int) -> int:
    """The lowest action that attains the Bellman minimum at one state."""
    first = (state * graph.actions) % graph.states
    totals = [
        graph.cost(state, action) + int(values[(first + action) % graph.states])
        for action in range(graph.actions)
    ]
    return totals.index(min(totals))


class DenseSweeps:
    """Sweeps with numpy over stored edge costs, shape (dropped, R, K); ready-made ones may be passed in."""

    def __init__(
        self,
        graph: StateGraph,
        kind: type,
        multiplier: int = 1,
        subtract: int = 0,
        costs: Array | None = None,
        compiled: bool = False,
    ) -> None:
        self.graph = graph
        self.kind = kind
        self.compiled = compiled
        self.costs = graph.edge_costs(kind) * multiplier - subtract if costs is None else costs

    def bellman(self, values: Array) -> tuple[Array, int]:
        """One step of the recursion."""
        result = (self.costs + self.graph.arrivals(values)).min(axis=2).reshape(-1)
        shift = int(result[0])
        return result - shift, shift

    def relax(self, values: Array, parents: Array) -> bool:
        """One Bellman-Ford step, all states at once, or compiled and in place."""
        if self.compiled:
            from tallyplan.kernels import edges

            return bool(edges.relax(values, parents, self.costs))
        totals = self.costs + self.graph.arrivals(values)
        lowest = totals.min(axis=2).reshape(-1)
        lower = lowest < values
        if not lower.any():
            return False
        values[lower] = lowest[lower]
        parents[lower] = totals.argmin(axis=2).reshape(-1)[lower]
        return True

    def parent_cycle(self, parents: Array) -> int:
        """By doubling: follow the parents for at least n steps; who has not run out stands on a cycle."""
        if self.compiled:
            from tallyplan.kernels import tally

            return int(tally.parent_cycle(parents, self.graph.actions))
        states = self.graph.states
        codes = np.arange(states, dtype=np.int64)
        following = np.append((codes * self.graph.actions + parents) % states, states)
        following[:-1][parents == NO_PARENT] = states
        for _ in range(states.bit_length()):
            following = following[following]
        standing = following[following < states]
        return int(standing[0]) if standing.size else -1

    def same_step(self, before: Array, after: Array, before_now: Array, after_now: Array) -> bool:
        """Compare two differences."""
        return bool(np.array_equal(after - before, after_now - before_now))


class TallySweeps:
    """Compiled sweeps over the implicit graph of a tallying bandit."""

    def __init__(self, graph: StateGraph, kind: type, multiplier: int = 1, subtract: int = 0) -> None:
        from tallyplan.kernels import tally

        self.graph = graph
        self.kind = kind
        self._kernels = tally
        self._costs: Array = (graph.cost_table(object) * multiplier - subtract).astype(kind)
        self._low = tally.low_tallies(graph.actions, graph.memory - 2)
        blocks = graph.rests // self._low.shape[1]
        self._high_digits = _digits(blocks, graph.actions)

    def bellman(self, values: Array) -> tuple[Array, int]:
        """One step of the recursion; the value of state 0 is computed first and taken off on the way."""
        last = int(self._costs.shape[1]) - 1
        loop = int(self._costs[0, last]) + int(values[0])
        away = [int(self._costs[a, 0]) + int(values[a]) for a in range(1, self.graph.actions)]
        shift = min([loop, *away])
        result = np.empty_like(values)
        self._kernels.bellman(
            values, result, self._costs, self._low, self._high_digits, self._costs.dtype.type(shift)
        )
        return result, shift

    def relax(self, values: Array, parents: Array) -> bool:
        """One in-place Bellman-Ford sweep."""
        return bool(self._kernels.relax(values, parents, self._costs, self._low, self._high_digits))

    def parent_cycle(self, parents: Array) -> int:
        """By marking, in time linear in the number of states."""
        return int(self._kernels.parent_cycle(parents, self.graph.actions))

    def same_step(self, before: Array, after: Array, before_now: Array, after_now: Array) -> bool:
        """Compare two differences, leaving at the first mismatch."""
        return bool(self._kernels.same_step(before, after, before_now, after_now))


def follow(graph: StateGraph, parents: Array, state: int) -> Sequence[int]:
    """The word of the parent cycle through `state`."""
    word = []
    at = state
    while True:
        action = int(parents[at])
        word.append(action)
        at = graph.successor(at, action)
        if at == state:
            return tuple(word)


def _digits(blocks: int, actions: int) -> int:
    count = 0
    while blocks > 1:
        blocks //= actions
        count += 1
    return count
