"""The best single-run word, compiled; `planning.single_run` has the mathematics, and the same in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np

from tallyplan.planning.compiling import compiled, part

NEVER = 2**61  # no cost: the caller's numbers are below 2^59


@compiled
def best_runs(table: Any, longest: int) -> Any:
    """(cost per period, runs) of the best single-run word of a period up to `longest`.

    The constant words come first, then shorter periods before longer ones, and only what is better counts.
    """
    actions, memory = table.shape
    totals = np.empty((actions + 1, longest + 1), np.int64)
    choices = np.empty((actions, longest + 1), np.int64)
    sums, costs = np.empty((actions, memory + 1), np.int64), np.empty(memory + 1, np.int64)
    lengths, constant = np.empty(actions, np.int64), 0
    for x in range(actions):
        lengths[x], sums[x, 0] = 0, 0
        for y in range(memory):
            sums[x, y + 1] = sums[x, y] + table[x, y]
        if table[x, memory - 1] < table[constant, memory - 1]:
            constant = x
    lengths[constant] = 1
    best_cost, best_period = table[constant, memory - 1], 1
    for used in range(longest + 1):
        totals[0, used] = NEVER if used else 0
    for period in range(1, longest + 1):
        for x in range(actions):
            _run_costs(table, sums, x, period, costs)
            for used in range(period + 1):
                best, choice = totals[x, used], 0
                for length in range(1, min(memory, used) + 1):
                    candidate = totals[x, used - length] + costs[length]
                    if candidate < best:
                        best, choice = candidate, length
                totals[x + 1, used] = best
                choices[x, used] = choice
        cost = totals[actions, period]
        if cost * best_period < best_cost * period:
            best_cost, best_period, left = cost, period, period
            for x in range(actions - 1, -1, -1):
                lengths[x] = choices[x, left]
                left -= choices[x, left]
    return best_cost, lengths


@part
def _run_costs(table: Any, sums: Any, x: int, period: int, costs: Any) -> None:
    """`costs[l]`: the cost per period of the arm x with a run of l plays."""
    memory = table.shape[1]
    whole = memory // period
    rest = memory - whole * period
    for length in range(1, min(memory, period) + 1):
        again = max(0, rest - (period - length))
        seen = whole * length + again
        cost = sums[x, whole * length + min(length, rest)] - sums[x, seen]
        if again:
            cost += again * table[x, seen - 1]
        if length > rest:
            cost += (length - rest) * table[x, whole * length + rest - 1]
        costs[length] = cost
