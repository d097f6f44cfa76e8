"""Pictures of a study: the values of one question against a parameter, the median and a band over the rest.

Numbers are turned into floats here, for drawing only; quantiles are taken before, exactly.
"""

from __future__ import annotations

import os
from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING

from tallyplan.errors import InvalidInput, did_you_mean
from tallyplan.games.trials import LONGEST_DRAWN, median_confidence, quantile
from tallyplan.model.rationals import integer_from_text, shown
from tallyplan.pictures.regret import MIDDLE, Band, draw_line, quantile_band
from tallyplan.pictures.style import HUES, styled
from tallyplan.studies.store import Store
from tallyplan.studies.tables import Table, require_column, table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDE = 100  # an axis whose ends are this many times apart is logarithmic

BANDS: dict[str, Band] = {
    "quantiles": quantile_band,
    "confidence": lambda values: median_confidence(values) or (min(values), max(values)),
}

Points = dict[str, dict[int, list[Fraction]]]  # by line, by place


@styled
def draw_study(
    store: Store,
    path: str | os.PathLike[str] | None = None,
    *,
    question: str | None = None,
    x: str = "horizon",
    by: str | None = None,
    band: str = "quantiles",
) -> Figure:
    """The values of one question (upper ends, where they are intervals) against the column `x`.

    Parameters
    ----------
    question : which; it may be left out if only one has the column.
    by : a line per value of this column; by default the learner, where there is one.
    band : around the median, "quantiles", from 5% to 95% of the values, or "confidence", an interval that
        contains the median of their distribution with probability 95% (`median_confidence`; all values, where
        there are fewer than six).

    Raises
    ------
    InvalidInput : there is no such column or band, or nothing to draw.
    """
    if band not in BANDS:
        guess = did_you_mean(band, BANDS)
        raise InvalidInput(f"there is no band {shown(band)}{guess} The bands are {', '.join(BANDS)}.")
    from matplotlib.figure import Figure

    lines, asked = _points(table(store), question, x, by)
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    everywhere = sorted({place for values in lines.values() for place in values})
    if len(everywhere) == 1:
        _draw_one_place(axes, lines, everywhere[0], band)
    else:
        for number, (label, values) in enumerate(sorted(lines.items())):
            draw_line(axes, values, HUES[number % len(HUES)], label or asked, BANDS[band], marker=".")
        if everywhere[0] > 0 and everywhere[-1] > WIDE * everywhere[0]:
            axes.set_xscale("log")
            axes.set_yscale("symlog", linthresh=1)
        figure.legend(loc="outside lower center", ncols=3)
    axes.set_xlabel(x if len(everywhere) > 1 else f"{x} = {everywhere[0]}")
    axes.set_ylabel("regret" if asked == "play" else "value")
    return figure


def _draw_one_place(axes: Axes, lines: Points, place: int, band: str) -> None:
    """The medians side by side, with their bands as bars, where there is no axis to run along."""
    labels = sorted(lines)
    for number, label in enumerate(labels):
        values = lines[label][place]
        middle, (low, high) = float(quantile(values, MIDDLE)), map(float, BANDS[band](values))
        bar = [[middle - low], [high - middle]]
        axes.errorbar([number], [middle], yerr=bar, fmt="o", capsize=6, color=HUES[number % len(HUES)])
    axes.set_xticks(range(len(labels)), labels)
    axes.set_xlim(-0.5, len(labels) - 0.5)


def _points(rows: Table, question: str | None, x: str, by: str | None) -> tuple[Points, str]:
    """The values of a question by line and place, and the name of the question; see `draw_study`."""
    for name in (x, *([by] if by else [])):
        require_column(name, rows.columns)
    lines: Points = defaultdict(lambda: defaultdict(list))
    asked = set()
    for cells in rows.rows:
        row = dict(zip(rows.columns, cells, strict=True))
        found, label = row["value"] or row["upper"], row.get(by or "learner")
        if row[x] is not None and found is not None and question in (None, row["question"]):
            asked.add(row["question"])
            place = integer_from_text(row[x], x) if isinstance(row[x], str) else int(row[x])
            if max(Fraction(abs(place)), abs(Fraction(found))) > LONGEST_DRAWN:
                raise InvalidInput("a picture is for numbers of at most 10^300.")
            lines["" if label is None else str(label)][place].append(Fraction(found))
    if not asked:
        raise InvalidInput(f"there is nothing to draw: no result of the question has a {x}.")
    if len(asked) > 1:
        raise InvalidInput(f"several questions have a {x}; say which: {', '.join(sorted(asked))}.")
    return lines, asked.pop()
