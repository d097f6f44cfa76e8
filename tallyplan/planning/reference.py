"""The planner in plain Python: the mathematics of the compiled core, for integers of any size.

It is written to be read beside the paper, and it is the oracle of the tests. It also answers where the
numbers of a question may exceed 128 bits, the widest integers of the core: exactly, and a thousand times
slower.

A graph has an integer cost on every edge. The state graph of a bandit has the histories of m - 1 actions as
its states, and an edge for every action; words repeated forever are its closed walks.

- `minimum_mean_cycle`: the cycle of least mean cost, with potentials that prove it;
- `ways_home`: the least cost on the way to a state, the values of the long-run policy;
- `best_closed_walk`: the least cost of a closed walk of exactly L steps, with a proof in stages;
- `reference_layers.Layers`: the least cost of T steps from every history, for any T, and a plan.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from heapq import heappop, heappush
from itertools import product
from typing import NamedTuple

from tallyplan.core.library import NoAnswerError
from tallyplan.core.questions import Cycle, Searched
from tallyplan.model.arms import Edge as Edge
from tallyplan.model.graph import np
from tallyplan.model.instance import Bandit
from tallyplan.model.words import Word
from tallyplan.planning.effort import tick

Vector = list[int]
Walk = tuple[int, Word]  # from a state, by its actions
Table = dict[int, int]  # by state


class Graph(NamedTuple):
    """The edges out of each state, in the order of their actions."""

    edges: list[list[Edge]]

    def mean(self, walk: Walk) -> Fraction:
        """The cost of a walk per time."""
        state, cost, time = walk[0], 0, 0
        for action in walk[1]:
            edge = next(edge for edge in self.edges[state] if edge.action == action)
            state, cost, time = edge.to, cost + edge.cost, time + edge.time
        return Fraction(cost, time)

    def reduced(self, mean: Fraction, potentials: Vector | None = None) -> Graph:
        """Costs q*cost - p*time + phi(successor) - phi(state) for the mean p/q."""
        p, q, phi = mean.numerator, mean.denominator, potentials or [0] * len(self.edges)
        return Graph(
            [
                [Edge(a, to, q * cost - p * time + phi[to] - phi[s], time) for a, to, cost, time in edges]
                for s, edges in enumerate(self.edges)
            ]
        )

    def without(self, gone: int) -> Graph:
        """Without the edges from and to a state."""
        return Graph(
            [[edge for edge in edges if gone not in (s, edge.to)] for s, edges in enumerate(self.edges)]
        )


def histories(bandit: Bandit, *, short: bool = False) -> Graph:
    """The state graph: by code, the histories of m - 1 actions; costs are losses times the denominator.

    `short`: before these come the shorter ones, in which a game begins. The empty history is state 0, and
    action a leads from a short one, state i, to state K i + a + 1.

    >>> from tallyplan import TallyingBandit
    >>> bandit = TallyingBandit([["0", "1"], ["1/2", "1"]])
    >>> histories(bandit).edges[0]
    [Edge(action=0, to=0, cost=2, time=1), Edge(action=1, to=1, cost=1, time=1)]
    >>> histories(bandit, short=True).edges[0]
    [Edge(action=0, to=1, cost=0, time=1), Edge(action=1, to=2, cost=1, time=1)]
    """
    actions, keep, edges = bandit.actions, bandit.memory - 1, list[list[Edge]]()
    first = sum(actions**length for length in range(keep)) if short else 0  # of the full histories
    for length in range(0 if short else keep, keep + 1):
        for history in product(range(actions), repeat=length):
            state, row = len(edges), list[Edge]()
            for a in range(actions):
                to = actions * state + 1 + a
                if length == keep:
                    to = first + (actions * (state - first) + a) % actions**keep
                row.append(Edge(a, to, bandit.scaled(bandit.loss((*history, a)))))
            edges.append(row)
    return Graph(edges)


# -- the minimum mean cycle --------------------


def minimum_mean_cycle(graph: Graph) -> Cycle:
    """The cycle of least mean cost, or of least cost per time.

    Bellman-Ford on q*cost - p*time, where p/q is the mean of a cycle, at first above every cost. If it finds
    a negative cycle, that has a smaller mean, and we start again with it. If it ends, potentials cancel along
    any cycle, so that none has a mean below p/q. At the fixed point, -potentials[s] is the most that a walk
    from s can save against the mean: they are those of the graph and not of the search. So is the cycle.

    Raises
    ------
    NoAnswerError : there is no cycle.

    >>> from tallyplan import TallyingBandit
    >>> minimum_mean_cycle(histories(TallyingBandit([["0", "1"], ["1/2", "1"]])))
    Cycle(word=(1, 0), start=0, mean=1, scale=2, potentials=array([0, -1], dtype=object))
    """
    highest = max((edge.cost for edges in graph.edges for edge in edges), default=0)
    mean, better = Fraction(highest + 1), None
    while True:
        potentials, better = bellman_ford(graph.reduced(mean))
        if better is None:
            break
        mean = graph.mean(better)
    if mean > highest:
        raise NoAnswerError
    start, word = first_tight_cycle(graph.reduced(mean), potentials)
    return Cycle(word, start, mean.numerator, mean.denominator, np.array(potentials, dtype=object))


def bellman_ford(graph: Graph) -> tuple[Vector, Walk | None]:
    """Potentials phi <= 0 with cost + phi(successor) >= phi(state) on every edge; or a negative cycle.

    Every state keeps the edge that last lowered it. A cycle of these is negative: along it, cost +
    phi(successor) <= phi(state), and strictly where it was closed.
    """
    phi, parents = [0] * len(graph.edges), dict[int, Edge]()
    while True:
        tick()
        changed = False
        for s, edges in enumerate(graph.edges):
            for edge in edges:
                if edge.cost + phi[edge.to] < phi[s]:
                    phi[s], parents[s], changed = edge.cost + phi[edge.to], edge, True
        cycle = _cycle_of(parents) if changed else None
        if cycle or not changed:
            return phi, cycle


def _cycle_of(parents: dict[int, Edge]) -> Walk | None:
    """A cycle of the edges that the states keep."""
    seen: dict[int, int] = {}  # and from where
    for start in parents:
        state = start
        while state in parents and state not in seen:
            seen[state] = start
            state = parents[state].to
        if state in parents and seen[state] == start:
            steps = [parents[state]]
            while steps[-1].to != state:
                steps.append(parents[steps[-1].to])
            return state, tuple(edge.action for edge in steps)
    return None


def first_tight_cycle(graph: Graph, potentials: Vector) -> Walk:
    """One optimal cycle, the same whatever found the potentials.

    The optimal cycles are those of *tight* edges, cost + phi(successor) = phi(state). Start from the smallest
    state from which tight edges lead on forever, and take the smallest action that does, until a state
    comes back.
    """
    tight = {
        s: [edge for edge in edges if edge.cost + potentials[edge.to] == potentials[s]]
        for s, edges in enumerate(graph.edges)
    }
    while ending := [s for s, edges in tight.items() if not any(edge.to in tight for edge in edges)]:
        for s in ending:
            del tight[s]
    state, met, word = min(tight), dict[int, int](), list[int]()
    while state not in met:
        met[state] = len(word)
        edge = next(edge for edge in tight[state] if edge.to in tight)
        word.append(edge.action)
        state = edge.to
    return state, tuple(word[met[state] :])


# -- closed walks of a given length --------------------


def best_closed_walk(graph: Graph, length: int, least: Cycle, known: int) -> Searched:
    """The closed walk of least cost with `length` steps, if one costs less than `known`.

    A better closed walk has a mean below that of the best one known. So as long as Bellman-Ford finds such a
    cycle among the states that are left, take one of its states as a *root*, look for the best closed walk
    through it, and remove it. `least` is the minimum mean cycle, whose potentials the tables are made with.

    >>> from tallyplan import TallyingBandit
    >>> graph = histories(TallyingBandit([["0", "1"], ["0", "1"]]))
    >>> found = best_closed_walk(graph, 3, minimum_mean_cycle(graph), known=4)
    >>> found.start, found.runs, found.cost, found.stages
    (1, [((0, 0, 1), 1)], 1, [(1, 1, 2)])
    """
    left, reduced = graph, graph.reduced(Fraction(least.mean, least.scale), least.potentials.tolist())
    walk, cost, stages = None, known, list[tuple[int, ...]]()
    while True:
        mean = Fraction(cost, length)
        potentials, below = bellman_ford(left.reduced(mean))
        if below is None:
            break
        root, budget = below[0], least.scale * cost - length * least.mean
        better, repeat = closed_walk_at(reduced, root, length, budget)
        if better is not None:
            walk, cost = better, int(length * graph.mean(better))
        stages.append((root, *repeat))
        left, reduced = left.without(root), reduced.without(root)
    start, runs = (walk[0], [(walk[1], 1)]) if walk else (0, [])
    last = least.scale * np.array(potentials, dtype=object)
    return Searched(cost, start, runs, stages, mean.denominator, last)


def closed_walk_at(graph: Graph, root: int, length: int, budget: int) -> tuple[Walk | None, tuple[int, int]]:
    """The closed walk of this length at a root with the least sum, if that is below a budget.

    Costs are not negative. Let home(s) be the least sum from s to the root. The table of time t has, for each
    state s, the least sum of t steps from the root to s, where that plus home(s) is below the budget: what is
    left out belongs to no such walk. A table is a function of the one before; once one comes back, they go
    round forever, and the time and the period of that are returned; 0, 0: that was not seen.
    """
    home, (time, period) = ways_home(graph, root, budget), (0, 0)
    tables, seen = [{root: 0}], dict[frozenset[tuple[int, int]], int]()
    while len(tables) <= length and not period and tables[-1]:
        tick()
        seen[frozenset(tables[-1].items())] = len(tables) - 1
        tables.append(_next_table(graph, tables[-1], home, budget))
        since = seen.get(frozenset(tables[-1].items()))
        if since is not None:
            time, period = since, len(tables) - 1 - since

    def at(now: int) -> Table:
        if now < len(tables):
            return tables[now]
        return tables[time + (now - time) % period] if period else {}

    walk = _walk_back(graph, at, root, length) if root in at(length) else None
    return walk, (time, period)


def ways_home(graph: Graph, root: int, budget: int | None = None) -> Table:
    """The least sums from the states to the root, below the budget: Dijkstra's algorithm backwards.

    Costs are not negative; a state that does not lead to the root has no entry.
    """
    into: dict[int, list[tuple[int, int]]] = {}
    for s, edges in enumerate(graph.edges):
        for edge in edges:
            into.setdefault(edge.to, []).append((s, edge.cost))
    home, queue = Table(), [(0, root)]
    while queue:
        total, state = heappop(queue)
        if state not in home:
            home[state] = total
            for s, cost in into.get(state, ()):
                if budget is None or total + cost < budget:
                    heappush(queue, (total + cost, s))
    return home


def _next_table(graph: Graph, table: Table, home: Table, budget: int) -> Table:
    following = Table()
    for s, total in table.items():
        for _, to, cost, _ in graph.edges[s]:
            new = total + cost
            if to in home and new + home[to] < budget and new < following.get(to, budget):
                following[to] = new
    return following


def _walk_back(graph: Graph, at: Callable[[int], Table], root: int, length: int) -> Walk:
    """A walk that explains the root's entry in the last table."""
    word: list[int] = []
    state, total = root, at(length)[root]
    for time in range(length - 1, -1, -1):
        action, state, total = next(
            (edge.action, s, before)
            for s, before in at(time).items()
            for edge in graph.edges[s]
            if edge.to == state and before + edge.cost == total
        )
        word.append(action)
    return root, tuple(reversed(word))
