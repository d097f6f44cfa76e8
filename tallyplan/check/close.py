"""The rule `close`: a bound on closed walks, an opening and the range of the potential bound T steps."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from .problem import Goal, least_sum, openings
from .reading import Meter, Refused, fields, rational


def prove(goal: Goal, proof: dict[str, Any], meter: Meter) -> None:
    """Refuse unless the proof inside proves its mean and the bound reaches the goal."""
    fields(proof, "dual side", {"rule", "mean", "proof"})
    mean = rational(proof["mean"], "mean of the dual side")
    goal.require("close", horizon=True)
    replace(goal, least=mean, horizon=None, start=()).prove(proof["proof"], meter)
    goal.reached(least_total(goal, mean, proof["proof"], meter))


def least_total(goal: Goal, mean: Fraction, inside: dict[str, Any], meter: Meter) -> Fraction:
    """The largest of the three bounds of docs/certificates.md."""
    problem, d = goal.problem, goal.problem.m - len(goal.start)
    rest = (goal.horizon or 0) - d
    if rest <= 0:
        raise Refused("The game ends before the window is full; the recursion over counts is for that.")
    costs = openings(problem, goal.start, d, meter)
    meter.spend(2 * problem.K * problem.m)
    low, high = (Fraction(end(problem.values()), problem.D) for end in (min, max))
    closed = max(rest * low, rest * mean - (problem.m - 1) * (high - mean))
    bound: Fraction = Fraction(least_sum(costs, meter), problem.D) + closed
    if "slopes" in inside:
        from .potential import Sum

        potential = Sum(goal, inside, meter)
        scaled = [[cost * (potential.unit // problem.D) for cost in row] for row in costs]
        bound = max(bound, rest * mean + potential.ends(goal.start, scaled, meter))
    return bound
