"""Lemma 3 in a picture: the largest gap over all {0,1} tables, divided by sqrt(T), against sqrt(T)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs_check.computations.cyclic_gap import Case, gap_of, largest_gaps, rested
from proofs_check.examining import Request
from tallyplan.formula import Formula
from tallyplan.pictures.style import HUES, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANELS = {2: (2, 3), 3: (2, 3), 4: (2,), 5: (2,)}  # for each m, the numbers of actions
PERIODS = range(1, 21)
RESTED = {4: range(3, 21)}  # for each m, periods for the table that attains the bound


@styled
def figure(stated: Formula, sharp: Formula, path: str | None = None) -> Figure:
    """One panel for each m: the worst ratio for several K, the printed and the sharp bound as lines.

    Where all tables with K = m are too many, one of them is shown: h(1) = 0 and h(y) = 1 for y >= 2.
    """
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(9, 6.2), layout="constrained")
    drawing.suptitle("Lemma 3: the worst gap of the best cyclic policy, over every {0,1} table")
    panels = drawing.subplots(2, 2, sharex=True)
    for axes, (memory, numbers) in zip(panels.flat, PANELS.items(), strict=True):
        _panel(axes, memory, numbers, stated, sharp)
    for axes in panels[-1]:
        axes.set_xlabel(r"$L = \sqrt{T}$")
    for axes in panels[:, 0]:
        axes.set_ylabel(r"$(T \mu(\pi^*) - \mathrm{OPT}_T)\,/\,\sqrt{T}$")
    return drawing


def _panel(axes: Axes, memory: int, numbers: tuple[int, ...], stated: Formula, sharp: Formula) -> None:
    for bound, style, name in ((stated, "--", "printed"), (sharp, "-", "sharp")):
        level = float(bound(m=memory, T=1))
        axes.axhline(level, color="black", linestyle=style, linewidth=1, label=f"{name}: {bound}")
    for number, hue, marker in zip(numbers, HUES, (("o", 7), ("s", 4)), strict=False):
        _curve(axes, largest_gaps(number, memory, PERIODS, Request()), f"K = {number}", hue, marker)
    if memory in RESTED:
        cases = [gap_of(rested(memory, memory), period) for period in RESTED[memory]]
        _curve(axes, cases, f"K = {memory}, one table", HUES[2], ("^", 4))
    axes.set_title(f"m = {memory}", fontsize=10)
    axes.set_xticks(range(0, PERIODS[-1] + 1, 5))
    axes.set_ylim(-0.3, float(stated(m=memory, T=1)) * 1.45)
    axes.legend(fontsize=8, loc="upper right", ncols=2, framealpha=1)


def _curve(axes: Axes, cases: list[Case], name: str, hue: str, marker: tuple[str, int]) -> None:
    ratios = [float(case.gap / case.period) for case in cases]
    shape, size = marker
    periods = [case.period for case in cases]
    axes.plot(periods, ratios, color=hue, marker=shape, markersize=size, linewidth=1, label=name)
