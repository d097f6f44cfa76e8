"""Best constants as a heat map, by size and horizon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from proofs_check.worst_case.claims import BestConstant, constant
from proofs_check.worst_case.table import box
from tallyplan.pictures.heat_map import draw_heat_map

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_constants(rows: Sequence[BestConstant], path: str | None = None) -> Figure:
    """Rows are sizes K and m; columns are periods, if every horizon is the square of its period."""
    squares = all(row.asked.period and row.asked.period**2 == row.asked.horizon for row in rows)
    values = {}
    for row in rows:
        T, L = row.asked.horizon, row.asked.period
        column = str(L) if squares else str(T) if L is None else f"{T}, L={L}"
        values[f"K={row.asked.actions}, m={row.asked.memory}", column] = row.value
    columns = "period L, horizon T = L²" if squares else "horizon T"
    title = f"{rows[0].asked.claim}: exact constants"
    return draw_heat_map(values, path, title=title, rows="size", columns=columns)


def draw_box(claim: str, path: str | None = None) -> Figure:
    """The constants of a claim over all tables of two and three actions, memory 2 and 3."""
    return draw_constants([constant(one) for one in box(claim, [2, 3], [2, 3])], path)
