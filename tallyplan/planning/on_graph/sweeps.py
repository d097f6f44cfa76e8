"""One sweep over all states, done by the code that suits the instance.

- `DenseSweeps` (numpy) stores the K^m edge costs. It serves every kind of bandit and every integer type,
  Python integers included, and starts at once: the choice for small instances.
- `TallySweeps` (compiled) stores no edge. It serves large tallying bandits whose numbers provably fit a
  machine integer.

Both offer the Bellman step and the Bellman-Ford step; the planning files are written in terms of these.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import numpy as np

from tallyplan.limits import require_memory
from tallyplan.model.graph import INT64_LIMIT, Array, StateGraph, integer_type
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.words import Word
from tallyplan.planning.on_graph import kernels

DENSE_EDGES = 2**17  # up to here numpy answers before the kernels could be compiled
THREADED_STATES = 10**6  # from here on a pass over the vector is shared out among the cores
NO_PARENT = -1


class Sweeps(Protocol):
    """Integer costs `multiplier * cost - subtract` on every edge, and the two kinds of sweep over them."""

    graph: StateGraph
    kind: type
    turn: int  # `power` is at its best for multiples of this number of steps

    def power(self, values: Array, steps: int) -> tuple[Array, int]:
        """`steps` times min over a of cost + values[successor]: a vector with 0 at state 0, and the shift."""

    def relax(self, values: Array, parents: Array, floor: int) -> bool:
        """Lower `values` in place, not below `floor`, with `parents` the actions; False: nothing changed.

        Each object serves one vector, which nobody else changes: sweeps may remember where it last changed.
        """

    def parent_cycle(self, parents: Array) -> int:
        """A state on a cycle of the parent graph, or -1."""


def make_sweeps(
    graph: StateGraph, bound: int, *, vectors: int, multiplier: int = 1, subtract: int = 0
) -> Sweeps:
    """The sweeps for an instance, with a type that holds every number up to `bound`.

    `vectors` is how many vectors over the states the caller keeps: memory is refused before it is allocated.
    """
    compiled = compiled_for(graph) and bound <= INT64_LIMIT
    kind = integer_type(bound)
    size = np.dtype(kind).itemsize if kind is not object else 40
    copies = vectors if compiled else vectors + 3 * graph.actions
    require_memory(
        copies * size * graph.states, actions=graph.actions, length=graph.memory - 1, what="histories"
    )
    if not compiled:
        return DenseSweeps(graph, kind, multiplier, subtract)
    threads = available_cores() if graph.states >= THREADED_STATES else 1
    return TallySweeps(graph, kind, multiplier, subtract, threads)


def available_cores() -> int:
    """The cores that this process may use; all of them where the system does not say."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def compiled_for(graph: StateGraph) -> bool:
    """Whether an instance is large enough, and of the kind, for the compiled kernels.

    Kernels that were compiled by an earlier run pay sooner.
    """
    if not isinstance(graph.bandit, TallyingBandit) or graph.memory < 3 or graph.actions < 2:
        return False
    edges = graph.states * graph.actions
    return edges > DENSE_EDGES or (edges > DENSE_EDGES // 4 and kernels_at_hand())


@cache
def kernels_at_hand() -> bool:
    """Whether the compiler has left its results where it caches them."""
    folder = Path(kernels.__file__).parent / "__pycache__"
    return all(any(folder.glob(f"{name}.*.nbi")) for name in ("relaxation", "rotation"))


class DenseSweeps:
    """Sweeps with numpy over stored edge costs, shape (dropped, R, K); ready-made ones may be passed in."""

    turn = 1

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

    def power(self, values: Array, steps: int) -> tuple[Array, int]:
        """Step by step."""
        total = 0
        for _ in range(steps):
            values = (self.costs + self.graph.arrivals(values)).min(axis=2).reshape(-1)
            shift = int(values[0])
            values = values - shift
            total += shift
        return values, total

    def best_action(self, values: Array, state: int) -> int:
        """The first action that attains the minimum of a Bellman step at one state."""
        dropped, rest = divmod(state, self.graph.rests)
        return int((self.costs[dropped, rest] + self.graph.arrivals(values)[rest]).argmin())

    def relax(self, values: Array, parents: Array, floor: int) -> bool:
        """All states at once, or compiled and in place."""
        if self.compiled:
            from tallyplan.planning.on_graph.kernels import edges

            return bool(edges.relax(values, parents, self.costs, floor))
        totals = self.costs + self.graph.arrivals(values)
        lowest = np.maximum(totals.min(axis=2).reshape(-1), floor)
        lower = lowest < values
        if not lower.any():
            return False
        values[lower] = lowest[lower]
        parents[lower] = totals.argmin(axis=2).reshape(-1)[lower]
        return True

    def parent_cycle(self, parents: Array) -> int:
        """By doubling: a state that is reached after n steps along the parents is on a cycle."""
        if self.compiled:
            from tallyplan.planning.on_graph.kernels import relaxation

            return int(relaxation.parent_cycle(parents, self.graph.actions))
        states = self.graph.states
        codes = np.arange(states, dtype=np.int64)
        following = np.append((codes * self.graph.actions + parents) % states, states)
        following[:-1][parents == NO_PARENT] = states
        for _ in range(states.bit_length()):
            following = following[following]
        standing = following[following < states]
        return int(standing[0]) if standing.size else -1


class TallySweeps:
    """Compiled sweeps over the implicit graph of a tallying bandit with m >= 3."""

    def __init__(
        self, graph: StateGraph, kind: type, multiplier: int = 1, subtract: int = 0, threads: int = 1
    ) -> None:
        self.graph = graph
        self.kind = kind
        self.turn = graph.memory - 1
        self.threads = threads
        self._costs: Array = (graph.cost_table(object) * multiplier - subtract).astype(kind)
        self._relaxation: tuple[Array, int, Array, Array] | None = None
        self._clock = 0
        self._backwards = False
        self._tallies: dict[int, Array] = {}
        self._pool = ThreadPoolExecutor(max(1, threads - 1))  # this thread works too

    def power(self, values: Array, steps: int) -> tuple[Array, int]:
        """Many steps per pass over the vector; a whole turn brings its digits back into standard order."""
        from tallyplan.planning.on_graph.kernels.rotation import digit_groups

        actions, digits = self.graph.actions, self.turn
        bounds = digit_groups(actions, digits)
        result = values.copy()
        total, done = 0, 0
        while done < steps:
            position = done % digits
            if position == 0:  # once per turn, so that numbers stay small
                total, shift = total + int(result[0]), int(result[0])
            low, high = next((a, b) for a, b in pairwise(bounds) if position < b)
            here = min(high - position, steps - done)
            self._pass(result, (low, high), (position - low, position - low + here), shift)
            shift = 0
            done += here
        moved = actions ** (steps % digits)
        result = result.reshape(-1, moved).T.reshape(-1) if moved > 1 else result
        shift = int(result[0])
        result -= result.dtype.type(shift)
        return result, total + shift

    def _pass(self, values: Array, bounds: tuple[int, int], steps: tuple[int, int], shift: int) -> None:
        """The steps of one group of digits, its tiles shared out among the threads."""
        from tallyplan.planning.on_graph.kernels.rotation import sweep_tiles, tiles

        below, here, above = bounds[0], bounds[1] - bounds[0], self.turn - bounds[1]
        lanes, blocks = (below, above) if below else (above, 0)
        tallies = [self._word_tallies(digits) for digits in (here, lanes, blocks)]
        count = tiles(values.size, tallies[0].shape[1], self.graph.actions**below)
        cuts = [count * i // self.threads for i in range(self.threads + 1)]
        jobs = [
            (values, self._costs, *tallies, below, steps, which, values.dtype.type(shift))
            for which in pairwise(cuts)
        ]
        others = [self._pool.submit(sweep_tiles, *job) for job in jobs[1:]]
        sweep_tiles(*jobs[0])
        for other in others:
            other.result()

    def _word_tallies(self, digits: int) -> Array:
        from tallyplan.planning.on_graph.kernels.rotation import word_tallies

        if digits not in self._tallies:
            self._tallies[digits] = word_tallies(self.graph.actions, digits)
        return self._tallies[digits]

    def relax(self, values: Array, parents: Array, floor: int) -> bool:
        """One in-place sweep that leaves out blocks whose inputs have not changed."""
        from tallyplan.planning.on_graph.kernels import relaxation

        if self._relaxation is None:
            tallies, high = relaxation.block_tallies(self.graph.actions, self.graph.memory - 2)
            blocks = self.graph.rests // tallies.shape[1]
            planes = relaxation.cost_planes(self._costs, tallies, high)
            changed = np.zeros(blocks * self.graph.actions, dtype=np.int64)
            self._relaxation = (planes, high, changed, np.full(blocks, -1, dtype=np.int64))
        planes, high, changed, treated = self._relaxation
        changes, self._clock = relaxation.relax(
            values,
            parents,
            planes,
            high,
            values.dtype.type(floor),
            changed,
            treated,
            self._clock,
            self._backwards,
        )
        self._backwards = not self._backwards
        return bool(changes)

    def parent_cycle(self, parents: Array) -> int:
        """By marking, in time linear in the number of states."""
        from tallyplan.planning.on_graph.kernels import relaxation

        return int(relaxation.parent_cycle(parents, self.graph.actions))


def follow(graph: StateGraph, parents: Array, state: int) -> Word:
    """The word of the parent cycle through `state`."""
    word = [int(parents[state])]
    at = graph.successor(state, word[0])
    while at != state:
        word.append(int(parents[at]))
        at = graph.successor(at, word[-1])
    return tuple(word)
