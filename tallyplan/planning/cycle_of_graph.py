"""Cycles of an explicit graph, exactly: of least mean or ratio, all critical ones, negative ones.

One search answers them all, for the least ratio of weight to time (`core/mean_cycle.hpp` has the proofs); the
mean is the ratio where every edge takes 1. Let p/q be the ratio of the cycle that it finds. The potentials
that it finds satisfy q*weight - p*time + phi(v) - phi(u) >= 0 on every edge u -> v. Along any cycle they
cancel, so no ratio is below p/q: they are the certificate.

An edge is *tight* if equality holds there. The optimal cycles are those of tight edges, and so the edges on
optimal cycles are the tight ones inside the strongly connected components of the tight graph.

Is there a negative cycle? With one more loop, of weight 0, the least mean is negative if there is one, and
otherwise 0, with potentials that prove it.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tallyplan.certificates import document
from tallyplan.core.library import NoAnswerError
from tallyplan.errors import InternalError, InvalidInput
from tallyplan.limits import Progress, silent
from tallyplan.model.display import SmallTable, card, displayable
from tallyplan.model.graph import Array, integer_type
from tallyplan.model.rationals import text
from tallyplan.model.weighted_graph import Numbers, WeightedGraph
from tallyplan.planning.state_graph import cycle_of_listed

if TYPE_CHECKING:
    import networkx as nx

NODES_SHOWN = 20  # of a cycle, in a notebook


@displayable
@dataclass(frozen=True)
class GraphAnswer:
    """The answer to a question about a graph; it is always exact.

    Attributes
    ----------
    value : the least mean weight of a cycle, or the least ratio of weight to time; None: none is negative.
    scale, potentials : scale * (weight - value * time) + potentials[head] - potentials[tail] >= 0 on every
        edge, value 0 if it is None, time 1 where there are no times; in the order of the graph's nodes.
    """

    graph: WeightedGraph = field(repr=False)
    question: str = field(repr=False)
    value: Fraction | None
    cycle: tuple[int, ...] = field(repr=False)
    scale: int = field(repr=False)
    potentials: Array = field(repr=False, compare=False)
    chosen: tuple[int, ...] = field(repr=False)
    order: tuple[int, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        graph, times = self.graph, self.graph.times
        tails, heads = ([int(ends[edge]) for edge in self.cycle] for ends in (graph.tails, graph.heads))
        weight = sum((graph.weights[edge] for edge in self.cycle), Fraction(0))
        time = sum((1 if times is None else times[edge] for edge in self.cycle), Fraction(0))
        if heads != [*tails[1:], *tails[:1]] or weight != (self.value or 0) * time:
            raise InternalError("the least cycle failed its own replay; please report this graph.")

    def shown(self) -> SmallTable:
        """What notebooks and terminals show."""
        cycle = " -> ".join(map(str, self.nodes[:NODES_SHOWN])) or "there is none"
        entries = {"optimum": self.value, "cycle": cycle, "edges": len(self.chosen), "proof": self.argument}
        return card(self.question, {name: entry for name, entry in entries.items() if entry is not None})

    @property
    def exists(self) -> bool:
        """Whether there is such a cycle; False only if a negative one was asked for."""
        return self.value is not None

    @property
    def nodes(self) -> tuple[Hashable, ...]:
        """The nodes of a cycle that attains the value, in order."""
        return tuple(self.graph.nodes[self.graph.tails[edge]] for edge in self.cycle)

    @property
    def edges(self) -> tuple[tuple[Hashable, ...], ...]:
        """The edges of the cycle, or all critical ones: (tail, head), in a multigraph (tail, head, key)."""
        return tuple(map(self.graph.ends, self.chosen))

    @property
    def components(self) -> tuple[tuple[Hashable, ...], ...]:
        """The nodes of these edges, by strongly connected component; every optimal cycle lies in one."""
        found: dict[int, list[Hashable]] = {}
        for node in np.unique(self.graph.tails[list(self.chosen)]).tolist():
            found.setdefault(self.order[node] if self.order else 0, []).append(self.graph.nodes[node])
        return tuple(map(tuple, found.values()))

    @property
    def argument(self) -> str:
        """The proof in words."""
        if self.question == "negative-cycle" and self.exists:
            return "its weights add up to less than 0"
        sizes = f"{len(self.graph.nodes)} nodes, which hold on all {len(self.graph.tails)} edges"
        return f"potentials on {sizes}{'; tight edges, by component' if self.order else ''}"

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """As docs/certificates.md describes it; its size is that of the graph."""
        graph, values = self.graph, self.potentials.tolist()
        dual: dict[str, Any] = {"rule": "potential", "scale": self.scale, "values": values}
        claim: dict[str, Any] = {
            "question": self.question,
            "value": None if self.value is None else text(self.value),
        }
        if self.question == "negative-cycle" and self.exists:
            dual = {}
        if self.question == "critical-graph":
            chosen = list(self.chosen)
            claim |= {"edges": chosen}
            ends = _shape(graph.tails[chosen], graph.heads[chosen])
            far = {"from": self._distances(ends), "to": self._distances(ends.reverse())}
            dual |= {"rule": "critical", "order": list(self.order)} | far
        primal = {"rule": "replay", "cycle": list(self.cycle)} if self.cycle else {}
        return document("graph", graph.to_json(), claim=claim, primal=primal, dual=dual)

    def _distances(self, critical: nx.DiGraph) -> list[int]:
        """How far each node is from the first node of its component."""
        import networkx as nx

        far = dict[int, int]()
        for component in nx.strongly_connected_components(critical):
            far |= nx.single_source_shortest_path_length(critical, min(component))
        return [far.get(node, 0) for node in range(len(self.graph.nodes))]


def _shape(tails: Array, heads: Array) -> nx.DiGraph:
    import networkx as nx

    return nx.DiGraph(list(zip(tails.tolist(), heads.tolist(), strict=True)))


def minimum_mean_cycle_of(graph: Any, weight: str = "weight", *, progress: Progress = silent) -> GraphAnswer:
    """The least mean weight of a cycle of an explicit directed graph, a cycle that has it, and a proof.

    Parameters
    ----------
    graph : a networkx DiGraph or MultiDiGraph, an iterable of edges (tail, head, weight), or a WeightedGraph.
        Weights are integers or rationals of any sign and size; a float is read as its shortest decimal, text
        as a rational ("1/3", "-0.25"). Loops and parallel edges are allowed. Fastest: an array of integers,
        a row per edge.
    weight : the attribute of the edges that holds the weight, for a networkx graph.
    progress : called with a status string, periodically.

    Returns
    -------
    GraphAnswer. If several cycles have the least mean, which one is given depends on the order of the nodes
    and edges only.

    Raises
    ------
    InvalidInput : the graph is undirected or has no cycle, an edge lacks the attribute, or a weight is not
        a number.

    Notes
    -----
    Time: O(edges + n log n) per pass, typically tens of passes. For the largest mean, negate the weights.

    See Also
    --------
    tallyplan.minimum_mean_cycle : the same for the state graph of a bandit, which is never written down.
    tallyplan.minimum_ratio_cycle_of : where edges take time.
    tallyplan.critical_graph : all cycles that have the least mean.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.DiGraph()
    >>> graph.add_weighted_edges_from([("a", "b", 1), ("b", "a", "1/2"), ("b", "c", -3), ("c", "a", 4)])
    >>> answer = minimum_mean_cycle_of(graph)
    >>> answer.value, answer.nodes
    (Fraction(2, 3), ('a', 'b', 'c'))
    >>> from tallyplan import check
    >>> check(answer.certificate).reason
    'Proved: the least mean weight of a cycle is 2/3.'
    >>> minimum_mean_cycle_of([(0, 0, -0.1)]).edges  # one loop
    ((0, 0),)
    >>> minimum_mean_cycle_of([(0, 1, 5)])
    Traceback (most recent call last):
    tallyplan.errors.InvalidInput: the graph has no cycle.
    """
    return _least_cycle(WeightedGraph.of(graph, weight), "mean-cycle", progress)


def minimum_ratio_cycle_of(
    graph: Any, weight: str = "weight", time: str = "time", *, progress: Progress = silent
) -> GraphAnswer:
    """The least ratio of weight to time of a cycle: total weight over total time.

    Parameters
    ----------
    graph, weight, progress : as in `minimum_mean_cycle_of`; an edge of a list is (tail, head, weight, time).
    time : the attribute that holds the times, positive rationals.

    >>> answer = minimum_ratio_cycle_of([("a", "b", 2, "1/2"), ("b", "a", 1, 1), ("a", "a", 5, 2)])
    >>> answer.value, answer.nodes
    (Fraction(2, 1), ('a', 'b'))
    >>> minimum_ratio_cycle_of([(0, 0, 1, 0)])
    Traceback (most recent call last):
    tallyplan.errors.InvalidInput: the time of (0, 0) is 0/1; it must be positive.
    """
    return _least_cycle(WeightedGraph.of(graph, weight, time), "ratio-cycle", progress)


def critical_graph(
    graph: Any, weight: str = "weight", time: str | None = None, *, progress: Progress = silent
) -> GraphAnswer:
    """All edges that lie on some cycle of least mean weight; or of least ratio, if there are times.

    Parameters
    ----------
    graph, weight, progress : as in `minimum_mean_cycle_of`.
    time : the attribute of the edges that holds their time, as in `minimum_ratio_cycle_of`.

    >>> found = critical_graph([("a", "a", 1), ("a", "b", 1), ("b", "a", 1), ("b", "c", 0), ("c", "c", 2)])
    >>> found.value, found.edges, found.components
    (Fraction(1, 1), (('a', 'a'), ('a', 'b'), ('b', 'a')), (('a', 'b'),))
    """
    import networkx as nx

    least = _least_cycle(WeightedGraph.of(graph, weight, time), "critical-graph", progress)
    read, phi = least.graph, least.potentials.astype(object)
    times = read.times or Numbers(np.ones_like(read.tails))
    per_time = int(least.scale * (least.value or 0) / times.unit)
    weights = least.scale // read.weights.unit * read.weights.integers.astype(object)
    slack = weights - per_time * times.integers.astype(object) + phi[read.heads] - phi[read.tails]
    tight = np.flatnonzero(slack == 0)
    ends, order = _shape(read.tails[tight], read.heads[tight]), np.zeros(len(read.nodes), dtype=np.int64)
    for place, component in enumerate(nx.strongly_connected_components(ends)):  # what it leads to, first
        order[list(component)] = place
    chosen = tight[order[read.tails[tight]] == order[read.heads[tight]]]
    return replace(least, chosen=tuple(chosen.tolist()), order=tuple(order.tolist()))


def negative_cycle_of(graph: Any, weight: str = "weight", *, progress: Progress = silent) -> GraphAnswer:
    """A cycle of negative weight, the one of least mean; or potentials that prove that there is none.

    Parameters
    ----------
    graph, weight, progress : as in `minimum_mean_cycle_of`. Weights are exact: 0.1 + 0.7 - 0.8 is 0.

    >>> negative_cycle_of([(0, 1, 0.1), (1, 2, 0.7), (2, 0, -0.8)]).exists
    False
    >>> found = negative_cycle_of([(0, 1, 0.1), (1, 2, 0.7), (2, 0, "-0.81")])
    >>> found.nodes, found.value
    ((0, 1, 2), Fraction(-1, 300))
    >>> negative_cycle_of([(0, 1, -5)]).exists
    False
    """
    read = WeightedGraph.of(graph, weight)
    if not read.nodes:
        raise InvalidInput("the graph has no nodes.")
    tails, heads, weights = (np.append(row, 0) for row in (read.tails, read.heads, read.weights.integers))
    looped = replace(read, tails=tails, heads=heads, weights=Numbers(weights, read.weights.unit), keys=())
    found = _least_cycle(looped, "negative-cycle", progress)
    if found.value:
        return replace(found, graph=read)
    return replace(found, graph=read, value=None, cycle=(), chosen=())


def _least_cycle(graph: WeightedGraph, question: str, progress: Progress) -> GraphAnswer:
    """The least ratio; costs are made integers that are not negative, in rows by node."""
    if not len(graph.tails):
        raise InvalidInput("the graph has no edges, so that there is no cycle.")
    costs, times = graph.weights.integers, None if graph.times is None else graph.times.integers
    longest, highest = 1 if times is None else int(times.max()), max(1, -int(costs.min()), int(costs.max()))
    costs = costs.astype(integer_type(2 * highest * longest))
    taken = (np.ones_like(graph.tails) if times is None else times).astype(costs.dtype)
    low = int((costs // taken).min())
    order = np.argsort(graph.tails, kind="stable")
    rows = np.searchsorted(graph.tails[order], np.arange(len(graph.nodes) + 1))
    lifted, heads = (costs - low * taken)[order], graph.heads[order]
    try:
        found = cycle_of_listed(rows, heads, lifted, None if times is None else times[order], progress)
    except NoAnswerError:
        raise InvalidInput("the graph has no cycle.") from None
    node, cycle = found.start, []
    for place in found.word:
        cycle.append(int(order[rows[node] + place]))
        node = int(graph.heads[cycle[-1]])
    unit, scale = 1 if graph.times is None else graph.times.unit, found.scale * graph.weights.unit
    value = Fraction((found.mean + low * found.scale) * unit, scale)
    return GraphAnswer(graph, question, value, tuple(cycle), scale, found.potentials, tuple(cycle))
