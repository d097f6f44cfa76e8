"""The rule `fewer-actions`: nothing is lost by leaving out actions that others replace or undercut."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

from .problem import Goal, Problem
from .reading import Meter, Refused, array, choices, fields


def prove(goal: Goal, proof: dict[str, Any], meter: Meter) -> None:
    """Refuse unless the other actions are not needed and the proof inside reaches the goal without them."""
    how = "replaced" if "replaced" in proof else "kept"
    fields(proof, "dual side", {"rule", how, "proof"})
    goal.require("fewer-actions")
    problem: Problem = goal.problem
    meter.spend(4 * problem.K * problem.m)
    kept = _enough(goal, proof[how]) if how == "kept" else _not_replaced(problem, proof[how])
    names = {x: name for name, x in enumerate(kept)}
    if not names.keys() >= set(goal.start):
        raise Refused("An action that is left out was played before the game began.")
    left = replace(problem, K=len(kept), tallied=[problem.tallied[x] for x in kept])
    start = tuple(names[x] for x in goal.start)
    replace(goal, problem=left, start=start).prove(proof["proof"], meter)


def _not_replaced(problem: Problem, listed: object) -> list[int]:
    """The actions that are not replaced, if those that play for the others lose no more."""
    pairs = [choices(array(pair, "pair", 2), "pair", problem.K) for pair in array(listed, "list of pairs")]
    replaced = {x for x, _ in pairs}
    if len(replaced) < len(pairs):
        raise Refused("An action is replaced twice.")
    for x, z in pairs:
        if z in replaced:
            raise Refused(f"Action {z} is replaced, and so cannot play for action {x}.")
        mine, other = problem.tallied[x], problem.tallied[z]
        if any(loss < then for loss, then in pairwise(other.values())):
            raise Refused(f"The losses of action {z} rise, so it cannot play for action {x}.")
        if any(other[y] > loss for y, loss in mine.items()):
            raise Refused(f"Action {z} loses more than action {x} at some tally.")
    return [x for x in range(problem.K) if x not in replaced]


def _enough(goal: Goal, listed: object) -> list[int]:
    """The kept actions, if no other one ever loses less than the c-th cheapest of them at the tally y."""
    problem, period = goal.problem, goal.period
    kept = choices(listed, "list of kept actions", problem.K)
    if any(x >= then for x, then in pairwise(kept)):
        raise Refused("The list of kept actions is not increasing.")
    most = 2 * problem.m - 1
    c, y = (most, 1) if period is None else (min(period, most), -(-problem.m // period))
    if len(kept) < c:
        raise Refused(f"Fewer than {c} actions are kept.")
    enough, left = sorted(problem.tallied[x][y] for x in kept)[c - 1], set(kept)
    for x, losses in enumerate(problem.tallied):
        if x not in left and min(losses.values()) < enough:
            raise Refused(f"Action {x} is not kept, and may lose less than those that are.")
    return kept
