"""Closed walks of a given length: the loops of `root_search` and of `on_graph.closed_walks`.

Costs and reduced costs are stored, in the shape (dropped, R, K) of `edges`; an edge that is gone costs more
than any minimum takes. For graphs of more than one state. Each loop leaves what numpy leaves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tallyplan.planning.compiling import compiled, part

# What `run` keeps between two calls, by place
TIME, SIZE, SINCE, SIZE_THEN, SUM_THEN, PERIOD, END = range(7)
FIRST_WAIT, WAIT_SHARE = 24, 3  # a reference stays for 24 steps at least, and a third of the time so far


@compiled
def reduce(
    costs: Any, multiplier: int, subtract: int, values: Any, gone: Any, nothing: Any, reduced: Any
) -> bool:
    """Costs reduced by potentials, `nothing` where an edge touches a state that is gone; is none negative?"""
    dropped, rests, actions = costs.shape
    nonnegative = True
    for d in range(dropped):
        for rest in range(rests):
            state, first = d * rests + rest, rest * actions
            for a in range(actions):
                if gone[state] or gone[first + a]:
                    reduced[d, rest, a] = nothing
                else:
                    cost = multiplier * costs[d, rest, a] - subtract + values[first + a] - values[state]
                    reduced[d, rest, a] = cost
                    nonnegative = nonnegative and cost >= 0
    return nonnegative


@compiled
def find_cycles(
    values: Any, parents: Any, costs: Any, floor: Any, schedule: Any, changed: Any, slack: Any
) -> Any:
    """The cycles of the parent graph, and the states that the last sweep lowered; none: nothing changes.

    `schedule` has the numbers of sweeps before each look for cycles; the first that finds some is the last.
    Each cycle has a state that the last sweep lowered: that sweep has closed it, or else found it closed, and
    lowered some state of it, since it is negative.
    """
    cycles = np.empty((0, 4), dtype=np.int64)
    for sweeps in schedule:
        changed = relax_at_once(values, parents, costs, floor, sweeps, changed)
        cycles = cycles_of(parents, slack, changed)
        if len(cycles) > 0 or changed.size == 0:
            break
    return cycles, changed


@compiled
def relax_at_once(values: Any, parents: Any, costs: Any, floor: Any, sweeps: int, changed: Any) -> Any:
    """Bellman-Ford sweeps that read the values before them, as with numpy, and so leave the same parents.

    `changed` lists the states that the last sweep lowered, at first all: only what leads there is looked at.
    Returned are the states that this one lowers last; none: nothing changes.
    """
    dropped, rests, actions = costs.shape
    treated = np.full(rests, -1, dtype=np.int64)  # in which sweep
    lowered, lower = np.empty(values.size, dtype=np.int64), np.empty_like(values)
    for sweep in range(sweeps):
        count = 0
        for i in range(changed.size):
            rest = changed[i] // actions
            if treated[rest] == sweep:
                continue
            treated[rest] = sweep
            for d in range(dropped):
                state = d * rests + rest
                best, action = values[state], -1
                for a in range(actions):
                    candidate = costs[d, rest, a] + values[rest * actions + a]
                    if candidate < best:
                        best, action = candidate, a
                if action >= 0 and values[state] > floor:
                    parents[state] = action
                    lowered[count], lower[count] = state, max(best, floor)
                    count += 1
        changed = lowered[:count].copy()
        for i in range(count):
            values[changed[i]] = lower[i]
        if count == 0:
            break
    return changed


@compiled
def cycles_of(parents: Any, slack: Any, among: Any) -> Any:
    """A row (root, length, r-sum, least state) for every cycle of the parent graph with a state `among` some.

    The root is the state that is cheapest to leave by its second edge; of several such states, the first on
    the way round from the least state.
    """
    actions, states = slack.shape[2], parents.size
    mark = np.zeros(states, dtype=np.int32)
    cycles = np.empty((among.size, 4), dtype=np.int64)
    count = 0
    for i in range(among.size):
        state = among[i]
        while mark[state] == 0 and parents[state] >= 0:
            mark[state] = i + 1
            state = (state * actions + parents[state]) % states
        if parents[state] >= 0 and mark[state] == i + 1:
            root, length, total, least = _cycle(parents, slack, state)
            cycles[count, 0], cycles[count, 1], cycles[count, 2], cycles[count, 3] = (
                root,
                length,
                total,
                least,
            )
            count += 1
    return cycles[:count].copy()


@part
def _cycle(parents: Any, slack: Any, state: int) -> Any:
    _, rests, actions = slack.shape
    least, at = state, (state * actions + parents[state]) % parents.size
    while at != state:
        least, at = min(least, at), (at * actions + parents[at]) % parents.size
    root, leaving, length, total, at = least, _second(slack, least), 0, 0, least
    while length == 0 or at != least:
        if _second(slack, at) < leaving:
            root, leaving = at, _second(slack, at)
        length += 1
        total += slack[at // rests, at % rests, parents[at]]
        at = (at * actions + parents[at]) % parents.size
    return root, length, total, least


@part
def _second(slack: Any, state: int) -> Any:
    """The second smallest reduced cost out of a state."""
    d, rest = divmod(state, slack.shape[1])
    first, second = slack[d, rest, 0], slack[d, rest, 1]
    if first > second:
        first, second = second, first
    for a in range(2, slack.shape[2]):
        if slack[d, rest, a] < second:
            first, second = min(first, slack[d, rest, a]), max(first, slack[d, rest, a])
    return second


@compiled
def find_ways(slack: Any, root: int, budget: Any, out: Any, home: Any, touched: Any, waiting: Any) -> Any:
    """The least r-sums from the root (`out`) and back (`home`), where both together are below the budget.

    Elsewhere they keep a number above the budget, or get the r-sum of some way. Returned is how many states,
    listed in touched[0] and touched[1], each of the two was set at. No state is `waiting` before and after.

    Where both together are below the budget, one is below half of it. So first the ways home from nearby;
    then the ways out that stay nearby or come to where the way home is known; then the ways home from all of
    these. Every state of a closed walk below the budget is of this kind, so no way is missed.
    """
    near = (budget + 1) // 2
    out[root], touched[0, 0] = 0, root
    home[root], touched[1, 0] = 0, root
    line = touched[2]
    returning = _ways_home(slack, budget, near, out, home, touched[1], 1, line, waiting)
    leaving = _ways_out(slack, budget, near, out, home, touched[0], line, waiting)
    return leaving, _ways_home(slack, budget, near, out, home, touched[1], returning, line, waiting)


@part
def _ways_home(
    slack: Any,
    budget: Any,
    near: Any,
    out: Any,
    home: Any,
    touched: Any,
    count: int,
    line: Any,
    waiting: Any,
) -> int:
    """First-in, first-out Bellman-Ford, backwards from the states of which both are known and small."""
    dropped, rests, actions = slack.shape
    begin, length = 0, 0
    for state in touched[:count]:
        if out[state] + home[state] < budget:
            line[length] = state
            waiting[state] = True
            length += 1
    while length > 0:
        state = line[begin]
        begin = begin + 1 if begin + 1 < line.size else 0
        length -= 1
        waiting[state] = False
        before, a = divmod(state, actions)
        rest = before % rests
        for d in range(dropped):
            origin, total = d * rests + rest, home[state] + slack[d, rest, a]
            if total < home[origin] and (total < near or out[origin] + total < budget):
                if home[origin] >= budget:
                    touched[count] = origin
                    count += 1
                home[origin] = total
                if not waiting[origin]:
                    waiting[origin] = True
                    end = begin + length
                    line[end if end < line.size else end - line.size] = origin
                    length += 1
    return count


@part
def _ways_out(
    slack: Any, budget: Any, near: Any, out: Any, home: Any, touched: Any, line: Any, waiting: Any
) -> int:
    """First-in, first-out Bellman-Ford, forwards from the root, touched[0]."""
    _, rests, actions = slack.shape
    line[0], begin, length, count = touched[0], 0, 1, 1
    while length > 0:
        state = line[begin]
        begin = begin + 1 if begin + 1 < line.size else 0
        length -= 1
        waiting[state] = False
        d, rest = divmod(state, rests)
        for a in range(actions):
            to, total = rest * actions + a, out[state] + slack[d, rest, a]
            if total < out[to] and (total < near or home[to] + total < budget):
                if out[to] >= budget:
                    touched[count] = to
                    count += 1
                out[to] = total
                if not waiting[to]:
                    waiting[to] = True
                    end = begin + length
                    line[end if end < line.size else end - line.size] = to
                    length += 1
    return count


@part
def _step(
    table: Any, size: int, after: Any, slack: Any, home: Any, budget: Any, scratch: Any, nothing: Any
) -> Any:
    """The table after the one in table[:, :size], written to `after`: its size and the sum of its entries."""
    _, rests, actions = slack.shape
    count = 0
    for i in range(size):
        state = table[0, i]
        d, rest = 0, state
        while rest >= rests:  # cheaper than a division
            d, rest = d + 1, rest - rests
        so_far = table[1, i] - home[state]
        for a in range(actions):
            successor = rest * actions + a
            total = so_far + slack[d, rest, a] + home[successor]
            if total < budget:
                if scratch[successor] == nothing:
                    after[0, count] = successor
                    count += 1
                    scratch[successor] = total
                elif total < scratch[successor]:
                    scratch[successor] = total
    entries = 0
    for i in range(count):
        after[1, i] = scratch[after[0, i]]
        entries += after[1, i]
        scratch[after[0, i]] = nothing
    return count, entries


@compiled
def run(
    clock: Any, tables: Any, slack: Any, home: Any, budget: Any, scratch: Any, nothing: Any, work: int
) -> int:
    """The table of the time clock[END], or steps towards it until about `work` entries were treated.

    tables[clock[TIME] % 2] holds the table, tables[2] the reference. When they are equal, clock[PERIOD] is
    set, and the end is brought near. Returned is what is left of the work.
    """
    while clock[TIME] < clock[END] and clock[SIZE] > 0 and work > 0:
        here = clock[TIME] % 2
        size, entries = _step(
            tables[here], clock[SIZE], tables[1 - here], slack, home, budget, scratch, nothing
        )
        work -= clock[SIZE] + 20
        clock[TIME] += 1
        clock[SIZE] = size
        if clock[PERIOD] > 0:
            continue
        waited = clock[TIME] - clock[SINCE]
        alike = size == clock[SIZE_THEN] and entries == clock[SUM_THEN]
        if alike and _equal(tables[1 - here], tables[2], size, scratch, nothing):
            clock[PERIOD] = waited
            clock[END] = clock[TIME] + (clock[END] - clock[TIME]) % waited
        elif waited >= max(FIRST_WAIT, clock[SINCE] // WAIT_SHARE):
            for i in range(size):
                tables[2, 0, i], tables[2, 1, i] = tables[1 - here, 0, i], tables[1 - here, 1, i]
            clock[SINCE], clock[SIZE_THEN], clock[SUM_THEN] = clock[TIME], size, entries
    return work


@compiled
def begin(clock: Any, tables: Any, root: int, period: int) -> None:
    """The first table, for `run`."""
    clock[:] = 0
    clock[SIZE], clock[SIZE_THEN], clock[END] = 1, 1, period
    for i in (0, 2):
        tables[i, 0, 0], tables[i, 1, 0] = root, 0


@compiled
def pass_roots(
    roots: Any,
    period: int,
    slack: Any,
    budget: Any,
    enough: Any,
    out: Any,
    home: Any,
    touched: Any,
    waiting: Any,
    tables: Any,
    scratch: Any,
    nothing: Any,
    work: int,
    repeats: Any,
) -> Any:
    """Remove roots from `slack`, as long as their last tables are without them and work is left: how many,
    the entry of the next one in its last table, or `nothing`; and the budget.

    If all are removed with a budget that is not `enough`, they are put back, and it is doubled. Where their
    tables repeat goes to `repeats`, as times and periods; 0 if they do not.
    """
    clock, before = np.empty(END + 1, dtype=np.int64), slack.copy() if budget < enough else slack
    i = 0
    while i < roots.size:
        begin(clock, tables, roots[i], period)
        leaving, returning = find_ways(slack, roots[i], budget, out, home, touched, waiting)
        work = run(clock, tables, slack, home, budget, scratch, nothing, work - leaving - returning)
        for j in range(leaving):
            out[touched[0, j]] = nothing
        for j in range(returning):
            home[touched[1, j]] = nothing
        entry = _entry(tables[clock[TIME] % 2], clock[SIZE], roots[i], nothing)
        if work <= 0 or entry < budget:
            return i, entry if work > 0 else nothing, budget
        repeats[i, 0], repeats[i, 1] = clock[SINCE], clock[PERIOD]
        _remove(slack, roots[i], nothing)
        i += 1
        if i == roots.size and budget < enough:
            _copy(before, slack)
            i, budget = 0, min(2 * budget + 1, enough)
    return i, nothing, budget


@part
def _copy(table: Any, to: Any) -> None:
    dropped, rests, actions = table.shape
    for d in range(dropped):
        for rest in range(rests):
            for a in range(actions):
                to[d, rest, a] = table[d, rest, a]


@part
def _entry(table: Any, size: int, state: int, nothing: Any) -> Any:
    for i in range(size):
        if table[0, i] == state:
            return table[1, i]
    return nothing


@part
def _remove(slack: Any, root: int, nothing: Any) -> None:
    dropped, rests, actions = slack.shape
    for a in range(actions):
        slack[root // rests, root % rests, a] = nothing
    for d in range(dropped):
        slack[d, root // actions % rests, root % actions] = nothing


@part
def _equal(table: Any, other: Any, size: int, scratch: Any, nothing: Any) -> bool:
    for i in range(size):
        scratch[other[0, i]] = other[1, i]
    equal = True
    for i in range(size):
        equal = equal and scratch[table[0, i]] == table[1, i]
    for i in range(size):
        scratch[other[0, i]] = nothing
    return equal


@compiled
def record(
    tables: Any, starts: Any, slack: Any, home: Any, budget: Any, scratch: Any, nothing: Any, steps: int
) -> None:
    """Table after table, the one of time i in tables[:, starts[i] : starts[i + 1]]; the first is given."""
    for i in range(steps):
        here, there = starts[i], starts[i + 1]
        size, _ = _step(
            tables[:, here:], there - here, tables[:, there:], slack, home, budget, scratch, nothing
        )
        starts[i + 2] = there + size


@compiled
def walk_back(
    tables: Any,
    starts: Any,
    slack: Any,
    home: Any,
    state: int,
    entry: Any,
    scratch: Any,
    nothing: Any,
    word: Any,
) -> Any:
    """Back from an entry of the table of time word.size to time 0 along edges that explain it, first dropped
    actions first: the actions go to `word`, and returned are the state and its entry then; state -1: none.
    """
    dropped, rests, actions = slack.shape
    for i in range(word.size - 1, -1, -1):
        for j in range(starts[i], starts[i + 1]):
            scratch[tables[0, j]] = tables[1, j]
        before, a = divmod(state, actions)
        rest = before % rests
        word[i], found = a, -1
        for d in range(dropped):
            origin = d * rests + rest
            if found >= 0 or scratch[origin] == nothing:
                continue
            if scratch[origin] - home[origin] + slack[d, rest, a] + home[state] == entry:
                found = origin
        if found >= 0:
            entry = scratch[found]
        state = found
        for j in range(starts[i], starts[i + 1]):
            scratch[tables[0, j]] = nothing
        if state < 0:
            break
    return state, entry
