"""Arms that are not needed: another one replaces them, or they are dearer than enough others (section 3)."""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from .document import actions, array, fields, integer, mapping
from .problem import Problem
from .verdict import Budget, Refused


@dataclass(frozen=True)
class Smaller:
    """A problem of fewer actions, what they were before, and the dual side that is about it."""

    problem: Problem
    kept: list[int]
    dual: dict[str, Any]

    def renamed(self, start: list[int]) -> list[int]:
        """The actions played before the game began, in the names of the smaller problem."""
        if not set(start) <= set(self.kept):
            raise Refused("A removed action was played before the game began.")
        return [self.kept.index(action) for action in start]


def smaller_problem(
    problem: Problem, dual: object, budget: Budget, period: int | None = None
) -> Smaller | None:
    """The problem without the actions that the dual side removes; None if it removes none.

    `period` is the length of the words that are compared, if they are repeated for ever.
    """
    found = mapping(dual, "dual side")
    match found.get("method"):
        case "fewer-arms":
            fields(found, "dual side", {"method", "removed", "proof"})
            _require_tallies(problem, "fewer-arms", budget)
            kept = _not_replaced(problem, found["removed"])
        case "cheap-arms":
            fields(found, "dual side", {"method", "kept", "proof"})
            _require_tallies(problem, "cheap-arms", budget)
            kept = _not_dear(problem, found["kept"], period)
        case _:
            return None
    left = replace(problem, K=len(kept), tallied=[problem.tallied[x] for x in kept])
    return Smaller(left, kept, mapping(found["proof"], "dual side"))


def _require_tallies(problem: Problem, method: str, budget: Budget) -> None:
    if not problem.tallying:
        raise Refused(f"The method '{method}' is for tallying instances.")
    budget.spend(problem.K * problem.m, problem.denominator.bit_length())


def _not_dear(problem: Problem, listed: object, period: int | None) -> list[int]:
    """The kept actions, if no other one ever loses less than the c-th cheapest of them at the tally y."""
    kept = actions(listed, "list of kept actions", problem.K)
    if any(x >= then for x, then in pairwise(kept)):
        raise Refused("The list of kept actions is not increasing.")
    c, y = 2 * problem.m - 1, 1
    if period is not None:
        c, y = min(period, c), -(-problem.m // period)
    if len(kept) < c:
        raise Refused("Fewer actions are kept than the method 'cheap-arms' needs.")
    enough = sorted(problem.tallied[x][y] for x in kept)[c - 1]
    left = set(kept)
    for x, losses in enumerate(problem.tallied):
        if x not in left and min(losses.values()) < enough:
            raise Refused(f"Action {x} is not kept, and may lose less than those that are.")
    return kept


def _not_replaced(problem: Problem, removed: object) -> list[int]:
    """The actions that are not removed, if those that play for the others lose no more."""
    stand_in = _read_pairs(removed, problem.K)
    for x, z in stand_in.items():
        if z in stand_in:
            raise Refused(f"Action {z} is removed, and so cannot play for action {x}.")
        _check_pair(problem, x, z)
    return [x for x in range(problem.K) if x not in stand_in]


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
