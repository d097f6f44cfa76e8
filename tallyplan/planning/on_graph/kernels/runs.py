"""The best single-run word, compiled; `planning.single_run` has the mathematics, and the same in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np

from tallyplan.planning.compiling import compiled, part

NEVER = 2**61  # no cost: the caller's numbers are below 2^59


@compiled
def best_runs(table: Any, longest: int, lengths: Any) -> Any:
    """(cost, period) of the best single-run word with a period up to `longest`, its runs in `lengths`.

    The constant words come first, then shorter periods before longer ones, and only what is better counts.
    """
    actions, memory = table.shape
    sums = np.zeros((actions, memory + 1), np.int64)
    best_cost, best_period, constant = table[0, memory - 1], 1, 0
    for x in range(actions):
        for y in range(memory):
            sums[x, y + 1] = sums[x, y] + table[x, y]
        if table[x, memory - 1] < best_cost:
            best_cost, constant = table[x, memory - 1], x
    lengths[:] = 0
    lengths[constant] = 1
    totals = np.full((actions + 1, longest + 1), NEVER, np.int64)
    totals[0, 0] = 0
    choices = np.zeros((actions, longest + 1), np.int64)
    costs = np.zeros(memory + 1, np.int64)
    for period in range(1, longest + 1):
        for x in range(actions):
            _run_costs(table[x], sums[x], period, costs)
            _include(totals[x], totals[x + 1], choices[x], costs, period)
        cost = totals[actions, period]
        if cost * best_period < best_cost * period:
            best_cost, best_period, left = cost, period, period
            for x in range(actions - 1, -1, -1):
                lengths[x] = choices[x, left]
                left -= choices[x, left]
    return best_cost, best_period


@part
def _run_costs(losses: Any, sums: Any, period: int, costs: Any) -> None:
    """`costs[l]`: the cost per period of an arm with a run of l plays."""
    memory = losses.size
    whole = memory // period
    rest = memory - whole * period
    for length in range(1, min(memory, period) + 1):
        again = max(0, rest - (period - length))
        seen = whole * length + again
        cost = sums[whole * length + min(length, rest)] - sums[seen]
        if again:
            cost += again * losses[seen - 1]
        if length > rest:
            cost += (length - rest) * losses[whole * length + rest - 1]
        costs[length] = cost


@part
def _include(before: Any, after: Any, choices: Any, costs: Any, period: int) -> None:
    """`after[u]`: the least cost of runs of total length u with one arm more than in `before`."""
    for used in range(period + 1):
        best, choice = before[used], 0
        for length in range(1, min(costs.size - 1, used) + 1):
            candidate = before[used - length] + costs[length]
            if candidate < best:
                best, choice = candidate, length
        after[used] = best
        choices[used] = choice
