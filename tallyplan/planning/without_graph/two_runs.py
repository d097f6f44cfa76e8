"""The best constant or two-run word 0^i 1^j of a two-armed bandit, in O(m^2) operations and O(m) memory.

With period P = i + j and m = q P + r, an arm with a run of l and a pause of o = P - l costs a period

    F(l) = H[ql + min(l, r)] - H[ql + c] + c h[ql + c] + max(0, l - r) h[ql + r],   c = max(0, r - o),

H being the prefix sums of its losses h (`single_run`). For P > m (q = 0, r = m) this is H[l] + G[o] with
G[o] = (m - o) h[m - o] - H[m - o], so the cost of the word is X[i] + Y[j]: one vector addition a period.

Runs of m plays or more need not be tried: every play beyond the (m-1)-st of a run costs h(m), so the mean is
a mixture of the mean with that run cut to m-1 and of the constant word.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from tallyplan.model.graph import Array, StateGraph, integer_type
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.words import Word


def best_two_run_word(bandit: TallyingBandit) -> tuple[Fraction, Word]:
    """The least mean loss of the words 0, 1 and 0^i 1^j with i, j < m, and a shortest word that attains it.

    >>> best_two_run_word(TallyingBandit([["0", "1"], ["0", "1"]]))
    (Fraction(0, 1), (0, 1))
    """
    graph = StateGraph(bandit)
    kind = np.int64 if integer_type(8 * bandit.memory * max(1, graph.highest_cost)) is not object else object
    losses = [np.concatenate([np.zeros(1, dtype=kind), row]) for row in graph.cost_table(kind)]
    cost, i, j = min(_candidates(losses), key=lambda found: (Fraction(found[0], found[1] + found[2]), found))
    return Fraction(cost, (i + j) * graph.denominator), (0,) * i + (1,) * j


def _candidates(losses: list[Array]) -> Iterator[tuple[int, int, int]]:
    """(cost, i, j): the constant words, and for each period the cheapest word."""
    yield int(losses[0][-1]), 1, 0
    yield int(losses[1][-1]), 0, 1
    for costs, first, period in _periods(losses):
        at = int(costs.argmin())
        yield int(costs[at]), first + at, period - first - at


def _periods(losses: list[Array]) -> Iterator[tuple[Array, int, int]]:
    """For each period P: the costs of the words with i = first, first + 1, ...; first; P."""
    memory = len(losses[0]) - 1
    sums = [np.cumsum(row) for row in losses]
    for period in range(2, memory + 1):
        zero, one = (_run_costs(row, total, period) for row, total in zip(losses, sums, strict=True))
        yield zero + one[::-1], 1, period
    pauses = [_pause_costs(row, total) for row, total in zip(losses, sums, strict=True)]
    by_zeros, by_ones = sums[0] + pauses[1], sums[1] + pauses[0]
    for period in range(memory + 1, 2 * memory - 1):
        first = period - memory + 1
        yield by_zeros[first:memory] + by_ones[first:memory][::-1], first, period


def _run_costs(row: Array, sums: Array, period: int) -> Array:
    """F(l) for l = 1 .. P-1, where P <= m."""
    whole, rest = divmod(len(row) - 1, period)
    length = np.arange(1, period)
    again = np.maximum(0, rest - (period - length))
    before, rising = whole * length + again, whole * length + np.minimum(length, rest)
    steady = np.maximum(0, length - rest)
    costs: Array = sums[rising] - sums[before] + again * row[before] + steady * row[whole * length + rest]
    return costs


def _pause_costs(row: Array, sums: Array) -> Array:
    """G(o) for o = 0 .. m."""
    seen = np.arange(len(row) - 1, -1, -1)
    costs: Array = seen * row[seen] - sums[seen]
    return costs
