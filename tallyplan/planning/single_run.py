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
from tallyplan.model.graph import Array, StateGraph, integer_type
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import mean_of_word
from tallyplan.model.words import Word


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
    return best_word_of(StateGraph(bandit))


def best_word_of(graph: StateGraph) -> tuple[Fraction, Word]:
    """The same for the graph of a tallying bandit."""
    longest = graph.actions * graph.memory
    never = 4 * longest * max(1, graph.highest_cost)  # more than any word costs
    kind = np.int64 if integer_type(4 * never) is not object else object
    costs = [run_costs(row, longest) for row in graph.cost_table(kind)]
    totals, choices = _knapsack(costs, longest, never)
    means = [(Fraction(int(totals[p, p]), p), p) for p in range(1, longest + 1) if totals[p, p] < never]
    value, period = min(means)
    word = _word(choices, period)
    assert mean_of_word(graph.bandit, word) * graph.denominator == value
    return value / graph.denominator, word


def run_costs(row: Array, longest: int) -> Array:
    """`[P, l]`: the cost per period P of an arm with a run of length l <= min(m, P), by prefix sums.

    Entries with l > P mean nothing.
    """
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
    again_costs, steady_costs = padded[np.minimum(at + again, memory)], padded[np.minimum(at + rest, memory)]
    costs: Array = rising + again * again_costs + steady * steady_costs
    return costs


def run_costs_of_period(table: Array, period: int) -> Array:
    """`[x, l]`: the cost per period of a run of l <= m plays of x, for one period; l > P means nothing."""
    memory = table.shape[1]
    length = np.arange(memory + 1)
    whole, rest = divmod(memory, period)
    again = np.maximum(0, rest - (period - length))
    sums = np.concatenate([table[:, :1] * 0, np.cumsum(table, axis=1)], axis=1)
    padded = np.concatenate([table[:, :1] * 0, table], axis=1)
    seen, risen, full = (
        np.minimum(whole * length + plays, memory) for plays in (again, np.minimum(length, rest), rest)
    )
    costs: Array = sums[:, risen] - sums[:, seen] + again * padded[:, seen]
    costs += np.maximum(0, length - rest) * padded[:, full]
    return costs


def _knapsack(costs: list[Array], longest: int, never: int) -> tuple[Array, list[Array]]:
    """`totals[P, u]`: the least cost of runs of total length u in period P; and each arm's best run.

    A run longer than the period ends up at u > P, which is not read.
    """
    totals = np.full((longest + 1, longest + 1), never, dtype=costs[0].dtype)
    totals[:, 0] = 0
    choices = []
    for cost in costs:
        best, choice = totals.copy(), np.zeros(totals.shape, dtype=np.int64)
        for length in range(1, cost.shape[1]):
            candidate = totals[:, : totals.shape[1] - length] + cost[:, length : length + 1]
            better = candidate < best[:, length:]
            best[:, length:][better] = candidate[better]
            choice[:, length:][better] = length
        totals = best
        choices.append(choice)
    return totals, choices


def _word(choices: list[Array], period: int) -> Word:
    """The word of the chosen run lengths, arm 0 first."""
    lengths = []
    left = period
    for choice in reversed(choices):
        lengths.append(int(choice[period, left]))
        left -= lengths[-1]
    return tuple(int(action) for action in np.repeat(np.arange(len(lengths)), lengths[::-1]))
