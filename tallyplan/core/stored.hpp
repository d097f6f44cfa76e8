// Graphs whose edges are stored, rows of successors and costs, one row a node; and Bellman-Ford over them.
#pragma once

#include "mean_cycle.hpp"

namespace tallyplan::TP_VARIANT {

// Bellman-Ford over stored edges. After each sweep every potential is set to the cost of its path of parents,
// which is at most as large: whole paths in place of single steps, so that few sweeps are needed.
template <class Int>
class OnEdges {
 public:
    Array<Int> values;

    // |reduced cost| <= W = q * widest, with `widest` the highest cost times the longest time: 0 <= p <= q *
    // highest. Potentials stay above floor - W, with floor = -n W: a node is lowered to at least W below its
    // head, and the sweep ends at the first node below the floor. A sum with a cost stays above floor - 2 W.
    // An edge that is missing costs `never`, more than any difference of potentials.
    static wide bound(i64 nodes, const Mean& mean, wide widest) {
        return times(2, plus(nodes, 3), times(mean.time, widest));
    }

    static wide bytes(const tp_graph& graph) {
        return plus(times(graph.nodes, sizeof(Int) + 6), times(graph.first[graph.nodes], sizeof(Int)));
    }

    OnEdges(const tp_graph& graph, const Mean& mean, wide widest)
        : values(array_of<Int>(graph.nodes)),
          graph_(graph),
          costs_(array_of<Int>(graph.first[graph.nodes])),
          parents_(array_of<i32>(graph.nodes)),
          settled_(graph.nodes),
          floor_(static_cast<Int>(-graph.nodes * mean.time * widest)),
          never_(static_cast<Int>(bound(graph.nodes, mean, widest) / 2)) {
        std::fill(parents_.get(), parents_.get() + graph.nodes, -1);
        for (i64 e = 0; e < graph.first[graph.nodes]; ++e) {
            const wide cost = number_at(graph.costs, graph.bytes, e);
            costs_[e] =
                cost < 0 ? never_ : static_cast<Int>(mean.time * cost - mean.cost * time_of(graph, e));
        }
    }

    i64 states() const { return graph_.nodes; }
    bool due() const { return true; }
    i64 successor(i64 node, i64 code) const { return graph_.heads[graph_.first[node] + code]; }
    i64 parent(i64 node) const { return parents_[node]; }

    // An edge goes, and with it the parents that it is.
    void remove(i64 node, i64 code) {
        costs_[graph_.first[node] + code] = never_;
        if (parents_[node] == code) parents_[node] = -1;
    }

    Mean mean_of(const Walk& walk) const {
        wide cost = 0, time = 0;
        for (i64 node = walk.start; const i32 code : walk.codes) {
            cost += number_at(graph_.costs, graph_.bytes, graph_.first[node] + code);
            time += time_of(graph_, graph_.first[node] + code);
            node = successor(node, code);
        }
        return {cost, time};
    }

    i64 sweep(const Watch& watch) {
        bool any = false;
        settle();
        for (i64 turn = 0; turn < graph_.nodes; ++turn) {
            if ((turn + 1) % (1 << 14) == 0) watch.tick();
            const i64 node = backwards_ ? graph_.nodes - 1 - turn : turn, first = graph_.first[node];
            Int least = values[node];
            for (i64 edge = first; edge < graph_.first[node + 1]; ++edge) {
                const Int candidate = costs_[edge] + values[graph_.heads[edge]];
                if (candidate >= least) continue;
                least = candidate;
                parents_[node] = static_cast<i32>(edge - first);
            }
            any |= least < values[node];
            values[node] = least;
            if (least < floor_) return node;
        }
        backwards_ = !backwards_;
        return any ? LOWERED : SETTLED;
    }

    void unpack() {}

    void verify(std::uint8_t* marks, const Watch& watch) const {
        for (i64 node = 0; node < graph_.nodes; ++node) {
            if ((node + 1) % (1 << 14) == 0) watch.tick();
            marks[node] = 0;
            for (i64 code = 0; code < degree(node); ++code) {
                if (excess(node, code) < 0) throw Status{TP_WRONG};
                marks[node] |= excess(node, code) == 0;
            }
        }
    }

    template <class Take>
    void changed(Take take) {
        take(0, graph_.nodes);
    }

    template <class Wanted>
    i32 next_tight(i64 node, i64 code, Wanted wanted) const {
        for (; code < degree(node); ++code)
            if (wanted(successor(node, code)) && excess(node, code) == 0) return static_cast<i32>(code);
        return -1;
    }

    // Below the floor there is a cycle of parents: nobody asks for a way.
    void way_to(i64, std::vector<i32>&) const { throw Status{TP_WRONG}; }

 private:
    static i64 time_of(const tp_graph& graph, i64 edge) { return graph.times ? graph.times[edge] : 1; }

    i64 degree(i64 node) const { return graph_.first[node + 1] - graph_.first[node]; }

    Int excess(i64 node, i64 code) const {
        return costs_[graph_.first[node] + code] + values[successor(node, code)] - values[node];
    }

    // The parents have no cycle here.
    void settle() {
        std::fill(settled_.begin(), settled_.end(), std::uint8_t{0});
        for (i64 start = 0; start < graph_.nodes; ++start) {
            for (i64 node = start; !settled_[node] && parents_[node] >= 0;
                 node = successor(node, parents_[node]))
                path_.push_back(node);
            for (; !path_.empty(); path_.pop_back()) {
                const i64 node = path_.back();
                values[node] += excess(node, parents_[node]);
                settled_[node] = 1;
            }
        }
    }

    const tp_graph graph_;
    Array<Int> costs_;
    Array<i32> parents_;
    std::vector<std::uint8_t> settled_;
    std::vector<i64> path_;
    Int floor_, never_;
    bool backwards_ = false;
};

}  // namespace tallyplan::TP_VARIANT
