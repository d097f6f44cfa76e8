"""Which loss tables a constant is about: all, or those that satisfy linear inequalities, given as text.

    rising, falling, convex, concave     along the tallies, for every action
    differences <= 1/4                   losses of neighbouring tallies differ by at most so much
    h(0, 1) + h(0, 2) <= 2 * h(1, 1)     one's own inequality; h(x, y) is h_x(y), x from 0, y from 1

Several are separated by semicolons, and all of them must hold.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction

from tallyplan.errors import InstanceTooLarge, InvalidInput, did_you_mean
from tallyplan.formula import Formula
from tallyplan.model.rationals import rational, shown

Inequality = tuple[tuple[Fraction, ...], Fraction]
"""Coefficients and the least value of coefficients.h."""

SHAPES: dict[str, tuple[int, ...]] = {
    "rising": (-1, 1),
    "falling": (1, -1),
    "convex": (1, -2, 1),
    "concave": (-1, 2, -1),
}
MOST_LOSSES = 16  # the cube alone has 2^n vertices, and every plane adds more


def inequalities(given: str, actions: int, memory: int) -> list[Inequality]:
    """What a text demands of the tables of K actions and memory m, each inequality once.

    >>> [([str(c) for c in row], str(least)) for row, least in inequalities("h(1, 2) - 1/2 <= h(0, 1)", 2, 2)]
    [(['1', '0', '0', '-1'], '-1/2')]

    Raises
    ------
    InvalidInput : a part of it makes no sense.
    InstanceTooLarge : Km > 16.
    """
    losses = actions * memory
    if losses > MOST_LOSSES:
        raise InstanceTooLarge(
            f"a table of {losses} losses: the cube of all tables has 2^{losses} vertices, and every cut "
            f"adds more. Exact suprema are within reach up to {MOST_LOSSES} losses (actions * memory)."
        )
    parts = [part.strip() for part in given.split(";") if part.strip()]
    return list(dict.fromkeys(one for part in parts for one in _read(part, actions, memory)))


def are_alike(inequalities: Sequence[Inequality], actions: int, memory: int) -> bool:
    """Whether exchanging two neighbouring actions, and so any renaming, changes nothing."""
    everything, m = set(inequalities), memory
    return all(
        ((*row[:x], *row[x + m : x + 2 * m], *row[x : x + m], *row[x + 2 * m :]), least) in everything
        for x in range(0, (actions - 1) * m, m)
        for row, least in inequalities
    )


def with_fractions(formula: str) -> str:
    """The text of a formula with its decimals as fractions.

    >>> with_fractions("0.25 * T")
    '(1/4) * T'
    """
    return re.sub(r"\d+\.\d*|\.\d+", lambda decimal: f"({Fraction(decimal[0])})", formula)


def _read(part: str, K: int, m: int) -> Iterable[Inequality]:
    shape = SHAPES.get(part)
    if shape is not None:
        return _along_rows(shape, Fraction(0), K, m)
    bounded = re.fullmatch(r"differences\s*<=\s*(.+)", part)
    if bounded is None:
        return [_own_inequality(part, K, m)]
    most = rational(bounded[1], "the largest difference")
    return [one for shape in ((1, -1), (-1, 1)) for one in _along_rows(shape, -most, K, m)]


def _along_rows(shape: Sequence[int], least: Fraction, K: int, m: int) -> Iterator[Inequality]:
    """The inequality at every place of every row."""
    for x in range(K):
        for y in range(m + 1 - len(shape)):
            before = x * m + y
            after = K * m - before - len(shape)
            yield tuple(map(Fraction, (*(0,) * before, *shape, *(0,) * after))), least


def _own_inequality(part: str, K: int, m: int) -> Inequality:
    """The larger side minus the smaller one, a linear polynomial in the losses."""
    import sympy
    from sympy.polys.polyerrors import BasePolynomialError

    cells = {f"h_{x}_{y}": sympy.Symbol(f"h_{x}_{y}") for x in range(K) for y in range(1, m + 1)}
    large, small = (one.sympy(**cells) for one in _sides(part))
    try:
        difference = sympy.Poly(large - small, *cells.values(), domain="QQ")
    except BasePolynomialError:
        difference = None
    if difference is None or difference.total_degree() > 1:
        raise InvalidInput(
            f"{shown(part)} must be linear in the losses h(x, y), x from 0 to {K - 1} and y from 1 to {m}."
        )
    *coefficients, constant = (
        Fraction(int(c.p), int(c.q)) for c in map(difference.coeff_monomial, (*cells.values(), 1))
    )
    return tuple(coefficients), -constant


def _sides(part: str) -> tuple[Formula, Formula]:
    """The larger and the smaller side of an inequality, with h_x_y for h(x, y)."""
    named = re.sub(r"\bh\(\s*(\d+)\s*,\s*(\d+)\s*\)", r"h_\1_\2", with_fractions(part))
    with suppress(InvalidInput):
        match Formula(named).tree:
            case ast.Compare(left=left, ops=[ast.LtE() | ast.GtE() as sign], comparators=[right]):
                sides = Formula(ast.unparse(left)), Formula(ast.unparse(right))
                return sides if isinstance(sign, ast.GtE) else sides[::-1]
    raise InvalidInput(
        f"unknown constraint {shown(part)}{did_you_mean(part, SHAPES)} There are "
        f"{', '.join(SHAPES)}, differences <= d, and inequalities such as h(0, 1) <= h(1, 2) + 1/4."
    )
