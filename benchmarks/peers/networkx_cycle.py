"""networkx has no minimum mean cycle; its negative cycle search, asked again and again, gives one."""

from fractions import Fraction
from typing import Any

import networkx as nx

from benchmarks.peers.parametric import minimum_mean
from benchmarks.peers.serve import Array, Instance, serve

Prepared = tuple[Instance, Array, Any]


def prepare(instance: Instance) -> Prepared:
    graph = nx.DiGraph()
    graph.add_weighted_edges_from(instance.edges(), weight="cost")
    return instance, instance.costs(), graph


def solve(prepared: Prepared) -> Fraction:
    instance, costs, graph = prepared

    def negative_cycle(length: int, total: int) -> list[int] | None:
        def weight(source: int, target: int, data: dict[str, int]) -> int:
            return length * data["cost"] - total

        try:
            cycle: list[int] = nx.find_negative_cycle(graph, 0, weight=weight)[:-1]
        except nx.NetworkXError as error:
            if str(error) != "No negative cycles detected.":
                raise  # it sometimes detects a cycle and then cannot find it
            return None
        return cycle

    return minimum_mean(instance, costs, negative_cycle)


if __name__ == "__main__":
    serve(prepare, solve)
