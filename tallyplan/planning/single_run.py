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

**Two arms.** For P > m (q = 0, r = m) the cost above is H[l] + G[P - l] with G[o] = (m - o) h[m - o] - H[m
- o], so that the word 0^i 1^j costs X[i] + Y[j]: one vector addition per period, O(m^2) operations and O(m)
memory in all.

**Many arms.** Where K m is large, charging a price for each play gives a lower bound for each period in O(K
m), and a knapsack is solved only for the periods whose bound is below the best word so far, the most
promising first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, repeat

import numpy as np

from tallyplan.errors import InvalidInput
from tallyplan.model.graph import Array, StateGraph, integer_type
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.words import Word
from tallyplan.planning import compiling
from tallyplan.planning.effort import Effort, tick

ENTRIES_AT_ONCE = 2**22  # of the knapsack's tables, which bounds the periods that are solved together
SMALL_TABLE = 300  # up to this K m, the good word is the best one
MOST_KNAPSACKS = 60  # solved for a good word where K m is larger
FEWEST_KNAPSACKS = 3  # solved even if there is no time
PRICES_PER_PERIOD = 12  # how many prices are tried for the lower bound of a period


def best_single_run_word(bandit: TallyingBandit) -> tuple[Fraction, Word]:
    """The least mean loss of a single-run word, and such a word; O(K^3 m^3) operations.

    Equal to the minimum mean cycle for two arms with m <= 17 and often beyond; an upper bound always.

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
    graph = StateGraph(bandit)
    cost, word = _best(graph)
    return Fraction(cost, len(word) * graph.denominator), word


def _best(graph: StateGraph) -> tuple[int, Word]:
    """The integer cost of a period of the best single-run word, and the word."""
    table = _integer_table(graph)
    longest = graph.actions * graph.memory if graph.memory > 1 else 0  # no word beats a constant if m = 1
    if table.dtype == np.int64 and compiling.pays():
        return _compiled_best(table, longest)
    compiling.charge(graph.actions * longest**2 * graph.memory)
    together = max(1, ENTRIES_AT_ONCE // max(1, graph.actions * longest))
    found = [_best_constant(table)]
    for first in range(1, longest + 1, together):
        found.append(_best_of_periods(table, range(first, min(first + together, longest + 1))))
    mean, word = min(found, key=lambda candidate: (candidate[0], len(candidate[1])))
    return int(mean * len(word)), word


def _compiled_best(table: Array, longest: int) -> tuple[int, Word]:
    from tallyplan.planning.on_graph.kernels.runs import best_runs

    cost, lengths = best_runs(table, longest)
    return cost, tuple(chain.from_iterable(map(repeat, range(len(table)), lengths.tolist())))


def good_single_run_word(graph: StateGraph, effort: Effort) -> tuple[int, Word]:
    """The best single-run word where K m is small, and otherwise a good one, after the cost of a period.

    >>> bandit = TallyingBandit([["0", "1"], ["0", "1"], ["1/2", "1/2"]])
    >>> good_single_run_word(StateGraph(bandit), Effort())
    (0, (0, 1))
    """
    m = graph.memory
    if m == 1 or graph.actions * m <= SMALL_TABLE:
        return _best(graph)
    table = _integer_table(graph)
    usual = [P for P in (m, m + 1, m - 1) if graph.actions * m >= P]  # one arm has no run of m + 1 plays
    best = min(_best_constant(table), *(_best_of_periods(table, [P]) for P in usual))
    half = effort.half()
    promising = sorted(_promising(table, float(best[0]), half.half()))
    for count, (bound, period) in enumerate(promising[:MOST_KNAPSACKS]):
        if bound >= best[0] or (count >= FEWEST_KNAPSACKS and half.out_of_time()):
            break
        best = min(best, _best_of_periods(table, [period]))
        effort.progress(f"single-run words: {float(best[0]) / graph.denominator:.6g} per step")
    mean, word = best
    return int(mean * len(word)), word


def best_two_run_word(bandit: TallyingBandit) -> tuple[Fraction, Word]:
    """The least mean loss of the words 0, 1 and 0^i 1^j with i, j < m, and a shortest word that attains it.

    Longer runs need not be tried: every play beyond the (m-1)-st of a run costs h(m).

    >>> best_two_run_word(TallyingBandit([["0", "1"], ["0", "1"]]))
    (Fraction(0, 1), (0, 1))
    """
    graph = StateGraph(bandit)
    candidates = _two_run_words(_integer_table(graph))
    cost, i, j = min(candidates, key=lambda found: (Fraction(found[0], found[1] + found[2]), found))
    return Fraction(cost, (i + j) * graph.denominator), (0,) * i + (1,) * j


def run_costs(table: Array, periods: Sequence[int]) -> Array:
    """`[x, i, l]`: what x costs per period P = periods[i] with a run of l <= m plays (l > P: unused)."""
    memory = table.shape[1]
    period = np.array(periods)[:, None]
    length = np.arange(min(memory, max(periods)) + 1)
    whole, rest = np.divmod(memory, period)
    again = np.maximum(0, rest - (period - length))  # plays that see the run before: tally whole*l + again
    steady = np.maximum(0, length - rest)  # plays whose window ends inside the run: tally whole*l + rest
    losses = np.concatenate([table[:, :1] * 0, table], axis=1)
    sums = np.cumsum(losses, axis=1)
    seen, risen, full = (
        np.minimum(whole * length + plays, memory) for plays in (again, np.minimum(length, rest), rest)
    )
    costs: Array = sums[:, risen] - sums[:, seen] + again * losses[:, seen] + steady * losses[:, full]
    return costs


def _integer_table(graph: StateGraph) -> Array:
    """The losses as integers of a type in which the costs of words can be added up."""
    widest = 16 * (graph.actions * graph.memory) ** 2 * max(1, graph.highest_cost)
    return graph.cost_table(object) if integer_type(widest) is object else graph.table


def _best_constant(table: Array) -> tuple[Fraction, Word]:
    """The integer cost per step of the best constant word, and the word."""
    action = int(table[:, -1].argmin())
    return Fraction(int(table[action, -1])), (action,)


def _best_of_periods(table: Array, periods: Sequence[int]) -> tuple[Fraction, Word]:
    """The least integer cost per step of a single-run word with one of the periods, and such a word."""
    totals, choices = _knapsack(run_costs(table, periods), max(periods))
    means = [Fraction(int(totals[i, period]), period) for i, period in enumerate(periods)]
    at = means.index(min(means))
    lengths, left = [], periods[at]
    for choice in reversed(choices):
        lengths.append(int(choice[at, left]))
        left -= lengths[-1]
    return means[at], tuple(x for x, count in enumerate(reversed(lengths)) for _ in range(count))


def _knapsack(costs: Array, longest: int) -> tuple[Array, list[Array]]:
    """`totals[i, u]`: the least cost of runs of total length u in the i-th period; and each arm's best run.

    A run longer than the period ends at a u above it, which is not read.
    """
    actions, periods, _ = costs.shape
    never = 2 * actions * int(np.abs(costs).max()) + 1
    totals: Array = np.full((periods, longest + 1), never, dtype=costs.dtype)
    totals[:, 0] = 0
    choices = []
    for cost in costs:
        best, choice = totals.copy(), np.zeros(totals.shape, dtype=np.int32)
        for length in range(1, cost.shape[1]):
            tick()
            candidate = totals[:, : longest + 1 - length] + cost[:, length : length + 1]
            better = candidate < best[:, length:]
            best[:, length:][better] = candidate[better]
            choice[:, length:][better] = length
        totals = best
        choices.append(choice)
    return totals, choices


def _promising(table: Array, mean: float, effort: Effort) -> Iterator[tuple[float, int]]:
    """(a bound on the mean, period) of the periods up to K m whose bound is below `mean`, as floats tell."""
    actions, memory = table.shape
    price = mean
    coarse_first = sorted(range(1, actions * memory + 1), key=lambda period: -(period & -period))
    for period in coarse_first:  # multiples of high powers of two first: a grid that gets finer
        if effort.out_of_time():
            return
        costs = run_costs(table, [period])[:, 0].astype(float)
        lengths = np.arange(costs.shape[1])
        low, high, bound = 0.0, 2.0 * float(table.max()) + 1.0, -np.inf
        for _ in range(PRICES_PER_PERIOD):
            priced = costs - price * lengths
            bound = max(bound, price + float(priced.min(axis=1).sum()) / period)
            spare = period - int(priced.argmin(axis=1).sum())
            if spare == 0 or bound >= mean:
                break
            low, high = (price, high) if spare > 0 else (low, price)
            price = (low + high) / 2
        if bound < mean:
            yield bound, period


def _two_run_words(table: Array) -> Iterator[tuple[int, int, int]]:
    """(cost, i, j): the constant words, and for each period the cheapest word."""
    yield int(table[0][-1]), 1, 0
    yield int(table[1][-1]), 0, 1
    for costs, first, period in _two_run_costs(table):
        at = int(costs.argmin())
        yield int(costs[at]), first + at, period - first - at


def _two_run_costs(table: Array) -> Iterator[tuple[Array, int, int]]:
    """For each period P: the costs of the words with i = first, first + 1, ...; first; P."""
    memory = table.shape[1]
    for period in range(2, memory + 1):
        tick()
        zero, one = run_costs(table, [period])[:, 0, 1:period]
        yield zero + one[::-1], 1, period
    losses = np.concatenate([table[:, :1] * 0, table], axis=1)
    sums = np.cumsum(losses, axis=1)
    pauses = (np.arange(memory + 1) * losses - sums)[:, ::-1]
    by_zeros, by_ones = sums[0] + pauses[1], sums[1] + pauses[0]
    for period in range(memory + 1, 2 * memory - 1):
        tick()
        first = period - memory + 1
        yield by_zeros[first:memory] + by_ones[first:memory][::-1], first, period
