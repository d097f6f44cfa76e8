"""The largest difference between the least losses of two policy classes, over all loss tables.

With A(h) and B(h) the least losses of the two classes, the claim is that A(h) - B(h) <= value for every table
h in [0, 1]^(K m), and that the table of the instance attains it. The first part is proved by a list of
*cuts*, plays of the first class with profiles a_i. On the region under their planes, t - B(h) is convex; so
it is largest at a corner, and all corners are computed. If renaming the actions changes neither class, tables
with h_1(y) <= ... <= h_K(y) are enough, for one y.

The claim may be about fewer tables, those that satisfy the inequalities of its list `where` (`where.py`):
then the region is cut by these first.
"""

from fractions import Fraction
from typing import Any

from tallyplan.check.problem import Problem
from tallyplan.check.reading import Meter, Refused, array, fields, integer, rational

from .accounts import hold, wide
from .corners import corners
from .policies import PolicyClass, losses_of, read_class, read_play
from .where import Inequality, are_alike, check_satisfied, read_where


def check_worst_case(problem: Problem, claim: Any, primal: Any, dual: Any, meter: Meter) -> str:
    """Refuse, or say what was proved."""
    if problem.kind != "tallying":
        raise Refused("The worst case is about tallying bandits; this instance is none.")
    fields(claim, "claim", {"question", "first", "second", "value"}, {"upper", "where"})
    value = rational(claim["value"], "claimed value")
    upper = rational(claim["upper"], "claimed upper bound") if "upper" in claim else value
    first = read_class(claim["first"], "first class", problem.K, problem.m, meter)
    second = read_class(claim["second"], "second class", problem.K, problem.m, meter)
    where = read_where(claim.get("where", []), problem, meter)
    _check_attained(problem, first, second, primal, value, meter)
    check_satisfied(where, losses_of(problem), problem.D, meter)
    _check_cuts(problem, first, second, where, dual, upper, meter)
    tables = "all loss tables that satisfy the inequalities of the claim" if where else "all loss tables"
    most = f"the largest difference of the two classes over {tables}"
    if upper == value:
        return f"{most} is {value}, attained by the embedded table"
    return f"{most} is at least {value} and at most {upper}"


def _check_attained(
    problem: Problem, first: PolicyClass, second: PolicyClass, primal: Any, value: Fraction, meter: Meter
) -> None:
    """The least loss of the first class, minus the loss of the play, is the value."""
    found = fields(primal, "primal side", {"play"})
    play = read_play(found["play"], "play of the primal side", problem.K, meter)
    meter.spend((len(play) + problem.m) * problem.m)
    losses = losses_of(problem)
    profile = second.profile(play, "play of the primal side")
    least = first.least([[loss] for loss in losses], meter)[0]
    played = sum((count * loss for count, loss in zip(profile, losses, strict=True)), Fraction(0))
    if least - played != value * problem.D:
        raise Refused("At the table of the instance the difference is not the claimed value.")


def _check_cuts(
    problem: Problem,
    first: PolicyClass,
    second: PolicyClass,
    where: list[Inequality],
    dual: Any,
    upper: Fraction,
    meter: Meter,
) -> None:
    found = fields(dual, "dual side", {"cuts"}, {"ordered"})
    plays = [read_play(entry, "cut", problem.K, meter) for entry in array(found["cuts"], "list of cuts")]
    if not plays:
        raise Refused("The list of cuts is empty.")
    meter.spend(sum(len(play) + problem.m for play in plays) * problem.m)
    hold(meter, wide(len(plays) * problem.K * problem.m, first.bits))
    planes = [first.profile(play, "cut of the dual side") for play in plays]
    chain = _chain(found["ordered"], problem, first, second) if "ordered" in found else []
    if chain and not are_alike(where, problem.K, problem.m, meter):
        raise Refused("The inequalities tell the actions apart, so their losses cannot be ordered.")
    points = corners(planes, chain, meter, where)
    tables = [list(column) for column in zip(*points, strict=True)][:-2]
    for point, least in zip(points, second.least(tables, meter), strict=True):
        if point[-2] - least > upper * point[-1]:
            raise Refused("At a corner of the region under the cuts the bound exceeds the claimed value.")


def _chain(tally: Any, problem: Problem, first: PolicyClass, second: PolicyClass) -> list[int]:
    """The losses h_1(y), ..., h_K(y), which may be taken in increasing order if the actions are alike."""
    if integer(tally, "ordered tally", 1) > problem.m:
        raise Refused("The ordered tally is larger than the memory.")
    if not (first.symmetric and second.symmetric):
        raise Refused("The actions are not alike in both classes, so their losses cannot be ordered.")
    return [x * problem.m + tally - 1 for x in range(problem.K)]
