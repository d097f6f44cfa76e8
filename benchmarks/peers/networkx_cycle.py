"""networkx has no minimum mean cycle; its negative cycle search, asked again and again, gives one."""

import networkx as nx

from benchmarks.peers.parametric import minimum_mean
from benchmarks.peers.serve import serve


def prepare(instance):
    costs = instance.costs()
    graph = nx.DiGraph()
    successors = instance.successors()
    graph.add_edges_from(
        (state, int(successors[state, a]), {"cost": int(costs[state, a])})
        for state in range(instance.states)
        for a in range(instance.actions)
    )
    return instance, costs, graph


def solve(prepared):
    instance, costs, graph = prepared

    def negative_cycle(length, total):
        def weight(source, target, data):
            return length * data["cost"] - total

        try:
            return nx.find_negative_cycle(graph, 0, weight=weight)[:-1]
        except nx.NetworkXError as error:
            if str(error) != "No negative cycles detected.":
                raise  # it sometimes detects a cycle and then cannot find it
            return None

    return minimum_mean(instance, costs, negative_cycle)


if __name__ == "__main__":
    serve(prepare, solve)
