"""What notebooks show of an object: a small table, however large the object is.

A class that says with `shown` what matters about its objects is decorated with `displayable`. Notebooks
then show that as HTML, and `repr` is cut where it would fill pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from reprlib import Repr
from typing import Any, TypeVar

from tallyplan.model.rationals import plain

MOST_ROWS, MOST_COLUMNS = 10, 12
LONGEST_CELL, LONGEST_SENTENCE = 80, 600
CUT = "..."
_SHORT = Repr()
_SHORT.maxlevel, _SHORT.maxother, _SHORT.maxstring, _SHORT.maxlong = 6, 200, 200, 80
_SHORT.maxtuple = _SHORT.maxlist = _SHORT.maxdict = 12


@dataclass(frozen=True)
class SmallTable:
    """A title and rows; each row has a name and cells, as text that is short enough."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def html(self) -> str:
        """For a notebook; nothing in the cells is markup."""
        from html import escape  # which takes longer to load than this module

        def row(name: str, cells: Iterable[str], kind: str) -> str:
            inside = "".join(f"<{kind}>{escape(cell)}</{kind}>" for cell in cells)
            return f"<tr><th>{escape(name)}</th>{inside}</tr>"

        first = [row(self.header[0], self.header[1:], "th")] if self.header else []
        lines = [*first, *(row(name, cells, "td") for name, *cells in self.rows)]
        return f"<table><caption>{escape(self.title)}</caption>{''.join(lines)}</table>"


Class = TypeVar("Class", bound=type[Any])


def displayable(kind: Class) -> Class:
    """Let notebooks show what `shown` says, and keep `repr` short; for dataclasses.

    >>> @displayable
    ... @dataclass(frozen=True)
    ... class Word:
    ...     letters: tuple[int, ...]
    ...     def shown(self):
    ...         return card("a word", {"length": len(self.letters)})
    >>> Word((1,) * 10**6)
    Word(letters=(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ...))
    >>> Word((1,) * 10**6)._repr_html_()
    '<table><caption>a word</caption><tr><th>length</th><td>1000000</td></tr></table>'
    """
    for name, method in {"_repr_html_": lambda self: self.shown().html(), "__repr__": _short_repr}.items():
        setattr(kind, name, method)
    return kind


def grid(title: str, header: Sequence[str], rows: Sequence[tuple[str, Sequence[Any]]]) -> SmallTable:
    """Rows of several cells; beyond 10 rows or 12 columns they are cut, and marked.

    >>> grid("x", ["y = 1"], [("arm 0", [Fraction(1, 2)])]).rows
    (('arm 0', '1/2'),)
    """
    listed = [(name, *_cut(map(_cell, cells[: MOST_COLUMNS + 1]))) for name, cells in rows[:MOST_ROWS]]
    if len(rows) > MOST_ROWS:
        listed.append((f"{CUT} {len(rows)} rows",))
    return SmallTable(_cell(title), ("", *_cut(map(_cell, header))), tuple(listed))


def card(title: str, entries: Mapping[str, Any], longest: int = LONGEST_CELL) -> SmallTable:
    """Rows with a name and one value each, cut to `longest` characters."""
    return SmallTable(
        _cell(title), (), tuple((name, _cell(value, longest)) for name, value in entries.items())
    )


def _short_repr(self: Any) -> str:
    parts = (f"{one.name}={_SHORT.repr(getattr(self, one.name))}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({', '.join(parts)})"


def _cut(cells: Iterable[str]) -> list[str]:
    listed = list(cells)
    return listed if len(listed) <= MOST_COLUMNS else [*listed[:MOST_COLUMNS], CUT]


def _cell(value: Any, longest: int = LONGEST_CELL) -> str:
    written = plain(value) if isinstance(value, Fraction) else str(value)
    return written if len(written) <= longest else f"{written[: longest - len(CUT)]}{CUT}"
