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
from tallyplan.graph import Array, StateGraph
from tallyplan.instance import TallyingBandit
from tallyplan.replay import Word, mean_of_word


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
    table = StateGraph(bandit).cost_table(object)
    best: tuple[Fraction, Word] | None = None
    for period in range(1, bandit.actions * bandit.memory + 1):
        total, lengths = _best_lengths(table, period)
        if total is not None and (best is None or Fraction(total, period) < best[0]):
            best = Fraction(total, period), _word(lengths)
    assert best is not None
    value = best[0] / bandit.denominator
    assert value == mean_of_word(bandit, best[1])
    return value, best[1]


def run_costs(row: Array, period: int) -> list[int]:
    """The cost per period of one arm with a run of length 0 .. min(m, period)."""
    memory = len(row)
    whole, rest = divmod(memory, period)
    costs = [0]
    for length in range(1, min(memory, period) + 1):
        tallies = (
            whole * length + min(j, rest) + max(0, rest - j - (period - length)) for j in range(1, length + 1)
        )
        costs.append(sum(row[tally - 1] for tally in tallies))
    return costs


def _best_lengths(table: Array, period: int) -> tuple[int | None, list[int]]:
    """The least total cost over run lengths that add up to the period, arm by arm."""
    unreachable = None
    totals: list[int | None] = [0] + [unreachable] * period
    choices: list[list[int]] = []
    for row in table:
        costs = run_costs(row, period)
        new: list[int | None] = [unreachable] * (period + 1)
        chosen = [0] * (period + 1)
        for used, total in enumerate(totals):
            if total is None:
                continue
            for length, cost in enumerate(costs[: period - used + 1]):
                at = new[used + length]
                if at is None or total + cost < at:
                    new[used + length], chosen[used + length] = total + cost, length
        totals = new
        choices.append(chosen)
    lengths = []
    left = period
    for chosen in reversed(choices):
        lengths.append(chosen[left])
        left -= chosen[left]
    return totals[period], lengths[::-1]


def _word(lengths: list[int]) -> Word:
    return tuple(int(action) for action in np.repeat(np.arange(len(lengths)), lengths))
