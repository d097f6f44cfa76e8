"""Many tables of one size at once: tables lie side by side in lanes, and every inner loop runs over them.

`tables` has the shape (K, m, N), K >= 2 and m >= 2: `tables[a, t, i]` is what the action a costs in table i
if it is t times among the m - 1 actions before. N is a multiple of LANES. `tallies[s, a]` counts a in the
state s (by its code), whose successors are `firsts[s]` + a.

Numbers have the type of `tables`, which the caller has chosen by a bound (`planning.on_graph.batches`). Sums
are cut back to it where they are made, since the compiler would widen them otherwise; and an inner loop
touches few arrays, since the compiler must see that they do not overlap.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tallyplan.planning.compiling import compiled, part

LANES = 64
REFILL = 16  # lanes without a table before new tables are put into them


@compiled
def best_runs(tables: Any, costs: Any, lengths: Any) -> None:
    """For each table the cost and the length of a single-run word of least mean; `single_run` has the theory.

    With x arms the runs add up to any number up to x m, and of the last arm only the whole period matters.
    """
    actions, memory, count = tables.shape
    kind = tables.dtype.type
    sums = np.zeros((actions, memory + 1, LANES), tables.dtype)
    runs = np.zeros((memory + 1, LANES), tables.dtype)
    totals = np.zeros((2, actions * memory + 1, LANES), tables.dtype)
    for first in range(0, count, LANES):
        some, cost, length = tables[:, :, first : first + LANES], costs[first:], lengths[first:]
        for x in range(actions):
            for t in range(memory):
                for w in range(LANES):
                    sums[x, t + 1, w] = kind(sums[x, t, w] + some[x, t, w])
        for w in range(LANES):
            cost[w], length[w] = some[0, memory - 1, w], 1
        for period in range(1, actions * memory + 1):
            for w in range(LANES):
                totals[1, 0, w] = 0
            for x in range(actions):
                _run_costs(some[x], sums[x], period, runs)
                before, after = totals[1 - x % 2], totals[x % 2]
                most = min(period, (x + 1) * memory)
                for used in range(most if x == actions - 1 else 0, most + 1):
                    _best_split(before, runs, used, min(period, x * memory), after)
            if period <= most:
                total = totals[(actions - 1) % 2, period]
                for w in range(LANES):
                    if kind(total[w] * length[w]) < kind(cost[w] * period):
                        cost[w], length[w] = total[w], period


@part
def _best_split(before: Any, runs: Any, used: int, most: int, after: Any) -> None:
    """after[used] = min over lengths of before[used - length] + runs[length], with used - length <= most."""
    kind = after.dtype.type
    least = max(0, used - most)
    total, left, run = after[used], before[used - least], runs[least]
    for w in range(runs.shape[1]):
        total[w] = kind(left[w] + run[w])
    for length in range(least + 1, min(used, runs.shape[0] - 1) + 1):
        left, run = before[used - length], runs[length]
        for w in range(runs.shape[1]):
            total[w] = min(total[w], kind(left[w] + run[w]))


@part
def _run_costs(row: Any, sums: Any, period: int, runs: Any) -> None:
    """runs[l]: what an arm with a run of l plays costs per period; nothing for l = 0."""
    kind = runs.dtype.type
    memory = row.shape[0]
    whole = memory // period
    rest = memory - whole * period
    for length in range(1, min(memory, period) + 1):
        again = max(0, rest - (period - length))
        beyond = max(0, length - rest)
        end, seen = sums[whole * length + min(length, rest)], sums[whole * length + again]
        old, late = row[max(0, whole * length + again - 1)], row[max(0, whole * length + rest - 1)]
        run = runs[length]
        for w in range(runs.shape[1]):
            run[w] = kind(end[w] - seen[w] + again * old[w] + beyond * late[w])


@compiled
def prove_means(
    tables: Any, tallies: Any, firsts: Any, costs: Any, lengths: Any, sweeps: int, improve: bool, proved: Any
) -> None:
    """For each table, whether no cycle has a mean below cost / length; with `improve`, a word of least mean.

    Bellman-Ford with a floor, as in `planning.on_graph.bellman_ford`, from zero potentials on the costs
    length * loss - cost. A sweep that changes nothing and leaves nothing at the floor is the proof. A lane
    whose table is proved takes the next one, and so it does after so many sweeps; or, with `improve`, a cycle
    of parents is looked for: it is a better word, with which the lane begins again.

    With `improve`, numbers are multiplied by a power of two above K, and the lowest bits of a potential hold
    its parent, the action that lowered it last, or K if there is none: with arrays of their own for the
    parents, the compiler does not treat several lanes per instruction.
    """
    actions, memory, count = tables.shape
    states = tallies.shape[0]
    places = tallies.copy()  # of the reduced costs; for two actions both by the number of ones
    if actions == 2:
        places[:, 0] = tallies[:, 1]
    unit, orphan = 1, 0
    if improve:
        orphan = actions
        while unit <= actions:
            unit *= 2
    values = np.zeros((states, LANES), tables.dtype)
    marks = np.zeros(states if improve else 0, np.int32)
    reduced = np.zeros((memory, actions + 1, LANES), tables.dtype)  # and the floor
    changed, old, fresh = np.zeros((3, LANES), tables.dtype)
    table_in, age = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    for w in range(LANES):
        table_in[w] = -1
    taken, empty, sweep, begin = 0, LANES, 0, False
    while empty < LANES or taken < count:
        if taken < count and empty >= REFILL:
            for w in range(LANES):
                if table_in[w] < 0 and taken < count:
                    table_in[w], age[w], fresh[w] = taken, 0, 1
                    taken, empty, begin = taken + 1, empty - 1, True
        if begin:
            for w in range(LANES):
                if fresh[w]:
                    _put(tables, costs, lengths, table_in[w], unit, reduced, w)
            _clear(values, fresh, orphan)
            begin = False
        for w in range(LANES):
            changed[w] = fresh[w] = 0
        if improve:
            _relax_with_parents(values, unit, reduced, places, firsts, sweep % 2 == 1, changed, old)
        elif actions == 2:
            _relax_two(values, reduced, places, firsts, sweep % 2 == 1, changed)
        else:
            _relax(values, reduced, places, firsts, sweep % 2 == 1, changed, old)
        sweep += 1
        for w in range(LANES):
            table, age[w] = table_in[w], age[w] + 1
            if table >= 0 and improve and changed[w] != 0 and age[w] % sweeps == 0:
                length = _parent_cycle(tables, tallies, firsts, values, unit, table, w, marks, costs)
                if length > 0:
                    lengths[table], fresh[w], begin = length, 1, True
            elif table >= 0 and (changed[w] == 0 or (age[w] >= sweeps and not improve)):
                proved[table] = changed[w] == 0
                table_in[w] = -1
                empty += 1


@part
def _clear(rows: Any, fresh: Any, value: int) -> None:
    """Set the fresh lanes to a value."""
    for i in range(rows.shape[0]):
        row = rows[i]
        for w in range(rows.shape[1]):
            row[w] = value if fresh[w] else row[w]


@part
def _parent_cycle(
    tables: Any,
    tallies: Any,
    firsts: Any,
    values: Any,
    unit: int,
    table: int,
    lane: int,
    marks: Any,
    costs: Any,
) -> int:
    """The length of a cycle of the parent graph, whose cost is noted; 0 if there is none."""
    states, actions = tallies.shape
    parent = unit - 1  # the bits that hold it
    for state in range(states):
        marks[state] = 0
    for start in range(states):
        state = start
        while marks[state] == 0 and values[state, lane] & parent < actions:
            marks[state] = start + 1
            state = firsts[state] + (values[state, lane] & parent)
        if marks[state] == start + 1:
            length, cost, at = 0, 0, state
            while length == 0 or at != state:
                a = values[at, lane] & parent
                cost += tables[a, tallies[at, a], table]
                at = firsts[at] + a
                length += 1
            costs[table] = cost
            return length
    return 0


@part
def _put(tables: Any, costs: Any, lengths: Any, table: int, unit: int, reduced: Any, lane: int) -> None:
    """The reduced costs of a table and its floor into a lane; for two actions by the number of ones."""
    actions, memory, _ = tables.shape
    widest = 1
    for t in range(memory):
        for a in range(actions):
            at = memory - 1 - t if actions == 2 and a == 0 else t
            reduced[t, a, lane] = unit * (lengths[table] * tables[a, at, table] - costs[table])
            widest = max(widest, tables[a, t, table])
    for t in range(memory):
        reduced[t, actions, lane] = -unit * ((memory - 1) * lengths[table] * widest + 1)


@part
def _relax_two(values: Any, reduced: Any, places: Any, firsts: Any, backwards: bool, changed: Any) -> None:
    """One sweep in place, two actions; `changed` is not 0 in lanes with a change or a value at its floor."""
    kind = values.dtype.type
    states = values.shape[0]
    pairs = values.reshape(states // 2, 2, LANES)
    for i in range(states):
        state = states - 1 - i if backwards else i
        row, pair, edge = values[state], pairs[firsts[state] // 2], reduced[places[state, 1]]
        for w in range(values.shape[1]):
            before = row[w]
            best = min(kind(edge[0, w] + pair[0, w]), kind(edge[1, w] + pair[1, w]))
            after = max(edge[2, w], min(before, best))
            changed[w] |= kind(before ^ after) | kind(after == edge[2, w])
            row[w] = after


@part
def _relax(
    values: Any, reduced: Any, places: Any, firsts: Any, backwards: bool, changed: Any, old: Any
) -> None:
    """The same for any number of actions."""
    kind = values.dtype.type
    states, actions = places.shape
    for i in range(states):
        state = states - 1 - i if backwards else i
        row, first = values[state], firsts[state]
        for w in range(values.shape[1]):
            old[w] = row[w]
        for a in range(actions):
            there, paid = values[first + a], reduced[places[state, a], a]
            for w in range(values.shape[1]):
                row[w] = min(row[w], kind(paid[w] + there[w]))
        floor = reduced[0, actions]
        for w in range(values.shape[1]):
            after = max(row[w], floor[w])
            changed[w] |= kind(old[w] ^ after) | kind(after == floor[w])
            row[w] = after


@part
def _relax_with_parents(
    values: Any, unit: int, reduced: Any, places: Any, firsts: Any, backwards: bool, changed: Any, old: Any
) -> None:
    """The same, and the lowest bits of a value become the action that lowered it."""
    kind = values.dtype.type
    parent, number = kind(unit - 1), kind(-unit)  # the bits of each
    states, actions = places.shape
    for i in range(states):
        state = states - 1 - i if backwards else i
        row, first = values[state], firsts[state]
        for w in range(values.shape[1]):
            old[w] = row[w]
        for a in range(actions):
            there, paid, action = values[first + a], reduced[places[state, a], a], kind(a)
            for w in range(values.shape[1]):
                best = kind(paid[w] + kind(there[w] & number))
                row[w] = kind(best | action) if best < kind(row[w] & number) else row[w]
        floor = reduced[0, actions]
        for w in range(values.shape[1]):
            after = max(row[w], kind(floor[w] | kind(row[w] & parent)))
            changed[w] |= kind(old[w] ^ after) | kind(kind(after & number) == floor[w])
            row[w] = after


@compiled
def least_walks(
    tables: Any, tallies: Any, firsts: Any, horizons: Any, start: int, opening: Any, out: Any
) -> None:
    """out[j, i]: in table i, the least of opening[k] + V_t(start + k), t = horizons[j], which rise with j.

    V_0 = 0, and V_{t+1} is the Bellman step of V_t.
    """
    kind, count = tables.dtype.type, tables.shape[2]
    values = np.zeros((2, tallies.shape[0], LANES), tables.dtype)
    never = np.iinfo(tables.dtype).max
    for first in range(0, count, LANES):
        some = tables[:, :, first : first + LANES]
        values[0] = 0
        time = 0
        for j in range(horizons.size):
            while time < horizons[j]:
                _step(values[time % 2], some, tallies, firsts, tallies.shape[0], never, values[1 - time % 2])
                time += 1
            least = out[j, first : first + LANES]
            for k in range(opening.shape[0]):
                row, before = values[time % 2, start + k], opening[k, first : first + LANES]
                for w in range(LANES):
                    total = kind(row[w] + before[w])
                    least[w] = total if k == 0 or total < least[w] else least[w]


@part
def _step(source: Any, some: Any, tallies: Any, firsts: Any, within: int, never: Any, target: Any) -> None:
    """target[s] = min over a of cost + source[successor], or `never`, among the first `within` states."""
    kind = target.dtype.type
    for state in range(within):
        row, first = target[state], firsts[state]
        for w in range(target.shape[1]):
            row[w] = never
        for a in range(min(tallies.shape[1], within - first)):
            paid, there = some[a, tallies[state, a]], source[first + a]
            for w in range(target.shape[1]):
                row[w] = min(row[w], kind(paid[w] + there[w]))


@compiled
def closed_walks(tables: Any, tallies: Any, firsts: Any, never: Any, out: Any) -> None:
    """out[L - 1, i]: the least cost of a closed walk of L steps in table i, for L = 1, 2, ...

    Each closed walk is found from its state of the largest code, so only smaller ones are looked at. `never`
    stands for a state from which there is no way; one step from it costs at least as much.
    """
    count = tables.shape[2]
    states = tallies.shape[0]
    values = np.zeros((2, states, LANES), tables.dtype)
    for first in range(0, count, LANES):
        some = tables[:, :, first : first + LANES]
        for root in range(states):
            values[0, : root + 1] = never
            values[0, root] = 0
            for time in range(out.shape[0]):
                source, target = values[time % 2], values[1 - time % 2]
                _step(source, some, tallies, firsts, root + 1, never, target)
                least, here = out[time, first : first + LANES], target[root]
                for w in range(LANES):
                    if root == 0 or here[w] < least[w]:
                        least[w] = here[w]
