"""The rule `replay`: what a word, runs of words or a cycle of a graph lose, step by step."""

from collections import Counter, deque
from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from .problem import Goal, Problem
from .reading import Meter, Refused, array, choices, fields, integer

Run = tuple[list[int], int]  # a word, and how often it is repeated


def attain(goal: Goal, value: Fraction, proof: object, meter: Meter) -> None:
    """Refuse unless what the primal side plays loses exactly `value`, per step or in total."""
    problem, arms = goal.problem, goal.problem.kind == "arms"
    plays = "cycle" if problem.kind == "graph" else "word" if goal.horizon is None else "runs"
    needed = {"rule", "opening", plays} if arms and plays == "word" else {"rule", plays}
    found = fields(proof, "primal side", needed)
    if found["rule"] != "replay":
        raise Refused("The rule of the primal side is not 'replay'.")
    total = problem.total if arms else partial(_total, problem)
    if plays == "runs":
        cost, steps = total(goal.start, _runs(goal, found[plays]), meter), 1
    elif plays == "word":
        word = choices(array(found[plays], "word", goal.period), "word", problem.K, 1)
        opening = choices(found["opening"], "opening", problem.K) if arms else word * copies(problem.m, word)
        cost, steps = total(opening, [(word, 1)], meter), len(word)
        if arms and problem.after(opening, meter) != problem.after([*opening, *word], meter):
            raise Refused("The word of the primal side does not bring the arms back to where they were.")
    else:
        cycle = choices(found[plays], "cycle", len(problem.tails), 1)
        meter.spend(4 * len(cycle))
        for edge, then in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
            if problem.heads[edge] != problem.tails[then]:
                raise Refused(f"The edge {then} of the cycle does not start where edge {edge} ends.")
        cost, steps = sum(problem.costs[edge] for edge in cycle), len(cycle)
    if Fraction(cost, steps * problem.D) != value:
        raise Refused(f"The {plays} of the primal side does not have the claimed value.")


def _runs(goal: Goal, listed: object) -> list[Run]:
    """Words with their numbers of repeats, as many steps as the horizon."""
    runs, steps = [], 0
    for run in array(listed, "list of runs"):
        word, repeats = array(run, "run", 2)
        choices(word, "word of a run", goal.problem.K, 1)
        steps += len(word) * integer(repeats, "number of repeats of a run", 1)
        runs.append((word, repeats))
    if steps != goal.horizon:
        raise Refused("The lengths of the runs do not add up to the horizon.")
    return runs


def copies(m: int, word: Sequence[int]) -> int:
    """How many copies of the word it takes to cover m - 1 actions."""
    return -(-(m - 1) // len(word))


def _total(problem: Problem, start: Sequence[int], runs: list[Run], meter: Meter) -> int:
    """The cost of the runs after `start`.

    Once the last m-1 actions lie within copies of the word, every further copy costs the same: so a run takes
    at most about m steps more than its word has, however often it is repeated.
    """
    window, counts = deque[int](), Counter[int]()  # of the last m-1 actions
    table, tallying = problem.tallied, problem.kind == "tallying"

    def play(actions: Sequence[int]) -> int:
        meter.spend(len(actions) * (5 if tallying else 5 + 2 * problem.m))
        cost = 0
        for action in actions:
            counts[action] += 1
            cost += table[action][counts[action]] if tallying else problem.costs([*window], 0, action)[0]
            window.append(action)
            if len(window) == problem.m:
                counts[window.popleft()] -= 1
        return cost

    play(start)
    total = 0
    for word, repeats in runs:
        settling = min(repeats, copies(problem.m, word))
        total += play(word * settling)
        if repeats > settling:
            total += play(word) * (repeats - settling)
    return total
