"""Where the nodes, arrows and labels of a state graph lie: on one circle, the cycle of the word first.

The cycle goes clockwise from the top. Then come the other nodes, those that reach it sooner first. Arrows
between neighbours follow the circle; all others bend inwards, where there are no nodes, and a little to the
left of their direction of travel, so that the two arrows between a pair of nodes part. Loops point outwards.
The arrow of an action ends at the history whose last action it is.

Lengths are in units of a node's radius, and a point of the plane is a complex number.
"""

from __future__ import annotations

import cmath
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tallyplan.model.words import Word

if TYPE_CHECKING:
    import networkx as nx


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


def positions(graph: nx.MultiDiGraph, cycle: Sequence[Word], gap: float) -> dict[Word, complex]:
    """The nodes on a circle, neighbours `gap` apart."""
    order = list(cycle)
    for node in order:
        order += [before for before in sorted(set(graph.predecessors(node))) if before not in order]
    order += sorted(set(graph) - set(order))  # states of arms from which no play reaches the cycle
    radius = gap / (2 * math.sin(math.pi / len(order))) if len(order) > 1 else 0.0
    first = math.pi if len(order) == 2 else math.pi / 2
    return {node: cmath.rect(radius, first - 2 * math.pi * i / len(order)) for i, node in enumerate(order)}


def arrows_of(
    graph: nx.MultiDiGraph, places: dict[Word, complex], marked: set[tuple[Word, int]]
) -> list[Arrow]:
    """An arrow for every edge."""
    gap = min((abs(p - q) for p, q in pairwise(places.values())), default=0.0)
    arrows, parallel = [], Counter[tuple[Word, Word]]()
    for source, target, action, loss in sorted(graph.edges(keys=True, data="loss")):
        rank = parallel[source, target]
        parallel[source, target] += 1
        if source != target:
            curve = _arc(places[source], places[target], gap, rank)
        elif len(places) > 1:
            curve = _loop(places[source], _unit(places[source]) * cmath.exp(1.2j * rank))
        else:
            curve = _petal(action, graph.number_of_edges())
        arrows.append(Arrow(source, target, action, loss, curve, (source, action) in marked))
    return arrows


def _arc(start: complex, end: complex, gap: float, rank: int) -> Curve:
    """From the rim of one node to the rim of another; of parallel arrows, each bends more than the last."""
    middle, along = (start + end) / 2, end - start
    control = middle + 0.25j * along if abs(along) < 1.01 * gap else 0.75 * middle + 0.12j * along
    control += 0.3j * rank * along
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


def label_places(
    arrows: list[Arrow], labels: list[str], nodes: Iterable[complex], letter: float
) -> list[complex]:
    """For each arrow the point along it whose label hides least of the other labels, nodes and arrows.

    `letter` is half the width of a letter.
    """
    discs = list(nodes)
    samples = [arrow.curve.samples() for arrow in arrows]
    placed: list[tuple[complex, float]] = []
    for number, (arrow, label) in enumerate(zip(arrows, labels, strict=True)):
        wide = letter * len(label) + 0.15
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
