"""Where the nodes, arrows and labels of a state graph lie.

The nodes lie on rings. The cycle of the word is the innermost, clockwise; a node on ring d needs d steps to
reach it. The loops of the cycle take the widest gap between nodes before any other arrow is laid. An arrow
bends to the left of its direction of travel where it can, so that the two arrows between a pair of nodes
part. The arrow of an action ends at the history whose last action it is.

Lengths are in units of a node's radius, and a point of the plane is a complex number. Nothing is random: the
same graph always has the same layout.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from tallyplan.model.graph import Array
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


# --- where the nodes are ----------------------------------------------------------------------------------


def _rings(graph: nx.MultiDiGraph, cycle: list[Word]) -> list[list[Word]]:
    """The nodes by their distance to the cycle, each next to the node through which it gets there.

    Those that cannot get there, such as arms worn out by other plays, are the last ring.
    """
    rings, seen = [cycle], set(cycle)
    while len(seen) < len(graph):
        before = (one for node in rings[-1] for one in sorted(graph.predecessors(node)))
        ring = [one for one in dict.fromkeys(before) if one not in seen]
        rings.append(ring or sorted(set(graph) - seen))
        seen.update(rings[-1])
    return rings


def positions(graph: nx.MultiDiGraph, cycle: list[Word], gap: float) -> dict[Word, complex]:
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


def arrows_of(
    graph: nx.MultiDiGraph, places: dict[Word, complex], marked: set[tuple[Word, int]]
) -> list[Arrow]:
    """The arrows of the cycle, then the other arcs, which avoid them; other loops go where room is left."""
    edges = sorted(
        graph.edges(keys=True, data="loss"), key=lambda edge: ((edge[0], edge[2]) not in marked, edge)
    )
    curves: dict[tuple[Word, int], Curve] = {}
    for source, target, action, _ in edges:
        if source == target and (source, action) in marked and len(graph) > 1:
            curves[source, action] = _loop(places[source], _freest(places, source, []))
    for source, target, action, _ in edges:
        if source != target:
            cycle = [curve for edge, curve in curves.items() if edge in marked]
            two_way = graph.has_edge(target, source)
            curves[source, action] = _bent(places, source, target, two_way, cycle)
    passed = [point for curve in curves.values() for point in curve.samples()]
    for source, target, action, _ in edges:
        if source == target and len(graph) > 1:
            curves.setdefault((source, action), _loop(places[source], _freest(places, source, passed)))
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
