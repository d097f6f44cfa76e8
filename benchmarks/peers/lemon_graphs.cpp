// LEMON's three minimum mean cycle algorithms as peers of explicit graphs (graphs.hpp), in 64-bit integers. It
// knows no times: they must be 1.
// Usage: lemon_graphs howard|hartmann-orlin|karp

#include <lemon/hartmann_orlin_mmc.h>
#include <lemon/howard_mmc.h>
#include <lemon/karp_mmc.h>
#include <lemon/smart_graph.h>

#include "graphs.hpp"

using Graph = lemon::SmartDigraph;
using Costs = Graph::ArcMap<long long>;

template <class Algorithm>
std::string mean(int nodes, const std::vector<Edge>& edges) {
    Graph graph;
    for (int i = 0; i < nodes; ++i) graph.addNode();
    Costs costs(graph);
    for (const Edge& edge : edges)
        costs[graph.addArc(graph.nodeFromId(edge.tail), graph.nodeFromId(edge.head))] = edge.weight;
    const double started = now();
    Algorithm algorithm(graph, costs);
    const bool found = algorithm.run();
    solve_seconds = now() - started;
    return found ? ratio(algorithm.cycleCost(), algorithm.cycleSize()) : "";
}

int main(int count, char** words) {
    const std::string name = count > 1 ? words[1] : "howard";
    if (name == "karp") return answer_all(mean<lemon::KarpMmc<Graph, Costs>>);
    if (name == "hartmann-orlin") return answer_all(mean<lemon::HartmannOrlinMmc<Graph, Costs>>);
    return answer_all(mean<lemon::HowardMmc<Graph, Costs>>);
}
