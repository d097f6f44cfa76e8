"""Pictures of small state graphs: every history a circle, every action an arrow, the best cycle marked.

The nodes lie on rings. The cycle of the word is the innermost, clockwise; a node on ring d needs d steps to
reach it. An arrow bends to the left of its direction of travel where it can, so that the two arrows between a
pair of nodes part. The arrow of an action ends at the history whose last action it is.

Geometry is in units of a node's radius, and a point of the plane is a complex number. Nothing is random and
nothing depends on the user's settings: the same instance gives the same file. Matplotlib is imported only
when a picture is drawn.
"""

from __future__ import annotations

import cmath
import math
import os
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from tallyplan.errors import InvalidInput
from tallyplan.model.graph import Array, StateGraph, to_networkx
from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import text
from tallyplan.model.replay import checked_action, mean_of_word
from tallyplan.model.words import Word
from tallyplan.pictures.files import HUES, picture_format, write_picture

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

MAX_STATES = 64
MAX_EDGES = 512
MAX_ACTIONS = 64  # matters for m = 1 alone: one node, a loop for every action
MAX_LABELLED_EDGES = 40
MAX_LABEL = 10  # characters of a loss that still fit on an arrow

INCH = 0.2  # the radius of a node on paper
POINTS = 72 * INCH

MARKER = "#FFD92F"
INK = "#333333"
LABEL_SIZE = 8.0


@dataclass(frozen=True)
class Curve:
    """A Bezier curve of degree 2 or 3, given by its control points."""

    controls: tuple[complex, ...]

    def at(self, t: float) -> complex:
        """The point at parameter t in [0, 1], by de Casteljau's construction."""
        points = list(self.controls)
        while len(points) > 1:
            points = [(1 - t) * p + t * q for p, q in pairwise(points)]
        return points[0]

    def samples(self) -> list[complex]:
        """Points along the curve, close enough to find what it passes over."""
        return [self.at(i / 24) for i in range(25)]


@dataclass(frozen=True)
class Arrow:
    """One edge of the state graph, as it is drawn."""

    source: Word
    target: Word
    action: int
    loss: Fraction
    curve: Curve
    marked: bool

    @property
    def gid(self) -> str:
        """The name of the edge in the picture, `edge-HISTORY-ACTION`."""
        return f"edge-{_joined(self.source)}-{self.action}"


@dataclass(frozen=True)
class Style:
    """How the arrows say what they cost: by labels and a hue for each action, or by the shade of the loss."""

    labelled: bool
    hues: bool
    shades: Colormap
    lowest: Fraction
    highest: Fraction

    def colour(self, arrow: Arrow) -> Any:
        """The colour of an arrow."""
        if self.hues:
            return HUES[arrow.action]
        span = self.highest - self.lowest
        return self.shades(float((arrow.loss - self.lowest) / span) if span else 0.5)

    def label(self, arrow: Arrow) -> str:
        """What stands on an arrow: its loss, and for m = 1, where no node tells it, the action."""
        loss = short(arrow.loss) if self.labelled else ""
        if arrow.source:
            return loss
        return f"{arrow.action}: {loss}" if loss else str(arrow.action)


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
    A matplotlib `Figure` that is tied to no window. Up to 40 edges carry their exact losses; more are shaded
    by loss. The artists have group ids (in SVG, XML ids): `node-HISTORY`, `edge-HISTORY-ACTION`, and
    `cycle-HISTORY-ACTION` for the marker under the arrows of the cycle.

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
    if path is not None:
        picture_format(path)  # complain before any work
    _require_small(bandit)
    marked = None if word is None else _checked_word(bandit, word)
    heading = _first_line(bandit, title)
    import matplotlib.style

    from tallyplan.planning.mean_cycle import minimum_mean_cycle

    best = minimum_mean_cycle(bandit)
    shown = best.word if marked is None else marked
    lines = [heading, *textwrap.wrap(_caption(bandit, best.value, shown), 88)]
    with matplotlib.style.context("default"):
        figure = _figure(bandit, shown, "\n".join(lines))
    if path is not None:
        write_picture(path, figure)
    return figure


def short(value: Fraction, longest: int = MAX_LABEL) -> str:
    """A rational for a picture: whole numbers without a denominator, long ones as a decimal that says so.

    >>> short(Fraction(1)), short(Fraction(2, 4)), short(Fraction(10**20, 3 * 10**20 + 1))
    ('1', '1/2', '≈0.3333')
    """
    exact = str(value.numerator) if value.denominator == 1 else text(value)
    return exact if len(exact) <= longest else f"≈{float(value):.4g}"


def cycle_edges(bandit: Bandit, word: Iterable[int]) -> list[tuple[Word, int]]:
    """The edges (history, action) that the word passes when it is repeated for ever, each once, in order.

    >>> from tallyplan import TallyingBandit
    >>> cycle_edges(TallyingBandit([["0", "1"], ["0", "1"]]), (0, 1, 0, 1))
    [((1,), 0), ((0,), 1)]
    """
    graph = StateGraph(bandit)
    actions = tuple(word)
    state = graph.state_of_word(actions)
    edges = []
    for action in actions:
        edges.append((graph.history(state), action))
        state = graph.successor(state, action)
    return list(dict.fromkeys(edges))


# --- what is asked ----------------------------------------------------------------------------------------


def _require_small(bandit: Bandit) -> None:
    actions, memory = bandit.actions, bandit.memory
    # The second condition first: K^(m-1) itself may have more digits than anyone wants to compute.
    small = actions == 1 or memory <= MAX_STATES.bit_length()
    if (
        small
        and actions ** (memory - 1) <= MAX_STATES
        and actions**memory <= MAX_EDGES
        and actions <= MAX_ACTIONS
    ):
        return
    raise InvalidInput(
        f"the state graph has {actions}^{memory - 1} states and {actions}^{memory} edges; a picture shows "
        f"at most {MAX_STATES} states, {MAX_EDGES} edges and {MAX_ACTIONS} actions."
    )


def _checked_word(bandit: Bandit, word: Sequence[int]) -> Word:
    if not word:
        raise InvalidInput("the word is empty; a cycle plays at least one action.")
    return tuple(checked_action(bandit, action, f"word[{i}]") for i, action in enumerate(word))


def _first_line(bandit: Bandit, title: str | None) -> str:
    line = title if title is not None else bandit.name or "tallying bandit"
    # XML has no place for control characters, and a picture none for a page of text.
    printable = "".join(letter if letter.isprintable() else " " for letter in line)
    return textwrap.shorten(printable, 80, placeholder="…") if len(printable) > 80 else printable


def _caption(bandit: Bandit, optimum: Fraction, word: Word) -> str:
    sizes = f"K = {bandit.actions}, m = {bandit.memory}, λ* {_equals(optimum)}"
    mean = mean_of_word(bandit, word)
    told = "attained by" if mean == optimum else f"marked is a mean {_equals(mean)}, that of"
    return f"{sizes}, {told} {_shortened(_joined(word), 80)}"


def _equals(value: Fraction) -> str:
    shown = short(value, 40)
    return f"≈ {shown[1:]}" if shown.startswith("≈") else f"= {shown}"


def _joined(actions: Word) -> str:
    """A word without separators while its actions are digits; the empty one is ε."""
    return ("" if all(action < 10 for action in actions) else ",").join(map(str, actions)) or "ε"


def _shortened(label: str, longest: int) -> str:
    half = (longest - 1) // 2
    return label if len(label) <= longest else f"{label[:half]}…{label[-half:]}"


# --- where the nodes are ----------------------------------------------------------------------------------


def _rings(graph: nx.MultiDiGraph, cycle: list[Word]) -> list[list[Word]]:
    """The nodes by their distance to the cycle, each next to the node through which it gets there."""
    rings, seen = [cycle], set(cycle)
    while len(seen) < len(graph):
        ring = []
        for node in rings[-1]:
            for before in sorted(graph.predecessors(node)):
                if before not in seen:
                    seen.add(before)
                    ring.append(before)
        rings.append(ring)
    return rings


def _positions(graph: nx.MultiDiGraph, cycle: list[Word], gap: float) -> dict[Word, complex]:
    """Even rings, the cycle clockwise from the top, each further ring turned towards the one inside it."""
    places: dict[Word, complex] = {}
    radius = 0.0
    for depth, ring in enumerate(_rings(graph, cycle)):
        least = 0.0 if depth == 0 else radius + 0.8 * gap
        radius = max(least, _ring_radius(len(ring), gap))
        step = -2j * math.pi / len(ring)
        turn = _turn(graph, ring, places, step) if places else cmath.exp(1j * _first_angle(len(ring)))
        for i, node in enumerate(ring):
            places[node] = radius * turn * cmath.exp(step * i)
    return places


def _ring_radius(count: int, gap: float) -> float:
    return 0.0 if count == 1 else gap / (2 * math.sin(math.pi / count))


def _first_angle(count: int) -> float:
    return math.pi if count == 2 else math.pi / 2


def _turn(graph: nx.MultiDiGraph, ring: list[Word], places: dict[Word, complex], step: complex) -> complex:
    """The rotation, a unit complex number, that brings a ring nearest to its successors further in."""
    pull = 0j
    for i, node in enumerate(ring):
        inner = [places[after] for after in sorted(graph.successors(node)) if after in places]
        pull += sum(inner) * cmath.exp(-step * i)
    # A balanced pull says nothing; rounding decides nothing, so that every machine draws the same.
    return pull / abs(pull) if abs(pull) > 1e-6 else cmath.exp(1j * (math.pi / 2 + math.pi / len(ring)))


# --- where the arrows are ---------------------------------------------------------------------------------


def _arrows(
    graph: nx.MultiDiGraph, places: dict[Word, complex], marked: set[tuple[Word, int]]
) -> list[Arrow]:
    """Arcs first, those of the cycle before all others, which avoid them; loops go where room is left."""
    edges = sorted(
        graph.edges(keys=True, data="loss"), key=lambda edge: ((edge[0], edge[2]) not in marked, edge)
    )
    curves: dict[tuple[Word, int], Curve] = {}
    for source, target, action, _ in edges:
        if source != target:
            cycle = [curve for edge, curve in curves.items() if edge in marked]
            two_way = graph.has_edge(target, source)
            curves[source, action] = _bent(places, source, target, two_way, cycle)
    passed = [point for curve in curves.values() for point in curve.samples()]
    for source, target, action, _ in edges:
        if source == target and len(graph) > 1:
            curves[source, action] = _loop(places[source], _freest(places, source, passed))
        elif source == target:
            curves[source, action] = _petal(action, graph.number_of_edges())
    return [
        Arrow(source, target, action, loss, curves[source, action], (source, action) in marked)
        for source, target, action, loss in edges
    ]


def _bent(
    places: dict[Word, complex], source: Word, target: Word, two_way: bool, cycle: list[Curve]
) -> Curve:
    """The arc that passes over the fewest nodes and marked arrows; those of a pair keep to the left."""
    bends = (0.2, 0.32, 0.45, 0.6) if two_way else (0.2, 0.1, 0.32, -0.2, 0.45, -0.32)
    others = [place for node, place in sorted(places.items()) if node not in (source, target)]
    marker = [point for curve in cycle for point in curve.samples()]

    def crowding(curve: Curve) -> int:
        over_nodes = np.any(_distances(others, curve) < 1.4, axis=1).sum()
        over_marker = np.any(_distances(marker, curve) < 0.7, axis=0).sum()
        return int(6 * over_nodes + over_marker)

    return min((_arc(places[source], places[target], bend) for bend in bends), key=crowding)


def _distances(points: Sequence[complex], curve: Curve) -> Array:
    """The distance of every point (rows) to every sample of the curve (columns)."""
    distances: Array = np.abs(np.array(points, dtype=complex)[:, None] - np.array(curve.samples()))
    return distances


def _arc(start: complex, end: complex, bend: float) -> Curve:
    """From the rim of one node to the rim of another."""
    control = (start + end) / 2 + bend * (end - start) * 1j
    return Curve((start + _unit(control - start), control, end + _unit(control - end)))


def _unit(vector: complex) -> complex:
    return vector / abs(vector)


def _loop(place: complex, direction: complex, *, spread: float = 0.5, length: float = 4.5) -> Curve:
    left, right = direction * cmath.exp(1j * spread), direction * cmath.exp(-1j * spread)
    return Curve((place + left, place + length * left, place + length * right, place + right))


def _petal(action: int, actions: int) -> Curve:
    """One of the loops around a single node, which share the full turn."""
    direction = cmath.exp(1j * (math.pi / 2 - 2 * math.pi * action / actions))
    return _loop(0, direction, spread=min(0.5, 2 / actions), length=max(5.0, 0.75 * actions))


def _freest(places: dict[Word, complex], node: Word, passed: list[complex]) -> complex:
    """The direction in which a loop has most room, outwards where there is enough."""
    place = places[node]
    outwards = _unit(place) if abs(place) > 1e-6 else 1j
    others = [other for key, other in sorted(places.items()) if key != node]
    taken = np.array([*passed, *others], dtype=complex)

    def room(direction: complex) -> float:
        loop = _loop(place, direction)
        free = min(float(np.abs(taken - loop.at(t)).min()) for t in (0.2, 0.35, 0.5, 0.65, 0.8))
        return round(min(free, 1.5) + 0.2 * (direction * outwards.conjugate()).real, 6)

    return max((outwards * cmath.exp(2j * math.pi * i / 24) for i in range(24)), key=room)


# --- where the labels are ---------------------------------------------------------------------------------


def _label_places(arrows: list[Arrow], labels: list[str], nodes: Iterable[complex]) -> list[complex]:
    """For each arrow the point along it whose label hides least of the other labels, nodes and arrows."""
    discs = list(nodes)
    samples = [arrow.curve.samples() for arrow in arrows]
    placed: list[tuple[complex, float]] = []
    for number, (arrow, label) in enumerate(zip(arrows, labels, strict=True)):
        wide = 0.32 * LABEL_SIZE * len(label) / POINTS + 0.15
        foreign = [point for other, points in enumerate(samples) if other != number for point in points]

        def hidden(t: float, curve: Curve = arrow.curve, wide: float = wide, lines: Any = foreign) -> float:
            centre = curve.at(t)
            labels_hit = sum(_in_box(place - centre, wide + other, 1.0) for place, other in placed)
            nodes_hit = sum(_in_box(disc - centre, wide + 1.0, 1.5) for disc in discs)
            lines_hit = sum(_in_box(point - centre, wide, 0.5) for point in lines)
            return round(12 * labels_hit + 12 * nodes_hit + lines_hit + abs(t - 0.5), 6)

        best = min((0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68, 0.26, 0.74, 0.2, 0.8), key=hidden)
        placed.append((arrow.curve.at(best), wide))
    return [place for place, _ in placed]


def _in_box(offset: complex, wide: float, high: float) -> bool:
    return abs(offset.real) < wide and abs(offset.imag) < high


# --- ink --------------------------------------------------------------------------------------------------


def _figure(bandit: Bandit, word: Word, title: str) -> Figure:
    graph = to_networkx(bandit)
    marked = cycle_edges(bandit, word)
    style = _style(bandit, [loss for _, _, loss in graph.edges(data="loss")])
    cycle = list(dict.fromkeys(history for history, _ in marked))
    places = _positions(graph, cycle, gap=7.5 if style.labelled else 4.5)
    arrows = _arrows(graph, places, set(marked))
    figure, axes = _paper(arrows, places, title, style)
    for arrow in arrows:
        _draw_arrow(axes, arrow, style)
    for node, place in places.items():
        _draw_node(axes, node, place, node in cycle)
    labels = [style.label(arrow) for arrow in arrows]
    if any(labels):
        for arrow, label, place in zip(
            arrows, labels, _label_places(arrows, labels, places.values()), strict=True
        ):
            _draw_label(axes, arrow, label, place, style)
    _draw_legend(figure, bandit, word, style)
    return figure


def _style(bandit: Bandit, losses: list[Fraction]) -> Style:
    from matplotlib import colormaps
    from matplotlib.colors import LinearSegmentedColormap

    labelled = len(losses) <= MAX_LABELLED_EDGES and not any(short(loss).startswith("≈") for loss in losses)
    # The palest blues would vanish on white.
    shades = LinearSegmentedColormap.from_list("loss", colormaps["Blues"]([0.38, 0.55, 0.7, 0.85, 1.0]))
    hues = labelled and bandit.actions <= len(HUES)
    return Style(labelled, hues, shades, min(losses), max(losses))


def _paper(arrows: list[Arrow], places: dict[Word, complex], title: str, style: Style) -> tuple[Figure, Axes]:
    """A figure just large enough, its axes in units of a node's radius."""
    from matplotlib.figure import Figure

    points = [point for arrow in arrows for point in arrow.curve.samples()]
    points += [place + corner for place in places.values() for corner in (-1 - 1j, 1 + 1j)]
    left, right = min(p.real for p in points) - 1.5, max(p.real for p in points) + 1.5
    low, high = min(p.imag for p in points) - 1, max(p.imag for p in points) + 1
    lines = title.split("\n")
    head, foot = 0.15 + 0.2 * len(lines), 0.6 if style.hues else 0.75
    width = max((right - left) * INCH, 0.092 * max(map(len, lines)) + 0.4, 4.5)
    height = (high - low) * INCH + head + foot
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((0, foot / height, 1, (high - low) * INCH / height))
    spare = (width / INCH - (right - left)) / 2
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
        gid = arrow.gid.replace("edge", "cycle", 1)
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
            gid=arrow.gid,
        )
    )


def _draw_node(axes: Axes, node: Word, place: complex, marked: bool) -> None:
    from matplotlib.patches import Circle

    label = _shortened(_joined(node), 7)
    centre = (place.real, place.imag)
    face, width = (MARKER, 1.8) if marked else ("white", 1.0)
    axes.add_patch(Circle(centre, 1, fc=face, ec=INK, lw=width, zorder=4, gid=f"disc-{_joined(node)}"))
    size = min(11.0, 42 / len(label))
    axes.text(*centre, label, size=size, ha="center", va="center", zorder=6, gid=f"node-{_joined(node)}")


def _draw_label(axes: Axes, arrow: Arrow, label: str, place: complex, style: Style) -> None:
    axes.text(
        place.real,
        place.imag,
        label,
        size=LABEL_SIZE,
        ha="center",
        va="center",
        color=style.colour(arrow) if style.hues else INK,
        weight="bold" if arrow.marked else "normal",
        bbox={
            "boxstyle": "round,pad=0.12",
            "fc": MARKER if arrow.marked else "white",
            "ec": "none",
            "alpha": 0.9,
        },
        zorder=5,
        gid=arrow.gid.replace("edge", "loss", 1),
    )


def _draw_legend(figure: Figure, bandit: Bandit, word: Word, style: Style) -> None:
    from matplotlib.lines import Line2D

    keys = [Line2D([], [], color=MARKER, lw=8, label=f"repeat {_shortened(_joined(word), 24)}")]
    if not style.hues:
        figure.legend(
            handles=keys, loc="lower left", bbox_to_anchor=_beside_scale(figure), frameon=False, fontsize=9
        )
        _draw_scale(figure, style)
        return
    for action in range(bandit.actions):
        keys.append(Line2D([], [], color=HUES[action], lw=1.8, label=f"play {action}"))
    keys.append(Line2D([], [], lw=0, marker="$p/q$", ms=16, mew=0.2, color=INK, label="its loss"))
    figure.legend(handles=keys, loc="lower center", ncols=_columns(figure, keys), frameon=False, fontsize=9)


def _columns(figure: Figure, keys: Sequence[Artist]) -> int:
    """As many columns as fit, in the fewest rows."""
    rows = math.ceil(len(keys) / max(1, int(figure.get_figwidth() / 1.2)))
    return math.ceil(len(keys) / rows)


def _beside_scale(figure: Figure) -> tuple[float, float]:
    width, height = figure.get_size_inches()
    return 2.9 / width, 0.33 / height


def _draw_scale(figure: Figure, style: Style) -> None:
    """A bar of shades, with the exact least and greatest loss at its ends."""
    width, height = figure.get_size_inches()
    axes = figure.add_axes((0.9 / width, 0.42 / height, 1.8 / width, 0.14 / height))
    axes.imshow([[i / 63 for i in range(64)]], cmap=style.shades, aspect="auto", extent=(0, 1, 0, 1))
    axes.set_yticks([])
    axes.set_xticks([0, 1], [short(style.lowest), short(style.highest)], fontsize=9)
    axes.text(-0.04, 0.5, "loss", fontsize=9, ha="right", va="center", gid="scale")
