"""Replaying what the primal side plays, step by step, with the steps that must repeat counted once."""

from collections import Counter, deque
from collections.abc import Sequence
from fractions import Fraction

from .problem import Problem
from .verdict import Budget, Refused


def check_mean(problem: Problem, word: Sequence[int], value: Fraction, budget: Budget) -> None:
    """Refuse unless `word`, repeated for ever, loses `value` per step."""
    _spend(problem, len(word) + problem.m, budget)
    total, _ = play(problem, list(word) * copies_in_history(problem.m, word), word)
    if Fraction(total, problem.denominator * len(word)) != value:
        raise Refused("The word of the primal side, repeated for ever, does not have the claimed mean.")


def total_of_runs(
    problem: Problem, start: Sequence[int], runs: Sequence[tuple[Sequence[int], int]], budget: Budget
) -> int:
    """The cost of playing each word its number of times, after the actions `start`.

    Once the last m-1 actions lie within copies of the word, every further copy costs the same: so a run takes
    at most about m steps more than its word has, however often it is repeated.
    """
    total, history = 0, _last(start, problem.m - 1)
    for word, repeats in runs:
        settling = min(repeats, copies_in_history(problem.m, word))
        _spend(problem, (settling + 1) * len(word), budget)
        cost, history = play(problem, history, list(word) * settling)
        total += cost
        if repeats > settling:
            cost, history = play(problem, history, word)
            total += cost * (repeats - settling)
    return total


def copies_in_history(m: int, word: Sequence[int]) -> int:
    """How many copies of the word it takes to cover m - 1 actions."""
    return (m + len(word) - 2) // len(word)


def play(problem: Problem, history: Sequence[int], actions: Sequence[int]) -> tuple[int, list[int]]:
    """The cost of the actions after the history, and the (at most m-1) actions that matter after them."""
    m = problem.m
    if problem.even and not problem.windows:
        return _tally(problem, history, actions), _last([*_last(history, m - 1), *actions], m - 1)
    window = _last(history, m - 1)
    total = 0
    for action in actions:
        window = [*_last(window, m - 1), action]
        total += problem.cost(window)
    return total, _last(window, m - 1)


def _tally(problem: Problem, history: Sequence[int], actions: Sequence[int]) -> int:
    """The cost of the actions where counting is enough, each step in the time of a few additions."""
    window, total = deque(_last(history, problem.m - 1)), 0
    counts = Counter(window)  # no list of all actions: there may be many of them and many short runs
    for action in actions:
        window.append(action)
        counts[action] += 1
        if len(window) > problem.m:
            counts[window.popleft()] -= 1
        total += problem.tallied[action][problem.weights[0] * counts[action]]
    return total


def _last(actions: Sequence[int], count: int) -> list[int]:
    return list(actions[max(0, len(actions) - count) :])


def _spend(problem: Problem, steps: int, budget: Budget) -> None:
    budget.spend(steps * problem.m, max(problem.denominator.bit_length(), problem.tally_bits))
