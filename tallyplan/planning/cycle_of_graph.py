"""The minimum mean cycle of an explicit graph, exactly, by improving policies.

Let the edges have integer costs. Keep the mean p/q of the best cycle known (at first, a number above every
cost) and reduce every cost to q*cost - p. A **policy** chooses at most one edge out of each node, without a
cycle; its potential phi(u) is the reduced cost of the path that it takes from u until it stops. Let every
node change to its best edge u -> v if q*cost - p + phi(v) < phi(u). Then

- if the new choices contain a cycle, its reduced costs have a negative sum: along it, q*cost - p + phi(v) -
  phi(u) is 0 on the old edges and negative on the new ones, of which there is one, since the old policy had
  no cycle. So its mean is below p/q, and the best such cycle takes the place of the old one;
- if no node changes, then q*cost - p + phi(v) - phi(u) >= 0 on every edge. Along any cycle the potentials
  cancel, so no mean is below p/q: the potentials are the certificate.

This is the scheme of `on_graph.bellman_ford` with whole paths in place of single steps: a pass lowers every
potential at least as far as a sweep of Bellman-Ford does, so for one mean at most n passes are needed, and
on most graphs a few. Paths are added up by pointer doubling: O(n log n) per pass, and O(edges) to improve.

Numbers: a path has at most n edges, so |phi| <= n (q max|cost| + |p|); where twice that, or what doubling
adds up, could exceed 64 bits, Python's integers are used.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np

from tallyplan.certificates import of_graph
from tallyplan.errors import InternalError, InvalidInput
from tallyplan.limits import Progress, silent
from tallyplan.model.graph import Array, integer_type
from tallyplan.model.rationals import text
from tallyplan.model.shown import SmallTable, card, in_small_tables
from tallyplan.model.weighted_graph import WeightedGraph

NODES_SHOWN = 20  # of a cycle, in a notebook
STOP = -1  # in place of an edge: the policy ends here


@in_small_tables
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
    progress : called with a line of words now and then.

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
    search = _Search(read, denominator)
    mean = Fraction(search.highest + 1)
    best: tuple[int, ...] = ()
    policy: Array = np.full(len(read.nodes), STOP, dtype=np.int64)
    while True:
        policy, potentials, cycle = search.at(mean, policy)
        if not cycle:
            break
        best, mean = cycle, search.mean(cycle)
        progress(f"minimum mean cycle: {text(mean / denominator)} over {len(best)} edges")
    if not best:
        raise InvalidInput("the graph has no cycle, so that there is no least mean.")
    scale = mean.denominator * denominator
    return CycleOfGraph(read, mean / denominator, best, scale, tuple(map(int, potentials)))


class _Search:
    """The edges in the order of their tails, with integer costs `denominator * weight`."""

    def __init__(self, graph: WeightedGraph, denominator: int) -> None:
        costs = [number.numerator * (denominator // number.denominator) for number in graph.weights]
        self.highest = max(costs)
        self.widest = max(1, *map(abs, costs))
        self.nodes = len(graph.nodes)
        tails = np.array(graph.tails, dtype=np.int64)
        self.order: Array = np.argsort(tails, kind="stable")
        self.tails: Array = tails[self.order]
        self.heads: Array = np.array(graph.heads, dtype=np.int64)[self.order]
        self.costs: Array = np.array(costs, dtype=integer_type(self.widest))[self.order]
        self.firsts: Array = np.flatnonzero(np.r_[True, self.tails[1:] != self.tails[:-1]])
        self.leaving: Array = self.tails[self.firsts]  # the nodes with an edge

    def at(self, mean: Fraction, policy: Array) -> tuple[Array, Array, tuple[int, ...]]:
        """Improve a policy under this mean: until nothing changes, or until a cycle of smaller mean shows.

        The policy that is returned has no cycle; the edges of a cycle are named as in the graph.
        """
        p, q = mean.numerator, mean.denominator
        bound = 4 * self.nodes * (q * self.widest + abs(p))
        costs: Array = self.costs.astype(integer_type(bound)) * q - p
        while True:
            potentials = self._potentials(policy, costs)
            policy, changed = self._improved(policy, costs, potentials)
            if not changed:
                return policy, potentials, ()
            cycles = list(self._cycles(policy))
            if cycles:
                policy[[self.tails[cycle[0]] for cycle in cycles]] = STOP
                named = [tuple(int(self.order[edge]) for edge in cycle) for cycle in cycles]
                return policy, potentials, min(named, key=lambda cycle: (self.mean(cycle), len(cycle), cycle))

    def mean(self, cycle: tuple[int, ...]) -> Fraction:
        """The mean cost of a cycle, its edges named as in the graph."""
        return Fraction(sum(int(self._cost[edge]) for edge in cycle), len(cycle))

    @cached_property
    def _cost(self) -> Array:
        costs: Array = np.empty_like(self.costs)
        costs[self.order] = self.costs
        return costs

    def _followed(self, policy: Array) -> Array:
        """By node, the one that the policy leads to in one step: itself, where the policy stops."""
        return np.where(policy == STOP, np.arange(self.nodes), self.heads[policy])

    def _potentials(self, policy: Array, costs: Array) -> Array:
        """The sum of the costs along the policy's path, by node; the path has an end."""
        ahead = self._followed(policy)
        total = np.where(policy == STOP, 0, costs[policy])
        while True:
            total = total + total[ahead]  # 0 where the path has ended
            further = ahead[ahead]
            if np.array_equal(further, ahead):
                return total
            ahead = further

    def _improved(self, policy: Array, costs: Array, potentials: Array) -> tuple[Array, bool]:
        """The policy after every node has changed to its best edge, if that lowers its potential."""
        sums = costs + potentials[self.heads]
        best = np.minimum.reduceat(sums, self.firsts)
        better = np.zeros(self.nodes, dtype=bool)
        better[self.leaving] = best < potentials[self.leaving]
        least: Array = np.empty_like(potentials)
        least[self.leaving] = best
        chosen = np.flatnonzero(better[self.tails] & (sums == least[self.tails]))[::-1]
        policy = policy.copy()
        policy[self.tails[chosen]] = chosen  # of equals, the first edge is written last
        return policy, bool(better.any())

    def _cycles(self, policy: Array) -> Iterator[list[int]]:
        """The cycles of the policy, each as a list of edges in order."""
        ahead = self._followed(policy)
        for _ in range(self.nodes.bit_length()):  # then every path has stopped or is on a cycle
            ahead = ahead[ahead]
        seen: set[int] = set()
        for start in np.unique(ahead[policy[ahead] != STOP]).tolist():
            cycle, node = [], start
            while node not in seen:
                seen.add(node)
                cycle.append(int(policy[node]))
                node = int(self.heads[policy[node]])
            if cycle:
                yield cycle
