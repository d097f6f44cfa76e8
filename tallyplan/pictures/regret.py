"""Pictures of regret on logarithmic axes, next to the bounds.

The regrets of many seeds are shown by their median and the band from the 5% to the 95% quantile. A bound is
drawn full where it is below T and says something, and dotted where it does not. SE-TB's bounds are theorems
at the horizons sqrt(T) = 4 K m (2^S - 1), which are ticked; between them the line is the formula. The regret
axis is logarithmic above 1 and linear below, so that a regret of 0 has its place. Numbers are turned into
floats here, for drawing only.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from tallyplan.errors import InvalidInput
from tallyplan.games.bounds import TRIVIAL, Bound, Setting, bounds_to_show
from tallyplan.games.trials import LONGEST_DRAWN, Summary, Trial, quantile
from tallyplan.pictures.files import HUES, picture_format, write_picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LOW, MIDDLE, HIGH = Fraction(5, 100), Fraction(1, 2), Fraction(95, 100)
POINTS = 200  # of a bound's line
INK = "#7F7F7F"
BOUND_HUES = ("#000000", "#8C6D1F")
LEARNER_HUES = tuple(hue for hue in HUES if hue not in (*BOUND_HUES, INK))
MARKERS = ".sv^D*"


@dataclass(frozen=True)
class Curve:
    """The regrets of one learner: at each place of the horizontal axis those of all its games."""

    trial: Trial
    places: Sequence[int]
    regrets: Sequence[Sequence[Fraction]]

    def quantiles(self, share: Fraction) -> list[float]:
        """A quantile at every place, for drawing."""
        return [float(quantile(values, share)) for values in self.regrets]


def draw_regret_over_time(summaries: Sequence[Summary], path: str | os.PathLike[str] | None = None) -> Figure:
    """The regret of the first t steps against t, for one horizon; one summary for each learner.

    The bounds are those of the whole game: they hold at t = T, and are drawn as levels; the trivial bound is
    t.

    Parameters
    ----------
    summaries : games played with `times`, see `tallyplan.games.trials.play_repeatedly`.
    path : where to write the picture, .svg or .png; None returns the figure only.

    Raises
    ------
    InvalidInput : no games, games played without `times`, or a suffix that is neither.
    """
    if not summaries or not all(summary.times for summary in summaries):
        raise InvalidInput("there are no games with times; there is no regret over time to draw.")
    curves = [
        Curve(summary.trial, summary.times, [summary.regrets_at(i) for i in range(len(summary.times))])
        for summary in summaries
    ]
    figure, axes = _canvas(path, "step t", summaries)
    places = _places(curves)
    settings = [summaries[0].setting] * len(places)
    _fill(axes, curves, places, settings, algorithms=[summary.trial.algorithm for summary in summaries])
    return _finish(figure, axes, path)


def draw_regret_by_horizon(
    summaries: Sequence[Summary], path: str | os.PathLike[str] | None = None
) -> Figure:
    """The regret of whole games against their horizon T; a line for each learner.

    Raises
    ------
    InvalidInput : there is no game, or the suffix of the path is neither .svg nor .png.
    """
    played = [summary for summary in summaries if summary.trial.horizon > 0]
    if not played:
        raise InvalidInput("there is no game with steps to draw.")
    if max(summary.trial.horizon for summary in played) > LONGEST_DRAWN:
        raise InvalidInput("a picture is for at most 10^300 steps.")
    ordered = sorted(played, key=lambda summary: summary.trial.horizon)
    groups: dict[str, list[Summary]] = {summary.trial.algorithm: [] for summary in played}
    for summary in ordered:
        groups[summary.trial.algorithm].append(summary)
    curves = [
        Curve(group[0].trial, [s.trial.horizon for s in group], [s.regrets for s in group])
        for group in groups.values()
    ]
    figure, axes = _canvas(path, "horizon T", played)
    places = _places(curves)
    settings = [replace(played[0].setting, horizon=T) for T in places]
    _fill(axes, curves, places, settings, algorithms=list(groups))
    if len(groups) > 1 or "alg-det" not in groups:
        _tick_proved(axes, settings, list(groups))
    return _finish(figure, axes, path)


def _canvas(
    path: str | os.PathLike[str] | None, label: str, summaries: Sequence[Summary]
) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    if path is not None:
        picture_format(path)
    figure = Figure(figsize=(7.2, 4.9), layout="constrained")
    axes = figure.add_subplot()
    bandit, games = summaries[0].bandit, len(summaries[0].losses)
    name = f"{bandit.name}: " if bandit.name and len(bandit.name) <= 60 else ""
    counted = "one game" if games == 1 else f"median and 5% to 95% of {games} games"
    axes.set_title(f"{name}K = {bandit.actions}, m = {bandit.memory}\n{counted}", fontsize=10)
    axes.set_xlabel(label)
    axes.set_ylabel("complete policy regret")
    return figure, axes


def _places(curves: Sequence[Curve]) -> list[int]:
    """Where the bounds are evaluated: evenly spread between the first and the last place of the curves."""
    ends = [place for curve in curves for place in curve.places]
    return sorted({round(place) for place in np.geomspace(min(ends), max(ends), POINTS)})


def _fill(
    axes: Axes,
    curves: Sequence[Curve],
    places: Sequence[int],
    settings: Sequence[Setting],
    algorithms: Sequence[str],
) -> None:
    for i, curve in enumerate(curves):
        _draw_curve(axes, curve, LEARNER_HUES[i % len(LEARNER_HUES)], MARKERS[i % len(MARKERS)])
    for hue, bound in zip(BOUND_HUES, _shown(algorithms), strict=True):
        _draw_bound(axes, bound, places, settings, hue)
    axes.plot(places, places, color=INK, linestyle="--", label="trivial bound", gid="bound-trivial")
    axes.plot([], [], color=INK, linestyle=":", linewidth=1, label="dotted: above T, says nothing")


def _shown(algorithms: Sequence[str]) -> list[Bound]:
    """The bounds of a picture: those of its learner, or the yardsticks if there are several."""
    bounds = bounds_to_show(algorithms[0] if len(set(algorithms)) == 1 else "")
    return [bound for bound in bounds if bound is not TRIVIAL]


def _draw_curve(axes: Axes, curve: Curve, hue: str, marker: str) -> None:
    trial, size = curve.trial, 3 if marker != "." else 6
    label = f"{trial.algorithm}, {trial.feedback_name}"
    middle = curve.quantiles(MIDDLE)
    axes.plot(
        curve.places,
        middle,
        color=hue,
        marker=marker,
        markersize=size,
        label=label,
        gid=f"regret-{trial.algorithm}",
    )
    if len(curve.regrets[0]) > 1:
        low, high = curve.quantiles(LOW), curve.quantiles(HIGH)
        axes.fill_between(curve.places, low, high, color=hue, alpha=0.2, linewidth=0)


def _draw_bound(
    axes: Axes, bound: Bound, places: Sequence[int], settings: Sequence[Setting], hue: str
) -> None:
    """One bound, full where it is below T and dotted where it is not; ALG_det's only where it is proved."""
    values = np.array([float(bound(setting)) for setting in settings])
    says = np.array([bool(bound(setting) < setting.horizon) for setting in settings])
    values[~(values > 0)] = np.nan  # undefined or negative for short horizons
    if bound.of == "alg-det":
        values[[not bound.proved(setting) for setting in settings]] = np.nan
    name = f"{bound.name} (SE-TB)" if bound.of == "se-tb" else bound.name
    axes.plot(places, np.where(says, values, np.nan), color=hue, gid=f"bound-{bound.name}", label=name)
    axes.plot(places, np.where(says, np.nan, values), color=hue, linestyle=":", linewidth=1)


def _tick_proved(axes: Axes, settings: Sequence[Setting], algorithms: Sequence[str]) -> None:
    """Mark SE-TB's bounds where they are theorems."""
    for hue, bound in zip(BOUND_HUES, _shown(algorithms), strict=True):
        proved = _se_tb_settings(settings[0], settings[-1])
        places, values = [s.horizon for s in proved], [float(bound(s)) for s in proved]
        axes.plot(places, values, color=hue, linestyle="", marker="|", gid=f"proved-{bound.name}")
    axes.plot([], [], color=INK, linestyle="", marker="|", label="ticked: proved at this T")


def _se_tb_settings(first: Setting, last: Setting) -> list[Setting]:
    """Between the first and the last horizon: where SE-TB has whole epochs, sqrt(T) = 4 K m (2^S - 1)."""
    unit = 4 * first.actions * first.memory
    epochs = range(1, (math.isqrt(last.horizon) // unit + 1).bit_length())
    whole = [replace(first, horizon=(unit * (2**S - 1)) ** 2) for S in epochs]
    return [setting for setting in whole if first.horizon <= setting.horizon <= last.horizon]


def _finish(figure: Figure, axes: Axes, path: str | os.PathLike[str] | None) -> Figure:
    axes.set_xscale("log")
    axes.set_yscale("symlog", linthresh=1)
    axes.set_ylim(bottom=-0.15)
    axes.grid(True, which="major", color="#DDDDDD", linewidth=0.6)
    axes.set_axisbelow(True)
    figure.legend(loc="outside lower center", fontsize=8, ncols=3, frameon=False)
    if path is not None:
        write_picture(path, figure)
    return figure
