"""Tables of numbers as CSV files, a row per arm and a column per tally 1 .. m.

The first line of a CSV file may name the columns, and its first column the arms, as pandas writes them; a
first column of names is called arm, action, name or index, or nothing. A first line (or column) of numbers
that only count, 0, 1, 2, .. or 1, 2, 3, .., could be names or losses: it is refused, and so is a first line
of names among other numbers, which could be an arm with a typing error. Numbers are taken as they are
written, so that nothing is rounded: 0.1 is 1/10, and 1/3 may stand there too. Semicolons may stand for the
commas.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from fractions import Fraction

from tallyplan.errors import InvalidInput
from tallyplan.model.files import AnyPath, read_text, write
from tallyplan.model.rationals import rational, text

NAMES_OF_ARMS = ("", "arm", "action", "name", "index")
HEADER = "a first line such as arm,1,2,3"


def read_table(path: AnyPath) -> list[list[Fraction]]:
    """The numbers of a CSV file."""
    lines = list(csv_lines(read_text(path), str(path)))
    first = lines[0][1] if lines else []
    named = not all(map(_is_number, first))
    arms_named = named and first[0].strip().lower() in NAMES_OF_ARMS
    columns = first[arms_named:] if named else []
    if any(map(_is_number, columns)) and not _counts(columns):
        raise InvalidInput(
            f"line 1 of {path} mixes numbers and text ({','.join(first)}): fix the cell, or add {HEADER}."
        )
    if not named and lines and _counts(first):
        raise InvalidInput(
            f"line 1 of {path} ({','.join(first)}) could be column names or an arm; write {HEADER} before "
            "it or in its place."
        )
    if named and not arms_named and len(first) > 1 and _counts([row[0] for _, row in lines[1:]]):
        raise InvalidInput(
            f"the first column of {path} could be the names of the arms or losses; if they are names, write "
            f"{HEADER}, and if not, put a column of names before it."
        )
    return [
        [rational(cell, f"cell {y} of {where}") for y, cell in enumerate(row[arms_named:], 1 + arms_named)]
        for where, row in lines[named:]
    ]


def write_table(path: AnyPath, rows: Sequence[Sequence[Fraction]]) -> None:
    """Write a table so that `read_table` gives it back."""
    content = io.StringIO()
    writer = csv.writer(content, lineterminator="\n")
    writer.writerow(["arm", *range(1, len(rows[0]) + 1)])
    writer.writerows([x, *map(text, row)] for x, row in enumerate(rows))
    write(path, content.getvalue().encode())


def csv_lines(content: str, what: str) -> Iterator[tuple[str, list[str]]]:
    """The lines of CSV that are not blank, each after its place in words; all have as many cells."""
    content, width = content.removeprefix("\ufeff"), 0
    semicolons = ";" in content.split("\n", 1)[0]  # what spreadsheets write where the comma is decimal
    lines = csv.reader(io.StringIO(content), strict=True, delimiter=";" if semicolons else ",")
    try:
        for line in filter(None, lines):
            where, width = f"line {lines.line_num} of {what}", width or len(line)
            if len(line) != width:
                raise InvalidInput(f"{where} has {len(line)} cells; the first line has {width}.")
            yield where, line
    except csv.Error as error:
        raise InvalidInput(f"line {lines.line_num} of {what} is not CSV: {error}.") from None


def _is_number(cell: str) -> bool:
    try:
        rational(cell, "")
    except InvalidInput:
        return False
    return True


def _counts(cells: Sequence[str]) -> bool:
    """Whether these are 0, 1, 2, .. or 1, 2, 3, .."""
    written = [cell.strip() for cell in cells]
    return any(written == [str(i + start) for i in range(len(written))] for start in (0, 1))
