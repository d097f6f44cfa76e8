// LEMON's minimum mean cycle algorithms on the state graph. Only the solve is on the clock, not the graph.
// Usage: lemon howard|hartmann-orlin|karp < instance

#include <lemon/hartmann_orlin_mmc.h>
#include <lemon/howard_mmc.h>
#include <lemon/karp_mmc.h>
#include <lemon/static_graph.h>

#include <utility>

#include "instance.hpp"

using Graph = lemon::StaticDigraph;
using Costs = Graph::ArcMap<int>;

template <class Algorithm>
std::string mean(const Graph& graph, const Costs& costs, long long denominator) {
    Algorithm algorithm(graph, costs);
    algorithm.run();
    return ratio(algorithm.cycleCost(), algorithm.cycleSize() * denominator);
}

void build(const Instance& instance, Graph& graph) {
    std::vector<std::pair<int, int>> arcs;
    arcs.reserve(instance.states * instance.actions);
    for (long long state = 0; state < instance.states; ++state)
        for (int a = 0; a < instance.actions; ++a)
            arcs.emplace_back(static_cast<int>(state), static_cast<int>(instance.successor(state, a)));
    graph.build(static_cast<int>(instance.states), arcs.begin(), arcs.end());
}

int main(int count, char** words) {
    const long long baseline = status_bytes("VmRSS");
    const std::string name = count > 1 ? words[1] : "howard";
    Instance instance;
    if (!instance.read(std::cin)) return 2;
    Graph graph;
    build(instance, graph);
    Costs costs(graph);
    int arc = 0;
    instance.for_each_edge([&](long long, int, int cost) { costs[graph.arc(arc++)] = cost; });
    serve(baseline, [&] {
        if (name == "karp") return mean<lemon::KarpMmc<Graph, Costs>>(graph, costs, instance.denominator);
        if (name == "hartmann-orlin")
            return mean<lemon::HartmannOrlinMmc<Graph, Costs>>(graph, costs, instance.denominator);
        return mean<lemon::HowardMmc<Graph, Costs>>(graph, costs, instance.denominator);
    });
}
