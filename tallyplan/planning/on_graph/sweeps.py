"""Bellman-Ford sweeps over stored edge costs, for closed walks: with numpy, or by compiled loops."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from tallyplan.model.graph import Array, StateGraph
from tallyplan.model.instance import TallyingBandit
from tallyplan.planning import compiling
from tallyplan.planning.effort import tick

SWEEPS_TO_EXPECT = 500  # of a question, when it is asked whether compiled loops pay
EDGES_PER_UNIT = 16  # of the account in `compiling`: numpy sweeps so many edges in the time of one elsewhere
OPERATIONS_TO_RELAX = 3  # a Bellman-Ford step of numpy takes so many times as long as a Bellman step
NO_PARENT = -1


class DenseSweeps:
    """Sweeps over stored edge costs, shape (dropped, R, K); ready-made ones may be passed in.

    With numpy, or in 64-bit integers by compiled loops. Compiled loops relax in place, which takes fewer
    sweeps.
    """

    def __init__(
        self, graph: StateGraph, kind: type, costs: Array | None = None, compiled: bool = False
    ) -> None:
        self.graph = graph
        self.compiled = compiled and kind is not object
        self.kind = np.int64 if self.compiled else kind
        self.costs = self._edge_costs() if costs is None else costs

    def _edge_costs(self) -> Array:
        graph = self.graph
        if not self.compiled or not isinstance(graph.bandit, TallyingBandit):
            return graph.edge_costs(self.kind)
        costs: Array = np.empty((graph.dropped, graph.rests, graph.actions), dtype=np.int64)
        _loops().fill(graph.table, 1, 0, costs)
        return costs

    def relax(self, values: Array, parents: Array, floor: int, sweeps: int) -> bool:
        """Up to so many times: lower `values` in place, not below `floor`, with `parents` the actions.

        False: nothing changes any more.
        """
        if self.compiled:
            compiling.charge(sweeps * self.costs.size // 8)
            return bool(_loops().relax(values, parents, self.costs, floor, sweeps))
        return all(self._relax_once(values, parents, floor) for _ in range(sweeps))

    def _relax_once(self, values: Array, parents: Array, floor: int) -> bool:
        tick()
        compiling.charge(OPERATIONS_TO_RELAX * self.costs.size // EDGES_PER_UNIT)
        shape, arrivals = (self.graph.dropped, self.graph.rests), self.graph.arrivals(values)
        best: Array = values.reshape(shape).copy()
        chosen: Array = np.full(shape, NO_PARENT, dtype=parents.dtype)
        for action in range(self.graph.actions):
            candidate = self.costs[:, :, action] + arrivals[:, action]
            lower = candidate < best
            if lower.any():
                np.copyto(best, candidate, where=lower)
                chosen[lower] = action
        lowered = np.flatnonzero((chosen != NO_PARENT).reshape(-1) & (values > floor))
        values[lowered] = np.maximum(best.reshape(-1)[lowered], floor)
        parents[lowered] = chosen.reshape(-1)[lowered]
        return bool(lowered.size)


@cache
def _loops() -> Any:
    """The compiled loops over stored edges, loaded when they are first used."""
    from tallyplan.planning.on_graph.kernels import edges

    return edges


def no_parents(graph: StateGraph) -> Array:
    """The parents before the first sweep."""
    parents = np.empty(graph.states, dtype=np.int16 if graph.actions < 2**15 else np.int32)
    parents.fill(NO_PARENT)
    return parents


def follow(graph: StateGraph, parents: Array, state: int) -> tuple[int, ...]:
    """The word of the parent cycle through `state`."""
    return tuple(int(parents[at]) for at in states_of(graph, parents, state))


def states_of(graph: StateGraph, parents: Array, state: int) -> list[int]:
    """The states of the parent cycle through `state`, from there on."""
    states = [state]
    while (at := graph.successor(states[-1], int(parents[states[-1]]))) != state:
        states.append(at)
    return states
