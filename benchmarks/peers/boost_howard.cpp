// Boost's Howard iteration (minimum_cycle_ratio with all times 1). It works in floating point; the value
// printed is that of the cycle it returns, added up in integers.

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/howard_cycle_ratio.hpp>

#include "instance.hpp"

using Properties = boost::property<boost::edge_weight_t, double, boost::property<boost::edge_weight2_t, double>>;
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS,
                                    boost::property<boost::vertex_index_t, int>, Properties>;
using Edge = boost::graph_traits<Graph>::edge_descriptor;

int main() {
    const long long baseline = status_bytes("VmRSS");
    Instance instance;
    if (!instance.read(std::cin)) return 2;
    Graph graph(instance.states);
    instance.for_each_edge([&](long long state, int action, int cost) {
        boost::add_edge(state, instance.successor(state, action), Properties(cost, 1.0), graph);
    });
    serve(baseline, [&] {
        std::vector<Edge> cycle;
        const auto costs = boost::get(boost::edge_weight, graph);
        boost::minimum_cycle_ratio(graph, boost::get(boost::vertex_index, graph), costs,
                                   boost::get(boost::edge_weight2, graph), &cycle);
        long long total = 0;
        for (const Edge& edge : cycle) total += static_cast<long long>(costs[edge]);
        return ratio(total, static_cast<long long>(cycle.size()) * instance.denominator);
    });
}
