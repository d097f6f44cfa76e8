"""The best single-run word, in time polynomial in K and m: an upper bound without the state graph.

A *single-run word* plays every arm at most once in a row: a^i b^j c^k ... . Repeated with period P, an arm
with a run of length l has its j-th play (1 <= j <= l) at the tally

    q l + min(j, r) + max(0, r - j - (P - l)),      m = q P + r,  0 <= r < P:

the window covers the word q times and r further steps, which reach back min(j, r) plays into the present
run and, past the P - l steps of the other arms, into the one before. So the cost of an arm depends only on
(l, P), the order of the runs does not matter, and the best word of period P is a knapsack: choose run
lengths that add up to P.

Runs longer than m and so periods above K m need not be tried: every play beyond the m-th of a run costs
h(m), so the mean is a mixture of the mean with that run cut to m and of the constant word.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tallyplan.errors import InvalidInput
from tallyplan.graph import Array, StateGraph, integer_type
from tallyplan.instance import TallyingBandit
from tallyplan.sequences import Word, mean_of_word


def best_single_run_word(bandit: TallyingBandit) -> tuple[Fraction, Word]:
    """The least mean loss of a single-run word, and such a word; O(K^3 m^3) operations.

    Equal to the minimum mean cycle for two arms with m <= 17 and often beyond; an upper bound always.

    >>> best_single_run_word(TallyingBandit([["0", "1"], ["0", "1"]]))
    (Fraction(0, 1), (0, 1))
    >>> best_single_run_word(TallyingBandit([["1/2"]]))
    (Fraction(1, 2), (0,))
    """
    if not isinstance(bandit, TallyingBandit):
        raise InvalidInput(
            "single-run words are for tallying bandits; the order of plays matters in this one."
        )
    graph = StateGraph(bandit)
    longest = graph.actions * graph.memory
    kind = integer_type(4 * longest * max(1, graph.highest_cost))
    costs = [run_costs(row, longest) for row in graph.cost_table(np.int64 if kind is np.int32 else kind)]
    totals, choices = _knapsack(costs, longest)
    best = min(
        (Fraction(int(totals[p, p]), p), p) for p in range(1, longest + 1) if totals[p, p] < _never(totals)
    )
    word = _word(choices, best[1])
    value = best[0] / graph.denominator
    assert value == mean_of_word(bandit, word)
    return value, word


def run_costs(row: Array, longest: int) -> Array:
    """`[P, l]`: the cost per period P of an arm with a run of length l <= min(m, P), by prefix sums."""
    memory = len(row)
    period = np.arange(longest + 1)[:, None]
    length = np.arange(memory + 1)[None, :]
    whole, rest = np.divmod(memory, np.maximum(period, 1))
    again = np.maximum(0, rest - (period - length))  # plays that see the run before: tally whole*l + again
    steady = np.maximum(0, length - rest)  # plays whose window ends inside the run: tally whole*l + rest
    sums = np.concatenate([[0], np.cumsum(row)])
    padded = np.concatenate([[0], row])
    at = whole * length
    rising = sums[np.minimum(at + np.minimum(length, rest), memory)] - sums[np.minimum(at + again, memory)]
    costs = (
        rising
        + again * padded[np.minimum(at + again, memory)]
        + steady * padded[np.minimum(at + rest, memory)]
    )
    return np.where(length <= period, costs, _never(costs))


def _knapsack(costs: list[Array], longest: int) -> tuple[Array, list[Array]]:
    """`totals[P, u]`: the least cost of runs of total length u in period P; and each arm's best run."""
    totals = np.full((longest + 1, longest + 1), _never(costs[0]), dtype=costs[0].dtype)
    totals[:, 0] = 0
    choices = []
    for cost in costs:
        best, choice = totals + cost[:, :1], np.zeros(totals.shape, dtype=np.int64)
        for length in range(1, cost.shape[1]):
            candidate = totals[:, : totals.shape[1] - length] + cost[:, length : length + 1]
            better = candidate < best[:, length:]
            best[:, length:][better] = candidate[better]
            choice[:, length:][better] = length
        totals = np.minimum(best, _never(best))
        choices.append(choice)
    return totals, choices


def _never(costs: Array) -> int:
    """More than any word costs, and small enough that two of them can be added."""
    return 2**62 - 1 if costs.dtype != object else 2**100000


def _word(choices: list[Array], period: int) -> Word:
    """The word of the chosen run lengths, arm 0 first."""
    lengths = []
    left = period
    for choice in reversed(choices):
        lengths.append(int(choice[period, left]))
        left -= lengths[-1]
    return tuple(int(action) for action in np.repeat(np.arange(len(lengths)), lengths[::-1]))
