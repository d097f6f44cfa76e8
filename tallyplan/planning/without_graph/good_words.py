"""Good words for any number of arms and any memory: upper bounds, each replayed.

**Single runs.** The best word in which every arm has one run (`single_run`) is, for each period P, a
knapsack over the run lengths. Charging mu for a play gives a lower bound for each period in O(K m), and a
knapsack is solved only for the periods whose bound is below the best word so far, the most promising first.

**Annealing.** From there a random walk over words, with a fixed seed, finds words in which arms drift past
each other, each with a period of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from tallyplan.model.graph import Array, StateGraph, integer_type
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import mean_of_word
from tallyplan.model.words import Word
from tallyplan.planning.effort import Effort
from tallyplan.planning.single_run import best_word_of, run_costs_of_period

SMALL = 300  # K m up to which all periods are solved together
KNAPSACKS = 60  # the most that are solved otherwise
AT_LEAST = 3  # even if there is no time
PRICES = 12  # tried for a period
COPIES = (1, 2, 3, 1, 4)  # of the best word so far, in the word from which an annealing starts
LONGEST = 40  # times m: a longer word is not annealed
MOVES, STEPS = 60_000, 2 * 10**7  # the most moves of an annealing, and about the most steps they evaluate
HEAT = 0.01  # the first temperature, as a share of the mean


def best_single_runs(bandit: TallyingBandit, effort: Effort) -> Word:
    """The best single-run word where K m is small; otherwise a good one.

    >>> best_single_runs(TallyingBandit([["0", "1"], ["0", "1"], ["1/2", "1/2"]]), Effort())
    (0, 1)
    """
    graph = StateGraph(bandit)
    if bandit.actions * bandit.memory <= SMALL:
        return best_word_of(graph)[1]
    widest = 8 * bandit.actions * bandit.memory**2 * max(1, graph.highest_cost)
    table = graph.cost_table(object if integer_type(widest) is object else np.int64)
    best = min(_constants(bandit), key=lambda word: mean_of_word(bandit, word))
    mean = graph.denominator * mean_of_word(bandit, best)

    def solve(period: int) -> None:
        nonlocal best, mean
        total, lengths = _knapsack(run_costs_of_period(table, period), period)
        if Fraction(total, period) < mean:
            mean = Fraction(total, period)
            best = tuple(int(x) for x in np.repeat(np.arange(bandit.actions), lengths))
            effort.progress(
                f"single-run words: {float(mean) / graph.denominator:.6g} a step, period {period}"
            )

    for period in (bandit.memory, bandit.memory + 1, max(1, bandit.memory - 1)):
        solve(period)
    half = effort.half()
    promising = sorted(_promising(table, float(mean), half.half()))
    for count, (bound, period) in enumerate(promising[:KNAPSACKS]):
        if bound >= mean or (count >= AT_LEAST and half.out_of_time()):
            break
        solve(period)
    return best


def _constants(bandit: TallyingBandit) -> list[Word]:
    return [(x,) for x in range(bandit.actions)]


def _promising(table: Array, mean: float, effort: Effort) -> Iterator[tuple[float, int]]:
    """(a bound on the mean, period) of the periods up to K m whose bound is below `mean`."""
    actions, memory = table.shape
    price = mean
    coarse_first = sorted(range(1, actions * memory + 1), key=lambda period: -(period & -period))
    for period in coarse_first:  # multiples of high powers of two first: a grid that gets finer
        if effort.out_of_time():
            return
        costs = run_costs_of_period(table, period)[:, : min(memory, period) + 1].astype(float)
        lengths = np.arange(costs.shape[1])
        low, high, bound = 0.0, 2.0 * float(table.max()) + 1.0, -np.inf
        for _ in range(PRICES):
            priced = costs - price * lengths
            bound = max(bound, price + float(priced.min(axis=1).sum()) / period)
            spare = period - int(priced.argmin(axis=1).sum())
            if spare == 0 or bound >= mean:
                break
            low, high = (price, high) if spare > 0 else (low, price)
            price = (low + high) / 2
        if bound < mean:
            yield bound, period


def _knapsack(costs: Array, period: int) -> tuple[int, list[int]]:
    """The least cost of runs of total length P, and the run lengths; `costs[x, l]`."""
    actions, longest = costs.shape[0], min(costs.shape[1] - 1, period)
    never = 2 * actions * int(costs[:, : longest + 1].max()) + 1
    totals: Array = np.full(period + 1, never, dtype=costs.dtype)
    totals[0] = 0
    choices = []
    for x in range(actions):
        best, choice = totals.copy(), np.zeros(period + 1, dtype=np.int64)
        for length in range(1, longest + 1):
            candidate = totals[: period + 1 - length] + costs[x, length]
            better = candidate < best[length:]
            best[length:][better] = candidate[better]
            choice[length:][better] = length
        totals = best
        choices.append(choice)
    lengths, left = [], period
    for choice in reversed(choices):
        lengths.append(int(choice[left]))
        left -= lengths[-1]
    return int(totals[period]), lengths[::-1]


def improved(bandit: TallyingBandit, word: Word, effort: Effort) -> Word:
    """The best word found by annealing from copies of `word`; `word` itself if none is better."""
    from tallyplan.planning.without_graph.annealing import anneal

    losses = np.array([[float(loss) for loss in row] for row in bandit.losses])
    best, mean = word, mean_of_word(bandit, word)
    for seed, copies in enumerate(COPIES):
        start = np.array(best * copies)
        room = 2 * len(start) + bandit.memory
        moves = min(MOVES, STEPS // room)
        if effort.out_of_time() or len(start) > LONGEST * bandit.memory:
            break
        effort.progress(f"annealing: {float(mean):.6g} a step, {moves} moves on words of about {len(start)}")
        found = tuple(anneal(losses, start, room, moves, float(mean) * HEAT, seed).tolist())
        if mean_of_word(bandit, found) < mean:
            best, mean = found, mean_of_word(bandit, found)
    return best
