"""The results of a study as tables: rows in the order of the spec, whatever the order of computation.

Columns: instance, actions, memory, question; the parameters; status, value (if exact), lower and upper (of an
interval), `about`, the value or the upper end as a float; the facts of the questions; certificate (SHA-256)
and message (why it failed). What depends on the machine, the seconds, is in no table: two runs of the same
study give the same bytes.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any

from tallyplan.errors import InvalidInput, did_you_mean
from tallyplan.games.trials import median_confidence, quantile
from tallyplan.model.files import AnyPath, write
from tallyplan.model.rationals import about, shown, text
from tallyplan.studies.store import Store

if TYPE_CHECKING:
    import pandas
    import polars

QUANTILES = {"5%": Fraction(1, 20), "50%": Fraction(1, 2), "95%": Fraction(19, 20)}
CONFIDENCE = ("median from", "median to")
JOINED = "FROM items LEFT JOIN results USING (work) LEFT JOIN instances ON instances.id = items.instance"
ANY_SEED = "seed=*"
RATIONAL = ("value", "lower", "upper")
LATEX_SPECIAL = str.maketrans({c: f"\\{c}" for c in "&%$#_{}"} | {"\\": r"\textbackslash{}"})


@dataclass(frozen=True)
class Table:
    """Columns, and the rows that the query gives one after the other."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]


def table(
    store: Store, *, sort: str | None = None, over: Sequence[str] = (), limit: int | None = None
) -> Table:
    """The rows of a study.

    Parameters
    ----------
    sort : a column; value, lower and upper are ordered exactly, as rationals. Otherwise the spec's order.
    over : parameters (or "instance"; or "seed" of random families, if no question has a seed) that are
        summarised: one row for all their values, with the number of results, their exact mean, least,
        largest, and the quantiles 5%, 50%, 95% (the least value that is at least as large as that share of
        all); and an interval that contains the median of their distribution with probability 95%
        (`median_confidence`), from six results on.
    limit : only the first rows.

    Raises
    ------
    InvalidInput : there is no such column.

    >>> import os, tempfile
    >>> from tallyplan.studies.runners import local_workers, run
    >>> from tallyplan.studies.spec import study_of
    >>> study = study_of({"instances": [{"family": "counterexample-3"}], "questions": [{"ask": "cycle"}]})
    >>> with tempfile.TemporaryDirectory() as folder, Store(os.path.join(folder, "s"), write=True) as store:
    ...     _ = store.add(study), run(store, local_workers(1))
    ...     rows = table(store)
    ...     [dict(zip(rows.columns, row))["value"] for row in rows.rows]
    ['0/1']
    """
    parameters, facts = store.columns("parameter"), store.columns("fact")
    selected = _columns_of(parameters, facts)
    query = f"SELECT {', '.join(selected.values())} {JOINED} {_order_by(selected, sort)}"
    if over:
        summarised = _summarised(Table(tuple(selected), store.select(query)), over, parameters)
        return Table(summarised.columns, islice(summarised.rows, limit))
    cut = "" if limit is None else f" LIMIT {limit}"
    return Table(tuple(selected), store.select(query + cut))


def _order_by(selected: dict[str, str], sort: str | None) -> str:
    """The order of the rows, as SQL."""
    if sort is None:
        return "ORDER BY items.id"
    if sort not in selected:
        guess = did_you_mean(sort, selected)
        raise InvalidInput(f"there is no column {shown(sort)}{guess} The columns are {', '.join(selected)}.")
    exactly = " COLLATE rational" if sort in RATIONAL else ""
    return f"ORDER BY {selected[sort]} IS NULL, {selected[sort]}{exactly}, items.id"


def _columns_of(parameters: Sequence[str], facts: Sequence[str]) -> dict[str, str]:
    """The columns by name, as SQL."""
    selected = {
        "instance": "instances.name",
        "actions": "instances.actions",
        "memory": "instances.memory",
        "question": "items.question",
    }
    for name in parameters:
        given = _extracted("items.parameters", name)
        selected[name] = f"ifnull({selected[name]}, {given})" if name in selected else given
    selected |= {
        "status": "ifnull(results.status, 'to do')",
        "value": "CASE WHEN results.status = 'exact' THEN results.upper END",
        "lower": "CASE WHEN results.status = 'interval' THEN results.lower END",
        "upper": "CASE WHEN results.status = 'interval' THEN results.upper END",
        "about": "results.value",
    }
    for name in facts:
        selected[name] = _extracted("results.facts", name)
    return selected | {"certificate": "results.certificate", "message": "results.message"}


def _extracted(column: str, name: str) -> str:
    """A value of a JSON column, as SQL."""
    path = '$."' + name.replace("'", "''") + '"'
    return f"json_extract({column}, '{path}')"


def _summarised(rows: Table, over: Sequence[str], parameters: Sequence[str]) -> Table:
    """One row for all values of some parameters; items without an exact value are counted, not averaged."""
    place = {name: i for i, name in enumerate(rows.columns)}
    everything = list(rows.rows)
    if "seed" in over and "seed" not in parameters:
        everything = [(_without_seed(row[0]), *row[1:]) for row in everything]
    seeded = ["seed"] if any(row[0] and ANY_SEED in row[0] for row in everything) else []
    for name in over:
        if name not in ("instance", *seeded, *parameters):
            known = ["instance", *parameters]
            raise InvalidInput(
                f"there is no parameter {shown(name)} to summarise{did_you_mean(name, known)} There are "
                f"{', '.join(known)}."
            )
    gone = {*over, "status", "value", "lower", "upper", "about", "certificate", "message"}
    kept = [
        name
        for name in rows.columns[: place["status"]]
        if name not in gone and not ("instance" in over and name in ("actions", "memory"))
    ]
    groups: dict[tuple[Any, ...], list[tuple[str, str | None]]] = {}
    for row in everything:
        key = tuple(row[place[name]] for name in kept)
        groups.setdefault(key, []).append((row[place["status"]], row[place["value"]]))
    columns = (*kept, "items", "exact", "mean", "least", *QUANTILES, "largest", *CONFIDENCE, "about")
    return Table(columns, (key + _summary(found) for key, found in groups.items()))


def _without_seed(instance: str | None) -> str | None:
    """The name of an instance of a random family, the same for all seeds.

    >>> _without_seed("uniform(actions=2, memory=3, seed=7)")
    'uniform(actions=2, memory=3, seed=*)'
    """
    return None if instance is None else re.sub(r"\bseed=\d+", ANY_SEED, instance)


def _summary(found: list[tuple[str, str | None]]) -> tuple[Any, ...]:
    values = sorted(Fraction(value) for _, value in found if value is not None)
    if not values:
        return (len(found), 0, *(None for _ in range(5 + len(QUANTILES))), None)
    mean = sum(values, Fraction(0)) / len(values)
    spread = [text(quantile(values, share)) for share in QUANTILES.values()]
    ends = median_confidence(values)
    sure = (None, None) if ends is None else map(text, ends)
    extremes = (text(values[0]), *spread, text(values[-1]))
    return (len(found), len(values), text(mean), *extremes, *sure, about(mean))


def write_table(rows: Table, form: str, path: AnyPath) -> None:
    """Write a table as csv, latex (booktabs) or parquet; the file appears whole or not at all.

    Raises
    ------
    InvalidInput : an unknown form, a missing package, or the file cannot be written.

    >>> write_table(Table(("value",), iter([("1/3",)])), "csv", "/dev/null")
    """
    if form not in WRITERS:
        raise InvalidInput(f"there is no form {shown(form)}; the forms are {', '.join(WRITERS)}.")
    write(path, WRITERS[form](rows))


def to_pandas(rows: Table) -> pandas.DataFrame:
    """The table as a pandas DataFrame; rationals are text, `about` is a float.

    >>> to_pandas(table(store)).groupby("question").mean()  # doctest: +SKIP
    """
    import pandas

    return pandas.DataFrame(list(rows.rows), columns=list(rows.columns))


def to_polars(rows: Table) -> polars.DataFrame:
    """The table as a polars DataFrame; rationals are text, `about` is a float.

    >>> to_polars(table(store)).head()  # doctest: +SKIP
    """
    import polars

    return polars.DataFrame(_by_column(rows))


def _as_csv(rows: Table) -> bytes:
    content = io.StringIO()
    writer = csv.writer(content, lineterminator="\n")
    writer.writerow(rows.columns)
    writer.writerows(rows.rows)
    return content.getvalue().encode()


def _as_latex(rows: Table) -> bytes:
    """A tabular with the rules of booktabs, decimals to six digits; what all rows share is a comment."""
    shared, columns = for_people(list(rows.rows), rows.columns)
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
    return ("\n".join(lines) + "\n").encode()


def _latex_row(cells: Sequence[Any]) -> str:
    return " & ".join(_decimal(cell).translate(LATEX_SPECIAL) for cell in cells) + r" \\"


def for_people(rows: Sequence[tuple[Any, ...]], names: Sequence[str]) -> tuple[str, dict[str, list[Any]]]:
    """What several rows have in common, in words, and the columns in which they differ.

    >>> for_people([("uniform", 1, None), ("uniform", 2, None)], ("instance", "seed", "message"))
    ('instance = uniform', {'seed': [1, 2]})
    """
    columns = {name: [row[i] for row in rows] for i, name in enumerate(names) if name != "certificate"}
    filled = {name: cells for name, cells in columns.items() if any(cell is not None for cell in cells)}
    shared = [name for name, cells in filled.items() if len(cells) > 1 and len({*cells}) == 1]
    words = ", ".join(f"{name} = {filled[name][0]}" for name in shared)
    return words, {name: cells for name, cells in filled.items() if name not in shared} or filled


def _decimal(cell: Any) -> str:
    """A rational or a float to six digits; anything else as it is."""
    if isinstance(cell, str) and re.fullmatch(r"-?\d+/\d+", cell):
        cell = about(Fraction(cell))
    return f"{cell:.6g}" if isinstance(cell, float) else "" if cell is None else str(cell)


def _as_parquet(rows: Table) -> bytes:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise InvalidInput(
            "Parquet needs pyarrow, which is not installed: pip install 'tallyplan[tables]'."
        ) from None
    columns = _by_column(rows)
    content = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), content)
    return content.getvalue()


def _by_column(rows: Table) -> dict[str, list[Any]]:
    everything = list(rows.rows)
    return {name: _one_type([row[i] for row in everything]) for i, name in enumerate(rows.columns)}


def _one_type(column: list[Any]) -> list[Any]:
    """A column of one type; where a parameter is here a number and there a text, all of it is text."""
    kinds = {type(cell) for cell in column if cell is not None}
    return column if len(kinds) <= 1 else [None if cell is None else str(cell) for cell in column]


WRITERS = {"csv": _as_csv, "latex": _as_latex, "parquet": _as_parquet}
