"""A directed graph that is listed edge by edge, with a rational weight on every edge, and perhaps a time.

It is read from networkx, an edge list, an array or a file. Nodes are numbered in the order in which they are
first met, edges in the order in which they are listed; parallel edges and loops are allowed. As everywhere, a
float is read as its shortest decimal, and text such as 1/3 is a rational. Inside, numbers are integers over
one denominator.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Any

import numpy as np

from tallyplan.errors import InvalidInput
from tallyplan.model.files import AnyPath, read_text
from tallyplan.model.graph import Array, integers
from tallyplan.model.rationals import rational, shown, text
from tallyplan.model.tables import csv_lines
from tallyplan.model.words import items

Edge = tuple[tuple[Hashable, ...], list[Any]]
"""What the edge is called, (tail, head) or (tail, head, key), and its weight, then its time if it has one."""


@dataclass(frozen=True)
class Numbers:
    """Rational numbers as integers over one denominator; an array of objects where 64 bits do not suffice."""

    integers: Array
    unit: int = 1

    def __getitem__(self, place: int) -> Fraction:
        return Fraction(int(self.integers[place]), self.unit)

    def written(self) -> list[str]:
        """As a certificate has them."""
        return [text(Fraction(number, self.unit)) for number in self.integers.tolist()]


@dataclass(frozen=True)
class WeightedGraph:
    """Edge e leads from node `tails[e]` to node `heads[e]`, has the weight `weights[e]` and takes `times[e]`.

    Attributes
    ----------
    nodes : what the nodes are called where the graph comes from; elsewhere they are 0 .. n-1.
    times : positive; None if every edge takes 1.
    keys : what parallel edges are called in a multigraph.

    >>> graph = WeightedGraph.of([("a", "b", "1/2"), ("b", "a", 0.1)])
    >>> graph.weights[1], graph.ends(1)
    (Fraction(1, 10), ('b', 'a'))
    """

    nodes: tuple[Hashable, ...]
    tails: Array = field(repr=False)
    heads: Array = field(repr=False)
    weights: Numbers = field(repr=False)
    times: Numbers | None = field(default=None, repr=False)
    keys: tuple[tuple[Hashable, ...], ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, graph: Any, weight: str = "weight", time: str | None = None) -> WeightedGraph:
        """Read a networkx DiGraph or MultiDiGraph, an iterable of (tail, head, weight), or a WeightedGraph.

        With `time`, the attribute that holds it, edges have times: (tail, head, weight, time) in a list. An
        array of integers with a row per edge is read at once.

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
            return cls._collect(_edges_of(graph, names), names, graph.nodes)
        plain = isinstance(graph, np.ndarray) and not np.ma.isMaskedArray(graph)
        if plain and graph.dtype.kind == "i" and graph.shape[1:] == (2 + len(names),):
            return cls._of_array(graph)
        return cls._collect(_edges_listed(graph, names), names)

    @classmethod
    def load(cls, path: AnyPath, weight: str = "weight", time: str | None = None) -> WeightedGraph:
        """Read a GraphML file (.graphml), or a CSV file whose first two columns are tail and head.

        The first line of a CSV file names its columns; one of them is the weight's. `-` reads CSV from
        standard input. Numbers are taken as they are written: nothing is rounded.
        """
        suffix = ".csv" if str(path) == "-" else Path(path).suffix.lower()
        if suffix == ".graphml":
            return cls.of(_graphml(path), weight, time)
        if suffix == ".csv":
            names = [weight] if time is None else [weight, time]
            return cls._collect(_csv_edges(path, names), names)
        raise InvalidInput(f"{path} is not a graph: its name must end in .graphml or .csv.")

    @classmethod
    def _collect(
        cls, edges: Iterable[Edge], names: list[str], nodes: Iterable[Hashable] = ()
    ) -> WeightedGraph:
        number = {node: index for index, node in enumerate(nodes)}
        tails, heads, rows, keys = list[int](), list[int](), list[list[Any]](), list[tuple[Hashable, ...]]()
        for ends, values in edges:
            tails.append(number.setdefault(ends[0], len(number)))
            heads.append(number.setdefault(ends[1], len(number)))
            keys += [ends[2:]] if len(ends) > 2 else []
            rows.append(
                [
                    value if type(value) is int else rational(value, f"the {name} of {shown(ends)}")
                    for value, name in zip(values, names, strict=True)
                ]
            )
        weights, times = [*map(_numbers, zip(*rows, strict=True)), None, None][:2]
        found = weights or _numbers(())
        return cls(tuple(number), integers(tails), integers(heads), found, times, tuple(keys))

    @classmethod
    def _of_array(cls, array: Array) -> WeightedGraph:
        met = array[:, :2].reshape(-1)
        if met.min(initial=0) < 0 or met.max(initial=0) > 4 * len(met):
            names, met = np.unique(met, return_inverse=True)
        else:
            names = np.arange(int(met.max(initial=-1)) + 1)
        first = np.full(len(names), len(met))
        first[met[::-1]] = np.arange(len(met))[::-1]  # the earliest is written last
        order = np.argsort(first)[: np.count_nonzero(first < len(met))]
        number = np.empty(len(names), dtype=np.int64)
        number[order] = np.arange(len(order))
        ends = number[met].reshape(-1, 2)
        weights, times = [*(Numbers(column.astype(np.int64)) for column in array.T[2:]), None][:2]
        assert weights is not None
        return cls(tuple(names[order].tolist()), ends[:, 0], ends[:, 1], weights, times)

    def __post_init__(self) -> None:
        if self.times is not None and (self.times.integers <= 0).any():
            e = int(np.argmax(self.times.integers <= 0))
            found = f"the time of {shown(self.ends(e))} is {text(self.times[e])}"
            raise InvalidInput(f"{found}; it must be positive.")

    def ends(self, edge: int) -> tuple[Hashable, ...]:
        """What the edge is called: (tail, head), or (tail, head, key) in a multigraph."""
        pair = self.nodes[self.tails[edge]], self.nodes[self.heads[edge]]
        return pair + self.keys[edge] if self.keys else pair

    def to_json(self) -> dict[str, Any]:
        """The graph of a certificate; names are written where every node is text or an integer."""
        plain = all(type(node) in (str, int) for node in self.nodes)
        names = {"names": [str(node) for node in self.nodes]} if plain else {}
        ends = {"nodes": len(self.nodes), "tails": self.tails.tolist(), "heads": self.heads.tolist()}
        times = {} if self.times is None else {"times": self.times.written()}
        return names | ends | {"weights": self.weights.written()} | times


def _numbers(values: Iterable[Any]) -> Numbers:
    """Integers and Fractions over their common denominator."""
    ratios = [value.as_integer_ratio() for value in values]
    unit = lcm(*{denominator for _, denominator in ratios})
    return Numbers(integers([numerator * (unit // denominator) for numerator, denominator in ratios]), unit)


def _edges_of(graph: Any, names: list[str]) -> Iterator[Edge]:
    if not graph.is_directed():
        raise InvalidInput(
            "the graph is undirected, so that every edge would be a cycle; "
            "a directed one is needed (graph.to_directed() makes two edges of each)."
        )
    multi = {"keys": True} if graph.is_multigraph() else {}
    usual = graph.graph.get("edge_default", {})  # of a GraphML file
    for *ends, data in graph.edges(data=True, **multi):
        values = [data.get(name, usual.get(name, _edges_of)) for name in names]
        if _edges_of in values:
            missing = names[values.index(_edges_of)]
            raise InvalidInput(f"the edge {shown(tuple(ends))} has no attribute {shown(missing)}.")
        yield tuple(ends), values


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
        yield (tail, head), values


def _csv_edges(path: AnyPath, names: list[str]) -> Iterator[Edge]:
    (_, header), *rows = [*csv_lines(read_text(path), str(path))] or [("", list[str]())]
    for name in names:
        if header.count(name) != 1 or header.index(name) < 2:
            raise InvalidInput(
                f"the first line of {path} must name the columns: tail, head, and then one {shown(name)}."
            )
    for _, row in rows:
        yield (row[0], row[1]), [row[header.index(name)] for name in names]


def _graphml(path: AnyPath) -> Any:
    """The graph of a GraphML file as networkx reads it, with numbers as they are written."""
    from xml.etree.ElementTree import ParseError

    import networkx as nx

    as_text = re.sub(r"""\battr\.type\s*=\s*("[^"]*"|'[^']*')""", 'attr.type="string"', read_text(path))
    try:
        with warnings.catch_warnings(action="ignore"):  # an attribute without a type is text
            return nx.parse_graphml(as_text)
    except (ParseError, nx.NetworkXException, KeyError, ValueError, TypeError, AttributeError) as error:
        raise InvalidInput(f"{path} is not a GraphML file with one graph: {error}.") from None
