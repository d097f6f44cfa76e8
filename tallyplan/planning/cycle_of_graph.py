"""The minimum mean cycle of an explicit graph, exactly.

Bellman-Ford on q*cost - p, where p/q is the mean of the best cycle known, at first above every cost: a cycle
of the edges that last lowered their nodes has a smaller mean and takes its place. If nothing changes any
more, q*cost - p + phi(v) - phi(u) >= 0 on every edge. Along any cycle the potentials cancel, so no mean is
below p/q: they are the certificate. After each sweep every potential is set to the cost of its whole path, so
few sweeps are needed. `core/mean_cycle.hpp` has the proofs, and `planning.reference` the same in plain
Python, for numbers beyond 128 bits.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import Any

import numpy as np

from tallyplan.certificates import of_graph
from tallyplan.core.cycles import Cycle, cycle_of_rows
from tallyplan.core.library import Array, NoAnswerError, TooWideError, numbers
from tallyplan.errors import InternalError, InvalidInput
from tallyplan.limits import Progress, silent
from tallyplan.model.display import SmallTable, card, displayable
from tallyplan.model.weighted_graph import WeightedGraph
from tallyplan.planning import reference
from tallyplan.planning.effort import tick
from tallyplan.planning.on_graph.cycles import cycle_in_python

NODES_SHOWN = 20  # of a cycle, in a notebook


@displayable
@dataclass(frozen=True)
class CycleOfGraph:
    """The answer to `minimum_mean_cycle_of`; it is always exact.

    Attributes
    ----------
    value : the least mean weight of a cycle.
    nodes : the nodes of a cycle that attains it, in order.
    edges : its edges, (tail, head) or, in a multigraph, (tail, head, key); the first leaves the first node.
    scale, potentials : scale * (weight - value) + potentials[head] - potentials[tail] >= 0 on every edge; the
        potentials are integers, in the order of the graph's nodes.
    certificate : the document that `tallyplan.check` verifies.
    """

    graph: WeightedGraph = field(repr=False)
    value: Fraction
    cycle: tuple[int, ...] = field(repr=False)
    scale: int = field(repr=False)
    potentials: tuple[int, ...] = field(repr=False)

    def __post_init__(self) -> None:
        tails = [self.graph.tails[edge] for edge in self.cycle]
        heads = [self.graph.heads[edge] for edge in self.cycle]
        total = sum((self.graph.weights[edge] for edge in self.cycle), Fraction(0))
        if heads != [*tails[1:], *tails[:1]] or total != self.value * len(self.cycle):
            raise InternalError("the minimum mean cycle failed its own replay; please report this graph.")

    def shown(self) -> SmallTable:
        """What notebooks and terminals show."""
        entries = {"optimum": self.value, "cycle": " -> ".join(map(str, self.nodes[:NODES_SHOWN]))}
        return card("least mean weight of a cycle", entries | {"proof": self.argument})

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
        """The value: no cycle has a smaller mean, by the potentials."""
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
        return f"potentials on {len(self.potentials)} nodes, which hold on all {len(self.graph.tails)} edges"

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """As docs/certificates.md describes it; its size is that of the graph."""
        return of_graph(self.graph, self.value, self.cycle, self.scale, self.potentials)


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
    tallyplan.errors.InvalidInput: the graph has no cycle, so that there is no least mean.
    """
    read = graph if isinstance(graph, WeightedGraph) else WeightedGraph.of(graph, weight)
    if not read.tails:
        raise InvalidInput("the graph has no edges, so that there is no cycle.")
    denominator = lcm(*{number.denominator for number in read.weights})
    costs = [number.numerator * (denominator // number.denominator) for number in read.weights]
    order = sorted(range(len(costs)), key=read.tails.__getitem__)  # rows of edges, in their order
    low = min(costs)
    rows = np.searchsorted([read.tails[edge] for edge in order], range(len(read.nodes) + 1)).astype(np.int64)
    heads = [read.heads[edge] for edge in order]
    try:
        found = _cycle(rows, heads, [costs[edge] - low for edge in order], progress)
    except NoAnswerError:
        raise InvalidInput("the graph has no cycle, so that there is no least mean.") from None
    node, cycle = found.start, []
    for place in found.word:
        cycle.append(order[rows[node] + place])
        node = read.heads[cycle[-1]]
    mean = Fraction(found.mean + low * found.scale, found.scale * denominator)
    potentials = tuple(map(int, found.potentials.tolist()))
    return CycleOfGraph(read, mean, tuple(cycle), found.scale * denominator, potentials)


def _cycle(rows: Array, heads: list[int], costs: list[int], progress: Progress) -> Cycle:
    """By the core; where its integers do not suffice, in plain Python."""
    try:
        entries = numbers(costs, max(costs))
        return cycle_of_rows(rows, np.array(heads, dtype=np.int32), entries, tick, progress)
    except TooWideError:
        edges = [
            [reference.Edge(place, heads[edge], costs[edge]) for place, edge in enumerate(range(first, last))]
            for first, last in pairwise(rows.tolist())
        ]
        return cycle_in_python(reference.Graph(edges))
