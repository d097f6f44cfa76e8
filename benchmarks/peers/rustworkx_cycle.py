"""rustworkx has no minimum mean cycle; its negative cycle search, asked again and again, gives one."""

from fractions import Fraction
from typing import Any

import rustworkx as rx

from benchmarks.peers.parametric import minimum_mean
from benchmarks.peers.serve import Array, Instance, serve

Prepared = tuple[Instance, Array, Any]


def prepare(instance: Instance) -> Prepared:
    graph = rx.PyDiGraph(multigraph=True)
    graph.add_nodes_from(range(instance.states))
    graph.add_edges_from(instance.edges())
    return instance, instance.costs(), graph


def solve(prepared: Prepared) -> Fraction:
    instance, costs, graph = prepared

    def negative_cycle(length: int, total: int) -> list[int] | None:
        def weight(cost: int) -> float:
            return float(length * cost - total)

        try:
            cycle = list(rx.find_negative_cycle(graph, weight))
        except ValueError:
            return None
        return cycle[:-1] if len(cycle) > 1 and cycle[0] == cycle[-1] else cycle

    return minimum_mean(instance, costs, negative_cycle)


if __name__ == "__main__":
    serve(prepare, solve)
