"""Which loss tables a worst case is about: all of them, or those that satisfy some linear inequalities.

Each entry of the claim's list `where` stands for inequalities, coefficients.h >= least, over the losses
h_0(1), ..., h_0(m), h_1(1), ...:

    "rising"                    h_x(y) <= h_x(y + 1) for all x and y < m;    "falling": the other way round
    "convex"                    2 h_x(y) <= h_x(y - 1) + h_x(y + 1) for all x and 1 < y < m;    "concave"
    {"differences": d}          |h_x(y + 1) - h_x(y)| <= d for all x and y < m
    {"coefficients": [c_1, ..., c_Km], "least": b}
"""

from collections.abc import Iterator, Sequence
from operator import mul
from typing import Any

from tallyplan.check.problem import Problem, in_units
from tallyplan.check.reading import Meter, Refused, array, fields, rational, shown

from .accounts import STEPS_PER_TURN, hold, refuse_collisions, wide

Inequality = tuple[tuple[int, ...], int]
"""Coefficients and the least value of coefficients.h, multiplied by their common denominator."""

_SHAPES = {"rising": (-1, 1), "falling": (1, -1), "convex": (1, -2, 1), "concave": (-1, 2, -1)}


def read_where(value: Any, problem: Problem, meter: Meter) -> list[Inequality]:
    """The inequalities of the list, each once."""
    found: list[Inequality] = []
    for entry in array(value, "list `where`"):
        meter.spend(problem.K * problem.m)
        for one in _inequalities(entry, problem, meter):
            hold(meter, wide(problem.K * problem.m + 1, most_bits(one)))
            found.append(one)
    refuse_collisions(found, "list `where`")
    return list(dict.fromkeys(found))


def most_bits(inequality: Inequality) -> int:
    """Of a coefficient or the least value."""
    coefficients, least = inequality
    return max(map(int.bit_length, (*coefficients, least)))


def _inequalities(entry: Any, problem: Problem, meter: Meter) -> Iterator[Inequality]:
    if isinstance(entry, str):
        if entry not in _SHAPES:
            raise Refused(f"There are no tables that are {shown(entry)}.")
        yield from _along_rows(_SHAPES[entry], 0, problem)
    elif isinstance(entry, dict) and "differences" in entry:
        most = rational(
            fields(entry, "entry of `where`", {"differences"})["differences"], "largest difference"
        )
        yield from _along_rows((most.denominator, -most.denominator), -most.numerator, problem)
        yield from _along_rows((-most.denominator, most.denominator), -most.numerator, problem)
    else:
        given = fields(entry, "entry of `where`", {"coefficients", "least"})
        numbers = array(given["coefficients"], "list of coefficients", problem.K * problem.m)
        written = [rational(number, "coefficient") for number in numbers]
        written.append(rational(given["least"], "least value of an inequality"))
        *coefficients, least = in_units(written, meter)[0]
        yield tuple(coefficients), least


def _along_rows(shape: Sequence[int], least: int, problem: Problem) -> Iterator[Inequality]:
    """The inequality at every place of every row."""
    K, m = problem.K, problem.m
    for x in range(K):
        for y in range(m - len(shape) + 1):
            coefficients = [0] * (K * m)
            coefficients[x * m + y : x * m + y + len(shape)] = shape
            yield tuple(coefficients), least


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


def in_words(value: Any) -> str:
    """Which tables, for the sentence of the verdict.

    >>> in_words(["rising", "convex", {"differences": "1/4"}])
    'all loss tables that are rising, are convex and have differences of at most 1/4'
    """
    told = [f"are {entry}" for entry in dict.fromkeys(entry for entry in value if isinstance(entry, str))]
    others = [entry for entry in value if isinstance(entry, dict)]
    told += [f"have differences of at most {one['differences']}" for one in others if "differences" in one]
    own = sum("coefficients" in one for one in others)
    if own:
        told.append(f"satisfy {own} {'inequality' if own == 1 else 'inequalities'} of the claim")
    parts = [", ".join(told[:-1]), *told[-1:]] if len(told) > 1 else told
    return f"all loss tables that {' and '.join(parts)}" if told else "all loss tables"
