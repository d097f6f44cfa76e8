"""The rule `replay`: what a word, runs of words or a cycle of a graph lose, step by step."""

from collections import Counter, deque
from collections.abc import Sequence
from fractions import Fraction

from .instance import Problem
from .proof import Goal
from .reading import array, choices, fields, integer
from .verdict import Meter, Refused


def attain(goal: Goal, value: Fraction, proof: object, meter: Meter) -> None:
    """Refuse unless what the primal side plays loses exactly `value`."""
    plays = "cycle" if goal.problem.kind == "graph" else "word" if goal.horizon is None else "runs"
    found = fields(proof, "primal side", {"rule", plays})
    if found["rule"] != "replay":
        raise Refused("The rule of the primal side is not 'replay'.")
    if Fraction(_PLAYS[plays](goal, found[plays], meter), goal.problem.D) != value:
        raise Refused(f"The {plays} of the primal side does not have the claimed value.")


def _word(goal: Goal, listed: object, meter: Meter) -> Fraction:
    """The mean cost of the word repeated forever."""
    problem = goal.problem
    word = choices(array(listed, "word", goal.period), "word", problem.K, 1)
    before = word * copies(problem.m, word)
    return Fraction(_total(problem, before, [(word, 1)], meter), len(word))


def _runs(goal: Goal, listed: object, meter: Meter) -> Fraction:
    """The cost of playing each word its number of times."""
    runs, steps = [], 0
    for run in array(listed, "list of runs"):
        word, repeats = array(run, "run", 2)
        choices(word, "word of a run", goal.problem.K, 1)
        steps += len(word) * integer(repeats, "number of repeats of a run", 1)
        runs.append((word, repeats))
    if steps != goal.horizon:
        raise Refused("The lengths of the runs do not add up to the horizon.")
    return Fraction(_total(goal.problem, list(goal.start), runs, meter))


def _cycle(goal: Goal, listed: object, meter: Meter) -> Fraction:
    """The mean cost of edges that follow each other, the first also the last one."""
    graph = goal.problem
    cycle = choices(listed, "cycle", len(graph.tails), 1)
    meter.spend(4 * len(cycle), graph.bits())
    for edge, then in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        if graph.heads[edge] != graph.tails[then]:
            raise Refused(f"The edge {then} of the cycle does not start where edge {edge} ends.")
    return Fraction(sum(graph.costs[edge] for edge in cycle), len(cycle))


_PLAYS = {"word": _word, "runs": _runs, "cycle": _cycle}


def copies(m: int, word: Sequence[int]) -> int:
    """How many copies of the word it takes to cover m - 1 actions."""
    return -(-(m - 1) // len(word))


def _total(problem: Problem, start: list[int], runs: list[tuple[list[int], int]], meter: Meter) -> int:
    """The cost of the runs after `start`.

    Once the last m-1 actions lie within copies of the word, every further copy costs the same: so a run takes
    at most about m steps more than its word has, however often it is repeated.
    """
    window, counts, tallying = deque[int](), Counter[int](), problem.kind == "tallying"

    def play(actions: list[int]) -> int:
        meter.spend(len(actions) * (5 if tallying else 5 + 2 * problem.m), problem.bits())
        cost = 0
        for action in actions:
            window.append(action)
            counts[action] += 1
            if len(window) > problem.m:
                counts[window.popleft()] -= 1
            cost += problem.tallied[action][counts[action]] if tallying else problem.cost([*window])
        return cost

    play(start)
    total = 0
    for word, repeats in runs:
        settling = min(repeats, copies(problem.m, word))
        total += play(word * settling)
        if repeats > settling:
            total += play(word) * (repeats - settling)
    return total
