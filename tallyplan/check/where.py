"""Which loss tables a worst case is about: all of them, or those that satisfy some linear inequalities.

Each entry of the claim's list `where` stands for inequalities, coefficients.h >= least, over the losses
h_0(1), ..., h_0(m), h_1(1), ...:

    "rising"                    h_x(y) <= h_x(y + 1) for all x and y < m;    "falling": the other way round
    "convex"                    2 h_x(y) <= h_x(y - 1) + h_x(y + 1) for all x and 1 < y < m;    "concave"
    {"differences": d}          |h_x(y + 1) - h_x(y)| <= d for all x and y < m
    {"coefficients": [c_1, ..., c_Km], "least": b}
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from .document import array, fields, rational, shown
from .problem import Problem
from .verdict import Budget, Refused

Inequality = tuple[tuple[Fraction, ...], Fraction]
"""Coefficients and the least value of coefficients.h."""

_SHAPES = {
    "rising": ((-1, 1), Fraction(0)),
    "falling": ((1, -1), Fraction(0)),
    "convex": ((1, -2, 1), Fraction(0)),
    "concave": ((-1, 2, -1), Fraction(0)),
}


def read_where(value: Any, problem: Problem, budget: Budget) -> list[Inequality]:
    """The inequalities of the list, each once."""
    found: dict[Inequality, None] = {}
    for entry in array(value, "list `where`"):
        budget.spend(problem.K * problem.m)
        for one in _inequalities(entry, problem):
            budget.hold(problem.K * problem.m + 1)
            found[one] = None
    return list(found)


def _inequalities(entry: Any, problem: Problem) -> Iterator[Inequality]:
    if isinstance(entry, str):
        if entry not in _SHAPES:
            raise Refused(f"There are no tables that are {shown(entry)}.")
        yield from _along_rows(*_SHAPES[entry], problem)
    elif isinstance(entry, dict) and "differences" in entry:
        most = rational(
            fields(entry, "entry of `where`", {"differences"})["differences"], "largest difference"
        )
        yield from _along_rows((1, -1), -most, problem)
        yield from _along_rows((-1, 1), -most, problem)
    else:
        given = fields(entry, "entry of `where`", {"coefficients", "least"})
        numbers = array(given["coefficients"], "list of coefficients", problem.K * problem.m)
        coefficients = tuple(rational(number, "coefficient") for number in numbers)
        yield coefficients, rational(given["least"], "least value of an inequality")


def _along_rows(shape: Sequence[int], least: Fraction, problem: Problem) -> Iterator[Inequality]:
    """The inequality at every place of every row."""
    K, m = problem.K, problem.m
    for x in range(K):
        for y in range(m - len(shape) + 1):
            coefficients = [Fraction(0)] * (K * m)
            for i, factor in enumerate(shape):
                coefficients[x * m + y + i] = Fraction(factor)
            yield tuple(coefficients), least


def check_satisfied(where: Sequence[Inequality], losses: Sequence[int], unit: int) -> None:
    """Refuse a table, given as integers over a unit, that violates an inequality."""
    for coefficients, least in where:
        if sum((c * h for c, h in zip(coefficients, losses, strict=True)), Fraction(0)) < least * unit:
            raise Refused("The table of the instance is none of those that the claim is about.")


def are_alike(where: Sequence[Inequality], K: int, m: int) -> bool:
    """Whether exchanging two neighbouring actions, and so any renaming, changes nothing."""
    everything = set(where)
    return all(
        (_exchanged(coefficients, x * m, m), least) in everything
        for x in range(K - 1)
        for coefficients, least in where
    )


def _exchanged(row: tuple[Fraction, ...], start: int, m: int) -> tuple[Fraction, ...]:
    one, two, rest = row[start : start + m], row[start + m : start + 2 * m], row[start + 2 * m :]
    return (*row[:start], *two, *one, *rest)


def in_words(value: Any) -> str:
    """Which tables, for the sentence of the verdict.

    >>> in_words(["rising", "convex", {"differences": "1/4"}])
    'all loss tables that are rising, are convex and have differences of at most 1/4'
    """
    told = [f"are {entry}" for entry in value if isinstance(entry, str)]
    others = [entry for entry in value if isinstance(entry, dict)]
    told += [f"have differences of at most {one['differences']}" for one in others if "differences" in one]
    own = sum("coefficients" in one for one in others)
    if own:
        told.append(f"satisfy {own} {'inequality' if own == 1 else 'inequalities'} of the claim")
    parts = [", ".join(told[:-1]), *told[-1:]] if len(told) > 1 else told
    return f"all loss tables that {' and '.join(parts)}" if told else "all loss tables"
