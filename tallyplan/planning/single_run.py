"""Single-run words: what they cost, and the best of them, in time polynomial in K and m.

A *single-run word* plays every arm at most once in a row: a^i b^j c^k ... . Repeated with period P, an arm
with a run of length l has its j-th play (1 <= j <= l) at the tally

    q l + min(j, r) + max(0, r - j - (P - l)),      m = q P + r,  0 <= r < P:

the window covers the word q times and r further steps, which reach back min(j, r) plays into the present
run and, past the P - l steps of the other arms, into the one before. So the cost of an arm depends only on
(l, P), the order of the runs does not matter, and the best word of period P is a knapsack: choose run
lengths that add up to P. With H the prefix sums of the losses h of the arm, the cost per period is

    H[ql + min(l, r)] - H[ql + c] + c h[ql + c] + max(0, l - r) h[ql + r],   c = max(0, r - (P - l)).

Runs longer than m and so periods above K m need not be tried: every play beyond the m-th of a run costs
h(m), so the mean is a mixture of the mean with that run cut to m and of the constant word.

The core tries every period where K m is small, in O(K^3 m^3) operations; for two arms in O(m^2). Where K m is
large, it tries the periods about m, and then some around the best one so far, ever nearer to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction

import numpy as np

from tallyplan.core.library import TooWideError
from tallyplan.core.questions import graph_of_table, single_runs
from tallyplan.errors import InvalidInput
from tallyplan.model.graph import Array, integer_type
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import mean_of_word
from tallyplan.model.words import Word
from tallyplan.planning.effort import Effort, OutOfTimeError, limited, tick

SMALL_TABLE = 300  # up to this K m, and for two arms, the good word is the best one
NEIGHBOURS = 6  # on each side of the best period so far
NEAREST_FIRST = sorted(range(-NEIGHBOURS, NEIGHBOURS + 1), key=abs)


def best_single_run_word(bandit: TallyingBandit) -> tuple[Fraction, Word]:
    """The least mean loss of a single-run word, and such a word; O(K^3 m^3) operations, O(m^2) for two arms.

    An upper bound of the minimum mean cycle; for two arms it is equal if m <= 17 (argued), and often beyond.

    >>> best_single_run_word(TallyingBandit([["0", "1"], ["0", "1"]]))
    (Fraction(0, 1), (0, 1))
    >>> best_single_run_word(TallyingBandit([["1/2"]]))
    (Fraction(1, 2), (0,))

    See Also
    --------
    tallyplan.minimum_mean_cycle : over all words.
    tallyplan.mean_of_word : of any word.
    """
    if not isinstance(bandit, TallyingBandit):
        raise InvalidInput(
            "single-run words are for tallying bandits; the order of plays matters in this one."
        )
    size = bandit.actions * bandit.memory
    word = _word(bandit, range(1, size + 1) if bandit.memory > 1 else ())
    return mean_of_word(bandit, word), word


def good_single_run_word(bandit: TallyingBandit, effort: Effort) -> Word:
    """The best single-run word where K m is small or there are two arms, and otherwise a good one.

    >>> good_single_run_word(TallyingBandit([["0", "1"], ["0", "1"], ["1/2", "1/2"]]), Effort())
    (0, 1)
    """
    memory, size = bandit.memory, bandit.actions * bandit.memory
    if bandit.actions <= 2 or memory == 1 or size <= SMALL_TABLE:
        return best_single_run_word(bandit)[1]
    word, apart = _word(bandit, (memory, memory + 1, memory - 1)), size // NEIGHBOURS
    with suppress(OutOfTimeError), limited(effort.half().deadline):
        while apart > 0:
            tick()
            around = (len(word) + i * apart for i in NEAREST_FIRST)
            word = _word(bandit, [period for period in around if 0 < period <= size])
            apart //= 2
    return word


def _word(bandit: TallyingBandit, periods: Sequence[int]) -> Word:
    """The best of the single-run words of these periods and the constant ones."""
    try:
        runs: Sequence[int] = single_runs(graph_of_table(bandit.integers), periods, tick)
    except TooWideError:
        runs = best_runs(bandit.integers, periods)
    return tuple(action for action, plays in enumerate(runs) for _ in range(plays))


def best_runs(table: Sequence[Sequence[int]], periods: Sequence[int]) -> Word:
    """How often each arm is played, for integers of any size: a knapsack for each period.

    >>> best_runs([[0, 1], [0, 1]], range(1, 5))
    (1, 1)
    """
    found = (knapsack([_run_costs(row, period) for row in table], period) for period in (1, *periods))
    return min(found, key=lambda one: Fraction(one[0], sum(one[1])))[1]


def _run_costs(losses: Sequence[int], period: int) -> list[int]:
    """`[l]`: what an arm costs per period if its l plays are one run."""
    whole, rest = divmod(len(losses), period)
    return [
        sum(
            losses[whole * run + min(j, rest) + max(0, rest - j - period + run) - 1]
            for j in range(1, run + 1)
        )
        for run in range(period + 1)
    ]


def knapsack(costs: Sequence[Sequence[int]], total: int) -> tuple[int, Word]:
    """The least sum of costs[x][c_x] over numbers c_x >= 0 that add up to the total, and these numbers.

    >>> knapsack([[0, 1, 2], [0, 0, 3]], 2)
    (1, (1, 1))
    """
    kind = integer_type(sum(map(max, costs)))
    rows: list[Array] = [np.array(row, dtype=kind) for row in costs]
    sums = rows[:1]  # of the first arms, by what their numbers add up to
    for row in rows[1:]:
        sums.append(_least_sums(sums[-1], row))
    left, numbers = total, list[int]()
    for row, before in zip(reversed(rows[1:]), reversed(sums[:-1]), strict=True):
        numbers.append(int((row[: left + 1] + before[left::-1]).argmin()))
        left -= numbers[-1]
    return int(sums[-1][total]), (left, *reversed(numbers))


def _least_sums(first: Array, second: Array) -> Array:
    """`[t]`: the least first[t - c] + second[c]."""
    sums: Array = np.empty_like(first)
    for t in range(len(first)):
        tick()
        sums[t] = (first[t::-1] + second[: t + 1]).min()
    return sums
