"""Cycles of an explicit graph, exactly: of least mean or ratio, all critical ones, negative ones.

Bellman-Ford on q*cost - p*time, where p/q is the ratio of the best cycle known, at first above every cost: a
cycle of the edges that last lowered their nodes has a smaller ratio and takes its place. If nothing changes
any more, q*cost - p*time + phi(v) - phi(u) >= 0 on every edge u -> v. Along any cycle the potentials cancel,
so no ratio is below p/q: they are the certificate. After each sweep every potential is set to the cost of its
whole path, so few sweeps are needed. `core/mean_cycle.hpp` has the proofs, and `_in_python` is the same in
plain Python, for numbers beyond 128 bits. The mean is the ratio where every edge takes 1.

An edge is *tight* if equality holds there. The optimal cycles are those of tight edges, and so the edges on
optimal cycles are the tight ones inside the strongly connected components of the tight graph.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import Any

import numpy as np

from tallyplan.certificates import of_graph
from tallyplan.core.library import NoAnswerError, TooWideError
from tallyplan.core.questions import Array, Cycle, cycle, graph_of_edges
from tallyplan.errors import InternalError, InvalidInput
from tallyplan.limits import Progress, silent
from tallyplan.model.display import SmallTable, card, displayable
from tallyplan.model.rationals import text
from tallyplan.model.weighted_graph import WeightedGraph
from tallyplan.planning import reference
from tallyplan.planning.effort import tick

NODES_SHOWN = 20  # of a cycle, in a notebook
LONGEST_TIME = 2**31 - 1  # that the core takes


@displayable
@dataclass(frozen=True)
class CycleOfGraph:
    """The answer to `minimum_mean_cycle_of` and `minimum_ratio_cycle_of`; it is always exact.

    Attributes
    ----------
    value : the least mean weight of a cycle, or the least ratio of weight to time.
    nodes : the nodes of a cycle that attains it, in order.
    edges : its edges, (tail, head) or, in a multigraph, (tail, head, key); the first leaves the first node.
    scale, potentials : scale * (weight - value * time) + potentials[head] - potentials[tail] >= 0 on every
        edge, time 1 where there are no times; integers, in the order of the graph's nodes.
    certificate : the document that `tallyplan.check` verifies.
    """

    graph: WeightedGraph = field(repr=False)
    value: Fraction
    cycle: tuple[int, ...] = field(repr=False)
    scale: int = field(repr=False)
    potentials: tuple[int, ...] = field(repr=False)

    def __post_init__(self) -> None:
        tails, heads = ([ends[edge] for edge in self.cycle] for ends in (self.graph.tails, self.graph.heads))
        weight = sum((self.graph.weights[edge] for edge in self.cycle), Fraction(0))
        time = sum((_time(self.graph, edge) for edge in self.cycle), Fraction(0))
        if heads != [*tails[1:], *tails[:1]] or weight != self.value * time:
            raise InternalError("the least cycle failed its own replay; please report this graph.")

    def shown(self) -> SmallTable:
        """What notebooks and terminals show."""
        entries = {"optimum": self.value, "cycle": " -> ".join(map(str, self.nodes[:NODES_SHOWN]))}
        return card(f"least {self.what} of a cycle", entries | {"proof": self.argument})

    @property
    def what(self) -> str:
        """The kind of value."""
        return "mean weight" if self.graph.times is None else "ratio of weight to time"

    @property
    def nodes(self) -> tuple[Hashable, ...]:
        """The nodes of the cycle, in order."""
        return tuple(self.graph.nodes[self.graph.tails[edge]] for edge in self.cycle)

    @property
    def edges(self) -> tuple[tuple[Hashable, ...], ...]:
        """The edges of the cycle, in order."""
        return tuple(self.graph.ends[edge] for edge in self.cycle)

    @property
    def lower(self) -> Fraction:
        """The value: no cycle has less, by the potentials."""
        return self.value

    @property
    def upper(self) -> Fraction:
        """The value: the cycle attains it."""
        return self.value

    @property
    def exact(self) -> bool:
        """Always."""
        return True

    @property
    def argument(self) -> str:
        """The proof in words."""
        return _by_potentials(self.graph)

    @property
    def tight(self) -> list[int]:
        """The edges on which equality holds: scale * (weight - value * time) = the fall of the potentials."""
        graph, phi = self.graph, self.potentials
        return [
            e
            for e, (u, v) in enumerate(zip(graph.tails, graph.heads, strict=True))
            if self.scale * (graph.weights[e] - self.value * _time(graph, e)) == phi[u] - phi[v]
        ]

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """As docs/certificates.md describes it; its size is that of the graph."""
        question = "mean-cycle" if self.graph.times is None else "ratio-cycle"
        dual = {"rule": "potential", "scale": self.scale, "values": list(self.potentials)}
        return of_graph(self.graph, {"question": question, "value": text(self.value)}, self.cycle, dual)


def minimum_mean_cycle_of(graph: Any, weight: str = "weight", *, progress: Progress = silent) -> CycleOfGraph:
    """The least mean weight of a cycle of an explicit directed graph, a cycle that has it, and a proof.

    Parameters
    ----------
    graph : a networkx DiGraph or MultiDiGraph, an iterable of edges (tail, head, weight), or a WeightedGraph.
        Weights are integers or rationals of any sign and size; a float is read as its shortest decimal, text
        as a rational ("1/3", "-0.25"). Loops and parallel edges are allowed.
    weight : the attribute of the edges that holds the weight, for a networkx graph.
    progress : called with a status string, periodically.

    Returns
    -------
    CycleOfGraph. If several cycles have the least mean, which one is given depends on the order of the nodes
    and edges only.

    Raises
    ------
    InvalidInput : the graph is undirected or has no cycle, an edge lacks the attribute, or a weight is no
        number.

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
    tallyplan.planning.cycle_of_graph.NoCycle: the graph has no cycle, so that there is no least mean.
    """
    return _least_cycle(WeightedGraph.of(graph, weight), progress)


def minimum_ratio_cycle_of(
    graph: Any, weight: str = "weight", time: str = "time", *, progress: Progress = silent
) -> CycleOfGraph:
    """The least ratio of weight to time of a cycle: total weight over total time.

    Parameters
    ----------
    graph : as in `minimum_mean_cycle_of`; an edge of a list is (tail, head, weight, time). Times are positive
        rationals.
    weight, time : the attributes of the edges, for a networkx graph.
    progress : called with a line of words now and then.

    Returns
    -------
    CycleOfGraph.

    Raises
    ------
    InvalidInput : as in `minimum_mean_cycle_of`, or a time that is not positive.

    See Also
    --------
    tallyplan.minimum_mean_cycle_of : every edge takes the same time.

    Examples
    --------
    >>> answer = minimum_ratio_cycle_of([("a", "b", 2, "1/2"), ("b", "a", 1, 1), ("a", "a", 5, 2)])
    >>> answer.value, answer.nodes
    (Fraction(2, 1), ('a', 'b'))
    >>> minimum_ratio_cycle_of([(0, 0, 1, 0)])
    Traceback (most recent call last):
    tallyplan.errors.InvalidInput: the time of (0, 0) is 0/1; it must be positive.
    """
    return _least_cycle(WeightedGraph.of(graph, weight, time), progress)


@displayable
@dataclass(frozen=True)
class CriticalGraph:
    """The answer to `critical_graph`.

    Attributes
    ----------
    least : the answer to the question for one optimal cycle.
    value : the least mean (or ratio).
    edges : all edges on optimal cycles, as the graph calls them, in its order.
    components : the nodes of its strongly connected components. A cycle is optimal if and only if all of its
        edges are critical, and then it lies in one component.
    certificate : the document that `tallyplan.check` verifies: that these edges are critical, and no others.
    """

    least: CycleOfGraph = field(repr=False)
    chosen: tuple[int, ...] = field(repr=False)
    order: tuple[int, ...] = field(repr=False)

    def shown(self) -> SmallTable:
        """What notebooks and terminals show."""
        sizes = {"edges": len(self.chosen), "components": len(self.components)}
        return card("the edges on optimal cycles", {"optimum": self.value} | sizes | {"proof": self.argument})

    @property
    def value(self) -> Fraction:
        """The least mean, or ratio."""
        return self.least.value

    @property
    def edges(self) -> tuple[tuple[Hashable, ...], ...]:
        """The critical edges."""
        return tuple(self.least.graph.ends[edge] for edge in self.chosen)

    @property
    def components(self) -> tuple[tuple[Hashable, ...], ...]:
        """The nodes of each component, in the order of the graph."""
        found: dict[int, dict[int, None]] = {}
        for edge in self.chosen:
            node = self.least.graph.tails[edge]
            found.setdefault(self.order[node], {})[node] = None
        ordered = sorted(map(sorted, found.values()))
        return tuple(tuple(self.least.graph.nodes[node] for node in nodes) for nodes in ordered)

    @property
    def argument(self) -> str:
        """The proof in words."""
        return f"{self.least.argument}; all {len(self.least.tight)} tight edges, by component"

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """As docs/certificates.md describes it; its size is that of the graph."""
        least, graph = self.least, self.least.graph
        claim = {"question": "critical-graph", "value": text(self.value), "edges": list(self.chosen)}
        ends = [(graph.tails[edge], graph.heads[edge]) for edge in self.chosen]
        dual = {
            "rule": "critical",
            "scale": least.scale,
            "values": list(least.potentials),
            "order": list(self.order),
            "from": _distances(len(graph.nodes), self.order, ends),
            "to": _distances(len(graph.nodes), self.order, [(v, u) for u, v in ends]),
        }
        return of_graph(graph, claim, least.cycle, dual)


def _distances(nodes: int, order: Sequence[int], edges: Iterable[tuple[int, int]]) -> list[int]:
    """How far each node is from the first one of its component."""
    out: list[list[int]] = [[] for _ in range(nodes)]
    for tail, head in edges:
        out[tail].append(head)
    roots: dict[int, int] = {}
    for node in range(nodes):
        if out[node]:
            roots.setdefault(order[node], node)
    far = dict.fromkeys(roots.values(), 0)
    ahead = deque(far)
    while ahead:
        node = ahead.popleft()
        for head in out[node]:
            if head not in far:
                far[head] = far[node] + 1
                ahead.append(head)
    return [far.get(node, 0) for node in range(nodes)]


def critical_graph(
    graph: Any, weight: str = "weight", time: str | None = None, *, progress: Progress = silent
) -> CriticalGraph:
    """All edges that lie on some cycle of least mean weight; or of least ratio, if there are times.

    Parameters
    ----------
    graph, weight, progress : as in `minimum_mean_cycle_of`.
    time : the attribute of the edges that holds their time, as in `minimum_ratio_cycle_of`.

    Returns
    -------
    CriticalGraph.

    Raises
    ------
    InvalidInput : as in `minimum_mean_cycle_of`.

    Examples
    --------
    >>> found = critical_graph([("a", "a", 1), ("a", "b", 1), ("b", "a", 1), ("b", "c", 0), ("c", "c", 2)])
    >>> found.value, found.edges, found.components
    (Fraction(1, 1), (('a', 'a'), ('a', 'b'), ('b', 'a')), (('a', 'b'),))
    """
    import networkx as nx

    read = WeightedGraph.of(graph, weight, time)
    least = _least_cycle(read, progress)
    tight = nx.DiGraph()
    tight.add_nodes_from(range(len(read.nodes)))
    tight.add_edges_from((read.tails[edge], read.heads[edge]) for edge in least.tight)
    order = [0] * len(read.nodes)
    for place, component in enumerate(nx.strongly_connected_components(tight)):  # what it leads to, first
        for node in component:
            order[node] = place
    chosen = [edge for edge in least.tight if order[read.tails[edge]] == order[read.heads[edge]]]
    return CriticalGraph(least, tuple(chosen), tuple(order))


@displayable
@dataclass(frozen=True)
class NegativeCycle:
    """The answer to `negative_cycle_of`.

    Attributes
    ----------
    cycle : the cycle of least mean, if that is negative; otherwise None, and there is no negative cycle.
    scale, potentials : without one, scale * weight + potentials[head] - potentials[tail] >= 0 on every edge.
    certificate : the document that `tallyplan.check` verifies.
    """

    graph: WeightedGraph = field(repr=False)
    cycle: CycleOfGraph | None
    scale: int = field(repr=False)
    potentials: tuple[int, ...] = field(repr=False)

    def shown(self) -> SmallTable:
        """What notebooks and terminals show."""
        found = (
            "there is none" if self.cycle is None else " -> ".join(map(str, self.cycle.nodes[:NODES_SHOWN]))
        )
        return card("a cycle of negative weight", {"answer": found, "proof": self.argument})

    @property
    def exists(self) -> bool:
        """Whether there is one."""
        return self.cycle is not None

    @property
    def argument(self) -> str:
        """The proof in words."""
        return "its weights add up to less than 0" if self.exists else _by_potentials(self.graph)

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """As docs/certificates.md describes it."""
        claim = {"question": "negative-cycle", "value": self.cycle and text(self.cycle.value)}
        dual = {"rule": "potential", "scale": self.scale, "values": list(self.potentials)}
        return of_graph(self.graph, claim, self.cycle.cycle if self.cycle else (), {} if self.cycle else dual)


def negative_cycle_of(graph: Any, weight: str = "weight", *, progress: Progress = silent) -> NegativeCycle:
    """A cycle of negative weight, the one of least mean; or potentials that prove that there is none.

    Parameters
    ----------
    graph, weight, progress : as in `minimum_mean_cycle_of`. Weights are exact: 0.1 + 0.7 - 0.8 is 0.

    Returns
    -------
    NegativeCycle.

    Raises
    ------
    InvalidInput : the graph is undirected or empty, an edge lacks the attribute, or a weight is no number.

    Examples
    --------
    >>> negative_cycle_of([(0, 1, 0.1), (1, 2, 0.7), (2, 0, -0.8)]).exists
    False
    >>> found = negative_cycle_of([(0, 1, 0.1), (1, 2, 0.7), (2, 0, "-0.81")])
    >>> found.cycle.nodes, found.cycle.value
    ((0, 1, 2), Fraction(-1, 300))
    >>> negative_cycle_of([(0, 1, -5)]).exists
    False
    """
    read = WeightedGraph.of(graph, weight)
    if not read.nodes:
        raise InvalidInput("the graph has no nodes.")
    try:
        least = _least_cycle(read, progress)
    except NoCycle:
        scale = lcm(*{number.denominator for number in read.weights})
        return NegativeCycle(read, None, scale, _potentials_without_cycle(read, scale))
    return NegativeCycle(read, least if least.value < 0 else None, least.scale, least.potentials)


def _potentials_without_cycle(graph: WeightedGraph, scale: int) -> tuple[int, ...]:
    """The least sums of scale * weight on walks from each node, in a graph without a cycle."""
    import networkx as nx

    out: list[list[int]] = [[] for _ in graph.nodes]
    shape = nx.DiGraph()
    shape.add_nodes_from(range(len(graph.nodes)))
    for edge, (tail, head) in enumerate(zip(graph.tails, graph.heads, strict=True)):
        out[tail].append(edge)
        shape.add_edge(tail, head)
    phi = [0] * len(graph.nodes)
    for node in reversed(list(nx.topological_sort(shape))):
        sums = (int(scale * graph.weights[edge]) + phi[graph.heads[edge]] for edge in out[node])
        phi[node] = min(0, *sums, 0)
    return tuple(phi)


class NoCycle(InvalidInput):
    """The graph has no cycle."""


def _least_cycle(read: WeightedGraph, progress: Progress) -> CycleOfGraph:
    """The least ratio; costs are made integers that are not negative, and times integers."""
    what = "mean" if read.times is None else "ratio"
    if not read.tails:
        raise NoCycle("the graph has no edges, so that there is no cycle.")
    denominator = lcm(*{number.denominator for number in read.weights})
    costs = [number.numerator * (denominator // number.denominator) for number in read.weights]
    unit = 1 if read.times is None else lcm(*{number.denominator for number in read.times})
    times = [1] * len(costs) if read.times is None else [int(unit * number) for number in read.times]
    order = sorted(range(len(costs)), key=read.tails.__getitem__)  # rows of edges, in their order
    low = min(cost // time for cost, time in zip(costs, times, strict=True))
    rows = np.searchsorted([read.tails[edge] for edge in order], range(len(read.nodes) + 1)).astype(np.int64)
    lifted = [costs[edge] - low * times[edge] for edge in order]
    heads, taken = [read.heads[edge] for edge in order], [times[edge] for edge in order]
    try:
        found = _cycle(rows, heads, lifted, taken, progress)
    except NoAnswerError:
        raise NoCycle(f"the graph has no cycle, so that there is no least {what}.") from None
    node, cycle = found.start, []
    for place in found.word:
        cycle.append(order[rows[node] + place])
        node = read.heads[cycle[-1]]
    value = Fraction((found.mean + low * found.scale) * unit, found.scale * denominator)
    potentials = tuple(map(int, found.potentials.tolist()))
    return CycleOfGraph(read, value, tuple(cycle), found.scale * denominator, potentials)


def _cycle(rows: Array, heads: list[int], costs: list[int], times: list[int], progress: Progress) -> Cycle:
    """By the core; where its integers do not suffice, in plain Python."""
    try:
        if max(times) > LONGEST_TIME:
            raise TooWideError
        taken = None if max(times) == 1 else np.array(times, dtype=np.int32)
        graph = graph_of_edges(rows, np.array(heads, dtype=np.int32), costs, taken)
        return cycle(graph, tick, progress)
    except TooWideError:
        return _in_python(rows.tolist(), heads, costs, times)


def _in_python(rows: list[int], heads: list[int], costs: list[int], times: list[int]) -> Cycle:
    """The same for integers of any size."""
    ratio, found = Fraction(max(costs) + 1), False
    while True:
        p, q = ratio.numerator, ratio.denominator
        graph = reference.Graph(
            [
                [
                    reference.Edge(place, heads[e], q * costs[e] - p * times[e])
                    for place, e in enumerate(range(first, last))
                ]
                for first, last in pairwise(rows)
            ]
        )
        potentials, better = reference.bellman_ford(graph)
        if better is None:
            break
        node, edges = better[0], []
        for place in better[1]:
            edges.append(rows[node] + place)
            node = heads[edges[-1]]
        ratio, found = Fraction(sum(costs[e] for e in edges), sum(times[e] for e in edges)), True
    if not found:
        raise NoAnswerError
    start, word = reference.first_tight_cycle(graph, potentials)
    return Cycle(word, start, p, q, np.array(potentials, dtype=object))


def _time(graph: WeightedGraph, edge: int) -> Fraction:
    return Fraction(1) if graph.times is None else graph.times[edge]


def _by_potentials(graph: WeightedGraph) -> str:
    return f"potentials on {len(graph.nodes)} nodes, which hold on all {len(graph.tails)} edges"
