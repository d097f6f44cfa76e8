"""Pictures of small state graphs: every history a circle, every action an arrow, the best cycle marked.

The nodes lie on one circle: the cycle of the word goes clockwise from the top, then come the other nodes,
those that reach it sooner first. Arrows between neighbours follow the circle; all others bend inwards, where
there are no nodes, and a little to the left of their direction of travel, so that the two arrows between a
pair of nodes part. Loops point outwards. A label lies where on its arrow it is farthest from the nodes and
from other labels.

Lengths are in units of a node's radius, and a point of the plane is a complex number. Nothing is random: the
same instance gives the same file. Matplotlib is imported only when a picture is drawn.
"""

from __future__ import annotations

import cmath
import math
import os
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tallyplan.errors import InvalidInput
from tallyplan.model.arms import ArmBandit, graph_of_arms
from tallyplan.model.graph import to_networkx
from tallyplan.model.instance import Bandit, State
from tallyplan.model.replay import checked_word, mean_of_word, turns_of
from tallyplan.model.words import Word
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
from tallyplan.planning.mean_cycle import minimum_mean_cycle

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_STATES = 64
MAX_EDGES = 512
MAX_LABELLED_EDGES = 40
CROWDED = 20  # states from which on they lie closer, so that their names stay legible

NODE_RADIUS = 0.2  # inches on paper
LABEL_SIZE = 8.0
WIDE = 3.0
PLACES = (0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68, 0.26, 0.74, 0.2, 0.8)  # of a label along its arrow

Curve = tuple[complex, ...]  # the control points of a Bezier curve of degree 2 or 3


@dataclass(frozen=True)
class Arrow:
    """One edge of the state graph, as it is drawn; `name` is HISTORY-ACTION."""

    name: str
    curve: Curve
    colour: str
    label: str
    marked: bool


@styled
def draw_state_graph(
    bandit: Bandit,
    path: str | os.PathLike[str] | None = None,
    *,
    word: Sequence[int] | None = None,
) -> Figure:
    """Draw the state graph of a small instance, with the cycle of a word marked.

    Parameters
    ----------
    bandit : an instance with at most 64 states K^(m-1) and 512 edges K^m.
    path : where to write the picture, if anywhere; .svg, .png or .pdf.
    word : the word whose cycle is marked; an optimal one when it is not given.

    Returns
    -------
    A matplotlib `Figure` that is tied to no window. The hue of an arrow is its action (if there are more
    actions than hues, all share one). Up to 40 edges carry their exact losses. The artists have group ids
    (in SVG, XML ids): `node-HISTORY`, `edge-HISTORY-ACTION`, and `cycle-HISTORY-ACTION` for the marker under
    the arrows of the cycle.

    Raises
    ------
    InvalidInput : the graph is too large to be looked at, or the word is invalid.

    Examples
    --------
    >>> from tallyplan import TallyingBandit
    >>> figure = draw_state_graph(TallyingBandit([["0", "1"], ["0", "1"]]))
    >>> [label.get_text() for label in figure.axes[0].texts if label.get_gid().startswith("node-")]
    ['1', '0']
    >>> draw_state_graph(TallyingBandit([["1/2"]])).get_suptitle()  # a single action
    'tallying bandit\\nK = 1, m = 1, λ* = 1/2, attained by 0'
    """
    _require_small(bandit)
    best = minimum_mean_cycle(bandit)
    shown, opening = (
        (best.word, best.opening) if word is None else (checked_word(bandit, word, "word[{}]"), ())
    )
    if not shown:
        raise InvalidInput("the word is empty; a cycle plays at least one action.")
    graph, marked = to_networkx(bandit), _edges_of_cycle(bandit, shown, opening)
    losses = [loss for *_, loss in graph.edges(data="loss")]
    labelled = len(losses) <= MAX_LABELLED_EDGES and not any(short(loss).startswith("≈") for loss in losses)
    cycle = list(dict.fromkeys(state for state, _ in marked))
    places = _positions(graph, cycle, 7.5 if labelled else 5.0 if len(graph) <= CROWDED else 3.3)
    name = _namer(bandit)
    arrows = list(_arrows(graph, places, set(marked), bandit.actions, labelled, name))
    caption = textwrap.wrap(_caption(bandit, shown, mean_of_word(bandit, shown, opening), best.value), 88)
    figure, axes = _paper(arrows, places, "\n".join([first_line(bandit), *caption]))
    for arrow in arrows:
        _draw_arrow(axes, arrow)
    for state, place in places.items():
        _draw_node(axes, name(state), place, state in cycle)
    _draw_labels(axes, arrows, places.values())
    _draw_legend(figure, bandit, shown, labelled)
    return figure


def _require_small(bandit: Bandit) -> None:
    actions, kept = bandit.actions, bandit.memory - 1
    if isinstance(bandit, ArmBandit):
        states = len(graph_of_arms(bandit).states)
        large = f"the arms reach {states} states"
    else:
        states = actions ** min(kept, MAX_STATES)  # which may have more digits than anyone wants to compute
        large = f"the state graph has {actions}^{kept} states and {actions}^{kept + 1} edges"
    if states > MAX_STATES or states * actions > MAX_EDGES:
        raise InvalidInput(f"{large}; a picture shows at most {MAX_STATES} states and {MAX_EDGES} edges.")


def _edges_of_cycle(bandit: Bandit, word: Word, opening: Word) -> list[tuple[State, int]]:
    """The edges (state, action) that the word passes when it is repeated forever, each once, in order."""
    turns = turns_of(bandit, bandit.state_after(opening), word)
    state, edges = turns.states[turns.since], []
    for action in word * (len(turns.states) - turns.since):  # of arms, until their states come back
        edges.append((state, action))
        state = bandit.step(state, action)[1]
    return list(dict.fromkeys(edges))


def _caption(bandit: Bandit, word: Word, mean: Fraction, optimum: Fraction) -> str:
    told = "attained by" if mean == optimum else f"marked: mean {equals(mean)}, by"
    return f"{sizes(bandit)}, λ* {equals(optimum)}, {told} {shortened(joined(word, bandit.actions), 80)}"


def _namer(bandit: Bandit) -> Callable[[State], str]:
    """How a state is written: with actions, or with the states of arms."""
    arms = bandit.arms if isinstance(bandit, ArmBandit) else ()
    letters = max((len(arm.losses) for arm in arms), default=bandit.actions)
    return lambda state: joined(state, letters)


# --- where everything lies --------------------------------------------------------------------------------


def _positions(graph: nx.MultiDiGraph, cycle: Sequence[State], gap: float) -> dict[State, complex]:
    """The nodes on a circle, neighbours `gap` apart."""
    order = list(cycle)
    for node in order:
        order += [before for before in sorted(set(graph.predecessors(node))) if before not in order]
    order += sorted(set(graph) - set(order))  # states of arms from which no play reaches the cycle
    radius = gap / (2 * math.sin(math.pi / len(order))) if len(order) > 1 else 0.0
    first = math.pi if len(order) == 2 else math.pi / 2
    return {node: cmath.rect(radius, first - 2 * math.pi * i / len(order)) for i, node in enumerate(order)}


def _arrows(
    graph: nx.MultiDiGraph,
    places: dict[State, complex],
    marked: set[tuple[State, int]],
    actions: int,
    labelled: bool,
    name: Callable[[State], str],
) -> Iterator[Arrow]:
    """An arrow for every edge; for m = 1, where no node shows it, its label names the action."""
    gap = min((abs(p - q) for p, q in pairwise(places.values())), default=0.0)
    edges = sorted(graph.edges(keys=True, data="loss"))
    parallel: Counter[tuple[State, State]] = Counter()
    for source, target, action, loss in edges:
        rank = parallel[source, target]
        parallel[source, target] += 1
        curve = _curve(places[source], places[target], gap, rank, len(edges))
        parts = [str(action)] if not source else []
        label = ": ".join([*parts, short(loss)] if labelled else parts)
        hue = HUES[action if actions <= len(HUES) else 0]
        yield Arrow(f"{name(source)}-{action}", curve, hue, label, (source, action) in marked)


def _curve(start: complex, end: complex, gap: float, rank: int, edges: int) -> Curve:
    """From rim to rim, `rank` arrows between the same nodes being drawn already; each bends more."""
    if start != end:
        middle, along = (start + end) / 2, end - start
        control = middle + 0.25j * along if abs(along) < 1.01 * gap else 0.75 * middle + 0.12j * along
        control += 0.3j * rank * along
        return (start + _unit(control - start), control, end + _unit(control - end))
    if gap:
        return _loop(start, _unit(start) * cmath.exp(1.2j * rank), 0.5, 4.5)
    # The loops around a single node share the full turn.
    outwards = cmath.rect(1, math.pi / 2 - 2 * math.pi * rank / edges)
    return _loop(0, outwards, min(0.5, 2 / edges), max(5.0, 0.75 * edges))


def _unit(vector: complex) -> complex:
    return vector / abs(vector)


def _loop(place: complex, direction: complex, spread: float, length: float) -> Curve:
    left, right = direction * cmath.exp(1j * spread), direction * cmath.exp(-1j * spread)
    return (place + left, place + length * left, place + length * right, place + right)


def _along(curve: Curve, times: Sequence[float]) -> list[complex]:
    """Points of the curve, at parameters in [0, 1]."""
    from matplotlib.bezier import BezierSegment

    return [complex(*point) for point in BezierSegment([(p.real, p.imag) for p in curve])(times)]


# --- ink --------------------------------------------------------------------------------------------------


def _paper(arrows: Sequence[Arrow], places: dict[State, complex], title: str) -> tuple[Figure, Axes]:
    """A figure just large enough, its axes in units of a node's radius."""
    from matplotlib.figure import Figure

    everywhere = [i / 24 for i in range(25)]
    points = [point for arrow in arrows for point in _along(arrow.curve, everywhere)]
    points += [place + corner for place in places.values() for corner in (-1 - 1j, 1 + 1j)]
    left, right = min(p.real for p in points) - 1.5, max(p.real for p in points) + 1.5
    low, high = min(p.imag for p in points) - 1, max(p.imag for p in points) + 1
    head, foot = 0.15 + 0.2 * len(title.split("\n")), 0.6
    width = max((right - left) * NODE_RADIUS, inches(title), 4.5)
    height = (high - low) * NODE_RADIUS + head + foot
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((0, foot / height, 1, (high - low) * NODE_RADIUS / height))
    spare = (width / NODE_RADIUS - (right - left)) / 2
    axes.set(xlim=(left - spare, right + spare), ylim=(low, high))
    axes.set_axis_off()
    figure.suptitle(title, fontsize=11, y=1 - 0.1 / height, va="top", color=INK, parse_math=False)
    return figure, axes


def _draw_arrow(axes: Axes, arrow: Arrow) -> None:
    from matplotlib.patches import FancyArrowPatch, PathPatch
    from matplotlib.path import Path as Outline

    code = Outline.CURVE3 if len(arrow.curve) == 3 else Outline.CURVE4
    codes = [Outline.MOVETO, *[code] * (len(arrow.curve) - 1)]
    outline = Outline([(point.real, point.imag) for point in arrow.curve], codes)
    how: dict[str, Any] = {"mutation_scale": 10, "lw": 1.1, "zorder": 1}
    if arrow.marked:
        how = {"mutation_scale": 15, "lw": 2.4, "zorder": 3}
        band = {"ec": MARKER, "lw": 9, "capstyle": "round", "zorder": 2, "gid": f"cycle-{arrow.name}"}
        axes.add_patch(PathPatch(outline, fill=False, **band))
    how |= {"arrowstyle": "-|>", "color": arrow.colour, "gid": f"edge-{arrow.name}"}
    axes.add_patch(FancyArrowPatch(path=outline, shrinkA=0, shrinkB=0, **how))


def _draw_node(axes: Axes, node: str, place: complex, marked: bool) -> None:
    from matplotlib.patches import Circle

    label = shortened(node, 7)
    face, width = (MARKER, 1.8) if marked else ("white", 1.0)
    centre = (place.real, place.imag)
    axes.add_patch(Circle(centre, 1, fc=face, ec=INK, lw=width, zorder=4, gid=f"disc-{node}"))
    write_at(axes, place, label, size=min(11.0, 42 / len(label)), zorder=6, gid=f"node-{node}")


def _draw_labels(axes: Axes, arrows: Sequence[Arrow], nodes: Iterable[complex]) -> None:
    """Each label where along its arrow it is farthest from the nodes and from the labels before it."""
    taken = list(nodes)
    for arrow in arrows:
        if arrow.label:
            place = max(_along(arrow.curve, PLACES), key=lambda point: min(_apart(point, taken)))
            taken.append(place)
            colour, weight, paper = (
                (INK, "bold", MARKER) if arrow.marked else (arrow.colour, "normal", "white")
            )
            box = {"boxstyle": "round,pad=0.12", "fc": paper, "ec": "none", "alpha": 0.9}
            how = {"size": LABEL_SIZE, "color": colour, "weight": weight, "bbox": box, "zorder": 5}
            write_at(axes, place, arrow.label, gid=f"loss-{arrow.name}", **how)


def _apart(point: complex, others: Iterable[complex]) -> Iterator[float]:
    """The distance to each of the others, for labels that are WIDE times as wide as high."""
    return (abs(complex((other - point).real / WIDE, (other - point).imag)) for other in others)


def _draw_legend(figure: Figure, bandit: Bandit, word: Word, labelled: bool) -> None:
    from matplotlib.lines import Line2D

    keys = [Line2D([], [], color=MARKER, lw=8, label=f"repeat {shortened(joined(word, bandit.actions), 24)}")]
    for action in range(bandit.actions) if bandit.actions <= len(HUES) else ():
        keys.append(Line2D([], [], color=HUES[action], lw=1.8, label=f"play {action}"))
    if labelled:
        keys.append(Line2D([], [], lw=0, marker="$p/q$", ms=16, mew=0.2, color=INK, label="its loss"))
    rows = math.ceil(len(keys) / max(1, int(figure.get_figwidth() / 1.2)))
    columns = math.ceil(len(keys) / rows)  # as many as fit, in the fewest rows
    figure.legend(handles=keys, loc="lower center", ncols=columns)
