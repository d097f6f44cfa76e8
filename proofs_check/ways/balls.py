"""Inequalities with logarithms and roots, decided by Arb balls.

A ball contains the true value. A comparison that a ball leaves open is repeated at twice the precision; one
that is still open at the last precision is `None`, never rounded (an equality can not be decided this way).
On an interval, the parameter itself is a ball; an interval that is left open is halved.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from tallyplan.formula import Formula, as_ball

FIRST_PRECISION, LAST_PRECISION = 64, 4096


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Arb's working precision, put back afterwards."""
    from flint import ctx

    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def sign(formula: Formula, **values: int | Fraction) -> int | None:
    """1 or -1, proved; None if the ball contains 0 at every precision tried.

    >>> sign(Formula("log(T) - 5"), T=149), sign(Formula("log(T) - 5"), T=148)
    (1, -1)
    >>> sign(Formula("sqrt(T) - sqrt(2)"), T=2) is None
    True
    """
    bits = FIRST_PRECISION
    while bits <= LAST_PRECISION:
        with precision(bits):
            ball = formula.ball(**values)
        if ball > 0:
            return 1
        if ball < 0:
            return -1
        bits *= 2
    return None


def less(left: Formula, right: Formula, **values: int | Fraction) -> bool | None:
    """Is left < right? None if that could not be decided."""
    found = sign(Formula(f"({right}) - ({left})"), **values)
    return None if found is None else found > 0


def decide(formula: Formula, **values: int | Fraction) -> bool | None:
    """Whether a comparison holds; None if the ball leaves it open, or for an equation.

    >>> decide(Formula("log(T) <= 5"), T=148), decide(Formula("log(T) <= 5"), T=149)
    (True, False)
    """
    match formula.tree:
        case ast.Compare(left=left, ops=[sign], comparators=[right]):
            one, two = Formula(ast.unparse(left)), Formula(ast.unparse(right))
            if isinstance(sign, ast.Lt | ast.LtE):
                return less(one, two, **values)
            if isinstance(sign, ast.Gt | ast.GtE):
                return less(two, one, **values)
    return None


def positive_on(
    formula: Formula, name: str, low: Fraction | int, high: Fraction | int, *, depth: int = 40, **values: Any
) -> bool:
    """Is the formula positive for every real value of the parameter in [low, high]?

    True is a proof: a finite cover by intervals on each of which the ball is positive. False says only that
    no cover was found down to intervals of (high - low) / 2^depth.

    >>> positive_on(Formula("x**2 - 2*x + 2"), "x", -10, 10)
    True
    >>> positive_on(Formula("x**2 - 2*x + 1"), "x", -10, 10, depth=12)
    False
    """
    todo = [(Fraction(low), Fraction(high), 0)]
    while todo:
        start, end, level = todo.pop()
        if formula.ball(**{name: interval(start, end)}, **values) > 0:
            continue
        if level == depth:
            return False
        middle = (start + end) / 2
        todo += [(start, middle, level + 1), (middle, end, level + 1)]
    return True


def interval(low: Fraction, high: Fraction) -> Any:
    """A ball that contains [low, high]."""
    return as_ball(low).union(as_ball(high))


def decimal(formula: Formula, digits: int = 6, **values: int | Fraction) -> str:
    """The value for people, correct to the digits shown.

    >>> decimal(Formula("64 * (2 + sqrt(2))"))
    '218.510'
    """
    with precision(4 * digits + 64):
        return str(formula.ball(**values).str(digits, radius=False))
