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
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tallyplan.errors import InvalidInput, did_you_mean
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
    """Tables that satisfy all of some entries, written as certificates write them.

    >>> print(where("convex; differences <= 1/4", 2, 3))
    convex; differences <= 1/4

    See Also
    --------
    proofs_check.worst_case.where : from text.
    """

    entries: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return "; ".join(map(_in_words, self.entries))

    def inequalities(self, actions: int, memory: int) -> list[Inequality]:
        """All of them, each once."""
        found = (one for entry in self.entries for one in _inequalities(entry, actions, memory))
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
    return Where(tuple(entries))


def own_names(given: str) -> list[str]:
    """The parts of a text that name the user's own code."""
    return [part for part in _parts(given) if _is_own(part)]


def are_alike(inequalities: Sequence[Inequality], actions: int, memory: int) -> bool:
    """Whether renaming the actions changes nothing."""
    everything = set(inequalities)
    order = list(range(actions))
    for x in range(actions - 1):
        order[x], order[x + 1] = x + 1, x
        cells = [action * memory + y for action in order for y in range(memory)]
        if any((tuple(row[i] for i in cells), least) not in everything for row, least in inequalities):
            return False
        order[x], order[x + 1] = x, x + 1
    return True


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


def _in_words(entry: Any) -> str:
    if isinstance(entry, str):
        return entry
    if "differences" in entry:
        return f"differences <= {Fraction(entry['differences'])}"
    terms = [f"{c}*[{i}]" for i, c in enumerate(map(Fraction, entry["coefficients"])) if c]
    return f"{' + '.join(terms) or '0'} >= {Fraction(entry['least'])}"


# -- one's own inequalities --------------------

Affine = tuple[tuple[Fraction, ...], Fraction]
"""Coefficients, and what is added."""


def _own_inequality(part: str, K: int, m: int) -> dict[str, Any]:
    try:
        tree = ast.parse(part, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    if (
        not isinstance(tree, ast.Compare)
        or len(tree.ops) != 1
        or not isinstance(tree.ops[0], ast.LtE | ast.GtE)
    ):
        raise InvalidInput(
            f"unknown constraint {shown(part)}{did_you_mean(part, [*SHAPES, *SAME])} There are "
            f"{', '.join(SHAPES)}, differences <= d, inequalities such as h(0, 1) <= h(1, 2) + 1/4, and "
            "module:name."
        )
    sides = tree.left, tree.comparators[0]
    small, large = sides if isinstance(tree.ops[0], ast.LtE) else sides[::-1]
    coefficients, constant = _plus(_affine(large, part, K, m), _affine(small, part, K, m), -1)
    return {"coefficients": [text(c) for c in coefficients], "least": text(-constant)}


def _affine(tree: ast.expr, part: str, K: int, m: int) -> Affine:
    def number(value: Fraction) -> Affine:
        return (Fraction(0),) * (K * m), value

    match tree:
        case ast.Constant(value=int() | float() | str() as value) if not isinstance(value, bool):
            return number(rational(value, f"a number in {shown(part)}"))
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return _plus(number(Fraction(0)), _affine(inner, part, K, m), -1)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            one, two = (_affine(side, part, K, m) for side in (left, right))
            return _plus(one, two, 1 if isinstance(op, ast.Add) else -1)
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as op, right=right):
            one, two = (_affine(side, part, K, m) for side in (left, right))
            if isinstance(op, ast.Mult) and not any(one[0]):
                one, two = two, one
            if not any(two[0]) and (isinstance(op, ast.Mult) or two[1]):
                factor = two[1] if isinstance(op, ast.Mult) else 1 / two[1]
                return _plus(number(Fraction(0)), one, factor)
        case ast.Call(
            func=ast.Name(id="h"),
            args=[ast.Constant(value=int() as x), ast.Constant(value=int() as y)],
            keywords=[],
        ):
            if 0 <= x < K and 1 <= y <= m:
                place = x * m + y - 1
                return tuple(Fraction(i == place) for i in range(K * m)), Fraction(0)
            raise InvalidInput(
                f"{shown(part)} speaks of h({x}, {y}); actions are 0 to {K - 1} and tallies 1 to {m}."
            )
    raise InvalidInput(f"{shown(part)} is not linear in the losses h(x, y).")


def _plus(one: Affine, two: Affine, factor: Fraction | int) -> Affine:
    both = zip(one[0], two[0], strict=True)
    return tuple(a + factor * b for a, b in both), one[1] + factor * two[1]
