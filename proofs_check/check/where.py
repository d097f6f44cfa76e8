"""Which loss tables a worst case is about: all of them, or those that satisfy some linear inequalities.

Each entry {"coefficients": [c_1, ..., c_Km], "least": b} of the list `where` is an inequality, c.h >= b,
over the losses h_0(1), ..., h_0(m), h_1(1), ...
"""

from collections.abc import Sequence
from operator import mul
from typing import Any

from tallyplan.check.problem import Problem, in_units
from tallyplan.check.reading import Meter, Refused, array, fields, rational

from .accounts import STEPS_PER_TURN, hold, refuse_collisions, wide

Inequality = tuple[tuple[int, ...], int]
"""Coefficients and the least value of coefficients.h, multiplied by their common denominator."""


def read_where(value: Any, problem: Problem, meter: Meter) -> list[Inequality]:
    """The inequalities of the list, each once."""
    found: list[Inequality] = []
    for entry in array(value, "list `where`"):
        given = fields(entry, "entry of `where`", {"coefficients", "least"})
        numbers = array(given["coefficients"], "list of coefficients", problem.K * problem.m)
        written = [rational(number, "coefficient") for number in numbers]
        written.append(rational(given["least"], "least value of an inequality"))
        *coefficients, least = in_units(written, meter)[0]
        found.append((tuple(coefficients), least))
        hold(meter, wide(len(written), most_bits(found[-1])))
    refuse_collisions(found, "list `where`")
    return list(dict.fromkeys(found))


def most_bits(inequality: Inequality) -> int:
    """Of a coefficient or the least value."""
    coefficients, least = inequality
    return max(map(int.bit_length, (*coefficients, least)))


def check_satisfied(where: Sequence[Inequality], losses: Sequence[int], unit: int, meter: Meter) -> None:
    """Refuse a table, given as integers over a unit, that violates an inequality."""
    for coefficients, least in where:
        meter.spend(wide(len(losses) + 1, most_bits((coefficients, least)), unit.bit_length()))
        if sum(map(mul, coefficients, losses)) < least * unit:
            raise Refused("The table of the instance is none of those that the claim is about.")


def are_alike(where: Sequence[Inequality], K: int, m: int, meter: Meter) -> bool:
    """Whether exchanging two neighbouring actions, and so any renaming, changes nothing."""
    everything = set(where)
    meter.spend(wide(K * len(where) * (K * m + STEPS_PER_TURN), max(map(most_bits, where), default=0)))
    return all(
        (_exchanged(coefficients, x * m, m), least) in everything
        for x in range(K - 1)
        for coefficients, least in where
    )


def _exchanged(row: tuple[int, ...], start: int, m: int) -> tuple[int, ...]:
    one, two, rest = row[start : start + m], row[start + m : start + 2 * m], row[start + 2 * m :]
    return (*row[:start], *two, *one, *rest)
