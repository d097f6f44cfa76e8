// Graphs whose edges have numbers: those from a state are first(state), ..., first(state + 1) - 1, and the
// code of an edge is its place in that row.
#pragma once

#include "histories.hpp"

namespace tallyplan::TP_VARIANT {

// Edges as the caller, or `with_stored`, has stored them; the latter's rows are all as long.
class Stored {
 public:
    const i64 states, edges;
    wide highest = 1, longest = 1;  // of the costs, and of the times, and at least 1
    std::vector<i64> last;
    std::vector<std::pair<i32, i32>> into;  // tail and code

    explicit Stored(const tp_graph& graph)
        : states(graph.nodes),
          edges(graph.actions ? states * graph.actions : graph.first[states]),
          graph_(graph) {
        for (i64 edge = 0; edge < edges; ++edge) {
            highest = std::max(highest, cost(edge));
            longest = std::max<wide>(longest, time(edge));
        }
    }

    i64 first(i64 state) const { return graph_.actions ? state * graph_.actions : graph_.first[state]; }
    i64 head(i64 edge) const { return graph_.heads[edge]; }
    i64 time(i64 edge) const { return graph_.times ? graph_.times[edge] : 1; }
    wide cost(i64 edge) const { return number_at(graph_.costs, graph_.bytes, edge); }

    // From now on the edges into a state are into[last[state]], ..., into[last[state + 1] - 1].
    void turn_round(const Watch& watch) {
        last.assign(states + 2, 0);
        for (i64 edge = 0; edge < edges; ++edge) ++last[head(edge) + 2];
        for (i64 s = 0; s < states; ++s) last[s + 2] += last[s + 1];
        into.resize(edges);
        for (i64 s = 0; s < states; watch.tick(++s))
            for (i64 edge = first(s); edge < first(s + 1); ++edge)
                into[last[head(edge) + 1]++] = {static_cast<i32>(s), static_cast<i32>(edge - first(s))};
    }

 private:
    const tp_graph graph_;
};

// Use a graph; of the histories of a tallying bandit the edges are stored for as long: use(stored).
template <class Use>
void with_stored(const tp_graph& graph, const Watch& watch, Use use) {
    if (!graph.memory) return use(Stored(graph));
    const i64 K = graph.actions, m = graph.memory, alone = K == 1 ? m - 1 : 0;  // plays of a single action
    const auto tallies = tallies_of_words(K, m - 1 - alone);
    const i64 edges = static_cast<i64>(tallies.size()), states = edges / K;
    const auto heads = array_of<i32>(edges, false);
    const auto costs = array_of<wide>(edges, false);
    for (i64 s = 0, edge = 0, head = 0; s < states; watch.tick(++s))
        for (i64 a = 0; a < K; ++a, ++edge, ++head) {
            if (head == states) head = 0;
            heads[edge] = static_cast<i32>(head);
            costs[edge] = number_at(graph.costs, graph.bytes, a * m + alone + tallies[a * states + s]);
        }
    use(Stored({graph.actions, 0, sizeof(wide), costs.get(), states, nullptr, heads.get(), nullptr}));
}

// The edges of a graph with costs of their own, at first those that it has; -1: an edge is missing.
template <class Int>
struct Edges {
    const Stored graph;
    Array<Int> costs = array_of<Int>(graph.edges, false);

    explicit Edges(Stored of) : graph(std::move(of)) {
        for (i64 edge = 0; edge < graph.edges; ++edge)
            costs[edge] = static_cast<Int>(std::max<wide>(-1, graph.cost(edge)));
    }

    // For each edge from, or into, a state that is not missing: use(edge, the other state, cost).
    template <class Use>
    void from(i64 state, Use use) const {
        for (i64 edge = graph.first(state), end = graph.first(state + 1); edge < end; ++edge)
            if (costs[edge] >= 0) use(edge, graph.head(edge), costs[edge]);
    }

    template <class Use>
    void into(i64 state, Use use) const {
        for (i64 i = graph.last[state]; i < graph.last[state + 1]; ++i) {
            const i64 tail = graph.into[i].first, edge = graph.first(tail) + graph.into[i].second;
            if (costs[edge] >= 0) use(edge, tail, costs[edge]);
        }
    }
};

}  // namespace tallyplan::TP_VARIANT
