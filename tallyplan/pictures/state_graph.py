"""Pictures of small state graphs: every history a circle, every action an arrow, the best cycle marked.

`layout` says where they lie. Nothing is random and nothing depends on the user's settings: the same instance
gives the same file. Matplotlib is imported only when a picture is drawn.
"""

from __future__ import annotations

import math
import os
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tallyplan.errors import InvalidInput
from tallyplan.model.arms import ArmBandit, graph_of_arms
from tallyplan.model.graph import to_networkx
from tallyplan.model.instance import Bandit, State
from tallyplan.model.replay import mean_of_word
from tallyplan.model.words import Word
from tallyplan.pictures.layout import Arrow, arrows_of, label_places, positions
from tallyplan.pictures.plans import plays_of_cycle, shown_cycle
from tallyplan.pictures.style import (
    HUES,
    INK,
    MARKER,
    equals,
    first_line,
    inches,
    joined,
    short,
    shortened,
    sizes,
    styled,
    write_at,
)

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_STATES = 64
MAX_EDGES = 512
MAX_ACTIONS = 64  # matters only for m = 1: one node with a loop per action
MAX_LABELLED_EDGES = 40
CROWDED = 20  # states from which on they lie closer, so that their names stay legible

NODE_RADIUS = 0.2  # inches on paper
POINTS = 72 * NODE_RADIUS

PALEST = 0.25  # how much of its hue the arrow of the least loss keeps, where shades tell the losses
LABEL_SIZE = 8.0
LETTER = 0.32 * LABEL_SIZE / POINTS  # half the width of a letter, in units of a node's radius


@dataclass(frozen=True)
class Style:
    """How arrows say what they play and cost: a hue for each action; labels, or the darker the more it costs.

    If there are more actions than hues, all share one.
    """

    actions: int
    labelled: bool
    lowest: Fraction
    highest: Fraction
    letters: int  # that a state is written with: actions, or states of an arm

    def name(self, arrow: Arrow, kind: str) -> str:
        """The id of a part of the picture that belongs to an arrow: `KIND-HISTORY-ACTION`."""
        return f"{kind}-{joined(arrow.source, self.letters)}-{arrow.action}"

    def colour(self, arrow: Arrow) -> Any:
        """The colour of an arrow."""
        hue = HUES[arrow.action] if self.hues else HUES[0]
        span = self.highest - self.lowest
        share = float((arrow.loss - self.lowest) / span) if span else 1.0
        return hue if self.labelled or arrow.marked else shaded(hue, share)

    @property
    def hues(self) -> bool:
        """Whether there is a hue for each action."""
        return self.actions <= len(HUES)

    def label(self, arrow: Arrow) -> str:
        """The label of an arrow: its loss, and for m = 1, where no node shows it, the action."""
        loss = short(arrow.loss) if self.labelled else ""
        if arrow.source:
            return loss
        return f"{arrow.action}: {loss}" if loss else str(arrow.action)


def shaded(hue: str, share: float) -> Any:
    """The hue as it is for a share of 1, and the paler the nearer the share is to 0."""
    from matplotlib.colors import to_rgb

    keep = PALEST + (1 - PALEST) * share
    return tuple(1 - keep * (1 - part) for part in to_rgb(hue))


@styled
def draw_state_graph(
    bandit: Bandit,
    path: str | os.PathLike[str] | None = None,
    *,
    word: Sequence[int] | None = None,
    title: str | None = None,
) -> Figure:
    """Draw the state graph of a small instance, with the cycle of a word marked.

    Parameters
    ----------
    bandit : an instance with at most 64 states K^(m-1), 512 edges K^m and 64 actions.
    path : where to write the picture, if anywhere; the suffix, `.svg` or `.png`, is its format.
    word : the word whose cycle is marked; an optimal one when it is not given.
    title : the first line of the picture, in place of the name of the instance.

    Returns
    -------
    A matplotlib `Figure` that is tied to no window. The hue of an arrow is its action. Up to 40 edges carry
    their exact losses; of more, those off the cycle are the darker the larger their loss. The artists have
    group ids (in SVG, XML ids): `node-HISTORY`, `edge-HISTORY-ACTION`, and `cycle-HISTORY-ACTION` for the
    marker under the arrows of the cycle.

    Raises
    ------
    InvalidInput : the graph is too large to be looked at, the suffix is unknown, the file cannot be written,
        or the word is empty or holds something that is not an action. Nothing is left behind.

    Examples
    --------
    >>> from tallyplan import TallyingBandit
    >>> figure = draw_state_graph(TallyingBandit([["0", "1"], ["0", "1"]]))
    >>> [label.get_text() for label in figure.axes[0].texts if label.get_gid().startswith("node-")]
    ['1', '0']
    >>> draw_state_graph(TallyingBandit([["1/2"]])).get_suptitle()  # a single action
    'tallying bandit\\nK = 1, m = 1, λ* = 1/2, attained by 0'
    >>> draw_state_graph(TallyingBandit([["0"] * 20] * 2))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tallyplan.errors.InvalidInput: the state graph has 2^19 states and 2^20 edges; a picture shows at most ...
    """
    _require_small(bandit)
    shown, opening = shown_cycle(bandit, word)
    caption = textwrap.wrap(_caption(bandit, shown, opening), 88)
    return _figure(bandit, shown, opening, "\n".join([first_line(bandit, title), *caption]))


def cycle_edges(bandit: Bandit, word: Iterable[int], opening: Word = ()) -> list[tuple[State, int]]:
    """The edges (state, action) that the word passes when it is repeated forever, each once, in order.

    Examples
    --------
    >>> from tallyplan import TallyingBandit
    >>> cycle_edges(TallyingBandit([["0", "1"], ["0", "1"]]), (0, 1, 0, 1))
    [((1,), 0), ((0,), 1)]
    """
    return list(
        dict.fromkeys((play.state, play.arm) for play in plays_of_cycle(bandit, tuple(word), opening))
    )


# --- what is asked ----------------------------------------------------------------------------------------


def _require_small(bandit: Bandit) -> None:
    actions, kept = bandit.actions, bandit.memory - 1
    if isinstance(bandit, ArmBandit):
        states = len(graph_of_arms(bandit).states)
        large = f"the arms reach {states} states"
    else:
        states = actions ** min(kept, MAX_STATES)  # which may have more digits than anyone wants to compute
        large = f"the state graph has {actions}^{kept} states and {actions}^{kept + 1} edges"
    if states > MAX_STATES or states * actions > MAX_EDGES or actions > MAX_ACTIONS:
        raise InvalidInput(
            f"{large}; a picture shows at most {MAX_STATES} states, {MAX_EDGES} edges and {MAX_ACTIONS} "
            "actions."
        )


def _caption(bandit: Bandit, word: Word, opening: Word) -> str:
    from tallyplan.planning.mean_cycle import minimum_mean_cycle

    mean, optimum = mean_of_word(bandit, word, opening), minimum_mean_cycle(bandit).value
    told = "attained by" if mean == optimum else f"marked: mean {equals(mean)}, by"
    return f"{sizes(bandit)}, λ* {equals(optimum)}, {told} {shortened(joined(word, bandit.actions), 80)}"


# --- ink --------------------------------------------------------------------------------------------------


def _figure(bandit: Bandit, word: Word, opening: Word, title: str) -> Figure:
    graph = to_networkx(bandit)
    marked = cycle_edges(bandit, word, opening)
    style = _style(bandit, [loss for _, _, loss in graph.edges(data="loss")])
    cycle = list(dict.fromkeys(history for history, _ in marked))
    places = positions(graph, cycle, gap=7.5 if style.labelled else 5.0 if len(graph) <= CROWDED else 3.3)
    arrows = arrows_of(graph, places, set(marked))
    figure, axes = _paper(arrows, places, title, style)
    for arrow in arrows:
        _draw_arrow(axes, arrow, style)
    for node, place in places.items():
        _draw_node(axes, joined(node, style.letters), place, node in cycle)
    labels = [style.label(arrow) for arrow in arrows]
    if any(labels):
        for arrow, label, place in zip(
            arrows, labels, label_places(arrows, labels, places.values(), LETTER), strict=True
        ):
            _draw_label(axes, arrow, label, place, style)
    _draw_legend(figure, bandit, word, style)
    return figure


def _style(bandit: Bandit, losses: list[Fraction]) -> Style:
    labelled = len(losses) <= MAX_LABELLED_EDGES and not any(short(loss).startswith("≈") for loss in losses)
    arms = bandit.arms if isinstance(bandit, ArmBandit) else ()
    letters = max((len(arm.losses) for arm in arms), default=bandit.actions)
    return Style(bandit.actions, labelled, min(losses), max(losses), letters)


def _paper(arrows: list[Arrow], places: dict[Word, complex], title: str, style: Style) -> tuple[Figure, Axes]:
    """A figure just large enough, its axes in units of a node's radius."""
    from matplotlib.figure import Figure

    points = [point for arrow in arrows for point in arrow.curve.samples()]
    points += [place + corner for place in places.values() for corner in (-1 - 1j, 1 + 1j)]
    left, right = min(p.real for p in points) - 1.5, max(p.real for p in points) + 1.5
    low, high = min(p.imag for p in points) - 1, max(p.imag for p in points) + 1
    lines = title.split("\n")
    head, foot = 0.15 + 0.2 * len(lines), 0.6 if style.labelled else 1.15
    width = max((right - left) * NODE_RADIUS, inches(title), 4.5)
    height = (high - low) * NODE_RADIUS + head + foot
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((0, foot / height, 1, (high - low) * NODE_RADIUS / height))
    spare = (width / NODE_RADIUS - (right - left)) / 2
    axes.set(xlim=(left - spare, right + spare), ylim=(low, high))
    axes.set_axis_off()
    figure.suptitle(title, fontsize=11, y=1 - 0.1 / height, va="top", color=INK, parse_math=False)
    return figure, axes


def _draw_arrow(axes: Axes, arrow: Arrow, style: Style) -> None:
    from matplotlib.patches import FancyArrowPatch, PathPatch
    from matplotlib.path import Path as Outline

    curve = Outline.CURVE3 if len(arrow.curve.controls) == 3 else Outline.CURVE4
    codes = [Outline.MOVETO, *[curve] * (len(arrow.curve.controls) - 1)]
    outline = Outline([(point.real, point.imag) for point in arrow.curve.controls], codes)
    if arrow.marked:
        gid = style.name(arrow, "cycle")
        axes.add_patch(PathPatch(outline, fill=False, ec=MARKER, lw=9, capstyle="round", zorder=2, gid=gid))
    axes.add_patch(
        FancyArrowPatch(
            path=outline,
            arrowstyle="-|>",
            mutation_scale=15 if arrow.marked else 10,
            color=style.colour(arrow),
            lw=2.4 if arrow.marked else 1.1,
            shrinkA=0,
            shrinkB=0,
            zorder=3 if arrow.marked else 1,
            gid=style.name(arrow, "edge"),
        )
    )


def _draw_node(axes: Axes, node: str, place: complex, marked: bool) -> None:
    from matplotlib.patches import Circle

    label = shortened(node, 7)
    centre = (place.real, place.imag)
    face, width = (MARKER, 1.8) if marked else ("white", 1.0)
    axes.add_patch(Circle(centre, 1, fc=face, ec=INK, lw=width, zorder=4, gid=f"disc-{node}"))
    size = min(11.0, 42 / len(label))
    write_at(axes, place, label, size=size, zorder=6, gid=f"node-{node}")


def _draw_label(axes: Axes, arrow: Arrow, label: str, place: complex, style: Style) -> None:
    colour, paper = (INK, MARKER) if arrow.marked else (style.colour(arrow), "white")
    box = {"boxstyle": "round,pad=0.12", "fc": paper, "ec": "none", "alpha": 0.9}
    weight = "bold" if arrow.marked else "normal"
    how = {"size": LABEL_SIZE, "color": colour, "weight": weight, "bbox": box, "zorder": 5}
    write_at(axes, place, label, gid=style.name(arrow, "loss"), **how)


def _draw_legend(figure: Figure, bandit: Bandit, word: Word, style: Style) -> None:
    from matplotlib.lines import Line2D

    keys = [Line2D([], [], color=MARKER, lw=8, label=f"repeat {shortened(joined(word, bandit.actions), 24)}")]
    for action in range(bandit.actions) if style.hues else ():
        keys.append(Line2D([], [], color=HUES[action], lw=1.8, label=f"play {action}"))
    if style.labelled:
        keys.append(Line2D([], [], lw=0, marker="$p/q$", ms=16, mew=0.2, color=INK, label="its loss"))
    else:
        _draw_scale(figure, style)
    above = 0 if style.labelled else 0.6 / figure.get_figheight()
    figure.legend(handles=keys, loc="lower center", bbox_to_anchor=(0.5, above), ncols=_columns(figure, keys))


def _columns(figure: Figure, keys: Sequence[Artist]) -> int:
    """As many columns as fit, in the fewest rows."""
    rows = math.ceil(len(keys) / max(1, int(figure.get_figwidth() / 1.2)))
    return math.ceil(len(keys) / rows)


def _draw_scale(figure: Figure, style: Style) -> None:
    """A bar of shades, with the exact least and greatest loss at its ends."""
    width, height = figure.get_size_inches()
    axes = figure.add_axes((0.5 - 0.9 / width, 0.38 / height, 1.8 / width, 0.14 / height))
    hue = INK if style.hues else HUES[0]
    axes.imshow([[shaded(hue, i / 63) for i in range(64)]], aspect="auto", extent=(0, 1, 0, 1))
    axes.set_yticks([])
    axes.set_xticks([0, 1], [short(style.lowest), short(style.highest)], fontsize=9)
    axes.text(-0.04, 0.5, "loss", fontsize=9, ha="right", va="center", gid="scale")
