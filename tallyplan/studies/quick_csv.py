"""The table of a study as CSV, quickly: a million rows in seconds.

What many rows share is written once and looked up: the columns of an instance, those of a question with its
parameters. The rest of a line is joined by SQLite; if it has more commas than cells, or a quotation mark, it
is written once more with care. The table is that of `tables.table`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from tallyplan.studies.store import Store
from tallyplan.studies.tables import JOINED, columns_of, order_by

SIZES = ("actions", "memory")

_special = re.compile('[",\r\n]').search
_breaks = re.compile('["\r\n]').search


def csv_text(store: Store, sort: str | None = None) -> str:
    """The header and then a line per row."""
    parameters, facts = store.columns("parameter"), store.columns("fact")
    selected = columns_of(parameters, facts)
    names, asked = _Names(store), _Asked([name for name in parameters if name not in SIZES])
    rest = list(selected)[list(selected).index("status") :]
    columns = ", ".join(selected[name] for name in rest)
    query = (
        "SELECT items.id, items.instance, items.question, items.parameters, "
        f"printf('{','.join(['%s'] * len(rest))}', {columns}) {JOINED} {order_by(selected, sort)}"
    )
    single = f"SELECT {columns} {JOINED} WHERE items.id = ?"
    commas = len(rest) - 1
    lines = [
        f"{names[instance] or asked.sizes(given)},{asked[question, given]},"
        + (
            results
            if results.count(",") == commas and _breaks(results) is None
            else _one_by_one(store, single, id)
        )
        for id, instance, question, given, results in store.select(query)
    ]
    return "\n".join([",".join(map(cell, selected)), *lines, ""])


def _one_by_one(store: Store, query: str, id: int) -> str:
    """The rest of a line in which something must be quoted."""
    ((*cells,),) = store.select(query, (id,))
    return ",".join(map(cell, cells))


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
