"""Finite horizons without the recursion: a lower bound for the least total loss (section 4)."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, combinations, product
from math import comb
from operator import add
from typing import Any

from .document import fields, mapping, rational, shown
from .lower_bounds import read_lower_bound
from .problem import Problem, power
from .two_arms import read_slopes
from .verdict import Budget, Refused

_EDGES_PER_STATE = 20  # making one vector of counts and looking it up takes the time of so many edges


def lower_end(problem: Problem, start: Sequence[int], T: int, dual: object, budget: Budget) -> Fraction:
    """What any T steps after `start` (at most m-1 actions) lose at least, proved by the dual side."""
    found = mapping(dual, "dual side")
    if found.get("method") == "least-loss":
        fields(found, "dual side", {"method"})
        return Fraction(T * min(problem.all_costs()), problem.denominator)
    if not problem.tallying:
        raise Refused("Without jumps, and beyond the least loss, a horizon's dual is for tallying instances.")
    match found.get("method"):
        case "counts":
            return _by_counts(problem, start, T, found, budget)
        case "direct":
            return _by_search(problem, start, T, found, budget)
        case "mean-cycle":
            return _by_mean(problem, start, T, found, budget)
        case method:
            names = "least-loss, counts, direct, mean-cycle, fewer-arms, cheap-arms"
            raise Refused(f"The method {shown(method)} is none of {names}.")


def _by_counts(
    problem: Problem, start: Sequence[int], T: int, dual: dict[str, Any], budget: Budget
) -> Fraction:
    fields(dual, "dual side", {"method"})
    if problem.m - len(start) < T:
        raise Refused("The window overflows within the horizon, so more than counts matters.")
    return Fraction(_knapsack(_gains(problem, start, T), T, problem, budget), problem.denominator)


def _by_search(
    problem: Problem, start: Sequence[int], T: int, dual: dict[str, Any], budget: Budget
) -> Fraction:
    """Try everything that leaves the window before the end; of the other plays of the opening count."""
    fields(dual, "dual side", {"method"})
    d, K = problem.m - len(start), problem.K
    free = max(0, T - d - len(start))
    if d > T or free > d:
        raise Refused("The method 'direct' is for games that are a little longer than the memory.")
    power(K, free, budget)
    gains = _gains(problem, start, d)
    begins = product(range(K), repeat=free)
    least = min(_least_after(problem, start, T, gains, begin, budget) for begin in begins)
    return Fraction(least, problem.denominator)


def _least_after(
    problem: Problem,
    start: Sequence[int],
    T: int,
    gains: list[list[int]],
    begin: tuple[int, ...],
    budget: Budget,
) -> int:
    """The least cost of a game with these first plays: a table from counts in the window to costs."""
    K, d, bits = problem.K, problem.m - len(start), problem.denominator.bit_length()
    before = [start.count(x) for x in range(K)]
    openings = comb(d - len(begin) + K - 1, K - 1)
    budget.spend(openings * (_EDGES_PER_STATE + K * len(begin)), bits)
    budget.fit(openings * (1 + K // 8), bits)
    table = {}
    for bars in combinations(range(d - len(begin) + K - 1), K - 1):  # counts of the rest of the opening
        edges = (-1, *bars, d - len(begin) + K - 1)
        played = [edges[x + 1] - edges[x] - 1 + begin.count(x) for x in range(K)]
        counts = tuple(map(add, before, played))
        table[counts] = sum(gains[x][played[x]] for x in range(K))
    for gone in (*start, *begin)[: T - d]:
        budget.spend(len(table) * K * (_EDGES_PER_STATE + K), bits)
        budget.fit(len(table) * K * (1 + K // 8), bits)
        following: dict[tuple[int, ...], int] = {}
        for counts, cost in table.items():
            for x in range(K):
                after = tuple(n - (y == gone) + (y == x) for y, n in enumerate(counts))
                total = cost + problem.tallied[x][after[x]]
                following[after] = min(total, following.get(after, total))
        table = following
    return min(table.values())


def _by_mean(
    problem: Problem, start: Sequence[int], T: int, dual: dict[str, Any], budget: Budget
) -> Fraction:
    """The opening until the window is full, and the rest by the least mean, less at the ends."""
    fields(dual, "dual side", {"method", "mean", "proof"})
    mean = rational(dual["mean"], "mean of the dual side")
    d = problem.m - len(start)
    if d >= T:
        raise Refused("The game ends before the window is full; the method 'counts' is for that.")
    read_lower_bound(problem, dual["proof"], budget)(mean)
    least, most = (
        Fraction(end, problem.denominator) for end in (min(problem.all_costs()), max(problem.all_costs()))
    )
    gains = _gains(problem, start, d)
    opening = Fraction(_knapsack(gains, d, problem, budget), problem.denominator)
    closed = (T - d) * mean - (problem.m - 1) * (most - mean)
    bound = opening + max((T - d) * least, closed)
    if dual["proof"].get("method") != "two-arms":
        return bound
    ends = read_slopes(problem, dual["proof"], budget).ends(mean, start, gains)
    return max(bound, (T - d) * mean + ends)


def _gains(problem: Problem, start: Sequence[int], steps: int) -> list[list[int]]:
    """`[x][c]`: the cost of playing x c times while nothing leaves the window."""
    gains = []
    for x in range(problem.K):
        before = start.count(x)
        plays = (problem.tallied[x][before + c] for c in range(1, steps + 1))
        gains.append(list(accumulate(plays, initial=0)))
    return gains


def _knapsack(gains: list[list[int]], steps: int, problem: Problem, budget: Budget) -> int:
    """The least sum over the actions of gains[x][c_x] with counts that add up to `steps`."""
    K = len(gains)
    budget.spend(K * (steps + 1) + max(0, K - 2) * (steps + 1) ** 2, problem.denominator.bit_length())
    totals = gains[0]
    for row in gains[1:-1]:
        totals = [min(map(add, totals[t::-1], row)) for t in range(steps + 1)]
    return totals[steps] if K == 1 else min(map(add, reversed(totals), gains[-1]))
