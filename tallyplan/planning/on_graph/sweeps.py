"""One sweep over all states, done by the code that suits the instance.

- `DenseSweeps` stores the K^m edge costs. It serves every kind of bandit and every integer type, Python
  integers included, with numpy; machine integers also with compiled loops, where these pay (`kernels`).
- `TallySweeps` (compiled) stores no edge. It serves large tallying bandits whose numbers provably fit a
  machine integer.

Both offer the Bellman step and the Bellman-Ford step; the planning files are written in terms of these.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np

from tallyplan.limits import require_memory
from tallyplan.model.graph import INT64_LIMIT, Array, StateGraph, integer_type
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.words import Word
from tallyplan.planning import compiling
from tallyplan.planning.effort import tick
from tallyplan.planning.on_graph.fingerprints import weights_for
from tallyplan.planning.on_graph.trees import best_word

DENSE_EDGES = 3 * 2**13  # up to here stored edges are quicker
DENSE_AT_FIRST = 2**22  # and up to here as long as the kernels without edges would have to be compiled
SWEEPS_TO_EXPECT = 500  # of a question, when it is asked whether compiled loops pay
EDGES_PER_UNIT = 16  # of the account in `compiling`: numpy sweeps so many edges in the time of one elsewhere
OPERATIONS_TO_RELAX = 3  # a Bellman-Ford step of numpy takes so many times as long as a Bellman step
EDGES_AT_ONCE = 2**17  # treated by one call, so that calls take little of the time
STORED_BYTES = 2**27  # layers of this size are stored in any case
SPARE_BYTES = 2**24  # of a workspace that is kept for the next question
FIRST_ROWS = 256  # layers that there is room for, when it is not known yet how many it takes
THREADED_STATES = 10**6  # from here on a pass over the vector is shared out among the cores
NO_PARENT = -1


class Sweeps(Protocol):
    """Integer costs `multiplier * cost - subtract` on every edge, and the two kinds of sweep over them."""

    graph: StateGraph
    kind: type
    vector_bytes: int  # at most, of a vector over the states
    at_once: int  # how many layers to ask for together
    reach: int  # how many steps of a walk to ask for together

    def power(self, values: Array, steps: int) -> tuple[Array, int]:
        """`steps` times min over a of cost + values[successor]: a vector with 0 at state 0, and the shift."""

    def layers(self, values: Array, steps: int, count: int) -> tuple[Array, list[int]]:
        """`count` times `power`, each from the last one's vector: the vectors as rows, and the shifts."""

    def descend(self, values: Array, steps: int, state: int) -> list[int]:
        """The best `steps` actions at `state` if what follows costs `values`."""

    def through(self, rows: Array, state: int) -> tuple[list[int], int]:
        """The best actions at `state`, one per row, the last row first, if what follows costs the row.

        Returned is also the state after them.
        """

    def relax(self, values: Array, parents: Array, floor: int, sweeps: int) -> bool:
        """Up to so many times: lower `values` in place, not below `floor`, with `parents` the actions.

        False: nothing changes any more. Each object serves one vector, which nobody else changes: sweeps may
        remember where it last changed.
        """

    def parent_cycle(self, parents: Array) -> int:
        """The least state on a cycle of the parent graph, or -1.

        Of several cycles, the one that is reached from the least state from which any is.
        """

    def cost(self, state: int, action: int) -> int:
        """The cost of one edge."""


def make_sweeps(
    graph: StateGraph,
    bound: int,
    *,
    vectors: int,
    expected: int = SWEEPS_TO_EXPECT,
    multiplier: int = 1,
    subtract: int = 0,
) -> Sweeps:
    """The sweeps for an instance, with a type that holds every number up to `bound`.

    `vectors` is how many vectors over the states the caller keeps: memory is refused before it is allocated.
    `expected` is about how many sweeps there will be.
    """
    without_edges = compiled_for(graph, expected) and bound <= INT64_LIMIT
    kind = integer_type(bound)
    size = np.dtype(kind).itemsize if kind is not object else 40
    copies = vectors if without_edges else vectors + 3 * graph.actions
    require_memory(
        copies * size * graph.states, actions=graph.actions, length=graph.memory - 1, what="histories"
    )
    if not without_edges:
        return DenseSweeps(graph, kind, multiplier, subtract, compiled=loops_pay(graph, expected))
    threads = available_cores() if graph.states >= THREADED_STATES else 1
    return TallySweeps(graph, kind, multiplier, subtract, threads)


def available_cores() -> int:
    """The cores that this process may use; all of them where the system does not say."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def compiled_for(graph: StateGraph, expected: int = SWEEPS_TO_EXPECT) -> bool:
    """Whether to use the kernels that store no edge."""
    edges = graph.states * graph.actions
    if not is_large(graph) or not compiling.pays(expected * edges // EDGES_PER_UNIT):
        return False
    if edges > DENSE_AT_FIRST:
        return compiling.affordable("relaxation", "rotation")
    return compiling.more_pays()


def is_large(graph: StateGraph) -> bool:
    """Whether an instance is large enough, and of the kind, for the kernels that store no edge."""
    tallying = isinstance(graph.bandit, TallyingBandit) and graph.memory >= 3 and graph.actions >= 2
    return tallying and graph.states * graph.actions > DENSE_EDGES


def loops_pay(graph: StateGraph, expected: int = SWEEPS_TO_EXPECT) -> bool:
    """Whether a question on this graph is worth compiled loops over stored edges."""
    return compiling.pays(expected * graph.states * graph.actions // EDGES_PER_UNIT)


class Advance(NamedTuple):
    """Layers one step apart, as rows with the shifts between them, and the jump that was found.

    From the layer `first` on, k+1 blocks of `period` sweeps are a jump; k = 0: any number of blocks. Without
    a jump the period is 0, and `first` is the last layer.
    """

    rows: Array
    shifts: Array
    first: int
    period: int
    k: int


_SPARE: list[Array] = []  # a workspace that was left, for the next question: new memory takes time


def workspace(count: int, states: int) -> Array:
    """Room for so many layers."""
    try:
        spare = _SPARE.pop()
    except IndexError:
        spare = np.empty(0, dtype=np.int64)
    room = spare if spare.size >= count * states else np.empty(count * states, dtype=np.int64)
    return room[: count * states].reshape(count, states)


def leave(rows: Array) -> None:
    """Let the next question have a workspace that nobody reads any more, unless it is large."""
    room = rows.base
    if room is not None and max((spare.nbytes for spare in _SPARE), default=0) < room.nbytes <= SPARE_BYTES:
        _SPARE[:] = [room]


class DenseSweeps:
    """Sweeps over stored edge costs, shape (dropped, R, K); ready-made ones may be passed in.

    With numpy, or in 64-bit integers by compiled loops; from the one to the other as soon as that pays.
    Compiled loops relax in place, which takes fewer sweeps.
    """

    def __init__(
        self,
        graph: StateGraph,
        kind: type,
        multiplier: int = 1,
        subtract: int = 0,
        costs: Array | None = None,
        compiled: bool = False,
    ) -> None:
        self.graph, self.turn = graph, max(1, graph.memory - 1)
        self.compiled = compiled and kind is not object
        self.kind = np.int64 if self.compiled else kind
        self.costs = self._edge_costs(multiplier, subtract) if costs is None else costs
        self.vector_bytes = graph.states * (40 if kind is object else 8)
        self.reach = max(8, STORED_BYTES // self.vector_bytes)
        self.at_once = max(1, min(32, EDGES_AT_ONCE // self.costs.size)) if self.compiled else 1

    def _edge_costs(self, multiplier: int, subtract: int) -> Array:
        graph = self.graph
        if not self.compiled or not isinstance(graph.bandit, TallyingBandit):
            return graph.edge_costs(self.kind) * multiplier - subtract
        costs: Array = np.empty((graph.dropped, graph.rests, graph.actions), dtype=np.int64)
        _loops().fill(graph.table, multiplier, subtract, costs)
        return costs

    def _is_compiled(self) -> bool:
        """Whether to use compiled loops from now on."""
        if not self.compiled and self.kind is not object and compiling.pays():
            self.compiled, self.kind = True, np.int64
            self.costs = self.costs.astype(np.int64)
        return self.compiled

    def power(self, values: Array, steps: int) -> tuple[Array, int]:
        """Step by step."""
        if self._is_compiled():
            rows, shifts = self._compiled_rows(values, 2, steps)
            return rows[steps % 2], int(shifts.sum())
        total = 0
        for step in range(1, steps + 1):
            values = self._bellman(values)
            if step % self.turn == 0 or step == steps:  # now and then, so that numbers stay small
                shift = int(values[0])
                values -= shift
                total += shift
        return values, total

    def _bellman(self, values: Array) -> Array:
        """min over a of cost + values[successor], an action at a time: numpy is slow along short axes."""
        self._charge()
        arrivals = self.graph.arrivals(values)
        best: Array = self.costs[:, :, 0] + arrivals[:, 0]
        candidate = np.empty_like(best)
        for action in range(1, self.graph.actions):
            np.add(self.costs[:, :, action], arrivals[:, action], out=candidate)
            np.minimum(best, candidate, out=best)
        return best.reshape(-1)

    def _charge(self, times: int = 1) -> None:
        tick()
        compiling.charge(times * self.costs.size // EDGES_PER_UNIT)

    def layers(self, values: Array, steps: int, count: int) -> tuple[Array, list[int]]:
        """Single steps together, longer ones one after the other."""
        if steps > 1 or not self._is_compiled():
            return one_by_one(self, values, steps, count)
        rows, shifts = self._compiled_rows(values, count + 1, count)
        return rows[1:], shifts.tolist()

    def _compiled_rows(self, values: Array, kept: int, steps: int) -> tuple[Array, Array]:
        compiling.charge(steps * self.costs.size // 8)
        rows, shifts = (np.empty(shape, dtype=np.int64) for shape in ((kept, values.size), steps))
        rows[0] = values
        _loops().follow_rows(self.costs, rows, shifts)
        return rows, shifts

    def advance(self, values: Array, steps: int, blocks: int, span: int, room: int) -> Advance | None:
        """Sweep until there is a jump, or for so many steps, in one call of compiled code.

        None: that code does not pay yet, or the `room` does not suffice, a number of layers.
        """
        if room < 1 or not self._is_compiled() or not compiling.layers_pay():
            return None
        from tallyplan.planning.on_graph.kernels import layers

        fingerprints = weights_for(values.size)
        size, swept = min(FIRST_ROWS, room, steps + 1), 0
        rows, shifts = workspace(size, values.size), np.empty(size, dtype=np.int64)
        rows[0] = values
        while True:
            tick()
            first, period, k, swept = layers.advance(
                self.costs, rows, shifts, swept, *fingerprints, steps, blocks, span
            )
            if first >= 0:
                return Advance(rows, shifts, int(first), int(period), int(k))
            if size == room:
                return None
            size = min(4 * size, room)
            more, more_shifts = workspace(size, values.size), np.empty(size, dtype=np.int64)
            more[: swept + 1], more_shifts[:swept] = rows[: swept + 1], shifts[:swept]
            rows, shifts = more, more_shifts

    def descend(self, values: Array, steps: int, state: int) -> list[int]:
        """By trees, which on a large graph are small; otherwise through all the layers, which are stored."""
        if is_large(self.graph):
            return by_trees(self, values, steps, state)
        later, state = self.through(self.layers(values, 1, steps - 1)[0], state) if steps > 1 else ([], state)
        return later + self.through(values[None], state)[0]

    def through(self, rows: Array, state: int) -> tuple[list[int], int]:
        """Compiled, or a row at a time."""
        if self.compiled and rows.dtype == np.int64:
            word = np.empty(len(rows), dtype=np.int64)
            state = _loops().descend(self.costs, rows, state, word)
            return word.tolist(), state
        actions: list[int] = []
        for row in reversed(rows):
            dropped, rest = divmod(state, self.graph.rests)
            totals = self.costs[dropped, rest] + self.graph.arrivals(row)[rest]
            actions.append(int(totals.argmin()))
            state = self.graph.successor(state, actions[-1])
        return actions, state

    def relax(self, values: Array, parents: Array, floor: int, sweeps: int) -> bool:
        """All states at once, or compiled and in place."""
        if self.compiled:
            compiling.charge(sweeps * self.costs.size // 8)
            return bool(_loops().relax(values, parents, self.costs, floor, sweeps))
        return all(self._relax_once(values, parents, floor) for _ in range(sweeps))

    def _relax_once(self, values: Array, parents: Array, floor: int) -> bool:
        self._charge(OPERATIONS_TO_RELAX)
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

    def parent_cycle(self, parents: Array) -> int:
        """By marking, or with numpy by doubling: what is reached after n steps is on a cycle."""
        if self.compiled:
            return int(_loops().parent_cycle(parents, self.graph.actions))
        states = self.graph.states
        codes = np.arange(states, dtype=np.int64)
        following = np.append((codes * self.graph.actions + parents) % states, states)
        following[:-1][parents == NO_PARENT] = states
        for _ in range(states.bit_length()):
            following = following[following]
            if following.min() == states:  # every path has ended
                return -1
        standing = following[following < states]
        return min(states_of(self.graph, parents, int(standing[0]))) if standing.size else -1

    def cost(self, state: int, action: int) -> int:
        """As it is stored."""
        return int(self.costs.item(state * self.graph.actions + action))


class TallySweeps:
    """Compiled sweeps over the implicit graph of a tallying bandit with m >= 3."""

    def __init__(
        self, graph: StateGraph, kind: type, multiplier: int = 1, subtract: int = 0, threads: int = 1
    ) -> None:
        self.graph = graph
        self.kind = kind
        self.turn = self.reach = graph.memory - 1
        self.at_once = 1
        self.vector_bytes = 8 * graph.states
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

    def layers(self, values: Array, steps: int, count: int) -> tuple[Array, list[int]]:
        """One after the other."""
        return one_by_one(self, values, steps, count)

    def descend(self, values: Array, steps: int, state: int) -> list[int]:
        """By trees."""
        return by_trees(self, values, steps, state)

    def through(self, rows: Array, state: int) -> tuple[list[int], int]:
        """By trees of one action."""
        word: list[int] = []
        for row in reversed(rows):
            word.extend(best_word(self.graph, row, self.graph.history(state), 1)[1])
            state = self.graph.successor(state, word[-1])
        return word, state

    def _pass(self, values: Array, bounds: tuple[int, int], steps: tuple[int, int], shift: int) -> None:
        """The steps of one group of digits, its tiles shared out among the threads."""
        from tallyplan.planning.on_graph.kernels.rotation import arms_of, sweep_tiles, tiles

        tick()
        below, here, above = bounds[0], bounds[1] - bounds[0], self.turn - bounds[1]
        lanes, blocks = (below, above) if below else (above, 0)
        tallies = [self._word_tallies(digits) for digits in (here, lanes, blocks)]
        count = tiles(self.graph.actions**lanes, self.graph.actions**blocks)
        cuts = [count * i // self.threads for i in range(self.threads + 1)]
        lowered, arms = values.dtype.type(shift), arms_of(self.graph.actions)
        jobs = [
            (values, self._costs, *tallies, below, steps, which, lowered, arms) for which in pairwise(cuts)
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

    def relax(self, values: Array, parents: Array, floor: int, sweeps: int) -> bool:
        """Sweeps in place that leave out blocks whose inputs have not changed."""
        return all(self._relax_once(values, parents, floor) for _ in range(sweeps))

    def _relax_once(self, values: Array, parents: Array, floor: int) -> bool:
        from tallyplan.planning.on_graph.kernels import relaxation

        tick()
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
        return int(_loops().parent_cycle(parents, self.graph.actions))

    def cost(self, state: int, action: int) -> int:
        """From the tally of the action in the history."""
        return int(self._costs[action, self.graph.history(state).count(action)])


def by_trees(sweeps: Sweeps, values: Array, steps: int, state: int) -> list[int]:
    """`Sweeps.descend`, by the trees of at most m - 1 actions, for tallying bandits with m >= 2."""
    graph, reach = sweeps.graph, sweeps.graph.memory - 1
    word: list[int] = []
    for left in reversed(range(0, steps, reach)):
        below = sweeps.power(values, left)[0] if left else values
        piece = best_word(graph, below, graph.history(state), min(steps - left, reach))[1]
        word.extend(piece)
        state = graph.walk(state, piece)
    return word


def one_by_one(sweeps: Sweeps, values: Array, steps: int, count: int) -> tuple[Array, list[int]]:
    """`Sweeps.layers`, a layer at a time."""
    rows: Array = np.empty((count, values.size), dtype=sweeps.kind)
    shifts = []
    for row in rows:
        row[:], shift = sweeps.power(values, steps)
        values = row
        shifts.append(shift)
    return rows, shifts


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


def follow(graph: StateGraph, parents: Array, state: int) -> Word:
    """The word of the parent cycle through `state`."""
    return tuple(int(parents[at]) for at in states_of(graph, parents, state))


def states_of(graph: StateGraph, parents: Array, state: int) -> list[int]:
    """The states of the parent cycle through `state`, from there on."""
    states = [state]
    while (at := graph.successor(states[-1], int(parents[states[-1]]))) != state:
        states.append(at)
    return states
