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
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from tallyplan.errors import InvalidInput
from tallyplan.learners.bounds import TRIVIAL, Bound, Setting, bounds_to_show
from tallyplan.plots.files import HUES, picture_format, write_picture
from tallyplan.repeats import Summary, quantile

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LOW, MIDDLE, HIGH = Fraction(5, 100), Fraction(1, 2), Fraction(95, 100)
POINTS = 200  # of a bound's line


@dataclass(frozen=True)
class Band:
    """The quantiles of the regrets at one point of the horizontal axis."""

    at: int
    regrets: Sequence[Fraction]

    def value(self, share: Fraction) -> float:
        """A quantile, for drawing."""
        return float(quantile(self.regrets, share))


def draw_regret_over_time(summary: Summary, path: str | os.PathLike[str] | None = None) -> Figure:
    """The regret of the first t steps against t, for one horizon.

    The bounds are those of the whole game: they hold at t = T, and are drawn as levels; the trivial bound is
    t.

    Parameters
    ----------
    summary : games played with `times`, see `tallyplan.repeats.play_repeatedly`.
    path : where to write the picture, .svg or .png; None returns the figure only.

    Raises
    ------
    InvalidInput : the games were played without `times`, or the suffix is neither.
    """
    if not summary.times:
        raise InvalidInput("these games were played without times; there is no regret over time to draw.")
    bands = [Band(t, summary.regrets_at(i)) for i, t in enumerate(summary.times)]
    horizon = summary.trial.horizon
    return _draw([summary], bands, "step t", lambda t: replace(summary.setting, horizon=horizon), path)


def draw_regret_by_horizon(
    summaries: Sequence[Summary], path: str | os.PathLike[str] | None = None
) -> Figure:
    """The regret of whole games against their horizon T, for several horizons of one learner.

    Raises
    ------
    InvalidInput : there is no game, or the suffix of the path is neither .svg nor .png.
    """
    if not summaries:
        raise InvalidInput("there is no game to draw.")
    ordered = sorted(summaries, key=lambda summary: summary.trial.horizon)
    bands = [Band(summary.trial.horizon, summary.regrets) for summary in ordered if summary.trial.horizon > 0]
    setting = ordered[0].setting
    return _draw(ordered, bands, "horizon T", lambda horizon: replace(setting, horizon=horizon), path)


def _draw(
    summaries: Sequence[Summary],
    bands: Sequence[Band],
    label: str,
    setting_at: Callable[[int], Setting],
    path: str | os.PathLike[str] | None,
) -> Figure:
    from matplotlib.figure import Figure

    if path is not None:
        picture_format(path)
    figure = Figure(figsize=(7.2, 4.6), layout="constrained")
    axes = figure.add_subplot()
    _regret(axes, bands, summaries[0])
    for hue, bound in zip(HUES[1:], bounds_to_show(summaries[0].trial.algorithm), strict=False):
        _bound(axes, bound, bands, setting_at, hue)
    _furnish(figure, axes, label, summaries[0])
    if path is not None:
        write_picture(path, figure)
    return figure


def _regret(axes: Axes, bands: Sequence[Band], summary: Summary) -> None:
    times = [band.at for band in bands]
    games = len(summary.losses)
    middle = "regret" if games == 1 else f"median regret of {games} games"
    axes.plot(
        times, [band.value(MIDDLE) for band in bands], color=HUES[0], marker=".", label=middle, gid="regret"
    )
    if games > 1:
        low, high = ([band.value(share) for band in bands] for share in (LOW, HIGH))
        axes.fill_between(
            times, low, high, color=HUES[0], alpha=0.2, linewidth=0, label="5% to 95%", gid="band"
        )


def _bound(
    axes: Axes, bound: Bound, bands: Sequence[Band], setting_at: Callable[[int], Setting], hue: str
) -> None:
    """One bound, full where it is below T and dotted where it is not."""
    places = sorted({round(t) for t in np.geomspace(bands[0].at, bands[-1].at, POINTS)})
    if bound is TRIVIAL:
        axes.plot(
            places, places, color="#7F7F7F", linestyle="--", label="trivial bound T", gid="bound-trivial"
        )
        return
    settings = [setting_at(t) for t in places]
    values = np.array([float(bound(setting)) for setting in settings])
    says = np.array([bool(bound(setting) < setting.horizon) for setting in settings])
    values[~(values > 0)] = np.nan  # undefined or negative for short horizons
    if bound.of == "alg-det":
        values[[not bound.proved(setting) for setting in settings]] = np.nan
    name = bound.name if bound.of == "alg-det" else f"{bound.name} (SE-TB)"
    axes.plot(places, np.where(says, values, np.nan), color=hue, gid=f"bound-{bound.name}", label=name)
    axes.plot(places, np.where(says, np.nan, values), color=hue, linestyle=":", linewidth=1)
    proved = [s for s in _se_tb_settings(settings) if bound.of == "se-tb"]
    axes.plot(
        [s.horizon for s in proved],
        [float(bound(s)) for s in proved],
        color=hue,
        linestyle="",
        marker="|",
        gid=f"proved-{bound.name}",
    )


def _se_tb_settings(settings: Sequence[Setting]) -> list[Setting]:
    """Between the first and the last: where SE-TB has whole epochs, sqrt(T) = 4 K m (2^S - 1)."""
    first, last = settings[0], settings[-1]
    unit = 4 * first.actions * first.memory
    epochs = range(1, (math.isqrt(last.horizon) // unit + 1).bit_length())
    whole = [replace(first, horizon=(unit * (2**S - 1)) ** 2) for S in epochs]
    return [s for s in whole if first.horizon <= s.horizon <= last.horizon]


def _furnish(figure: Figure, axes: Axes, label: str, summary: Summary) -> None:
    bandit, trial = summary.bandit, summary.trial
    axes.set_xscale("log")
    axes.set_yscale("symlog", linthresh=1)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(label)
    axes.set_ylabel("complete policy regret")
    name = f"{bandit.name}, " if bandit.name and len(bandit.name) <= 40 else ""
    size = f"K = {bandit.actions}, m = {bandit.memory}"
    axes.set_title(f"{trial.algorithm} on {name}{size}, {trial.feedback_name} feedback", fontsize=10)
    axes.grid(True, which="major", color="#DDDDDD", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.plot([], [], color="#7F7F7F", linestyle=":", linewidth=1, label="dotted: above T, says nothing")
    figure.legend(loc="outside lower center", fontsize=8, ncols=3, frameon=False)
