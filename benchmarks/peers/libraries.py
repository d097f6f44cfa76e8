"""The Python libraries as peers: `libraries.py NAME` answers many lines, each with a JSON object.

    graph n e TAIL HEAD WEIGHT TIME ...     the least ratio of weight to time of a cycle, null without one
    bandit ARGUMENT K m D ENTRY ...         a question about a tallying bandit (serve.read_instance)

What the race asks of one instance (`prepare` and `solve` of a peer) is asked here of many.
"""

import sys
from collections.abc import Callable, Iterable
from fractions import Fraction
from importlib import import_module
from typing import Any

from benchmarks.peers.serve import Instance, as_text, read_instance, say

Edges = list[tuple[int, int, int, int]]
Search = Callable[[int, int], list[int] | None]


def lowered(edges: Edges, negative_cycle: Search) -> Fraction | None:
    """Lower the ratio S/l until `negative_cycle(l, S)` finds no negative cycle under l*weight - S*time."""
    total, length, found = max(0, *(weight for *_, weight, _ in edges)) + 1, 1, False
    while (cycle := negative_cycle(length, total)) is not None:
        of = cheapest(edges, length, total)
        steps = [of[pair] for pair in zip(cycle, [*cycle[1:], cycle[0]], strict=True)]
        sums, time = (sum(column) for column in zip(*steps, strict=True))
        if sums * length >= total * time:
            raise ValueError("the cycle that the library calls negative is not.")
        total, length, found = sums, time, True
    return Fraction(total, length) if found else None


def cheapest(edges: Edges, length: int, total: int) -> dict[tuple[int, int], tuple[int, int]]:
    """Of parallel edges the weight and time of the one that costs least at this ratio."""
    found = dict[tuple[int, int], tuple[int, int]]()
    for tail, head, weight, time in sorted(edges, key=lambda edge: total * edge[3] - length * edge[2]):
        found[tail, head] = weight, time  # the least comes last
    return found


def networkx(nodes: int, edges: Edges) -> Fraction | None:
    import networkx as nx

    def negative_cycle(length: int, total: int) -> list[int] | None:
        graph = nx.DiGraph()
        for (tail, head), (weight, time) in cheapest(edges, length, total).items():
            graph.add_edge(tail, head, weight=length * weight - total * time)
        graph.add_weighted_edges_from((-1, node, 0) for node in range(nodes))  # first, loops would count
        try:
            cycle: list[int] = nx.find_negative_cycle(graph, -1)[:-1]
        except nx.NetworkXError as error:
            if str(error) != "No negative cycles detected.":
                raise  # it sometimes detects a cycle and then cannot find it
            return None
        return cycle

    return lowered(edges, negative_cycle)


def rustworkx(nodes: int, edges: Edges) -> Fraction | None:
    import rustworkx as rx

    graph: Any = rx.PyDiGraph(multigraph=True)
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from([(tail, head, numbers) for tail, head, *numbers in edges])

    def negative_cycle(length: int, total: int) -> list[int] | None:
        def cost(numbers: list[int]) -> float:
            return float(length * numbers[0] - total * numbers[1])

        try:
            cycle = list(rx.find_negative_cycle(graph, cost))
        except ValueError:
            return None
        return cycle[:-1] if len(cycle) > 1 and cycle[0] == cycle[-1] else cycle

    return lowered(edges, negative_cycle)


def highs(nodes: int, edges: Edges) -> float | None:
    """The largest w with weight + phi(head) - phi(tail) >= w * time on every edge, weights scaled."""
    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix

    tails, heads, weights, times = map(np.array, zip(*edges, strict=True))
    widest = max(1, int(np.abs(weights).max()))
    rows = np.arange(len(edges))
    entries = [np.ones(len(edges)), -np.ones(len(edges)), times.astype(float)]
    columns = [tails, heads, np.full(len(edges), nodes)]
    shape = (len(edges), nodes + 1)
    matrix = csr_matrix((np.concatenate(entries), (np.tile(rows, 3), np.concatenate(columns))), shape=shape)
    objective = np.zeros(nodes + 1)
    objective[-1] = -1.0
    result = linprog(objective, A_ub=matrix, b_ub=weights / widest, bounds=(None, None), method="highs")
    if result.status in (
        3,
        4,
    ):  # unbounded, or told only that it is unbounded or infeasible: w = -10^9 is feasible
        return None
    if result.status != 0:
        raise ValueError(result.message)
    return float(-result.fun) * widest


def layered(instance: Instance, steps: int, starts: Iterable[tuple[int, ...]]) -> Any:
    """The graph of (step, history) for so many steps; a history has at most m - 1 actions."""
    import networkx as nx

    graph = nx.DiGraph()
    layer = set(starts)
    for step in range(steps):
        following = set()
        for history in layer:
            for action in range(instance.actions):
                window = (*history, action)
                then = window[max(0, len(window) - instance.memory + 1) :]
                cost = instance.table[action][window.count(action) - 1]
                graph.add_edge((step, history), (step + 1, then), weight=cost)
                following.add(then)
        layer = following
    return graph


def steps(instance: Instance, argument: str) -> Fraction:
    """The least loss of T steps from the empty history, by networkx's Dijkstra."""
    import networkx as nx

    horizon = int(argument)
    distances = nx.single_source_dijkstra_path_length(layered(instance, horizon, [()]), (0, ()))
    least = min(distance for (step, _), distance in distances.items() if step == horizon)
    return Fraction(least, instance.denominator)


def cyclic(instance: Instance, argument: str) -> Fraction:
    """The least loss per step of a word of L actions repeated forever, by networkx's Dijkstra."""
    from itertools import product

    import networkx as nx

    period = int(argument)
    histories = list(product(range(instance.actions), repeat=instance.memory - 1))
    graph = layered(instance, period, histories)
    walks = (nx.single_source_dijkstra_path_length(graph, (0, h)).get((period, h)) for h in histories)
    return Fraction(min(walk for walk in walks if walk is not None), period * instance.denominator)


ON_GRAPHS: dict[str, Callable[[int, Edges], Fraction | float | None]] = {
    "networkx": networkx,
    "rustworkx": rustworkx,
    "highs": highs,
}
ON_BANDITS: dict[str, Callable[[Instance, str], Fraction | float]] = {
    "networkx-steps": steps,
    "networkx-cyclic": cyclic,
}


def peer(name: str) -> Callable[[Instance, str], Fraction | float]:
    """What a peer of the race answers."""
    module = import_module(f"benchmarks.peers.{name}")

    def answer(instance: Instance, argument: str) -> Fraction | float:
        value: Fraction | float = module.solve(module.prepare(instance), *arguments(argument))
        return value

    return answer


def arguments(argument: str) -> list[str]:
    """What stands for an argument; `-` is none."""
    return [] if argument == "-" else [argument]


def main() -> None:
    name = sys.argv[1]
    of_bandit = None if name in ON_GRAPHS else ON_BANDITS.get(name) or peer(name)
    for line in sys.stdin:
        word, *rest = line.split()
        value: Fraction | float | None = None
        try:
            if word == "graph":
                numbers = list(map(int, rest[2:]))
                edges = list(zip(*(numbers[i::4] for i in range(4)), strict=True))
                value = ON_GRAPHS[name](int(rest[0]), edges)
            elif word == "bandit" and of_bandit is not None:
                value = of_bandit(read_instance(" ".join(rest[1:])), rest[0])
            else:
                say(ready=True)
                continue
        except Exception as error:  # whatever a library raises is its answer, and is counted as such
            say(failed=f"{type(error).__name__}: {error}"[:200])
            continue
        say(value=None if value is None else as_text(value))


if __name__ == "__main__":
    main()
