// Boost's Howard iteration as a peer of explicit graphs (graphs.hpp). It works in floating point, here to
// 1e-9 in place of its default of 0.005; the value printed is that of the cycle it returns, added up exactly.
//
// Boost takes the sum of |weight| for a bound that no cycle reaches, and so finds no cycle in a single loop with
// a weight of 0 or more. Here all weights are made negative by a multiple of the time, which moves all ratios alike.

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/howard_cycle_ratio.hpp>

#include <algorithm>

#include "graphs.hpp"

using Properties = boost::property<boost::edge_weight_t, double, boost::property<boost::edge_weight2_t, double>>;
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS,
                                    boost::property<boost::vertex_index_t, int>, Properties>;

struct Fine : boost::mcr_float<double> {
    static double epsilon() { return -1e-9; }
};

int main() {
    return answer_all([](int nodes, const std::vector<Edge>& edges) -> std::string {
        long long shift = 0;
        for (const Edge& edge : edges) shift = std::max(shift, edge.weight + 1);
        Graph graph(nodes);
        for (const Edge& edge : edges)
            boost::add_edge(edge.tail, edge.head,
                            Properties(static_cast<double>(edge.weight - shift * edge.time),
                                       static_cast<double>(edge.time)),
                            graph);
        std::vector<boost::graph_traits<Graph>::edge_descriptor> cycle;
        const auto costs = boost::get(boost::edge_weight, graph);
        const auto times = boost::get(boost::edge_weight2, graph);
        boost::minimum_cycle_ratio(graph, boost::get(boost::vertex_index, graph), costs, times, &cycle, Fine());
        if (cycle.empty()) return "";
        long long total = 0, time = 0;
        for (const auto& edge : cycle) {
            total += static_cast<long long>(costs[edge]);
            time += static_cast<long long>(times[edge]);
        }
        return ratio(total + shift * time, time);
    });
}
