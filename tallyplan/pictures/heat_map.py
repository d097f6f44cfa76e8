"""A heat map of exact numbers: the colour is the number, and the cell says it exactly."""

from __future__ import annotations

import os
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from tallyplan.errors import InvalidInput
from tallyplan.model.instance import Bandit, TallyingBandit
from tallyplan.pictures.style import SHADES, first_line, inches, short, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MANY_COLUMNS = 8  # from which on the cells are smaller, with decimals
MOST_CELLS = 400
DARK_SHARE = 0.6  # share of the range above which the text is white


@styled
def draw_heat_map(
    values: Mapping[tuple[str, str], Fraction],
    path: str | os.PathLike[str] | None = None,
    *,
    title: str,
    rows: str,
    columns: str,
) -> Figure:
    """Draw values by row and column label, in the order in which the labels first occur.

    Parameters
    ----------
    values : the numbers by (row, column); cells without one stay empty.
    path : where to write the picture (.svg, .png or .pdf), if anywhere.
    title, rows, columns : what the picture, its rows and its columns are.

    Examples
    --------
    >>> figure = draw_heat_map({("a", "1"): Fraction(1, 2)}, title="t", rows="r", columns="c")
    >>> [label.get_text() for label in figure.axes[0].texts]
    ['1/2']
    """
    from matplotlib.figure import Figure

    row_labels = list(dict.fromkeys(row for row, _ in values))
    column_labels = list(dict.fromkeys(column for _, column in values))
    many = len(column_labels) > MANY_COLUMNS
    wide, high = (0.58, 0.36) if many else (0.8, 0.6)
    size = (max(2.1 + wide * len(column_labels), inches(title)), 1.5 + high * len(row_labels))
    figure = Figure(figsize=size, layout="tight")
    axes = figure.add_subplot()
    grid = [[float(values.get((row, column), "nan")) for column in column_labels] for row in row_labels]
    shades = axes.imshow(grid, cmap=SHADES, aspect="auto")
    figure.colorbar(shades, ax=axes)
    axes.set_xticks(range(len(column_labels)), column_labels)
    axes.set_yticks(range(len(row_labels)), row_labels)
    axes.set(title=title, xlabel=columns, ylabel=rows)
    least, most = min(values.values()), max(values.values())
    for (row, column), value in values.items():
        dark = most > least and (value - least) / (most - least) > DARK_SHARE
        axes.text(
            column_labels.index(column),
            row_labels.index(row),
            short(value, 5 if many else 9),
            ha="center",
            va="center",
            color="white" if dark else "black",
            fontsize=9 if many else 10,
        )
    return figure


def draw_losses(
    bandit: Bandit, path: str | os.PathLike[str] | None = None, *, title: str | None = None
) -> Figure:
    """The loss table h_x(y) of a tallying bandit as a heat map: a row for each arm, a column for each tally.

    Raises
    ------
    InvalidInput : the bandit is not a tallying bandit, or the table has more than 400 entries.

    Examples
    --------
    >>> figure = draw_losses(TallyingBandit([["0", "1/3"]]))
    >>> [label.get_text() for label in figure.axes[0].texts]
    ['0', '1/3']
    """
    if not isinstance(bandit, TallyingBandit):
        raise InvalidInput("this bandit has no table h_x(y) of tallies to draw.")
    if bandit.actions * bandit.memory > MOST_CELLS:
        raise InvalidInput(
            f"the table has {bandit.actions * bandit.memory} entries; a picture shows at most {MOST_CELLS}."
        )
    cells = {(str(x), str(y)): h for x, row in enumerate(bandit.losses) for y, h in enumerate(row, 1)}
    return draw_heat_map(cells, path, title=first_line(bandit, title), rows="arm x", columns="tally y")
