"""A directed graph that is written down, with a rational weight on every edge, and perhaps a time.

It is read from networkx, an edge list or a file. Nodes are numbered in the order in which they are first met,
edges in the order in which they are listed; parallel edges and loops are allowed. As everywhere, a float is
read as its shortest decimal, and text such as 1/3 is a rational.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from tallyplan.errors import InvalidInput
from tallyplan.model.files import AnyPath, json_text, read_text
from tallyplan.model.rationals import rational, shown, text
from tallyplan.model.words import items

Edge = tuple[tuple[Hashable, ...], list[Fraction]]
"""What the edge is called, (tail, head) or (tail, head, key), and its weight, then its time if it has one."""

GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"
_MISSING = object()


@dataclass(frozen=True)
class WeightedGraph:
    """Edge e leads from node `tails[e]` to node `heads[e]`, has the weight `weights[e]` and takes `times[e]`.

    Attributes
    ----------
    nodes : what the nodes are called where the graph comes from; elsewhere they are 0 .. n-1.
    ends : by edge, what it is called there: (tail, head), or (tail, head, key) in a multigraph.
    times : positive; None where there are none, and every edge takes 1.

    >>> WeightedGraph.of([("a", "b", "1/2"), ("b", "a", 0.1)]).weights
    (Fraction(1, 2), Fraction(1, 10))
    """

    nodes: tuple[Hashable, ...]
    tails: tuple[int, ...] = field(repr=False)
    heads: tuple[int, ...] = field(repr=False)
    weights: tuple[Fraction, ...] = field(repr=False)
    ends: tuple[tuple[Hashable, ...], ...] = field(repr=False)
    times: tuple[Fraction, ...] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, graph: Any, weight: str = "weight", time: str | None = None) -> WeightedGraph:
        """Read a networkx DiGraph or MultiDiGraph, an iterable of (tail, head, weight), or a WeightedGraph.

        With `time`, the attribute that holds it, edges have times: (tail, head, weight, time) in a list.

        Raises
        ------
        InvalidInput : the graph is undirected, an edge has no such attribute, a weight is no number, or a
            time is not positive.
        """
        if isinstance(graph, WeightedGraph):
            if time is not None and graph.times is None:
                raise InvalidInput("the edges of the graph have no times.")
            return graph if time is not None else replace(graph, times=None)
        if not isinstance(weight, Hashable):
            raise InvalidInput(f"weight is {shown(weight)}; the name of an attribute is needed.")
        names = [weight] if time is None else [weight, time]
        if hasattr(graph, "is_directed") and not isinstance(graph, type):
            if not graph.is_directed():
                raise InvalidInput(
                    "the graph is undirected, so that every edge would be a cycle; "
                    "a directed one is needed (graph.to_directed() makes two edges of each)."
                )
            return cls._collect(graph.nodes, _edges_of(graph, names))
        return cls._collect((), _edges_listed(graph, names))

    @classmethod
    def load(cls, path: AnyPath, weight: str = "weight", time: str | None = None) -> WeightedGraph:
        """Read a GraphML file (.graphml), or a CSV file whose first two columns are tail and head.

        The first line of a CSV file names its columns; one of them is the weight's. `-` reads CSV from
        standard input. Numbers are taken as they are written: nothing is rounded.
        """
        names = [weight] if time is None else [weight, time]
        suffix = ".csv" if str(path) == "-" else Path(path).suffix.lower()
        if suffix == ".graphml":
            return cls._collect(*_graphml(path, names))
        if suffix == ".csv":
            return cls._collect((), _csv_edges(path, names))
        raise InvalidInput(f"{path} is no graph: its name must end in .graphml or .csv.")

    @classmethod
    def _collect(cls, nodes: Iterable[Hashable], edges: Iterable[Edge]) -> WeightedGraph:
        number = {node: index for index, node in enumerate(nodes)}
        tails, heads, numbers, names = [], [], [], []
        for ends, found in edges:
            tails.append(number.setdefault(ends[0], len(number)))
            heads.append(number.setdefault(ends[1], len(number)))
            numbers.append(found)
            names.append(ends)
            if len(found) > 1 and found[1] <= 0:
                raise InvalidInput(
                    f"the time of {shown(tuple(ends))} is {text(found[1])}; it must be positive."
                )
        columns = list(zip(*numbers, strict=True)) or [()]
        times = columns[1] if len(columns) > 1 else None
        return cls(tuple(number), tuple(tails), tuple(heads), columns[0], tuple(names), times)

    def to_json(self) -> dict[str, Any]:
        """The graph of a certificate; names are written where every node is text or an integer."""
        plain = all(type(node) in (str, int) for node in self.nodes)
        names = {"names": [str(node) for node in self.nodes]} if plain else {}
        return (
            names
            | {
                "nodes": len(self.nodes),
                "tails": list(self.tails),
                "heads": list(self.heads),
                "weights": [text(weight) for weight in self.weights],
            }
            | ({} if self.times is None else {"times": [text(time) for time in self.times]})
        )

    def sha256(self) -> str:
        """SHA-256 of the JSON text with sorted keys and no white space."""
        document = dict(sorted(self.to_json().items()))
        return hashlib.sha256(json_text(document, compact=True).encode()).hexdigest()


def _edges_of(graph: Any, names: list[str]) -> Iterator[Edge]:
    multi = {"keys": True} if graph.is_multigraph() else {}
    for *ends, data in graph.edges(data=True, **multi):
        for name in names:
            if name not in data:
                raise InvalidInput(f"the edge {shown(tuple(ends))} has no attribute {shown(name)}.")
        yield tuple(ends), _numbers([data[name] for name in names], names, ends)


def _edges_listed(edges: object, names: list[str]) -> Iterator[Edge]:
    needed = ", ".join(["tail", "head", *names])
    for place, edge in enumerate(items(edges, "the graph", "a directed graph or a list of edges")):
        try:
            tail, head, *values = edge
            hash((tail, head))
        except (TypeError, ValueError):
            values = []
        if len(values) != len(names):
            raise InvalidInput(
                f"edge {place} is {shown(edge)}; ({needed}) is needed, nodes that can be hashed."
            )
        yield (tail, head), _numbers(values, names, (tail, head))


def _numbers(values: list[Any], names: list[str], ends: Iterable[Hashable]) -> list[Fraction]:
    return [
        Fraction(value) if type(value) is int else rational(value, f"the {name} of {shown(tuple(ends))}")
        for value, name in zip(values, names, strict=True)
    ]


def _csv_edges(path: AnyPath, names: list[str]) -> Iterator[Edge]:
    rows = csv.reader(io.StringIO(read_text(path).removeprefix("\ufeff")), strict=True)
    try:
        header = next(rows, [])
        for name in names:
            if header.count(name) != 1 or header.index(name) < 2:
                raise InvalidInput(
                    f"the first line of {path} must name the columns: tail, head, and then one {shown(name)}."
                )
        for row in rows:
            if len(row) not in (0, len(header)):
                raise InvalidInput(
                    f"line {rows.line_num} of {path} has {len(row)} cells; the first line has {len(header)}."
                )
            if row:
                yield (row[0], row[1]), _numbers([row[header.index(name)] for name in names], names, row[:2])
    except csv.Error as error:
        raise InvalidInput(f"line {rows.line_num} of {path} is not CSV: {error}.") from None


def _graphml(path: AnyPath, names: list[str]) -> tuple[list[str], list[Edge]]:
    """Nodes and edges of a GraphML file; numbers as they are written, edges all directed."""
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(read_text(path))
    except (ElementTree.ParseError, ValueError) as error:  # ValueError: an encoding that is not text's
        raise InvalidInput(f"{path} is not XML: {error}.") from None
    graphs = root.findall(f"{GRAPHML}graph")
    if len(graphs) != 1:
        raise InvalidInput(f"{path} is not a GraphML file with one graph.")
    keys = [(name, *_graphml_key(root, path, name)) for name in names]
    nodes = [node.get("id", "") for node in graphs[0].iter(f"{GRAPHML}node")]
    if len(set(nodes)) < len(nodes):
        twice = next(node for node, count in Counter(nodes).items() if count > 1)
        raise InvalidInput(f"{path} has two nodes {shown(twice)}.")
    directed = str(graphs[0].get("edgedefault") == "directed").lower()
    edges: list[Edge] = []
    for edge in graphs[0].iter(f"{GRAPHML}edge"):
        ends = (edge.get("source"), edge.get("target"))
        where = f"the edge {shown(ends)} of {path}"
        if None in ends:
            raise InvalidInput(f"{where} has no source or no target.")
        if edge.get("directed", directed) != "true":
            raise InvalidInput(f"{where} is undirected; a directed graph is needed.")
        values = []
        for name, key, default in keys:
            found = [data.text for data in edge.findall(f"{GRAPHML}data") if data.get("key") == key]
            value, *others = found or [default]
            if value is None or others:
                raise InvalidInput(f"{where} has no attribute {shown(name)}, or more than one.")
            values.append(value)
        edges.append((ends, _numbers(values, names, ends)))
    return nodes, edges


def _graphml_key(root: Any, path: AnyPath, weight: str) -> tuple[str, str | None]:
    """The key under which edges have the attribute, and its default."""
    keys = [
        key
        for key in root.findall(f"{GRAPHML}key")
        if key.get("attr.name") == weight and key.get("for", "all") in ("edge", "all")
    ]
    if len(keys) != 1:
        number = "no" if not keys else "more than one"
        raise InvalidInput(f"{path} has {number} attribute {shown(weight)} of edges.")
    return keys[0].get("id", ""), keys[0].findtext(f"{GRAPHML}default")
