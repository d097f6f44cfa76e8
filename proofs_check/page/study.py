"""A study of the user's own, for the report: how far it is, its first rows, and charts by horizon."""

from __future__ import annotations

from typing import Any

from tallyplan.errors import InvalidInput
from tallyplan.model.files import AnyPath
from tallyplan.pictures.studies import draw_study
from tallyplan.pictures.style import shortened
from tallyplan.studies.store import Store
from tallyplan.studies.tables import table

MOST_ROWS = 200
LONGEST_CELL = 60


def shown_study(path: AnyPath) -> dict[str, Any]:
    """What the page shows of a study, by the names in the template."""
    with Store(path) as store:
        counts = [(question, status or "open", count) for question, status, count, _ in store.counts()]
        first = table(store, limit=MOST_ROWS)
        cells = ([entry if entry is None else str(entry) for entry in row] for row in first.rows)
        rows = [[shortened(cell or "", LONGEST_CELL) for cell in row] for row in cells]
        used = [i for i in range(len(first.columns)) if any(row[i] for row in rows)]
        questions = sorted({question for question, _, _ in counts})
        drawn = [picture for question in questions for picture in _pictures(store, question)]
    return {
        "path": str(path),
        "counts": counts,
        "columns": [first.columns[i] for i in used],
        "rows": [[row[i] for i in used] for row in rows],
        "left_out": sum(count for *_, count in counts) - len(rows),
        "pictures": drawn,
    }


def _pictures(store: Store, question: str) -> list[tuple[str, Any]]:
    """The values by horizon, for a question that has one."""
    try:
        figure = draw_study(store, question=question)
    except InvalidInput:  # no horizon, or numbers that are too large
        return []
    return [(f"{question}: median {'regret' if question == 'play' else 'value'} by horizon", figure)]
