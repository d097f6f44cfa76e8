// Graphs whose edges have numbers: those from a state are first(state), ..., first(state + 1) - 1, and the
// code of an edge is its place in that row.
#pragma once

#include "histories.hpp"

namespace tallyplan::TP_VARIANT {

// Edges as the caller has stored them.
class Stored {
 public:
    const i64 states, edges;
    wide highest = 1, longest = 1;  // of the costs, and of the times, and at least 1

    explicit Stored(const tp_graph& graph)
        : states(graph.nodes), edges(graph.first[graph.nodes]), graph_(graph) {
        costs([&](i64, i64 edge, wide cost) {
            highest = std::max(highest, cost);
            longest = std::max<wide>(longest, time(edge));
        });
    }

    i64 first(i64 state) const { return graph_.first[state]; }
    i64 head(i64 edge) const { return graph_.heads[edge]; }
    i64 time(i64 edge) const { return graph_.times ? graph_.times[edge] : 1; }

    // For every edge: use(tail, edge, cost); a negative cost means that it is missing.
    template <class Use>
    void costs(Use use) const {
        for (i64 s = 0; s < states; ++s)
            from(s, [&](i64 edge, i64) { use(s, edge, number_at(graph_.costs, graph_.bytes, edge)); });
    }

    // For each edge from a state: use(edge, head).
    template <class Use>
    void from(i64 state, Use use) const {
        for (i64 edge = first(state); edge < first(state + 1); ++edge) use(edge, head(edge));
    }

    // For each edge into a state, after `turn_round`: use(edge, tail).
    template <class Use>
    void into(i64 state, Use use) const {
        for (i64 i = last_[state]; i < last_[state + 1]; ++i)
            use(first(into_[i].tail) + into_[i].code, into_[i].tail);
    }

    void turn_round() {
        last_.assign(states + 1, 0);
        for (i64 edge = 0; edge < edges; ++edge) ++last_[head(edge) + 1];
        for (i64 s = 0; s < states; ++s) last_[s + 1] += last_[s];
        into_.resize(edges);
        auto next = last_;
        for (i64 s = 0; s < states; ++s)
            from(s, [&](i64 edge, i64 to) {
                into_[next[to]++] = {static_cast<i32>(s), static_cast<i32>(edge - first(s))};
            });
    }

 private:
    struct Into {
        i32 tail, code;
    };
    const tp_graph graph_;
    std::vector<i64> last_;
    std::vector<Into> into_;
};

// The histories of a tallying bandit. An edge is a window of m actions: its code has these as digits, the
// oldest first, so that the tail is the code without the last digit, and the head the one without the first.
class Windows {
 public:
    const i64 states, edges;
    const wide highest, longest = 1;

    explicit Windows(const Tallying& bandit)
        : states(static_cast<i64>(bandit.power(bandit.memory - 1))),
          edges(states * bandit.actions),
          highest(bandit.highest),
          bandit_(bandit) {}

    i64 first(i64 state) const { return state * bandit_.actions; }
    i64 head(i64 edge) const { return edge % states; }
    i64 time(i64) const { return 1; }

    template <class Use>
    void costs(Use use) const {
        const auto tallies = tallies_of_words(bandit_.actions, bandit_.memory - 1);
        for (i64 s = 0; s < states; ++s)
            for (i64 a = 0; a < bandit_.actions; ++a)
                use(s, first(s) + a, bandit_.cost(a, tallies[a * states + s]));
    }

    template <class Use>
    void from(i64 state, Use use) const {
        const i64 next = states > 1;  // heads follow each other, unless there is but one
        for (i64 edge = first(state), to = head(edge); edge < first(state + 1); ++edge, to += next)
            use(edge, to);
    }

    template <class Use>
    void into(i64 state, Use use) const {
        for (i64 edge = state; edge < edges; edge += states) use(edge, edge / bandit_.actions);
    }

    void turn_round() {}

 private:
    const Tallying bandit_;
};

// A graph with costs of its edges, made(tail, edge, cost) from those that it has; -1: the edge is missing.
template <class Graph, class Int>
struct Edges {
    const Graph& graph;
    Array<Int> costs;

    explicit Edges(const Graph& of) : Edges(of, [](i64, i64, wide cost) { return cost; }) {}

    template <class Make>
    Edges(const Graph& of, Make made) : graph(of), costs(array_of<Int>(of.edges, false)) {
        graph.costs([&](i64 tail, i64 edge, wide cost) {
            costs[edge] = cost < 0 ? Int(-1) : static_cast<Int>(made(tail, edge, cost));
        });
    }

    // For each edge from, or into, a state that is not missing: use(edge, the other state, cost).
    template <class Use>
    void from(i64 state, Use use) const {
        graph.from(state, [&](i64 edge, i64 head) {
            if (costs[edge] >= 0) use(edge, head, costs[edge]);
        });
    }

    template <class Use>
    void into(i64 state, Use use) const {
        graph.into(state, [&](i64 edge, i64 tail) {
            if (costs[edge] >= 0) use(edge, tail, costs[edge]);
        });
    }
};

}  // namespace tallyplan::TP_VARIANT
