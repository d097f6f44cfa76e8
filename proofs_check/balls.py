"""Inequalities with logarithms and roots, decided by Arb balls.

A ball contains the true value. A comparison that a ball leaves open is repeated at twice the precision; one
that is still open at the last precision is `None`, never rounded (an equality can not be decided this way).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

from tallyplan.formula import Formula

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
    """Whether comparisons hold, joined by and or or; None if the balls leave it open, or for an equation.

    >>> decide(Formula("log(T) <= 5"), T=148), decide(Formula("log(T) <= 5"), T=149)
    (True, False)
    >>> decide(Formula("log(T) <= 5 or T > 2"), T=149), decide(Formula("sqrt(T) == 2 and T > 2"), T=4)
    (True, None)
    """
    match formula.tree:
        case ast.BoolOp(op=joined, values=parts):
            settles = isinstance(joined, ast.Or)
            found = {decide(Formula(ast.unparse(part)), **values) for part in parts}
            return settles if settles in found else None if None in found else not settles
        case ast.Compare(left=left, ops=[sign], comparators=[right]):
            one, two = Formula(ast.unparse(left)), Formula(ast.unparse(right))
            if isinstance(sign, ast.Lt | ast.LtE):
                return less(one, two, **values)
            if isinstance(sign, ast.Gt | ast.GtE):
                return less(two, one, **values)
    return None


def decimal(formula: Formula, digits: int = 6, **values: int | Fraction) -> str:
    """The value for people, correct to the digits shown.

    >>> decimal(Formula("64 * (2 + sqrt(2))"))
    '218.510'
    """
    with precision(4 * digits + 64):
        return str(formula.ball(**values).str(digits, radius=False))


def by_sympy(formula: Formula, **values: int | Fraction) -> bool | None:
    """Whether a comparison holds, by sympy, which shares nothing with the balls; None if it is open.

    >>> by_sympy(Formula("log(T) <= 5"), T=148), by_sympy(Formula("log(T) <= 5"), T=149)
    (True, False)
    """
    import sympy

    used = {name: str(value) for name, value in values.items() if name in formula.names}
    answer = formula.where(**used).sympy()
    return {True: True, sympy.true: True, False: False, sympy.false: False}.get(answer)
