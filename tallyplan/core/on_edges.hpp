// Bellman-Ford over edges one by one; mean_cycle.hpp has the theory.
#pragma once

#include "graphs.hpp"
#include "mean_cycle.hpp"

namespace tallyplan::TP_VARIANT {

// After each sweep every potential is set to the cost of its path of parents, which is at most as large:
// whole paths in place of single steps, so that few sweeps are needed.
template <class Int>
class OnEdges {
 public:
    Array<Int> values;

    // |reduced cost| <= W = q * widest, with `widest` the highest cost times the longest time: 0 <= p <= q *
    // highest. Potentials stay above floor - W, with floor = -n W: a node is lowered to at least W below its
    // head, and the sweep ends at the first node below the floor. A sum with a cost stays above floor - 2 W.
    static wide bound(i64 nodes, const Mean& mean, wide widest) {
        return times(plus(nodes, 3), times(mean.time, widest));
    }

    OnEdges(const Edges<Int>& edges, const Mean& mean, wide widest)
        : values(array_of<Int>(edges.graph.states)),
          edges_(edges),
          graph_(edges.graph),
          time_(static_cast<Int>(mean.time)),
          cost_(static_cast<Int>(mean.cost)),
          floor_(static_cast<Int>(-graph_.states * mean.time * widest)) {
        std::fill(parents_.get(), parents_.get() + graph_.states, -1);
    }

    i64 states() const { return graph_.states; }
    bool due() const { return true; }
    i64 successor(i64 node, i64 code) const { return graph_.head(graph_.first(node) + code); }
    i64 parent(i64 node) const { return parents_[node]; }

    // An edge has gone, and with it the parent that it was.
    void forget(i64 node, i64 edge) {
        if (parents_[node] == edge - graph_.first(node)) parents_[node] = -1;
    }

    std::pair<wide, wide> edge(i64 node, i64 code) const {
        const i64 number = graph_.first(node) + code;
        return {edges_.costs[number], graph_.time(number)};
    }

    i64 choices(i64 node) const { return graph_.first(node + 1) - graph_.first(node); }

    // The reduced cost of an edge and what follows; 1, more than any potential, if it is missing.
    Int by_edge(i64 node, i64 code) const {
        const i64 edge = graph_.first(node) + code;
        const Int cost = edges_.costs[edge];
        return cost < 0 ? Int{1} : sum(edge, graph_.head(edge), cost);
    }

    i64 sweep(const Watch& watch) {
        bool any = false;
        settle(watch);
        for (i64 turn = 0; turn < graph_.states; watch.tick(++turn)) {
            const i64 node = backwards_ ? graph_.states - 1 - turn : turn, first = graph_.first(node);
            Int least = values[node];
            edges_.from(node, [&](i64 edge, i64 head, Int cost) {
                const Int candidate = sum(edge, head, cost);
                if (candidate >= least) return;
                least = candidate;
                parents_[node] = static_cast<i32>(edge - first);
            });
            any |= least < values[node];
            values[node] = least;
            if (least < floor_) return node;
        }
        backwards_ = !backwards_;
        return any ? LOWERED : SETTLED;
    }

    // Whether reduced + phi(head) >= phi(tail) on every edge; marks[tail] says whether one is an equality.
    void verify(std::uint8_t* marks, const Watch& watch) const {
        for (i64 node = 0; node < graph_.states; watch.tick(++node)) {
            marks[node] = 0;
            edges_.from(node, [&](i64 edge, i64 head, Int cost) {
                const Int candidate = sum(edge, head, cost);
                if (candidate < values[node]) throw Status{TP_WRONG};
                marks[node] |= candidate == values[node];
            });
        }
    }

    template <class Take>
    void changed(Take take) {
        take(0, graph_.states);
    }

    // Below the floor there is a cycle of parents: nobody asks for a way.
    void way_to(i64, std::vector<i32>&) const { throw Status{TP_WRONG}; }

 private:
    Int sum(i64 edge, i64 head, Int cost) const {
        return time_ * cost - cost_ * static_cast<Int>(graph_.time(edge)) + values[head];
    }

    // The parents have no cycle here.
    void settle(const Watch& watch) {
        std::fill(settled_.begin(), settled_.end(), std::uint8_t{0});
        for (i64 start = 0; start < graph_.states; watch.tick(++start)) {
            for (i64 node = start; !settled_[node] && parents_[node] >= 0;
                 node = successor(node, parents_[node]))
                path_.push_back(node);
            for (; !path_.empty(); path_.pop_back()) {
                const i64 node = path_.back();
                values[node] = by_edge(node, parents_[node]);
                settled_[node] = 1;
            }
        }
    }

    const Edges<Int>& edges_;
    const Stored& graph_;
    const Int time_, cost_;
    Array<i32> parents_ = array_of<i32>(graph_.states, false);
    std::vector<std::uint8_t> settled_ = std::vector<std::uint8_t>(graph_.states);
    std::vector<i64> path_;
    const Int floor_;
    bool backwards_ = false;
};

}  // namespace tallyplan::TP_VARIANT
