"""The largest difference between the least losses of two policy classes, over all loss tables.

With A(h) and B(h) the least losses of the two classes, the claim is that A(h) - B(h) <= value for every table
h in [0, 1]^(K m), and that the table of the instance attains it. Two kinds of proof of the first part:

- *cuts*, plays of the first class with profiles a_i. On the region under their planes, t - B(h) is convex, so
  it is largest at a corner; all corners are computed and B is computed there. If renaming the actions changes
  neither class, tables with h_1(y) <= ... <= h_K(y) are enough, for one y.
- *mixtures*, convex combinations p of such profiles. A(h) <= p.h, so for a play of the second class with
  profile b, A(h) - b.h is at most the sum of the positive entries of p - b. All profiles b are listed.

The claim may be about fewer tables, those that satisfy the inequalities of its list `where` (`where.py`):
then the region is cut by these first, and mixtures prove what they prove about all tables.

Greedy play in the place of the first class is another matter: `greedy.py`.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from tallyplan.check.problem import Problem, in_units
from tallyplan.check.reading import Meter, Refused, array, fields, integer, rational, typed

from .accounts import STEPS_PER_FRACTION, hold, wide
from .corners import corners
from .greedy import check_greedy
from .policies import PolicyClass, Profile, read_class, read_play
from .where import Inequality, are_alike, check_satisfied, in_words, read_where


def check_worst_case(problem: Problem, claim: Any, primal: Any, dual: Any, meter: Meter) -> str:
    """Refuse, or say what was proved."""
    if problem.kind != "tallying":
        raise Refused("The worst case is about tallying bandits; this instance is none.")
    if typed(claim.get("first"), dict, "first class").get("class") == "greedy":
        return check_greedy(problem, claim, primal, dual, meter)
    fields(claim, "claim", {"question", "first", "second", "value"}, {"upper", "where"})
    value = rational(claim["value"], "claimed value")
    upper = rational(claim["upper"], "claimed upper bound") if "upper" in claim else value
    first = read_class(claim["first"], "first class", problem.K, problem.m, meter)
    second = read_class(claim["second"], "second class", problem.K, problem.m, meter)

    where = read_where(claim.get("where", []), problem, meter)

    _check_attained(problem, first, second, primal, value, meter)
    check_satisfied(where, _losses(problem), problem.D, meter)
    if "cuts" in typed(dual, dict, "dual side"):
        _check_cuts(problem, first, second, where, dual, upper, meter)
    else:
        _check_mixtures(problem, first, second, dual, upper, meter)
    most = f"the largest difference of the two classes over {in_words(claim.get('where', []))}"
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
    losses = _losses(problem)
    profile = second.profile(play, "play of the primal side")
    least = first.least([[loss] for loss in losses], meter)[0]
    played = sum((count * loss for count, loss in zip(profile, losses, strict=True)), Fraction(0))
    if least - played != value * problem.D:
        raise Refused("At the table of the instance the difference is not the claimed value.")


def _losses(problem: Problem) -> list[int]:
    """The table of the instance in one row, over its denominator."""
    return [row[y] for row in problem.tallied for y in sorted(row)]


def _read_profiles(
    entries: Any, what: str, first: PolicyClass, problem: Problem, meter: Meter
) -> list[Profile]:
    plays = [read_play(entry, what, problem.K, meter) for entry in array(entries, f"list of {what}s")]
    if not plays:
        raise Refused(f"The list of {what}s is empty.")
    meter.spend(sum(len(play) + problem.m for play in plays) * problem.m)
    hold(meter, wide(len(plays) * problem.K * problem.m, first.bits))
    return [first.profile(play, f"{what} of the dual side") for play in plays]


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
    planes = _read_profiles(found["cuts"], "cut", first, problem, meter)
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


def _check_mixtures(
    problem: Problem, first: PolicyClass, second: PolicyClass, dual: Any, upper: Fraction, meter: Meter
) -> None:
    found = fields(dual, "dual side", {"plays", "mixtures"})
    profiles = _read_profiles(found["plays"], "play", first, problem, meter)
    listed = array(found["mixtures"], "list of mixtures")
    mixtures = [_mixed(entry, profiles, first.bits, meter) for entry in listed]
    unit = in_units([x for mixture in mixtures for x in mixture] + [upper], meter)[1]
    meter.spend(
        wide(STEPS_PER_FRACTION * len(mixtures) * problem.K * problem.m, unit.bit_length(), unit.bit_length())
    )
    room = int(upper * unit)
    scaled = [[int(x * unit) for x in mixture] for mixture in mixtures]
    for profile in second.profiles(meter):
        fractions = STEPS_PER_FRACTION + len(scaled)
        meter.spend(wide(fractions * len(profile), unit.bit_length(), second.bits))
        parts = lcm(*(x.denominator for x in profile))
        compared = [int(x * parts) * unit for x in profile]
        if not any(_excess(mixture, parts, compared) <= room * parts for mixture in scaled):
            raise Refused("No mixture bounds the difference to one of the plays of the second class.")


def _excess(mixture: Sequence[int], parts: int, profile: Sequence[int]) -> int:
    """The sum of the positive entries of parts * mixture - profile: the most it can be at any table."""
    return sum(p * parts - b for p, b in zip(mixture, profile, strict=True) if p * parts > b)


def _mixed(entry: Any, profiles: Sequence[Profile], most_bits: int, meter: Meter) -> Profile:
    """The convex combination [[index, weight], ...] of the profiles."""
    parts: list[tuple[int, Fraction]] = []
    for part in array(entry, "mixture of the dual side"):
        index_, weight_ = array(part, "part of a mixture", 2)
        index = integer(index_, "index of a part of a mixture", 0)
        weight = rational(weight_, "weight in a mixture")
        if index >= len(profiles):
            raise Refused("A mixture names a play beyond the end of the list.")
        if weight < 0:
            raise Refused("A mixture has a negative weight.")
        parts.append((index, weight))
    unit = in_units([weight for _, weight in parts], meter)[1]
    bits = unit.bit_length()
    count = STEPS_PER_FRACTION * (1 + len(parts)) * len(profiles[0])
    meter.spend(wide(count, bits + most_bits, bits + most_bits))
    hold(meter, wide(len(profiles[0]), 2 * bits + most_bits))
    whole = [(index, int(weight * unit)) for index, weight in parts]
    if sum(share for _, share in whole) != unit:
        raise Refused("The weights of a mixture do not add up to 1.")
    sums = [Fraction(0)] * len(profiles[0])
    for index, share in whole:  # one part at a time: there may be a million of them
        sums = [total + x * share for total, x in zip(sums, profiles[index], strict=True)]
    return [total / unit for total in sums]
