"""The recursions of the planners on many loss tables at once: a Bellman step is a few numpy operations.

A table is a row of Km integers, the loss h_x(y) in column x*m + y - 1. With V_t(s) the least cost of t steps
from the history s (the last m-1 actions, by its code),

    V_0 = 0,    V_{t+1}(s) = min over a of h_a(tally) + V_t(successor(s, a)).

Nothing rounds. If no loss exceeds H, no V_t exceeds t H; closed walks start from a number above every sum of
their losses, (L + 1)(H + 1), which is never passed by more than one loss before it is cut back. So every
number stays below (steps + 2)(H + 1), and `number_type` is the narrowest type that holds these.

Only values are computed here: no plan, no certificate. What a claim reports about one table is confirmed by
the planners.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product

import numpy as np

from tallyplan.model.graph import Array, integer_type
from tallyplan.model.instance import TallyingBandit

ENTRIES_AT_ONCE = 1 << 22  # of the largest intermediate array


def table_of(losses: Sequence[Fraction | int], memory: int) -> TallyingBandit:
    """The table whose losses stand in one row: h_1(1), ..., h_1(m), h_2(1), ..."""
    return TallyingBandit([losses[start : start + memory] for start in range(0, len(losses), memory)])


def number_type(steps: int, highest: int) -> type:
    """An integer type for recursions over so many steps with no loss above `highest`."""
    return integer_type((steps + 2) * (highest + 1))


@dataclass(frozen=True)
class Tables:
    """Loss tables as integer rows over their divisors."""

    rows: Sequence[Sequence[int]]
    divisors: Sequence[int]

    def least(
        self, solve: Callable[[Array], Array], steps: int, work: int, ratio: Fraction = Fraction(1)
    ) -> list[Fraction]:
        """`ratio` times what `solve` gives for each table.

        It is given some of the rows at a time; a table takes `work` entries, and at most `steps` losses are
        added.
        """
        highest = max((max(row) for row in self.rows), default=0)
        kind = number_type(steps, highest)
        size = max(1, ENTRIES_AT_ONCE // work)
        some = [self.rows[i : i + size] for i in range(0, len(self.rows), size)]
        values = [int(value) for rows in some for value in solve(np.array(rows, dtype=kind))]
        return [ratio * value / divisor for value, divisor in zip(values, self.divisors, strict=True)]


@dataclass(frozen=True)
class Layer:
    """The histories of one length: for each history and action, the loss that is paid and the successor."""

    losses: Array
    successors: Array


def layer(actions: int, memory: int, length: int) -> Layer:
    """All histories of `length` <= m - 1 actions, by code; shorter ones lead to histories one longer."""
    histories = list(product(range(actions), repeat=length))
    losses = [[a * memory + history.count(a) for a in range(actions)] for history in histories]
    after = actions ** min(length + 1, memory - 1)
    codes = np.arange(len(histories))[:, None] * actions + np.arange(actions)[None, :]
    return Layer(np.array(losses), codes % after)


def bellman(rows: Array, of: Layer) -> Callable[[Array], Array]:
    """One Bellman step; the first axis of the values are the histories, the last one the tables."""
    columns = np.ascontiguousarray(rows.T)
    ways = [(columns[of.losses[:, a]], of.successors[:, a]) for a in range(of.losses.shape[1])]

    def step(values: Array) -> Array:
        between = (slice(None), *[None] * (values.ndim - 2))
        least: Array = values[ways[0][1]] + ways[0][0][between]
        for paid, there in ways[1:]:
            np.minimum(least, values[there] + paid[between], out=least)
        return least

    return step


def values(rows: Array, actions: int, memory: int) -> Iterator[Array]:
    """V_0, V_1, ... by full history and table."""
    step = bellman(rows, layer(actions, memory, memory - 1))
    current = np.zeros((actions ** (memory - 1), len(rows)), dtype=rows.dtype)
    while True:
        yield current
        current = step(current)


def least_walk(rows: Array, actions: int, memory: int, steps: int, start: Sequence[int]) -> Array:
    """The least cost of `steps` steps after the history `start` (at most m - 1 actions), table by table."""
    short = min(steps, memory - 1 - len(start))  # steps from histories that are not yet full
    if steps > short:
        current = next(islice(values(rows, actions, memory), steps - short, None))
    else:
        current = np.zeros((actions ** (len(start) + short), len(rows)), dtype=rows.dtype)
    for length in reversed(range(len(start), len(start) + short)):
        current = bellman(rows, layer(actions, memory, length))(current)
    code = sum(action * actions**i for i, action in enumerate(reversed(start)))
    chosen: Array = current[code]
    return chosen


def least_walks(rows: Array, actions: int, memory: int, horizons: Collection[int]) -> dict[int, Array]:
    """OPT_T of every table, for each of the horizons, in one pass over the longest."""
    head = memory - 1
    least = {T: least_walk(rows, actions, memory, T, ()) for T in horizons if head > T}
    opening = _openings(rows, actions, memory)
    layers = enumerate(islice(values(rows, actions, memory), max(horizons) + 1), start=head)
    return least | {T: (opening + current).min(axis=0) for T, current in layers if T in horizons}


def _openings(rows: Array, actions: int, memory: int) -> Array:
    """What the first m - 1 steps cost, by the history that they are and table."""
    histories = product(range(actions), repeat=memory - 1)
    cells = [[a * memory + word[:t].count(a) for t, a in enumerate(word)] for word in histories]
    opening: Array = np.stack([rows[:, word].sum(axis=1, dtype=rows.dtype) for word in cells])
    return opening


def closed_walks(rows: Array, actions: int, memory: int, longest: int) -> Iterator[Array]:
    """The least cost of a closed walk of 1, 2, .., `longest` steps: words of that length, repeated."""
    step = bellman(rows, layer(actions, memory, memory - 1))
    states = np.arange(actions ** (memory - 1))
    unreachable = (longest + 1) * (int(rows.max()) + 1)
    current = np.full((len(states), len(states), len(rows)), unreachable, dtype=rows.dtype)
    current[states, states] = 0
    for _ in range(longest):
        current = step(current)
        np.minimum(current, unreachable, out=current)
        yield current[states, states].min(axis=0)


def least_closed_walk(rows: Array, actions: int, memory: int, length: int) -> Array:
    """The least cost of a closed walk of this length, table by table."""
    *_, last = closed_walks(rows, actions, memory, length)
    return last
