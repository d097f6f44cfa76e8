"""The results of a study as tables: rows in the order of the spec, whatever the order of computation.

Columns: instance, actions, memory, question; the parameters; status, value (if exact), lower and upper (of an
interval), `about`, the value or the upper end as a float; the facts of the questions; certificate (SHA-256)
and message (why it failed). What depends on the machine, the seconds, is in no table: two runs of the same
study give the same bytes.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from tallyplan.errors import InvalidInput, did_you_mean
from tallyplan.games.trials import median_confidence, quantile
from tallyplan.model.files import AnyPath, write
from tallyplan.model.rationals import about, shown, text
from tallyplan.studies.store import EXACT, INTERVAL, Store, read_from

if TYPE_CHECKING:
    import pandas

QUANTILES = {"5%": Fraction(1, 20), "50%": Fraction(1, 2), "95%": Fraction(19, 20)}
SUMMARY = ("items", "exact", "mean", "least", *QUANTILES, "largest", "median from", "median to", "about")
ASKED = ("instance", "actions", "memory", "question")
QUERY = """
SELECT name, actions, memory, question, parameters, status, lower, upper, facts, certificate, message
FROM items LEFT JOIN results USING (key) LEFT JOIN instances ON instances.id = items.instance
ORDER BY items.id LIMIT ?"""
LATEX_SPECIAL = str.maketrans({c: f"\\{c}" for c in "&%$#_{}"} | {"\\": r"\textbackslash{}"})


class Table(NamedTuple):
    """Columns and rows."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def table(
    store: Store, *, sort: str | None = None, over: Sequence[str] = (), limit: int | None = None
) -> Table:
    """The rows of a study.

    Parameters
    ----------
    sort : a column; value, lower and upper are ordered exactly, as rationals. Otherwise the spec's order.
    over : instance, actions, memory, question or parameters that are summarised: one row for all their
        values, with the number of results, their exact mean, least, largest, and the quantiles 5%, 50%, 95%
        (the least value that is at least as large as that share of all); and an interval that contains the
        median of their distribution with probability 95% (`median_confidence`), from six results on.
    limit : only the first rows.

    >>> import os, tempfile
    >>> from tallyplan.studies.runners import local_workers, resumable, run
    >>> from tallyplan.studies.spec import study_of
    >>> study = study_of({"instances": [{"family": "counterexample-3"}], "questions": [{"ask": "cycle"}]})
    >>> with tempfile.TemporaryDirectory() as folder, resumable(os.path.join(folder, "s"), study) as kept:
    ...     _ = run(kept, local_workers(1))
    ...     rows = table(kept.store)
    >>> [dict(zip(rows.columns, row))["value"] for row in rows.rows]
    ['0/1']
    """
    everything = limit is None or sort is not None or over
    with read_from(store.path):
        parts = [_parts(*row) for row in store.select(QUERY, (-1 if everything else limit,))]
    asked, found, last = ([*dict.fromkeys(name for row in parts for name in row[i])] for i in range(3))
    rows = [one | two | three for one, two, three in parts]
    if over:
        for name in over:
            require_column(name, asked)
        return _summarised(rows, [name for name in asked if name not in over], limit)
    columns = (*asked, *found, *last)
    if sort is not None:
        require_column(sort, columns)
        rows.sort(key=lambda row: _order(row.get(sort)))
    return Table(columns, [tuple(map(row.get, columns)) for row in rows[:limit]])


Row = dict[str, Any]


def _parts(*row: Any) -> tuple[Row, Row, Row]:
    """A row in three parts, after each of which other rows may have further columns."""
    *asked, parameters, status, lower, upper, facts, certificate, message = row
    told = json.loads(facts or "{}").items()
    found = {
        "status": status or "to do",
        "value": upper if status == EXACT else None,
        "lower": lower if status == INTERVAL else None,
        "upper": upper if status == INTERVAL else None,
        "about": about(Fraction(upper)) if upper else None,
    } | {name: fact for name, fact in told if isinstance(fact, str | int | float)}
    return (
        dict(zip(ASKED, asked, strict=True)) | json.loads(parameters),
        found,
        {"certificate": certificate, "message": message},
    )


def require_column(name: str, columns: Collection[str]) -> None:
    """Refuse an unknown column."""
    if name not in columns:
        guess = did_you_mean(name, columns)
        raise InvalidInput(f"there is no column {shown(name)}{guess} The columns are {', '.join(columns)}.")


def _order(cell: Any) -> tuple[bool, bool, Any]:
    """Where a row comes: numbers first, then texts, then what is missing; a text p/q is a number."""
    exact = _exactly(cell)
    return cell is None, isinstance(exact, str), exact or 0


def _exactly(cell: Any) -> Any:
    """The rational that a text p/q is; anything else as it is."""
    return Fraction(cell) if isinstance(cell, str) and re.fullmatch(r"-?\d+/\d+", cell) else cell


def _summarised(rows: Sequence[Row], kept: Sequence[str], limit: int | None) -> Table:
    """One row for all that have the same in the columns that are kept."""
    groups: dict[tuple[Any, ...], list[str | None]] = {}
    for row in rows:
        groups.setdefault(tuple(map(row.get, kept)), []).append(row["value"])
    summaries = (key + _summary(found) for key, found in groups.items())
    return Table((*kept, *SUMMARY), list(islice(summaries, limit)))


def _summary(found: list[str | None]) -> tuple[Any, ...]:
    """Items without an exact value are counted, not averaged."""
    values = sorted(Fraction(value) for value in found if value is not None)
    if not values:
        return (len(found), 0, *(None for _ in SUMMARY[2:]))
    mean = sum(values, Fraction(0)) / len(values)
    spread = [text(quantile(values, share)) for share in QUANTILES.values()]
    ends = median_confidence(values)
    sure = (None, None) if ends is None else map(text, ends)
    extremes = (text(values[0]), *spread, text(values[-1]))
    return (len(found), len(values), text(mean), *extremes, *sure, about(mean))


def write_table(rows: Table, form: str, path: AnyPath) -> None:
    """Write a table as csv or latex (booktabs); the file appears whole or not at all.

    >>> write_table(Table(("value",), [("1/3",)]), "csv", "/dev/null")
    """
    write(path, {"csv": _as_csv, "latex": _as_latex}[form](rows).encode())


def to_pandas(rows: Table) -> pandas.DataFrame:
    """The table as a pandas DataFrame; rationals are text, `about` is a float.

    >>> to_pandas(table(store)).groupby("question").mean()  # doctest: +SKIP
    """
    import pandas

    return pandas.DataFrame(rows.rows, columns=list(rows.columns))


def _as_csv(rows: Table) -> str:
    content = io.StringIO()
    csv.writer(content, lineterminator="\n").writerows([rows.columns, *rows.rows])
    return content.getvalue()


def _as_latex(rows: Table) -> str:
    """A tabular with the rules of booktabs, decimals to six digits; what all rows share is a comment."""
    shared, columns = for_people(rows)
    columns.pop("about", None)  # the value, which is a decimal here anyway
    lines = [
        f"% in every row: {shared}",
        rf"\begin{{tabular}}{{{'l' * len(columns)}}}",
        r"\toprule",
        _latex_row([*columns]),
        r"\midrule",
        *(_latex_row(cells) for cells in zip(*columns.values(), strict=True)),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _latex_row(cells: Sequence[Any]) -> str:
    return " & ".join(_decimal(cell).translate(LATEX_SPECIAL) for cell in cells) + r" \\"


def _decimal(cell: Any) -> str:
    """A rational or a float to six digits; anything else as it is."""
    number = _exactly(cell)
    number = about(number) if isinstance(number, Fraction) else number
    return f"{number:.6g}" if isinstance(number, float) else "" if cell is None else str(cell)


def for_people(rows: Table) -> tuple[str, dict[str, list[Any]]]:
    """What several rows have in common, in words, and the columns in which they differ.

    >>> for_people(Table(("instance", "seed", "message"), [("uniform", 1, None), ("uniform", 2, None)]))
    ('instance = uniform', {'seed': [1, 2]})
    """
    columns = {name: [row[i] for row in rows.rows] for i, name in enumerate(rows.columns)}
    columns.pop("certificate", None)
    filled = {name: cells for name, cells in columns.items() if any(cell is not None for cell in cells)}
    shared = [name for name, cells in filled.items() if len(cells) > 1 and len({*cells}) == 1]
    words = ", ".join(f"{name} = {cell}" for name in shared for cell in {*filled[name]})
    return words, {name: cells for name, cells in filled.items() if name not in shared} or filled
