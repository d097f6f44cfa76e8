"""Pictures of regret on logarithmic axes, next to the theorems' bounds for what was played.

The regrets of many seeds are shown by their median and the band from the 5% to the 95% quantile; where the
optimum is only known up to an interval, by the upper ends of the regrets. A bound has the hue of its learner
and is drawn at the horizons where all its hypotheses hold and where it is below T, and nowhere else: as a
line, or as crosses if these horizons lie apart. The regret axis is logarithmic above 1 and linear below, so
that a regret of 0 has its place, and ends a little above what is drawn; the trivial bound, that no regret
exceeds T, may leave the picture. Numbers are turned into floats here, for drawing only.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from tallyplan.errors import InvalidInput
from tallyplan.games.bounds import Bound, Setting, bounds_of
from tallyplan.games.trials import LONGEST_DRAWN, Summary, quantile
from tallyplan.pictures.style import FAINT, HUES, MARKERS, sizes, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LOW, MIDDLE, HIGH = Fraction(5, 100), Fraction(1, 2), Fraction(95, 100)
Band = Callable[[Sequence[Fraction]], tuple[Fraction, Fraction]]
POINTS_PER_BOUND = 200
LEARNER_HUES = tuple(hue for hue in HUES if hue != FAINT)
LONG_LABEL = 32  # characters of a label up to which three columns of the legend fit
HEADROOM = 2.0  # the axis ends at this multiple of the greatest number drawn


@styled
def draw_regret(summaries: Sequence[Summary], path: str | os.PathLike[str] | None = None) -> Figure:
    """The regret of games with `times` against t, of others against their horizon T; a line for each learner.

    A bound is about whole games; against t it stands at t = T.

    Parameters
    ----------
    summaries : games on one instance, see `tallyplan.games.trials.play_repeatedly`.
    path : where to write the picture, if anywhere; .svg, .png or .pdf.
    """
    from matplotlib.figure import Figure

    played = sorted((s for s in summaries if s.setup.horizon > 0), key=lambda s: s.setup.horizon)
    if not played:
        raise InvalidInput("there is no game with steps to draw.")
    if played[-1].setup.horizon > LONGEST_DRAWN:
        raise InvalidInput("a picture is for at most 10^300 steps.")
    figure = Figure(figsize=(7.2, 4.9), layout="constrained")
    axes = figure.add_subplot()
    bandit, games = played[0].bandit, len(played[0].losses)
    name = f"{bandit.name}: " if bandit.name and len(bandit.name) <= 60 else ""
    counted = "one game" if games == 1 else f"median and 5% to 95% of {games} games"
    label = "step t" if played[0].times else "horizon T"
    axes.set(title=f"{name}{sizes(bandit)}\n{counted}", xlabel=label, ylabel="complete policy regret")
    for number, algorithm in enumerate(dict.fromkeys(s.setup.name for s in summaries if s.setup.horizon)):
        group = [summary for summary in played if summary.setup.name == algorithm]
        _draw_curve(axes, group, number)
        for bound in bounds_of(algorithm):
            _draw_bound(axes, bound, where_useful(bound, group), number)
    _finish(figure, axes)
    return figure


def where_useful(bound: Bound, group: Sequence[Summary]) -> list[Setting]:
    """Where a bound on games of rising horizons is shown: between the first and the last of them, at the
    horizons for which it is proved, if all its hypotheses hold and it is below T.
    """
    departures = tuple(reason for summary in group for reason in summary.departures)
    setting = replace(group[0].setting, departures=departures, gap=max(summary.gap for summary in group))
    first, last = group[0].setup.horizon, group[-1].setup.horizon
    places = _apart(bound, setting, first, last) if bound.horizons.apart else _spread(first, last)
    settings = (replace(setting, horizon=T) for T in places)
    return [one for one in settings if bound.is_nontrivial(one) and not bound.failing(one)]


def _spread(first: float, last: float) -> list[int]:
    """Places from the first to the last, evenly spread on a logarithmic axis."""
    return sorted({round(place) for place in np.geomspace(first, last, POINTS_PER_BOUND)})


def _apart(bound: Bound, setting: Setting, first: int, last: int) -> list[int]:
    places: list[int] = []
    _, T = bound.horizons.nearest(replace(setting, horizon=first - 1))
    while T is not None and last >= T:
        places.append(T)
        _, T = bound.horizons.nearest(replace(setting, horizon=T))
    return places


def _draw_curve(axes: Axes, group: Sequence[Summary], number: int) -> None:
    """The regrets of one learner (their upper ends) by place, those of all its games at each."""
    setup, regrets = group[0].setup, {summary.setup.horizon: summary.regrets for summary in group}
    if group[0].times:
        regrets = {t: group[0].regrets_at(i) for i, t in enumerate(group[0].times)}
    exact = all(regret.exact for games in regrets.values() for regret in games)
    draw_line(
        axes,
        {place: [regret.upper for regret in games] for place, games in regrets.items()},
        LEARNER_HUES[number % len(LEARNER_HUES)],
        f"{setup.name}, {setup.feedback_name}{'' if exact else ', at most'}",
        marker=MARKERS[number % len(MARKERS)],
        ms=4,
        gid=f"regret-{setup.name}",
    )


def quantile_band(values: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """From 5% to 95% of the values."""
    return quantile(values, LOW), quantile(values, HIGH)


def draw_line(
    axes: Axes,
    values: Mapping[int, Sequence[Fraction]],
    hue: str,
    label: str,
    band: Band = quantile_band,
    **how: Any,
) -> None:
    """The medians of the values at each place, and a band around them where there are several."""
    places = sorted(values)
    middle = [float(quantile(values[place], MIDDLE)) for place in places]
    axes.plot([*map(float, places)], middle, color=hue, label=label, **how)
    if any(len(values[place]) > 1 for place in places):
        low, high = zip(*(map(float, band(values[place])) for place in places), strict=True)
        axes.fill_between([*map(float, places)], low, high, color=hue, alpha=0.2, linewidth=0)


def _draw_bound(axes: Axes, bound: Bound, shown: Sequence[Setting], number: int) -> None:
    if not shown:
        return
    points = len(shown) == 1 or bound.horizons.apart
    axes.plot(
        [setting.horizon for setting in shown],
        [float(bound(setting)) for setting in shown],
        color=LEARNER_HUES[number % len(LEARNER_HUES)],
        linestyle="" if points else ("--", "-.")[bounds_of(bound.algorithm).index(bound) % 2],
        marker=("x", "+")[bounds_of(bound.algorithm).index(bound) % 2] if points else "",
        label=f"{bound.name} ({bound.algorithm})",
        gid=f"bound-{bound.name}",
    )


def _finish(figure: Figure, axes: Axes) -> None:
    first, last, highest = axes.dataLim.x0, axes.dataLim.x1, axes.dataLim.y1
    places = _spread(first, last)
    axes.plot(places, places, color=FAINT, linestyle=":", label="trivial bound", gid="bound-trivial")
    axes.set_xscale("log")
    axes.set_yscale("symlog", linthresh=1)
    axes.set_ylim(-0.15, max(1.0, HEADROOM * highest))
    axes.grid(True)
    _, labels = axes.get_legend_handles_labels()
    columns = 3 if max(map(len, labels)) <= LONG_LABEL else 2
    figure.legend(loc="outside lower center", ncols=columns)
