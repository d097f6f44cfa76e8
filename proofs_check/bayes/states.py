"""The states of a learner who sees exact losses, and what the tables of a grid look like from them.

A table has K rows of m losses from the grid {0, 1/g, ..., 1}; losses are counted in units of 1/g here. A
*state* is what is known of the table together with the last m-1 actions. Three facts keep it small.

- The tally of an action rises by at most one from one play of it to the next, and starts at one. So what is
  known of a row is a *prefix* h(1), ..., h(d).
- The game does not change when actions are relabelled. So the learner may relabel them at random before the
  first step and then take new actions in the order 0, 1, ..., K-1, and the adversary chooses a table up to
  the order of its rows (an *orbit*).
- A table is seen only through its prefixes: an orbit gives the knowledge k the weight (number of orders of
  its rows that extend k) / K!, and these weights are sparse, orbits * K! * (1 + m + ... + m^K) at most.

States do not carry the time: one graph serves every horizon. They are found in the order of the steps that it
takes to get there, so those that matter after t steps come first (`levels`).

*Best responses.* Give the state s the weight w(s) of the tables that agree with it (unnormalised belief).
With t steps to go

    V_0 = 0,   V_t(s) = min over a of  sum over v of  v w(s') + V_{t-1}(s'),   s' = the state after a costs v,

where a known entry has one outcome and an unknown one has g + 1. V_T(root) is the least expected loss against
the prior, in units of 1/scale. The same lines run on floats (to propose) and on integers (to decide): 64 bits
where no sum can reach 2^62, Python's own otherwise. A deterministic policy meets a state at most once at a
time t, since what is known determines which actions led there; so its loss on all tables is one forward walk.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product

import numpy as np

from tallyplan.errors import InstanceTooLarge
from tallyplan.limits import Progress, silent
from tallyplan.model.graph import Array
from tallyplan.model.rationals import positive_integer
from tallyplan.model.words import last
from tallyplan.planning.many_tables import least_walks

Row = tuple[int, ...]  # losses in units of 1/g
Table = tuple[Row, ...]
State = tuple[Table, tuple[int, ...]]  # the known prefixes, the last actions (oldest first)

WITHIN_64_BITS = 2**62  # sums below this are added in 64-bit integers
MAX_STATES = 2_000_000  # of the learner
MAX_WEIGHTS = 20_000_000  # pairs of a table and what may be known of it

Policy = tuple[Array, ...]
"""A deterministic learner: policy[t][s] is its action in state s with t + 1 steps to go."""


@dataclass(frozen=True, eq=False)
class Graph:
    """All states that a learner can reach, for every horizon at once.

    Attributes
    ----------
    actions, memory, grid : K, m and g.
    states : the states in the order of discovery; the root is first.
    successors : successors[s, a, v] is the state after a has cost v/g in s, and len(states) if that cannot
        be; for the states within depth - 1 steps. An action that is not offered (a new one out of order) is
        a copy of action 0.
    levels : levels[t] states can be reached in at most t steps.
    knowledge : for every state the index of its known prefixes; one entry more, for "cannot be".
    orbits : all tables of the grid, rows sorted.
    weights : arrays (index of knowledge, index of orbit, number of orders of its rows that extend it).
    """

    actions: int
    memory: int
    grid: int
    states: list[State] = field(repr=False)
    successors: Array = field(repr=False)
    levels: list[int] = field(repr=False)
    knowledge: Array = field(repr=False)
    orbits: list[Table] = field(repr=False)
    weights: tuple[Array, Array, Array] = field(repr=False)

    @property
    def scale(self) -> int:
        """Sums of weight times loss are multiples of 1/scale."""
        return self.grid * math.factorial(self.actions)

    @property
    def pieces(self) -> int:
        """How many sets of known prefixes there are, the impossible one included."""
        return int(self.knowledge[-1]) + 1

    def within(self, steps: int) -> int:
        """How many states can be reached in at most this number of steps."""
        return self.levels[min(steps, len(self.levels) - 1)]


def state_graph(
    actions: int, memory: int, grid: int, depth: int | None = None, progress: Progress = silent
) -> Graph:
    """Explore the states from "nothing known, nothing played", within `depth` steps if that is given.

    Raises
    ------
    InvalidInput : K, m or g below 1.
    InstanceTooLarge : more states or weights than fit.

    Examples
    --------
    >>> graph = state_graph(2, 2, 1)
    >>> len(graph.states), len(graph.orbits)
    (79, 10)
    """
    for name, number in (("actions", actions), ("memory", memory), ("grid", grid)):
        positive_integer(number, name)
    _require_few_weights(actions, memory, grid)
    states, successors, levels = _explore(actions, memory, grid, depth, progress)
    numbers: dict[Table, int] = {}
    knowledge = [numbers.setdefault(known, len(numbers)) for known, _ in states]
    rows = product(range(grid + 1), repeat=memory)
    orbits = list(combinations_with_replacement(rows, actions))
    progress(f"weighing {len(orbits)} tables")
    return Graph(
        actions,
        memory,
        grid,
        states,
        successors,
        levels,
        np.array([*knowledge, len(numbers)]),
        orbits,
        _weights(orbits, numbers),
    )


def _require_few_weights(actions: int, memory: int, grid: int) -> None:
    if actions > 20 or (grid + 1) ** memory > MAX_WEIGHTS:
        raise InstanceTooLarge(
            f"K = {actions}, m = {memory} and losses in multiples of 1/{grid} are beyond the minimax game."
        )
    orbits = math.comb((grid + 1) ** memory + actions - 1, actions)  # multisets of K rows
    patterns = sum(memory**played for played in range(actions + 1))
    count = orbits * math.factorial(actions) * patterns
    if count > MAX_WEIGHTS:
        raise InstanceTooLarge(
            f"there are {orbits} tables up to the order of their rows, seen in up to {count} ways; "
            f"the limit is {MAX_WEIGHTS}."
        )


def _explore(
    actions: int, memory: int, grid: int, depth: int | None, progress: Progress
) -> tuple[list[State], Array, list[int]]:
    root: State = (((),) * actions, ())
    numbers, states = {root: 0}, [root]
    successors: list[list[list[int]]] = []
    levels = [1]
    for state in states:  # grows while we walk along it
        if len(successors) == levels[-1]:
            levels.append(len(states))
        if depth is not None and len(levels) > depth:
            break
        offered: list[list[int]] = []
        for action in range(actions):
            if action > 0 and not state[0][action - 1]:
                offered.append(offered[0])
                continue
            after = [-1] * (grid + 1)
            for loss, following in _outcomes(state, action, memory, grid):
                if following not in numbers:
                    numbers[following] = len(states)
                    states.append(following)
                after[loss] = numbers[following]
            offered.append(after)
        successors.append(offered)
        if len(successors) % 10000 == 0:
            progress(f"states of the learner: {len(states)} found, {len(successors)} explored")
        if len(states) > MAX_STATES:
            raise InstanceTooLarge(f"the learner has more than {MAX_STATES} states.")
    array = np.array(successors, dtype=np.int64).reshape(-1, actions, grid + 1)
    array[array < 0] = len(states)
    return states, array, levels


def _outcomes(state: State, action: int, memory: int, grid: int) -> Iterator[tuple[int, State]]:
    """What the action may cost, and the state it leads to."""
    known, recent = state
    tally, row = recent.count(action) + 1, known[action]
    later = last((*recent, action), memory - 1)
    if tally <= len(row):
        yield row[tally - 1], (known, later)
        return
    for loss in range(grid + 1):
        yield loss, ((*known[:action], (*row, loss), *known[action + 1 :]), later)


def _weights(orbits: list[Table], numbers: dict[Table, int]) -> tuple[Array, Array, Array]:
    found: Counter[tuple[int, int]] = Counter()
    patterns = {tuple(len(row) for row in known) for known in numbers}
    for index, rows in enumerate(orbits):
        for order, times in Counter(permutations(rows)).items():
            for depths in patterns:
                known = tuple(row[:depth] for row, depth in zip(order, depths, strict=True))
                found[numbers[known], index] += times
    pairs = np.array(list(found), dtype=np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1], np.array(list(found.values()), dtype=np.int64)


def optima(graph: Graph, horizon: int) -> Array:
    """OPT_T of every orbit, in units of 1/scale."""
    tables: Array = np.array(graph.orbits).reshape(-1, graph.actions, graph.memory)
    least: Array = least_walks(tables, [horizon])[0].astype(np.int64) * (graph.scale // graph.grid)
    return least


def best_response(graph: Graph, prior: Array, horizon: int) -> tuple[float | int, Policy]:
    """The least expected loss against a prior over orbits, in units of 1/scale, and a policy that attains it.

    The prior is an array of floats, of 64-bit or of Python integers (not normalised); so is the value.
    """
    known, orbit, orders = graph.weights
    agreeing = np.zeros(graph.pieces, dtype=prior.dtype)
    np.add.at(agreeing, known, orders * prior[orbit])
    weight = agreeing[graph.knowledge]
    value = np.zeros_like(weight)
    choices = []
    for steps in range(horizon - 1, -1, -1):
        count = graph.within(steps)
        total = np.zeros((count, graph.actions), dtype=weight.dtype)
        for loss in range(graph.grid + 1):
            total += (value + loss * weight)[graph.successors[:count, :, loss]]
        chosen = np.argmin(total, axis=1)
        choices.append(chosen.astype(np.int8))
        value[:count] = total[np.arange(count), chosen]
    return value[0], tuple(choices)


def exact_response(graph: Graph, prior: Sequence[Fraction], horizon: int) -> tuple[Fraction, Policy]:
    """The same for a rational prior, exactly."""
    denominator = math.lcm(*(p.denominator for p in prior))
    whole = [int(p * denominator) for p in prior]
    small = denominator * graph.scale * max(horizon, 1) < WITHIN_64_BITS
    value, policy = best_response(graph, np.array(whole, dtype=np.int64 if small else object), horizon)
    return Fraction(int(value), denominator * graph.scale), policy


def losses(graph: Graph, policy: Policy, horizon: int) -> Array:
    """The expected loss of a policy on every orbit, rows in random order; in units of 1/scale."""
    amounts = np.zeros(graph.pieces, dtype=np.int64)
    here = np.zeros(1, dtype=np.int64)
    for to_go in range(horizon - 1, -1, -1):
        after = graph.successors[here, policy[to_go][here]]
        for loss in range(1, graph.grid + 1):
            np.add.at(amounts, graph.knowledge[after[:, loss]], loss)
        here = after[after < len(graph.states)]
    known, orbit, orders = graph.weights
    total = np.zeros(len(graph.orbits), dtype=np.int64)
    np.add.at(total, orbit, orders * amounts[known])
    return total


def pure_regret(graph: Graph, optima: Array, horizon: int) -> Fraction:
    """The least worst-case regret of *deterministic* learners; optima in units of 1/scale.

    Losses add up, so the recursion is min over actions of max over outcomes of loss plus what follows, from
    V_0(s) = max of -OPT over the tables that agree with s. Offering new actions in order changes nothing:
    those not yet played are alike.
    """
    known, orbit, _ = graph.weights
    nothing = np.iinfo(np.int64).min // 4
    worst = np.full(graph.pieces, nothing)
    np.maximum.at(worst, known, -optima[orbit])
    value = worst[graph.knowledge]
    unit = graph.scale // graph.grid
    for steps in range(horizon - 1, -1, -1):
        count = graph.within(steps)
        total = np.full((count, graph.actions), nothing)
        for loss in range(graph.grid + 1):
            np.maximum(total, (value + loss * unit)[graph.successors[:count, :, loss]], out=total)
        value[:count] = total.min(axis=1)
    return Fraction(int(value[0]), graph.scale)
