"""Many tables of one size at once, values only: lambda*, OPT_T and the best closed walks, table by table.

Tables are integers of shape (N, K, m), N >= 1, `tables[i, x, y - 1]` the loss h_x(y) of table i times
whatever denominator it has; what is returned is in the same units. Nothing rounds, and no sum is too large
for its type, which is chosen by these bounds (C is the largest entry, n = K^(m-1)):

    mean cycles    2 (m+2) p l C,  (K m)^2 C    words of length l <= 4 K m, and p the least power of two
                                                with p >= 2 K: the lowest bits hold parents
    T steps        T C
    closed walks   (L + 2)(C + 1)               starts from (L + 1)(C + 1), "no way", which at most one loss
                                                is added to before it is cut back

Beyond 64 bits Python integers in numpy arrays serve. Compiled code (`kernels.lanes`) and numpy give the same.

**Mean cycles.** The best single-run word of each table has the cost S and the length l. Bellman-Ford on the
costs l * loss - S from zero potentials proves that nothing is better if a sweep changes nothing. Where that
does not happen soon, a cycle of parents is a better word, with which it begins again; in numpy, or if that
word is very long, the table is asked by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache

import numpy as np

from tallyplan.limits import silent
from tallyplan.model.graph import Array, StateGraph, integer_type
from tallyplan.model.instance import TallyingBandit
from tallyplan.planning import compiling
from tallyplan.planning.on_graph.cycles import minimum_mean

ENTRIES_AT_ONCE = 2**22  # of the largest array that numpy makes
SWEEPS_TO_EXPECT = 8  # per table
SWEEPS_PER_CHECK = 4  # and m more, between two searches for cycles of parents
LONGEST = 4  # words are at most this many times K m long, longer than nearly all that are best

Pair = tuple[Array, Array]


@cache
def tallies_of(actions: int, length: int) -> Array:
    """How often each action is in each word of this length, by its code."""
    found: Array = np.zeros((1, actions), dtype=np.int64)
    for _ in range(length):
        found = (found[:, None] + np.eye(actions, dtype=np.int64)).reshape(-1, actions)
    return found


def successors_of(actions: int, length: int, after: int) -> Array:
    """What follows each history of this length and each action, by codes: histories of length `after`."""
    codes = np.arange(actions**length)[:, None] * actions + np.arange(actions)
    found: Array = codes % actions**after
    return found


def compiled_pays(kind: type, memory: int, edges: int) -> bool:
    """Whether compiled code serves a question about so many edges; if not, numpy's work is noted."""
    if kind is not object and memory > 1 and compiling.many_pay(edges):
        return True
    compiling.charge(edges)
    return False


def _highest(tables: Array) -> int:
    return int(tables.max(initial=1))


def _blocks(rows: Array, kind: type) -> Array:
    """Rows, one per table, side by side in lanes: (blocks, entries, lanes), filled up with zeros."""
    from tallyplan.planning.on_graph.kernels.vectors import LANES

    entries, (whole, left) = rows.shape[1], divmod(len(rows), LANES)
    blocks: Array = np.zeros((whole + (left > 0), entries, LANES), dtype=kind)
    blocks[:whole] = rows[: whole * LANES].reshape(whole, LANES, entries).transpose(0, 2, 1)
    if left:
        blocks[whole, :, :left] = rows[whole * LANES :].T
    return blocks


def _unblocked(found: Array, count: int) -> Array:
    """A row for each entry of a table, a column for each table."""
    rows: Array = found.transpose(1, 0, 2).reshape(found.shape[1], -1)[:, :count]
    return rows


def pieces(tables: Array, work: int) -> Iterator[Array]:
    """Some tables at a time, so that arrays of `work` entries per table fit."""
    size = max(1, ENTRIES_AT_ONCE // work)
    return (tables[first : first + size] for first in range(0, len(tables), size))


# -- the minimum mean cycle -------------------------------


def minimum_means(tables: Array) -> Pair:
    """The cost and the length of a word of least mean, for each table."""
    count, actions, memory = tables.shape
    if actions == 1 or memory == 1:  # a constant word is best
        return tables[:, :, -1].min(axis=1), np.ones(count, dtype=np.int64)
    longest = LONGEST * actions * memory
    kind = integer_type(max(2 * (memory + 2) * _unit(actions), actions * memory) * longest * _highest(tables))
    if compiled_pays(kind, memory, count * SWEEPS_TO_EXPECT * actions**memory):
        costs, lengths, proved = _compiled_means(tables, kind, longest)
    else:
        costs, lengths, proved = _numpy_means(tables)
    for i in np.flatnonzero(~proved):
        costs[i], lengths[i] = _single_mean(tables[i])
    return costs, lengths


def _unit(actions: int) -> int:
    """The least power of two that has room for twice as many numbers as there are actions."""
    return int(2 ** (2 * actions - 1).bit_length())


def _compiled_means(tables: Array, kind: type, longest: int) -> tuple[Array, Array, Array]:
    """Cost and length of a best word, and whether that is proved: it is unless a better one is too long."""
    from tallyplan.planning.on_graph.kernels import lanes

    count, actions, memory = tables.shape
    blocks = _blocks(tables.reshape(count, -1), kind)
    costs: Array = np.empty(blocks[:, 0].size, dtype=kind)
    lengths, proved = np.empty_like(costs), np.zeros(count, dtype=np.bool_)
    lanes.best_runs(blocks, actions, costs, lengths)
    graph, sweeps = tallies_of(actions, memory - 2), SWEEPS_PER_CHECK + memory
    lanes.least_means(blocks, graph, _unit(actions), costs, lengths, sweeps, longest, proved)
    return costs[:count].astype(np.int64), lengths[:count].astype(np.int64), proved


def _numpy_means(tables: Array) -> tuple[Array, Array, Array]:
    """Cost and length of the best single-run word, and whether a few sweeps prove that nothing is better."""
    _, actions, memory = tables.shape
    sweeps, longest = 2 * memory + SWEEPS_PER_CHECK, actions * memory
    kind = integer_type(max(sweeps, longest) * longest * _highest(tables))
    work = actions**memory + longest**2
    found = [_means_of_piece(some.astype(kind), sweeps) for some in pieces(tables, work)]
    costs, lengths, proved = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return costs.astype(object if kind is object else np.int64), lengths, proved


def _means_of_piece(tables: Array, sweeps: int) -> tuple[Array, Array, Array]:
    """Each sweep lowers a potential by at most l C; none is lowered in the last one if the word is best."""
    _, actions, memory = tables.shape
    costs, lengths = _best_runs(tables)
    reduced = lengths[:, None, None] * tables - costs[:, None, None]
    step = bellman(reduced.astype(tables.dtype), memory - 1)
    potentials: Array = np.zeros((actions ** (memory - 1), len(tables)), dtype=tables.dtype)
    for _ in range(sweeps):
        lowered = np.minimum(potentials, step(potentials))
        if (lowered == potentials).all():
            break
        potentials = lowered
    proved: Array = np.all(step(potentials) >= potentials, axis=0)
    return costs, lengths, proved


def _best_runs(tables: Array) -> Pair:
    """Cost and length of the best single-run word: the knapsack of `single_run`, for all tables."""
    count, actions, memory = tables.shape
    costs, lengths = tables[:, 0, -1].copy(), np.ones(count, dtype=np.int64)
    sums = np.concatenate([tables[:, :, :1] * 0, np.cumsum(tables, axis=2, dtype=tables.dtype)], axis=2)
    for period in range(1, actions * memory + 1):
        totals: list[Array] = [tables[:, 0, 0] * 0]
        for x in range(actions):
            runs = [_run_cost(tables[:, x], sums[:, x], period, n) for n in range(min(memory, period) + 1)]
            totals = [
                np.min(
                    [totals[used - n] + run for n, run in enumerate(runs) if 0 <= used - n < len(totals)],
                    axis=0,
                )
                for used in range(min(period + 1, len(totals) + memory))
            ]
        better = totals[period] * lengths < costs * period
        costs, lengths = np.where(better, totals[period], costs), np.where(better, period, lengths)
    return costs, lengths


def _run_cost(rows: Array, sums: Array, period: int, length: int) -> Array:
    """What a run of so many plays costs per period, for an arm of all tables."""
    whole, rest = divmod(rows.shape[1], period)
    again, beyond = max(0, rest - (period - length)), max(0, length - rest)
    end, seen = whole * length + min(length, rest), whole * length + again
    cost: Array = (
        sums[:, end] - sums[:, seen] + again * rows[:, seen - 1] + beyond * rows[:, whole * length + rest - 1]
    )
    return cost


def _single_mean(table: Array) -> tuple[int, int]:
    """One table by itself."""
    highest = _highest(table)
    bandit = TallyingBandit([[Fraction(int(x), highest) for x in row] for row in table])
    word, mean, _ = minimum_mean(StateGraph(bandit), silent)
    return int(mean * highest * len(word)), len(word)


# -- the finite horizon -----------------------------------


def least_walks(tables: Array, horizons: Sequence[int], start: Sequence[int] = ()) -> Array:
    """OPT_T after the history `start`, at most m - 1 actions: a row for each of the horizons."""
    count, actions, memory = tables.shape
    kind = integer_type(max(horizons) * _highest(tables))
    wait = memory - 1 - len(start)  # steps until the history is full
    full = sorted({T - wait for T in horizons if wait <= T})
    solve: Callable[..., Iterable[Array]] = _compiled_walks
    if not full or not compiled_pays(kind, memory, count * (full[-1] + 1) * actions**memory):
        solve = _numpy_walks
    found = []
    for some in pieces(tables, actions**memory):
        values = dict(zip(full, solve(some.astype(kind), full, start), strict=True))
        short = {T: openings(some.astype(kind), T, start).min(axis=0) for T in set(horizons) if wait > T}
        found.append([values[T - wait] if wait <= T else short[T] for T in horizons])
    return np.concatenate([np.array(rows) for rows in found], axis=1)


def openings(tables: Array, steps: int, start: Sequence[int]) -> Array:
    """What each word of so many steps costs after `start`, by code and table; nothing leaves the window."""
    count, actions, _ = tables.shape
    tallied = np.array([list(start).count(a) for a in range(actions)])
    total: Array = np.zeros((1, count), dtype=tables.dtype)
    for length in range(steps):
        tallies = tallies_of(actions, length) + tallied
        paid = tables[:, np.arange(actions), tallies].transpose(1, 2, 0)
        total = (total[:, None] + paid).reshape(-1, count)
    return total


def _arrivals(tables: Array, start: Sequence[int]) -> tuple[int, Array]:
    """The first state in which the history is full, and what it costs to get to each of them."""
    _, actions, memory = tables.shape
    opening = openings(tables, memory - 1 - len(start), start)
    return sum(a * actions**i for i, a in enumerate(reversed(start))) * len(opening), opening


def _numpy_walks(tables: Array, horizons: Sequence[int], start: Sequence[int]) -> Iterator[Array]:
    first, opening = _arrivals(tables, start)
    for time, values in enumerate(value_layers(tables)):
        if time in horizons:
            yield (opening + values[first : first + len(opening)]).min(axis=0)
        if not horizons or time == horizons[-1]:
            return


def value_layers(tables: Array) -> Iterator[Array]:
    """V_0, V_1, ... by history and table: the least cost of so many steps."""
    count, actions, memory = tables.shape
    step = bellman(tables, memory - 1)
    values: Array = np.zeros((actions ** (memory - 1), count), dtype=tables.dtype)
    while True:
        yield values
        values = step(values)


def bellman(tables: Array, length: int) -> Callable[[Array], Array]:
    """A Bellman step for histories of this length; values have those as first and tables as last axis."""
    _, actions, memory = tables.shape
    tallies, after = tallies_of(actions, length), successors_of(actions, length, memory - 1)
    ways = [(tables[:, a, tallies[:, a]].T.copy(), after[:, a]) for a in range(actions)]

    def step(values: Array) -> Array:
        between = (slice(None), *[None] * (values.ndim - 2))
        least: Array = values[ways[0][1]] + ways[0][0][between]
        for paid, there in ways[1:]:
            np.minimum(least, values[there] + paid[between], out=least)
        return least

    return step


def _compiled_walks(tables: Array, horizons: Sequence[int], start: Sequence[int]) -> Array:
    from tallyplan.planning.on_graph.kernels import lanes

    count, actions, memory = tables.shape
    kind = tables.dtype.type
    first, opening = _arrivals(tables, start)
    blocks, before = _blocks(tables.reshape(count, -1), kind), _blocks(opening.T, kind)
    out: Array = np.empty((blocks.shape[0], len(horizons), blocks.shape[2]), dtype=kind)
    lanes.least_walks(blocks, tallies_of(actions, memory - 2), np.array(horizons), first, before, out)
    return _unblocked(out, count)


# -- closed walks of a given length -----------------------


def closed_walks(tables: Array, longest: int) -> Array:
    """The least cost of a closed walk of 1, 2, ..., `longest` steps: a row for each length."""
    count, actions, memory = tables.shape
    highest = _highest(tables)
    kind = integer_type((longest + 2) * (highest + 1))
    never = (longest + 1) * (highest + 1)
    states = actions ** (memory - 1)
    solve = (
        _compiled_closed
        if compiled_pays(kind, memory, count * longest * actions * states**2)
        else _numpy_closed
    )
    found = [solve(some.astype(kind), longest, never) for some in pieces(tables, actions * states**2)]
    return np.concatenate(found, axis=1)


def _compiled_closed(tables: Array, longest: int, never: int) -> Array:
    from tallyplan.planning.on_graph.kernels import lanes

    count, actions, memory = tables.shape
    blocks = _blocks(tables.reshape(count, -1), tables.dtype.type)
    out: Array = np.empty((blocks.shape[0], longest, blocks.shape[2]), dtype=tables.dtype)
    lanes.closed_walks(blocks, tallies_of(actions, memory - 2), never, out)
    return _unblocked(out, count)


def _numpy_closed(tables: Array, longest: int, never: int) -> Array:
    count, actions, memory = tables.shape
    step = bellman(tables, memory - 1)
    states = np.arange(actions ** (memory - 1))
    values: Array = np.full((len(states), len(states), count), never, dtype=tables.dtype)
    values[states, states] = 0
    found = []
    for _ in range(longest):
        values = np.minimum(step(values), never)
        found.append(values[states, states].min(axis=0))
    return np.array(found)
