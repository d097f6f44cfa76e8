"""Time and memory against the number of states: the exponent of the growth, and the picture."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import linear_regression
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from benchmarks.race.participants import SOLVERS
from benchmarks.race.records import Record, peak_beyond, select
from tallyplan.pictures import write_picture

Points = list[tuple[int, float]]  # (states, value), ascending

COLOURS = {
    "tallyplan": "#c1272d",
    "lemon-howard": "#1f4e79",
    "boost-howard": "#3d85c6",
    "lemon-hartmann-orlin": "#7fb3e0",
    "lemon-karp": "#8e7cc3",
    "highs": "#6aa84f",
    "rustworkx": "#b45f06",
    "networkx": "#e69138",
    "storm": "#7f7f7f",
}
MEASURABLE = 2**20  # bytes; below, the pages of the process decide, not the solver
ENDED = "ends here: time, memory or an error"


def series(records: Sequence[Record], measure: Callable[[Record], float]) -> dict[str, Points]:
    """solver -> its points, the solvers without any left out."""
    lines = {}
    for name in COLOURS:
        chosen = select(records, "growth", name, status="ok")
        lines[name] = sorted((r["states"], measure(r)) for r in chosen if measure(r))
    return {name: points for name, points in lines.items() if points}


def seconds(record: Record) -> float:
    return float(record["seconds"])


def megabytes(record: Record) -> float:
    used = peak_beyond(record)
    return used / 1e6 if used >= MEASURABLE else 0


def exponent(points: Points) -> str:
    """The least-squares slope of log y against log n over the upper half of the range of log n.

    The lower half is left out for all alike: constant costs of a call decide there. '-': too few points.
    """
    if not points:
        return "-"
    middle = math.sqrt(points[0][0] * points[-1][0])
    logs = [(math.log(n), math.log(y)) for n, y in points if n >= middle]
    return f"{linear_regression(*zip(*logs, strict=True)).slope:.2f}" if len(logs) >= 3 else "-"


def draw(records: Sequence[Record], path: Path) -> None:
    """Two panels, log-log, one line for each solver; the picture is written to `path`."""
    figure = Figure(figsize=(12, 6))
    left, right = figure.subplots(1, 2)
    times, sizes = series(records, seconds), series(records, megabytes)
    last = max((points[-1][0] for points in times.values()), default=1)
    panel(left, times, "seconds to solve", last)
    panel(right, sizes, "peak memory, MB beyond the idle process", last)
    figure.suptitle(
        "Minimum mean cycle of a tallying bandit: two arms, uniform losses, one core", fontsize=12
    )
    name_lines(figure, times, sizes)
    figure.tight_layout(rect=(0, 0.16, 1, 1), w_pad=2.5)
    write_picture(path, figure)


def style(name: str) -> dict[str, Any]:
    ours = name == "tallyplan"
    return {
        "color": COLOURS[name],
        "linewidth": 2.8 if ours else 1.4,
        "marker": "o",
        "markersize": 4.5 if ours else 2.5,
        "zorder": 4 if ours else 2,
    }


def panel(axis: Axes, lines: dict[str, Points], title: str, last: int) -> None:
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlabel("states, $n = 2^{m-1}$")
    axis.set_title(title, loc="left", fontsize=10)
    axis.grid(True, which="major", color="#dddddd", linewidth=0.7)
    axis.spines[["top", "right"]].set_visible(False)
    for name, points in lines.items():
        axis.plot(*zip(*points, strict=True), **style(name))
        if points[-1][0] < last:
            cross = {"marker": "x", "markersize": 8, "markeredgewidth": 1.8, "zorder": 3}
            axis.plot(*points[-1], **(style(name) | cross))


def name_lines(figure: Figure, times: dict[str, Points], sizes: dict[str, Points]) -> None:
    """One legend for both panels, the fastest first, with the exponents of the growth."""
    order = sorted(times, key=lambda name: (-times[name][-1][0], times[name][-1][1]))
    handles = [Line2D([], [], label=_label(name, times, sizes), **style(name)) for name in order]
    handles.append(Line2D([], [], linestyle="none", marker="x", color="#555555", label=ENDED))
    figure.legend(handles=handles, loc="lower center", ncols=3, frameon=False, fontsize=8.5, handlelength=1.8)


def _label(name: str, times: dict[str, Points], sizes: dict[str, Points]) -> str:
    slopes = [("time", exponent(times[name])), ("memory", exponent(sizes.get(name, [])))]
    words = ", ".join(f"{what} $n^{{{slope}}}$" for what, slope in slopes if slope != "-")
    return SOLVERS[name].label + (f": {words}" if words else "")
