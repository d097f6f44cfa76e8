"""Many tables of one size at once: tables lie side by side in the lanes of vectors.

`tables` has the shape (blocks, K m, LANES), K >= 2 and m >= 2: row a m + t of a block is what the action a
costs in its tables if it is t times among the m - 1 actions before.

A state is its oldest digit d and the *rest* r, the m - 2 others: d K^(m-2) + r. All states with one rest have
the successors r K + a; `tallies[r, a]` counts a in the rest, and d counts once more if it is a.

Numbers have the type of `tables`, which the caller has chosen by a bound (`planning.on_graph.batches`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tallyplan.planning.compiling import compiled, part
from tallyplan.planning.on_graph.kernels.vectors import (
    LANES,
    common_bits,
    either_bits,
    everywhere,
    greater,
    if_equal,
    if_less,
    lesser,
    load,
    minus,
    other_bits,
    plus,
    store,
    times,
)


@compiled
def best_runs(tables: Any, actions: int, costs: Any, lengths: Any) -> None:
    """For each table the cost and the length of a single-run word of least mean; `single_run` has the theory.

    With x arms the runs add up to any number up to x m, and of the last arm only the whole period matters.
    """
    kind = tables.dtype.type
    memory = tables.shape[1] // actions
    sums = np.zeros((actions, memory + 1, LANES), tables.dtype)
    runs = np.zeros((memory + 1, LANES), tables.dtype)
    totals = np.zeros((2, actions * memory + 1, LANES), tables.dtype)
    for block in range(tables.shape[0]):
        some = tables[block]
        for x in range(actions):
            for t in range(memory):
                paid = plus(load(sums[x], t * LANES), load(some, (x * memory + t) * LANES))
                store(sums[x], (t + 1) * LANES, paid)
        cost, length = load(some, (memory - 1) * LANES), everywhere(kind(1))
        for period in range(1, actions * memory + 1):
            for x in range(actions):
                _run_costs(some, x, sums[x], period, runs)
                before, after = totals[1 - x % 2], totals[x % 2]
                most = min(period, (x + 1) * memory)
                for used in range(most if x == actions - 1 else 0, most + 1):
                    _best_split(before, runs, used, min(period, x * memory), after)
            total, now = load(totals[(actions - 1) % 2], period * LANES), everywhere(kind(period))
            ours, best = times(total, length), times(cost, now)
            cost, length = if_less(ours, best, total, cost), if_less(ours, best, now, length)
        store(costs, block * LANES, cost)
        store(lengths, block * LANES, length)


@part
def _best_split(before: Any, runs: Any, used: int, most: int, after: Any) -> None:
    """after[used] = min over lengths of before[used - length] + runs[length], with used - length <= most."""
    least = max(0, used - most)
    total = plus(load(before, (used - least) * LANES), load(runs, least * LANES))
    for length in range(least + 1, min(used, runs.shape[0] - 1) + 1):
        total = lesser(total, plus(load(before, (used - length) * LANES), load(runs, length * LANES)))
    store(after, used * LANES, total)


@part
def _run_costs(some: Any, x: int, sums: Any, period: int, runs: Any) -> None:
    """runs[l]: what the arm x with a run of l plays costs per period; nothing for l = 0."""
    kind = runs.dtype.type
    memory = runs.shape[0] - 1
    whole = memory // period
    rest = memory - whole * period
    for length in range(1, min(memory, period) + 1):
        again, beyond = max(0, rest - (period - length)), max(0, length - rest)
        end, seen = whole * length + min(length, rest), whole * length + again
        run = minus(load(sums, end * LANES), load(sums, seen * LANES))
        if again > 0:
            old = load(some, (x * memory + seen - 1) * LANES)
            run = plus(run, times(everywhere(kind(again)), old))
        if beyond > 0:
            late = load(some, (x * memory + whole * length + rest - 1) * LANES)
            run = plus(run, times(everywhere(kind(beyond)), late))
        store(runs, length * LANES, run)


@compiled
def least_means(
    tables: Any, tallies: Any, unit: int, costs: Any, lengths: Any, sweeps: int, longest: int, proved: Any
) -> None:
    """From a word for each table, by its cost and length, to one of least mean.

    Bellman-Ford with a floor, as in `core/mean_cycle.hpp`, from zero potentials on the costs
    length * loss - cost. A sweep that changes nothing, with nothing below the floor, is the proof, and the
    lane takes the next table. After every so many sweeps a cycle of parents is looked for: it is a better
    word, with which the lane begins again; unless it is longer than `longest`: then nothing is proved.

    Numbers are multiplied by `unit`, a power of two and at least 2 K; the lowest bits of a negative potential
    hold its parent, the action that lowered it last. In sums the highest of these bits is set, so that of an
    old and a new potential that are equal the old one is less. One below the floor is read as the floor.
    """
    rests, actions = tallies.shape
    memory = tables.shape[1] // actions
    places = np.empty((rests, actions), np.int64)  # of the costs, if d is another action
    for rest in range(rests):
        for a in range(actions):
            places[rest, a] = (a * memory + tallies[rest, a]) * LANES
    values = np.zeros((rests * actions, LANES), tables.dtype)
    reduced = np.zeros((actions, memory, LANES), tables.dtype)
    floor, kept = np.zeros(LANES, tables.dtype), np.zeros(LANES, tables.dtype)
    changed, lowest = np.zeros(LANES, tables.dtype), np.zeros(LANES, tables.dtype)
    marks = np.zeros(rests * actions, np.int32)
    table_in, due, fresh = np.full(LANES, -1), np.zeros(LANES, np.int64), np.zeros(LANES, np.bool_)
    count, taken, empty, begin, backwards = proved.size, 0, LANES, False, False
    while empty < LANES or taken < count:
        for w in range(LANES if empty > 0 else 0):
            if table_in[w] < 0 and taken < count:
                table_in[w], fresh[w], begin = taken, True, True
                taken, empty = taken + 1, empty - 1
        if begin:
            for w in range(LANES):
                kept[w] = -1
                if fresh[w]:
                    kept[w], due[w], fresh[w] = 0, sweeps, False
                    _put(tables, costs, lengths, table_in[w], unit, reduced, floor, w)
            _clear(values, kept)
            begin = False
        if actions == 2:
            _relax_two(values, unit, reduced, floor, places, backwards, changed, lowest)
        else:
            _relax(values, unit, reduced, floor, places, backwards, changed, lowest)
        backwards = not backwards
        for w in range(LANES):
            table = table_in[w]
            if table < 0:
                continue
            due[w] -= 1
            cost, length = 0, 0
            proved[table] = changed[w] == 0 and lowest[w] >= floor[w]
            if due[w] == 0 and not proved[table]:
                cost, length = _parent_cycle(tables, values, unit, places, table, w, marks)
                due[w] = sweeps
            if proved[table] or length > longest:
                table_in[w], empty = -1, empty + 1
            elif length > 0:
                costs[table], lengths[table], fresh[w], begin = cost, length, True, True


@part
def _put(
    tables: Any, costs: Any, lengths: Any, table: int, unit: int, reduced: Any, floor: Any, lane: int
) -> None:
    """The reduced costs of a table, each with its action in the lowest bits, and its floor into a lane."""
    actions, memory, _ = reduced.shape
    some, column = tables[table // LANES], table % LANES
    cost, length, widest = costs[table], lengths[table], 1
    for a in range(actions):
        for t in range(memory):
            loss = some[a * memory + t, column]
            reduced[a, t, lane] = unit * (length * loss - cost) + unit // 2 + a
            widest = max(widest, loss)
    floor[lane] = -unit * ((memory - 1) * length * widest + 1)


@part
def _clear(values: Any, kept: Any) -> None:
    """Set the lanes to 0 that are not kept."""
    mask = load(kept, 0)
    for at in range(0, values.size, LANES):
        store(values, at, common_bits(load(values, at), mask))


@part
def _relax_two(
    values: Any,
    unit: int,
    reduced: Any,
    floor: Any,
    places: Any,
    backwards: bool,
    changed: Any,
    lowest: Any,
) -> None:
    """One sweep in place, two actions: which lanes have changed, and their lowest potentials."""
    kind = values.dtype.type
    number, stored, least = everywhere(kind(-unit)), everywhere(kind(~(unit // 2))), load(floor, 0)
    change, low = everywhere(kind(0)), everywhere(kind(0))
    rests = places.shape[0]
    for i in range(rests):
        rest = rests - 1 - i if backwards else i
        first, second = places[rest, 0], places[rest, 1]
        v = greater(common_bits(load(values, 2 * rest * LANES), number), least)
        w = greater(common_bits(load(values, (2 * rest + 1) * LANES), number), least)
        for d in range(2):
            at = (d * rests + rest) * LANES
            before = load(values, at)
            best = lesser(
                plus(v, load(reduced, first + (LANES if d == 0 else 0))),
                plus(w, load(reduced, second + (LANES if d == 1 else 0))),
            )
            after = common_bits(lesser(best, before), stored)
            change = either_bits(change, other_bits(before, after))
            low = lesser(low, after)
            store(values, at, after)
    store(changed, 0, change)
    store(lowest, 0, low)


@part
def _relax(
    values: Any,
    unit: int,
    reduced: Any,
    floor: Any,
    places: Any,
    backwards: bool,
    changed: Any,
    lowest: Any,
) -> None:
    """The same for any number of actions: the two smallest of them serve all states with one rest."""
    kind = values.dtype.type
    number, stored, least = everywhere(kind(-unit)), everywhere(kind(~(unit // 2))), load(floor, 0)
    change, low = everywhere(kind(0)), everywhere(kind(0))
    rests, actions = places.shape
    for i in range(rests):
        rest = rests - 1 - i if backwards else i
        one = two = everywhere(kind(np.iinfo(values.dtype).max))
        for a in range(actions):
            there = greater(common_bits(load(values, (rest * actions + a) * LANES), number), least)
            x = plus(there, load(reduced, places[rest, a]))
            two = lesser(two, greater(one, x))
            one = lesser(one, x)
        for d in range(actions):
            at = (d * rests + rest) * LANES
            there = greater(common_bits(load(values, (rest * actions + d) * LANES), number), least)
            x = plus(there, load(reduced, places[rest, d]))
            y = plus(there, load(reduced, places[rest, d] + LANES))
            best = lesser(y, if_equal(x, one, two, one))
            before = load(values, at)
            after = common_bits(lesser(best, before), stored)
            change = either_bits(change, other_bits(before, after))
            low = lesser(low, after)
            store(values, at, after)
    store(changed, 0, change)
    store(lowest, 0, low)


@part
def _parent_cycle(
    tables: Any, values: Any, unit: int, places: Any, table: int, lane: int, marks: Any
) -> tuple[int, int]:
    """The cost and the length of a cycle of the parent graph; length 0 if there is none."""
    rests, actions = places.shape
    bits = unit // 2 - 1
    some, column = tables[table // LANES], table % LANES
    marks[:] = 0
    for start in range(marks.size):
        state = start
        while marks[state] == 0 and values[state, lane] < 0:
            marks[state] = start + 1
            state = state % rests * actions + (values[state, lane] & bits)
        if marks[state] == start + 1:
            cost, length, at = 0, 0, state
            while length == 0 or at != state:
                a, rest = values[at, lane] & bits, at % rests
                cost += some[places[rest, a] // LANES + (1 if at // rests == a else 0), column]
                at = rest * actions + a
                length += 1
            return cost, length
    return 0, 0


@compiled
def least_walks(tables: Any, tallies: Any, horizons: Any, start: int, opening: Any, out: Any) -> None:
    """out[j, i]: in table i, the least of opening[k] + V_t(start + k), t = horizons[j], which rise with j.

    V_0 = 0, and V_{t+1} is the Bellman step of V_t. `opening` and `out` have blocks as tables do.
    """
    kind, never = tables.dtype.type, np.iinfo(tables.dtype).max
    states = tallies.size
    values = np.zeros((2, states, LANES), tables.dtype)
    for block in range(tables.shape[0]):
        values[0] = 0
        time = 0
        for j in range(horizons.size):
            while time < horizons[j]:
                _step(values[time % 2], tables[block], tallies, states, kind(never), values[1 - time % 2])
                time += 1
            least = everywhere(kind(never))
            for k in range(opening.shape[1]):
                before = load(opening, (block * opening.shape[1] + k) * LANES)
                least = lesser(least, plus(before, load(values[time % 2], (start + k) * LANES)))
            store(out, (block * horizons.size + j) * LANES, least)


@part
def _step(source: Any, some: Any, tallies: Any, within: int, never: Any, target: Any) -> None:
    """target[s] = min over a of cost + source[successor], or `never`, among the first `within` states."""
    rests, actions = tallies.shape
    memory = some.shape[0] // actions
    for dropped in range(actions):
        first = dropped * rests
        for rest in range(min(rests, within - first)):
            least = everywhere(never)
            for a in range(min(actions, within - rest * actions)):
                row = a * memory + tallies[rest, a] + (1 if a == dropped else 0)
                paid, there = load(some, row * LANES), load(source, (rest * actions + a) * LANES)
                least = lesser(least, plus(paid, there))
            store(target, (first + rest) * LANES, least)


@compiled
def closed_walks(tables: Any, tallies: Any, never: Any, out: Any) -> None:
    """out[L - 1, i]: the least cost of a closed walk of L steps in table i, for L = 1, 2, ...

    Each closed walk is found from its state of the largest code, so only smaller ones are looked at. `never`
    stands for a state from which there is no way; one step from it costs at least as much. `out` has blocks
    as tables do.
    """
    kind = tables.dtype.type
    longest = out.shape[1]
    values = np.zeros((2, tallies.size, LANES), tables.dtype)
    for block in range(tables.shape[0]):
        for root in range(tallies.size):
            values[0, : root + 1] = never
            values[0, root] = 0
            for time in range(longest):
                source, target = values[time % 2], values[1 - time % 2]
                _step(source, tables[block], tallies, root + 1, kind(never), target)
                at = (block * longest + time) * LANES
                here = load(target, root * LANES)
                store(out, at, here if root == 0 else lesser(here, load(out, at)))
