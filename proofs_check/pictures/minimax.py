"""The minimax regret by horizon, between the paper's lower and upper bound."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from tallyplan.pictures.style import HUES, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Point = tuple[int, Fraction, Fraction, Fraction]
"""Horizon, lower bound, upper bound, regret of the best deterministic learner."""


@styled
def draw_minimax(
    points: Sequence[Point], path: str | os.PathLike[str], *, actions: int, memory: int, grid: int
) -> Figure:
    """Write a picture of the minimax regret by horizon; an interval is drawn as a bar."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.subplots()
    horizons = [T for T, *_ in points]
    lowest, highest = [float(low) for _, low, _, _ in points], [float(high) for _, _, high, _ in points]
    axes.axhline(memory * actions - 1, color=HUES[4], lw=1, ls=":", label="mK - 1")
    pure = [float(worst) for *_, worst in points]
    axes.step(horizons, pure, where="mid", color=HUES[2], lw=1, label="deterministic learners")
    axes.axhline(memory * (actions - 1) / 2, color=HUES[1], lw=1, ls="--", label="m(K - 1)/2")
    axes.plot(horizons, highest, "o-", color=HUES[0], ms=4, lw=1, label="minimax")
    axes.vlines(horizons, lowest, highest, color=HUES[0], lw=4, alpha=0.4)
    axes.set_xlabel("horizon T")
    axes.set_ylabel("regret")
    losses = "0 and 1" if grid == 1 else f"in multiples of 1/{grid}"
    axes.set_title(f"K = {actions}, m = {memory}, losses {losses}", loc="left", fontsize=11)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylim(bottom=0)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside lower center", ncols=4, frameon=False)
    return figure
