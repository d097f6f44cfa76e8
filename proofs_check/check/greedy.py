"""Greedy play: the largest difference to the least loss of a policy class, over all loss tables.

A play is greedy at a table if every action that it plays has the least loss there and then; of equally good
actions it may play any. The claim is that no greedy play at any table in [0, 1]^(K m) loses more than the
value beyond the least loss B of the class, and that the play given, at the table of the instance, does.

It is enough to try the tables of zeros and ones. A play is greedy where h_i <= h_j for certain pairs of
losses: an order polytope, whose corners are such tables. On it the loss of the play is linear and B is
concave.
"""

from fractions import Fraction
from itertools import product
from typing import Any

from tallyplan.check.problem import Problem
from tallyplan.check.reading import Meter, Refused, fields, integer, rational, typed

from .accounts import hold
from .policies import Column, PolicyClass, Size, best_of_walks, losses_of, read_class, read_play


def check_greedy(problem: Problem, claim: Any, primal: Any, dual: Any, meter: Meter) -> str:
    """Refuse, or say what was proved."""
    fields(claim, "claim", {"question", "first", "second", "value"})
    T = integer(fields(claim["first"], "first class", {"class", "horizon"})["horizon"], "horizon", 0)
    value = rational(claim["value"], "claimed value")
    second = read_class(claim["second"], "second class", problem.K, problem.m, meter)
    if typed(dual, dict, "dual side") != {"tables": "0/1"}:
        raise Refused('The dual side of a claim on greedy play is {"tables": "0/1"}.')
    _check_attained(problem, T, second, primal, value, meter)
    _check_all_tables(Size(problem.K, problem.m), T, second, value, meter)
    return (
        "the largest difference of greedy play to the class over all loss tables is "
        f"{claim['value']}, attained by the play at the table of the instance"
    )


def _check_attained(
    problem: Problem, T: int, second: PolicyClass, primal: Any, value: Fraction, meter: Meter
) -> None:
    play = read_play(fields(primal, "primal side", {"play"})["play"], "greedy play", problem.K, meter)
    if len(play) != T:
        raise Refused("The greedy play does not have as many steps as the horizon.")
    meter.spend(len(play) * problem.m * problem.K)
    size, losses = Size(problem.K, problem.m), losses_of(problem)
    total, history = 0, tuple[int, ...]()
    for action in play:
        options = [losses[size.step(history, a)[0]] for a in range(problem.K)]
        if options[action] != min(options):
            raise Refused("The play is not greedy: at some step another action has a smaller loss.")
        total += options[action]
        history = size.step(history, action)[1]
    least = second.least([[loss] for loss in losses], meter)[0]
    if total - least != value * problem.D:
        raise Refused("At the table of the instance the difference is not the claimed value.")


def _check_all_tables(size: Size, T: int, second: PolicyClass, value: Fraction, meter: Meter) -> None:
    hold(meter, meter.power(2, size.K * size.m) * size.K * size.m)
    tables = [list(column) for column in zip(*product((0, 1), repeat=size.K * size.m), strict=True)]
    greedy = best_of_walks(size, T, 0, tables, meter, _largest)[()]
    for worst, least in zip(greedy, second.least(tables, meter), strict=True):
        if worst - least > value:
            raise Refused("At a table of zeros and ones the difference exceeds the claimed value.")


def _largest(ways: list[tuple[Column, Column]]) -> Column:
    """The largest sum of a loss and what follows, in each table, of those with the least loss."""
    paid, after = zip(*ways, strict=True)
    return [
        max(loss + rest for loss, rest in zip(losses, rests, strict=True) if loss == min(losses))
        for losses, rests in zip(zip(*paid, strict=True), zip(*after, strict=True), strict=True)
    ]
