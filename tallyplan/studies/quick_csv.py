"""The table of a study as CSV, quickly: a million rows in seconds.

What many rows share is written once and looked up: the columns of an instance, those of a question with its
parameters. The rest of a line is joined by SQLite. The table is that of `tables.table`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from tallyplan.studies.store import Store
from tallyplan.studies.tables import JOINED, columns_of, extracted, order_by

SIZES = ("actions", "memory")
CELLS = " || ',' || "

_special = re.compile('[",\r\n]').search


def csv_text(store: Store, sort: str | None = None) -> str:
    """The header and then a line per row."""
    parameters, facts = store.columns("parameter"), store.columns("fact")
    selected = columns_of(parameters, facts)
    names, asked = _Names(store), _Asked([name for name in parameters if name not in SIZES])
    lines = [
        f"{names[instance] or asked.sizes(given)},{asked[question, given]},{results}"
        for instance, question, given, results in store.select(_query(selected, facts, sort))
    ]
    return "\n".join([",".join(map(cell, selected)), *lines, ""])


def _query(selected: dict[str, str], facts: Sequence[str], sort: str | None) -> str:
    """Instance, question, parameters, and the rest of the line.

    The inner query has a limit (none) so that SQLite does not merge the two and compute every fact twice.
    """
    told = [f"fact_{i}" for i in range(len(facts))]
    inner = [
        f"{extracted('results.facts', name)} AS {alias}" for name, alias in zip(facts, told, strict=True)
    ]
    plain = ["ifnull(status, 'to do')", "CASE WHEN status = 'exact' THEN upper ELSE '' END"]
    plain += ["ifnull(lower, '')", "ifnull(upper, '')", "ifnull(value, '')"]
    cells = [*plain, *map(_quoted, told), "ifnull(certificate, '')", _quoted("message")]
    return (
        f"SELECT instance, question, parameters, {CELLS.join(cells)} FROM ("
        "SELECT items.instance, items.question, items.parameters, results.status, results.lower, "
        "results.upper, results.value, results.certificate, results.message"
        f"{''.join(f', {column}' for column in inner)} {JOINED} {order_by(selected, sort)} LIMIT -1)"
    )


def _quoted(column: str) -> str:
    """A cell, as SQL: quoted where it must be."""
    special = "'*[\",' || char(10, 13) || ']*'"
    quoted = f"'\"' || replace({column}, '\"', '\"\"') || '\"'"
    return f"CASE WHEN {column} IS NULL THEN '' WHEN {column} GLOB {special} THEN {quoted} ELSE {column} END"


class _Names(dict[int | None, str]):
    """The columns of an instance by its number; empty for none."""

    def __init__(self, store: Store) -> None:
        for id, name, actions, memory in store.select("SELECT id, name, actions, memory FROM instances"):
            self[id] = f"{cell(name)},{actions},{memory}"
        self[None] = ""


class _Asked(dict[tuple[str, str], str]):
    """The columns of a question with its parameters, written when they are first met."""

    def __init__(self, own: Sequence[str]) -> None:
        self._own = own

    def __missing__(self, key: tuple[str, str]) -> str:
        values = json.loads(key[1])
        self[key] = ",".join([cell(key[0]), *(cell(values.get(name)) for name in self._own)])
        return self[key]

    def sizes(self, given: str) -> str:
        """The first columns of a question about no instance: no name, and the sizes that it has itself."""
        values = json.loads(given)
        return ",".join(["", *(cell(values.get(name)) for name in SIZES)])


def cell(value: Any) -> str:
    """One cell, quoted where it must be.

    >>> cell(None), cell(5), cell("a,b"), cell('a "b" c')
    ('', '5', '"a,b"', '"a ""b"" c"')
    """
    if value is None:
        return ""
    written = str(value)
    if _special(written) is None:
        return written
    return '"' + written.replace('"', '""') + '"'
