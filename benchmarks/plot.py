"""Time and memory against the number of states, log-log, one line a solver."""

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
from matplotlib.lines import Line2D
from numbers_of import exponent, peak_beyond
from solvers import SOLVERS

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
NOISE = 2**19  # bytes below which pages of the process decide, not the solver
ENDED = "ends here: time, memory or an error"


def series(records, measure):
    """solver -> sorted [(states, value)]."""
    lines = {}
    for name in COLOURS:
        chosen = [
            r for r in records if r["question"] == "growth" and r["solver"] == name and r["status"] == "ok"
        ]
        points = sorted((r["states"], measure(r)) for r in chosen if measure(r))
        if points:
            lines[name] = points
    return lines


def megabytes(record):
    used = peak_beyond(record)
    return used / 1e6 if used >= NOISE else None


def draw(records, path):
    plt.rcParams.update({"svg.hashsalt": "race", "svg.fonttype": "none", "font.size": 10})
    figure, axes = plt.subplots(1, 2, figsize=(12, 6))
    times, sizes = series(records, lambda r: r["seconds"]), series(records, megabytes)
    last = max((points[-1][0] for points in times.values()), default=1)
    panel(axes[0], times, "seconds to solve", last)
    panel(axes[1], sizes, "peak memory, MB beyond the idle process", last)
    figure.suptitle(
        "Minimum mean cycle of a tallying bandit: two arms, uniform losses, one core", fontsize=12
    )
    name_lines(figure, times, sizes)
    figure.tight_layout(rect=(0, 0.16, 1, 1), w_pad=2.5)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    plt.close(figure)


def style(name):
    ours = name == "tallyplan"
    return {
        "color": COLOURS[name],
        "linewidth": 2.8 if ours else 1.4,
        "marker": "o",
        "markersize": 4.5 if ours else 2.5,
        "zorder": 4 if ours else 2,
    }


def panel(axis, lines, title, last):
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlabel("states, $n = 2^{m-1}$")
    axis.set_title(title, loc="left", fontsize=10)
    axis.grid(True, which="major", color="#dddddd", linewidth=0.7)
    axis.spines[["top", "right"]].set_visible(False)
    for name, points in lines.items():
        axis.plot(*zip(*points, strict=True), **style(name))
        if points[-1][0] < last:
            axis.plot(
                *points[-1], marker="x", markersize=8, markeredgewidth=1.8, color=COLOURS[name], zorder=3
            )


def name_lines(figure, times, sizes):
    """One legend for both panels, the fastest first, with the exponents of the growth."""
    order = sorted(times, key=lambda name: (-times[name][-1][0], times[name][-1][1]))
    handles = [Line2D([], [], label=_label(name, times, sizes), **style(name)) for name in order]
    handles.append(Line2D([], [], linestyle="none", marker="x", color="#555555", label=ENDED))
    figure.legend(handles=handles, loc="lower center", ncols=3, frameon=False, fontsize=8.5, handlelength=1.8)


def _label(name, times, sizes):
    slopes = [("time", exponent(times[name])), ("memory", exponent(sizes.get(name, [])))]
    words = ", ".join(f"{what} $n^{{{slope}}}$" for what, slope in slopes if slope != "-")
    return SOLVERS[name].label + (f": {words}" if words else "")
