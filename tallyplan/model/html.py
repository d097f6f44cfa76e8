"""What a notebook shows of an object: a small table, however large the object is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import Any

from tallyplan.model.rationals import digits

MOST_ROWS, MOST_COLUMNS = 10, 12
LONGEST_CELL = 80


def number(value: Fraction) -> str:
    """A rational for people: integers without a denominator.

    >>> number(Fraction(3)), number(Fraction(1, 3))
    ('3', '1/3')
    """
    return digits(value.numerator) + ("" if value.denominator == 1 else f"/{digits(value.denominator)}")


def grid(title: str, header: Sequence[str], rows: Sequence[tuple[str, Sequence[Any]]]) -> str:
    """A table with a title, at most so many rows and columns; what is left out is marked.

    >>> grid("x", ["y = 1"], [("arm 0", [Fraction(1, 2)])]).count("<td>")
    1
    """
    cut = len(header) > MOST_COLUMNS
    shown = [*header[:MOST_COLUMNS], *(["..."] if cut else [])]
    lines = [_row("th", ["", *shown])]
    for name, cells in rows[:MOST_ROWS]:
        written = [_cell(cell) for cell in cells[:MOST_COLUMNS]] + (["..."] if cut else [])
        lines.append(f"<tr><th>{escape(name)}</th>{''.join(f'<td>{cell}</td>' for cell in written)}</tr>")
    if len(rows) > MOST_ROWS:
        lines.append(_row("td", [f"... {len(rows)} rows"]))
    return f"<table><caption>{_cell(title)}</caption>{''.join(lines)}</table>"


def card(title: str, entries: Mapping[str, Any]) -> str:
    """A table of two columns: what, and its value."""
    lines = [f"<tr><th>{escape(name)}</th><td>{_cell(value)}</td></tr>" for name, value in entries.items()]
    return f"<table><caption>{_cell(title)}</caption>{''.join(lines)}</table>"


def _row(kind: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{kind}>{escape(cell)}</{kind}>' for cell in cells)}</tr>"


def _cell(value: Any) -> str:
    written = number(value) if isinstance(value, Fraction) else str(value)
    return escape(written if len(written) <= LONGEST_CELL else f"{written[: LONGEST_CELL - 3]}...")
