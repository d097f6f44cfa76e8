"""The charts of a report, as Vega-Lite by Altair: they answer to the pointer with the exact numbers.

A float places a mark and does nothing else: what a tooltip says is the exact number, as text. A hue belongs
to a learner, and its bounds have the same one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import altair as alt

from proofs_check.worst_case.claims import BestConstant
from tallyplan.games.bounds import bounds_of
from tallyplan.games.trials import Summary, quantile
from tallyplan.model.rationals import text
from tallyplan.pictures.regret import HIGH, LOW, MIDDLE, where_useful
from tallyplan.pictures.style import HUES, short

LINES = tuple(hue for hue in HUES if hue != "#000000")  # black vanishes on a dark page
HEIGHT = 320
CELL = 44  # pixels, the height of a row of a heat map

Row = dict[str, Any]


def specification(chart: alt.TopLevelMixin) -> Row:
    """The chart as JSON, for the runtime."""
    made: Row = chart.to_dict(validate=True)
    return made


def size_of(row: BestConstant) -> str:
    """The row of a heat map that a constant belongs to."""
    return f"K = {row.asked.actions}, m = {row.asked.memory}"


def length_of(row: BestConstant) -> int:
    """Its column: the period if T is its square, else the horizon."""
    asked = row.asked
    return asked.period if asked.period is not None and asked.period**2 == asked.horizon else asked.horizon


def heat_map(rows: Sequence[BestConstant]) -> Row:
    """The constants by size and length; the tooltip has the table that attains each."""
    squares = all(row.asked.period is not None for row in rows)
    cells: list[Row] = [
        {
            "size": size_of(row),
            "length": length_of(row),
            "place": float(row.value),
            "value": short(row.value),
            "exact": text(row.value) if row.exact else f"{text(row.value)} to {text(row.bound)}",
            "losses": " | ".join(" ".join(losses) for losses in row.losses),
        }
        for row in rows
    ]
    base = alt.Chart(alt.InlineData(values=cells)).encode(
        x=alt.X(
            "length:O", title="period L, T = L²" if squares else "horizon T", axis=alt.Axis(labelAngle=0)
        ),
        y=alt.Y("size:N", title=None, sort=None),
        tooltip=[
            alt.Tooltip("size:N", title="size"),
            alt.Tooltip("length:O", title="L" if squares else "T"),
            alt.Tooltip("exact:N", title="exact value"),
            alt.Tooltip("losses:N", title="attained by h ="),
        ],
    )
    low, high = min(cell["place"] for cell in cells), max(cell["place"] for cell in cells)
    shades = base.mark_rect().encode(
        color=alt.Color("place:Q", scale=alt.Scale(scheme="blues", domain=[low, high]), legend=None)
    )
    dark = alt.datum.place > low + 0.6 * (high - low)
    numbers = base.mark_text(fontSize=12).encode(
        text="value:N", color=alt.condition(dark, alt.value("white"), alt.value("black"))
    )
    height = CELL * len({cell["size"] for cell in cells})
    return specification((shades + numbers).properties(width="container", height=height))


def regret_chart(summaries: Sequence[Summary], all_learners: Sequence[str]) -> Row:
    """Median regrets with their bands by horizon, and each bound where it is below T, in the same hue.

    A learner has the same hue in all charts of a report: its place in `all_learners` decides.
    """
    played_here = {summary.setup.name for summary in summaries}
    hue_of = {name: LINES[i % len(LINES)] for i, name in enumerate(all_learners)}
    learners = [name for name in all_learners if name in played_here]
    chosen = alt.selection_point(fields=["learner"], bind="legend")
    key = alt.Legend(title="learner (choose one)", orient="bottom", columns=2, symbolOpacity=1)
    hues = alt.Scale(domain=learners, range=[hue_of[name] for name in learners])
    hue = alt.Color("learner:N", scale=hues, legend=key)
    shape = alt.Shape("learner:N", scale=alt.Scale(domain=learners), legend=key)
    played, proved = list(_regrets(summaries)), list(_bounds(summaries))
    x = _logarithmic("horizon:Q", "horizon T", [row["horizon"] for row in played])
    y = _signed("median:Q", "complete policy regret", [row["high"] for row in played])
    faint = alt.condition(chosen, alt.value(1.0), alt.value(0.12))
    games = alt.Chart(alt.InlineData(values=played)).encode(x=x, color=hue)
    told = _tooltip("learner", "steps", "regret", "from 5%", "to 95%", "games")
    layers = [
        games.mark_area(opacity=0.18).encode(y=alt.Y("low:Q"), y2="high:Q"),
        games.mark_line(strokeWidth=2).encode(y=y, opacity=faint),
        games.mark_point(filled=True, size=70).encode(y=y, shape=shape, opacity=faint, tooltip=told),
    ]
    if proved:
        bounds = alt.Chart(alt.InlineData(values=proved)).mark_line(strokeDash=[5, 4], strokeWidth=1.5)
        said = _tooltip("bound", "learner", "steps", "at most", "holds")
        layers.append(bounds.encode(x=x, y=y, color=hue, detail="bound:N", opacity=faint, tooltip=said))
    layers[-1] = layers[-1].add_params(chosen)
    return specification(alt.layer(*layers).properties(width="container", height=HEIGHT))


def _tooltip(*names: str) -> list[alt.Tooltip]:
    return [alt.Tooltip(f"{name}:N") for name in names]


def _powers(values: Iterable[float], *, least: float = 1) -> list[float]:
    """Powers of ten from below the least to above the greatest of the values, for the ticks of an axis.

    >>> _powers([30, 4000])
    [10.0, 100.0, 1000.0, 10000.0]
    """
    positive = [max(value, least) for value in values]
    low, high = math.floor(math.log10(min(positive))), math.ceil(math.log10(max(positive)))
    return [10.0**exponent for exponent in range(low, high + 1)]


def _logarithmic(field: str, title: str, values: Iterable[float]) -> alt.X:
    axis = alt.Axis(format="~e", values=_powers(values), labelOverlap=True)
    return alt.X(field, title=title, scale=alt.Scale(type="log"), axis=axis)


def _signed(field: str, title: str, values: Iterable[float]) -> alt.Y:
    """Logarithmic above 1 and linear below, so that 0 has its place."""
    axis = alt.Axis(format="~g", values=[0, *_powers([1, *values])], labelOverlap=True)
    return alt.Y(field, title=title, scale=alt.Scale(type="symlog", constant=1), axis=axis)


def _regrets(summaries: Iterable[Summary]) -> Iterable[Row]:
    for summary in summaries:
        low, middle, high = (quantile([one.upper for one in summary.regrets], q) for q in (LOW, MIDDLE, HIGH))
        yield {
            "learner": summary.setup.name,
            "horizon": summary.setup.horizon,
            "steps": str(summary.setup.horizon),
            "median": float(middle),
            "low": float(low),
            "high": float(high),
            "regret": short(middle, 24),
            "from 5%": short(low, 24),
            "to 95%": short(high, 24),
            "games": str(len(summary.losses)),
        }


def _bounds(summaries: Sequence[Summary]) -> Iterable[Row]:
    """The bounds of the learners that play, at the horizons where they hold and are below T."""
    for learner in dict.fromkeys(summary.setup.name for summary in summaries):
        group = sorted((s for s in summaries if s.setup.name == learner), key=lambda s: s.setup.horizon)
        for bound in bounds_of(learner):
            for setting in _some(where_useful(bound, group)):
                yield {
                    "learner": learner,
                    "bound": bound.name,
                    "horizon": setting.horizon,
                    "steps": str(setting.horizon),
                    "median": float(bound(setting)),
                    "at most": bound(setting).str(6, radius=False),
                    "holds": f"with probability {bound.probability}",
                }


def _some(places: Sequence[Any], most: int = 40) -> Sequence[Any]:
    """At most so many of the places, the last among them."""
    step = max(1, len(places) // most)
    return [*places[:-1:step], *places[-1:]]


def study_chart(lines: dict[str, dict[int, list[Fraction]]], x: str, y: str) -> Row:
    """The median of a study's values by a parameter, a line for each group."""
    medians = {
        (label or y, place): (quantile(values, MIDDLE), len(values))
        for label, by_place in sorted(lines.items())
        for place, values in sorted(by_place.items())
    }
    rows: list[Row] = [
        {
            "group": group,
            "x": float(place),
            "place": float(middle),
            "median": short(middle, 24),
            "rows": str(count),
        }
        for (group, place), (middle, count) in medians.items()
    ]
    places = [place for _, place in medians]
    chart = alt.Chart(alt.InlineData(values=rows)).mark_line(point=True)
    encoded = chart.encode(
        x=_logarithmic("x:Q", x, places) if min(places) > 0 else alt.X("x:Q", title=x),
        y=_signed("place:Q", y, [row["place"] for row in rows]),
        color=_named("group:N"),
        tooltip=_tooltip("group", "x", "median", "rows"),
    )
    return specification(encoded.properties(width="container", height=HEIGHT))


def _named(field: str) -> alt.Color:
    return alt.Color(
        field, title=None, scale=alt.Scale(range=list(LINES)), legend=alt.Legend(orient="bottom")
    )


def race_chart(rows: Sequence[Row]) -> Row:
    """How many times faster than a peer, from the worst to the best instance of each size."""
    base = alt.Chart(alt.InlineData(values=list(rows))).encode(
        x=_logarithmic("states:Q", "states K^(m-1)", [row["states"] for row in rows]),
        color=_named("peer:N"),
        tooltip=_tooltip("(K,m)", "states", "peer", "ratios", "instances"),
    )
    ratios = [row[name] for row in rows for name in ("worst", "best")]
    scale, axis = alt.Scale(type="log"), alt.Axis(format="~g", values=_powers(ratios, least=1e-9))
    y = alt.Y("worst:Q", scale=scale, axis=axis, title="time of the peer / ours")
    span = base.mark_rule(strokeWidth=3, opacity=0.4).encode(y=y, y2="best:Q")
    middle = base.mark_point(filled=True, size=80).encode(y="median:Q")
    even = alt.Chart(alt.InlineData(values=[{"even": 1}])).mark_rule(strokeDash=[2, 3]).encode(y="even:Q")
    return specification((even + span + middle).properties(width="container", height=HEIGHT))
