"""Which loss tables a constant is about: all, or those that satisfy linear inequalities, given as text.

    rising, falling, convex, concave     along the tallies, for every action; increasing is rising, and so on
    differences <= 1/4                   losses of neighbouring tallies differ by at most so much
    h(0, 1) + h(0, 2) <= 2 * h(1, 1)     one's own inequality; h(x, y) is h_x(y), x from 0, y from 1
    my_module:my_tables                  a function of K and m that returns such texts

Several are separated by semicolons, and all of them must hold.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tallyplan.errors import InvalidInput, did_you_mean
from tallyplan.formula import Formula
from tallyplan.model.plugins import is_plugin, load_plugin, translated_errors
from tallyplan.model.rationals import rational, shown, text

Inequality = tuple[tuple[Fraction, ...], Fraction]
"""Coefficients and the least value of coefficients.h."""

SHAPES: dict[str, tuple[int, ...]] = {
    "rising": (-1, 1),
    "falling": (1, -1),
    "convex": (1, -2, 1),
    "concave": (-1, 2, -1),
}
SAME = {
    "increasing": "rising",
    "nondecreasing": "rising",
    "decreasing": "falling",
    "nonincreasing": "falling",
}
MOST_INEQUALITIES = 1000


@dataclass(frozen=True)
class Where:
    """Tables that satisfy all of some entries, written as certificates write them; `text` says them.

    >>> print(where("convex; differences <= 1/4", 2, 3).entries)
    ('convex', {'differences': '1/4'})

    See Also
    --------
    proofs_check.worst_case.where : from text.
    """

    text: str = ""
    entries: tuple[Any, ...] = ()

    def inequalities(self, actions: int, memory: int) -> list[Inequality]:
        """All of them, each once."""
        found = [one for entry in self.entries for one in _inequalities(entry, actions, memory)]
        if any(len(coefficients) != actions * memory for coefficients, _ in found):
            raise InvalidInput(f"{self.text} is about tables of another size.")
        return list(dict.fromkeys(found))


ALL_TABLES = Where()


def where(given: str, actions: int, memory: int) -> Where:
    """The tables that a text describes, for K actions and memory m.

    >>> where("h(1, 2) - 1/2 <= h(0, 1)", 2, 2).entries
    ({'coefficients': ['1/1', '0/1', '0/1', '-1/1'], 'least': '-1/2'},)

    Raises
    ------
    InvalidInput : a part of it makes no sense.

    See Also
    --------
    proofs_check.worst_case.Where : what is read.
    proofs_check.worst_case.question : takes it.
    """
    entries = [entry for part in _parts(given) for entry in _entries(part, actions, memory)]
    if len(entries) > MOST_INEQUALITIES:
        raise InvalidInput(
            f"these are {len(entries)} inequalities; at most {MOST_INEQUALITIES} are possible."
        )
    return Where(given, tuple(entries))


def own_names(given: str) -> list[str]:
    """The parts of a text that name the user's own code."""
    return [part for part in _parts(given) if _is_own(part)]


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


def _parts(given: str) -> list[str]:
    return [part.strip() for part in given.split(";") if part.strip()]


def _is_own(part: str) -> bool:
    return is_plugin(part) and "(" not in part


def _entries(part: str, actions: int, memory: int) -> Iterable[Any]:
    part = SAME.get(part, part)
    if part in SHAPES:
        return [part]
    bounded = re.fullmatch(r"differences\s*<=\s*(.+)", part)
    if bounded:
        return [{"differences": text(rational(bounded[1], "the largest difference"))}]
    if not _is_own(part):
        return [_own_inequality(part, actions, memory)]
    with translated_errors(part):
        texts = list(load_plugin(part)(actions, memory))
    if not all(isinstance(one, str) and not _is_own(one) for one in texts):
        raise InvalidInput(f"{part} returns {shown(texts)}; it must return inequalities as texts.")
    return [entry for one in texts for entry in where(one, actions, memory).entries]


def _own_inequality(part: str, K: int, m: int) -> dict[str, Any]:
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
        text(Fraction(int(c.p), int(c.q)))
        for c in (*map(difference.coeff_monomial, cells.values()), -difference.coeff_monomial(1))
    )
    return {"coefficients": coefficients, "least": constant}


def _sides(part: str) -> tuple[Formula, Formula]:
    """The larger and the smaller side of an inequality, with h_x_y for h(x, y)."""
    named = re.sub(r"\bh\(\s*(\d+)\s*,\s*(\d+)\s*\)", r"h_\1_\2", with_fractions(part))
    with suppress(InvalidInput):
        match Formula(named).tree:
            case ast.Compare(left=left, ops=[ast.LtE() | ast.GtE() as sign], comparators=[right]):
                sides = Formula(ast.unparse(left)), Formula(ast.unparse(right))
                return sides if isinstance(sign, ast.GtE) else sides[::-1]
    raise InvalidInput(
        f"unknown constraint {shown(part)}{did_you_mean(part, [*SHAPES, *SAME])} There are "
        f"{', '.join(SHAPES)}, differences <= d, inequalities such as h(0, 1) <= h(1, 2) + 1/4, and "
        "module:name."
    )


def _inequalities(entry: Any, K: int, m: int) -> Iterator[Inequality]:
    if isinstance(entry, str):
        yield from _along_rows(SHAPES[entry], Fraction(0), K, m)
    elif "differences" in entry:
        for shape in ((1, -1), (-1, 1)):
            yield from _along_rows(shape, -Fraction(entry["differences"]), K, m)
    else:
        yield tuple(map(Fraction, entry["coefficients"])), Fraction(entry["least"])


def _along_rows(shape: Sequence[int], least: Fraction, K: int, m: int) -> Iterator[Inequality]:
    for x in range(K):
        for y in range(m + 1 - len(shape)):
            before = x * m + y
            after = K * m - before - len(shape)
            yield tuple(map(Fraction, (*(0,) * before, *shape, *(0,) * after))), least
