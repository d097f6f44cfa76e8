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
from tallyplan.pictures.style import HUES, INK, MARKERS, styled

Points = list[tuple[int, float]]  # (states, value), ascending

LINES = (  # each has a hue, a marker and, where hues would repeat, dashes of its own
    "tallyplan",
    "lemon-howard",
    "boost-howard",
    "lemon-hartmann-orlin",
    "lemon-karp",
    "highs",
    "rustworkx",
    "networkx",
    "storm",
)
OURS = "#B2182B"
MEASURABLE = 2**20  # bytes; below, the pages of the process decide, not the solver


def series(records: Sequence[Record], measure: Callable[[Record], float]) -> dict[str, Points]:
    """solver -> its points, the solvers without any left out."""
    lines = {}
    for name in LINES:
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


@styled
def draw(records: Sequence[Record], path: Path) -> Figure:
    """Two panels, log-log, one line for each solver; the picture is written to `path`."""
    figure = Figure(figsize=(12, 7), layout="constrained")
    left, right = figure.subplots(1, 2)
    times, sizes, ended = series(records, seconds), series(records, megabytes), endings(records)
    panel(left, times, "seconds to solve", ended)
    panel(right, sizes, "peak memory, MB beyond the idle process", ended)
    title = "Minimum mean cycle of a tallying bandit: two arms, uniform losses, one core"
    figure.suptitle(title, fontsize=13)
    name_lines(figure, times, sizes, ended)
    return figure


def endings(records: Sequence[Record]) -> dict[str, str]:
    """solver -> why it solved nothing larger, in a word or two; those that reached the end are left out."""
    found = {}
    for name in LINES:
        failed = [
            r for r in records if (r["question"], r["solver"]) == ("growth", name) and r["status"] != "ok"
        ]
        if failed:
            found[name] = reason(min(failed, key=lambda record: int(record["states"]))["status"])
    return found


def reason(status: str) -> str:
    """Why a run failed, from its status.

    >>> reason("time limit"), reason("networkx.exception.NetworkXError: Negative cycle is detected")
    ('time limit', 'NetworkXError')
    """
    return status.split(":")[0].split(".")[-1]


def style(name: str) -> dict[str, Any]:
    """Hue, marker and dashes: each line differs from the others in two of them at least."""
    if name == "tallyplan":
        return {"color": OURS, "linewidth": 3.0, "marker": "o", "markersize": 6, "zorder": 4}
    number = LINES.index(name) - 1
    return {
        "color": HUES[number],
        "linewidth": 1.5,
        "linestyle": ("-", "--", "-.")[number % 3],
        "marker": MARKERS[1:][number % (len(MARKERS) - 1)],
        "markersize": 4.5,
        "zorder": 2,
    }


def panel(axis: Axes, lines: dict[str, Points], title: str, ended: dict[str, str]) -> None:
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlabel("states, $n = 2^{m-1}$", fontsize=11)
    axis.set_title(title)
    axis.grid(True)
    for name, points in lines.items():
        axis.plot(*zip(*points, strict=True), **style(name))
        if name in ended:
            cross = {"marker": "x", "markersize": 10, "markeredgewidth": 2.2, "zorder": 3}
            axis.plot(*points[-1], **(style(name) | cross))
            said = axis.annotate(ended[name], points[-1], (4, 6), textcoords="offset points", fontsize=8)
            said.set(rotation=35, rotation_mode="anchor")
    axis.margins(y=0.12)


def name_lines(
    figure: Figure, times: dict[str, Points], sizes: dict[str, Points], ended: dict[str, str]
) -> None:
    """One legend for both panels, the fastest first, with the exponents of the growth and what ended each."""
    order = sorted(times, key=lambda name: (-times[name][-1][0], times[name][-1][1]))
    handles = [Line2D([], [], label=_label(name, times, sizes, ended), **style(name)) for name in order]
    cross = "the last size solved; what stopped the next is written at the cross"
    handles.append(Line2D([], [], linestyle="none", marker="x", markersize=8, color=INK, label=cross))
    figure.legend(handles=handles, loc="outside lower center", ncols=2, fontsize=10, handlelength=3.2)


def _label(name: str, times: dict[str, Points], sizes: dict[str, Points], ended: dict[str, str]) -> str:
    slopes = [("time", exponent(times[name])), ("memory", exponent(sizes.get(name, [])))]
    words = [f"{what} $n^{{{slope}}}$" for what, slope in slopes if slope != "-"]
    words += [f"ended by {ended[name]}"] if name in ended else []
    return SOLVERS[name].label + (f": {', '.join(words)}" if words else "")
