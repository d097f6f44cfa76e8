"""Arms that another one replaces (section 3)."""

from dataclasses import replace
from typing import Any

from .document import array, integer
from .problem import Problem
from .verdict import Budget, Refused


def without_arms(problem: Problem, removed: object, budget: Budget) -> tuple[Problem, list[int]]:
    """The problem without the removed actions, and the actions that are left."""
    if not problem.tallying:
        raise Refused("The method 'fewer-arms' is for tallying instances.")
    budget.spend(problem.K * problem.m, problem.denominator.bit_length())
    stand_in = _read_pairs(removed, problem.K)
    for x, z in stand_in.items():
        if z in stand_in:
            raise Refused(f"Action {z} is removed, and so cannot play for action {x}.")
        _check_pair(problem, x, z)
    kept = [x for x in range(problem.K) if x not in stand_in]
    return replace(problem, K=len(kept), tallied=[problem.tallied[x] for x in kept]), kept


def _read_pairs(removed: object, K: int) -> dict[int, int]:
    pairs: dict[int, int] = {}
    for pair in array(removed, "list of removed actions"):
        x, z = (_action(action, K) for action in array(pair, "pair of a removed action", 2))
        if x in pairs:
            raise Refused(f"Action {x} is removed twice.")
        pairs[x] = z
    return pairs


def _action(value: Any, K: int) -> int:
    action = integer(value, "action of a pair", 0)
    if action >= K:
        raise Refused(f"A pair of a removed action names an action beyond {K - 1}.")
    return action


def _check_pair(problem: Problem, x: int, z: int) -> None:
    """z's losses must not rise with the tally, and never exceed those of x."""
    tallies = range(1, problem.m + 1)
    mine, other = problem.tallied[x], problem.tallied[z]
    if any(other[y] < other[y + 1] for y in tallies[:-1]):
        raise Refused(f"The losses of action {z} rise, so it cannot play for action {x}.")
    if any(other[y] > mine[y] for y in tallies):
        raise Refused(f"Action {z} loses more than action {x} at some tally.")
