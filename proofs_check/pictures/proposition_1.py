"""Proposition 1 in a picture: the regret of ALG_det on every {0,1} table, as histograms."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from proofs_check.computations.alg_det import regrets_of_alg_det
from proofs_check.computations.every_table import EveryTable
from tallyplan.formula import Formula
from tallyplan.pictures.style import HUES, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANELS = ((2, 3), (2, 6), (3, 2), (3, 4))  # (K, m)


@styled
def figure(stated: Formula, sharp: Formula, path: str | None = None) -> Figure:
    """One panel for each (K, m): how many tables have each regret, and the two bounds as lines."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(9, 6.2), layout="constrained")
    drawing.suptitle(r"Proposition 1: the regret of $\mathrm{ALG_{det}}$ on every {0,1} table, $T = mK + 2m$")
    panels = drawing.subplots(2, 2)
    for axes, (actions, memory) in zip(panels.flat, PANELS, strict=True):
        _panel(axes, actions, memory, stated, sharp)
    for axes in panels[-1]:
        axes.set_xlabel("complete policy regret")
    for axes in panels[:, 0]:
        axes.set_ylabel("number of tables")
    drawing.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return drawing


def histogram(actions: int, memory: int, horizon: int) -> Counter[int]:
    """How many {0,1} tables have each regret.

    >>> sorted(histogram(2, 1, 4).items())
    [(0, 2), (1, 2)]
    """
    [regrets] = regrets_of_alg_det(EveryTable(actions, memory), [horizon]).values()
    return Counter(int(regret) for regret in regrets)


def _panel(axes: Axes, actions: int, memory: int, stated: Formula, sharp: Formula) -> None:
    horizon = memory * actions + 2 * memory
    counts = histogram(actions, memory, horizon)
    axes.bar(list(counts), list(counts.values()), color=HUES[0], width=0.8)
    best, printed = sharp(K=actions, m=memory, T=horizon), stated(K=actions, m=memory)
    axes.axvline(float(best), color=HUES[1], label=f"sharp: {sharp}")
    axes.axvline(float(printed), color="black", linestyle="--", label=f"printed: {stated}")
    axes.set_yscale("log")
    axes.set_ylim(0.7, max(counts.values()) * 3)
    axes.set_title(f"K = {actions}, m = {memory}: {sum(counts.values()):,} tables", fontsize=10)
