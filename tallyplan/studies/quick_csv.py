"""The table of a study as CSV, quickly: a million rows in seconds.

What many rows share is written once and looked up: the columns of an instance, those of a question with its
parameters. What is never quoted (statuses, rationals, hashes) is joined by SQLite. The lines are those of
`tables.table`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import islice
from typing import Any

from tallyplan.studies.store import Store
from tallyplan.studies.tables import JOINED, columns_of, extracted, order_by

NEVER_QUOTED = (
    "ifnull(results.status, 'to do') || ',' || "
    "CASE WHEN results.status = 'exact' THEN results.upper ELSE '' END || ',' || "
    "ifnull(results.lower, '') || ',' || ifnull(results.upper, '')"
)
SIZES = ("actions", "memory")
ROWS_AT_ONCE = 10_000

_special = re.compile('[",\r\n]').search


def csv_text(store: Store, sort: str | None = None) -> str:
    """The header and then a line per row."""
    parameters, facts = store.columns("parameter"), store.columns("fact")
    selected = columns_of(parameters, facts)
    about_facts = "".join(f", {extracted('results.facts', name)}" for name in facts)
    query = (
        f"SELECT items.instance, items.question, items.parameters, {NEVER_QUOTED}, results.value, "
        f"results.certificate, results.message{about_facts} {JOINED} {order_by(selected, sort)}"
    )
    names, asked = _Names(store), _Asked([name for name in parameters if name not in SIZES])
    rows = store.select(query)
    parts = [",".join(map(cell, selected)), "\n"]
    while chunk := list(islice(rows, ROWS_AT_ONCE)):
        parts += [
            f"{names[instance] or asked.sizes(given)},{asked[question, given]},{results},"
            f"{'' if about is None else about!r},{''.join([cell(fact) + ',' for fact in found])}"
            f"{certificate or ''},{(message and cell(message)) or ''}\n"
            for instance, question, given, results, about, certificate, message, *found in chunk
        ]
    return "".join(parts)


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
