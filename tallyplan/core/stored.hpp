// Graphs whose edges are stored, rows of successors and costs, one row a node; and Bellman-Ford over them.
#pragma once

#include "mean_cycle.hpp"

namespace tallyplan::TP_VARIANT {

// Edges with costs of type Int, `multiplier * cost - subtract * time` of what the caller stored.
template <class Int>
class StoredEdges {
 public:
    const i64 nodes;

    StoredEdges(const tp_edges& edges, wide multiplier, wide subtract)
        : nodes(edges.nodes), edges_(edges), costs_(array_of<Int>(edges.first[edges.nodes])) {
        for (i64 e = 0; e < edges.first[nodes]; ++e)
            costs_[e] = static_cast<Int>(multiplier * number_at(edges.costs, edges.bytes, e) -
                                         subtract * (edges.times ? edges.times[e] : 1));
    }

    i64 first(i64 node) const { return edges_.first[node]; }
    i64 last(i64 node) const { return edges_.first[node + 1]; }
    i64 head(i64 edge) const { return edges_.heads[edge]; }
    Int cost(i64 edge) const { return costs_[edge]; }

 private:
    const tp_edges& edges_;
    Array<Int> costs_;
};

// Bellman-Ford over stored edges. After each sweep every potential is set to the cost of its path of parents,
// which is at most as large: whole paths in place of single steps, so that few sweeps are needed.
template <class Int>
class OnEdges {
 public:
    Array<Int> values;

    // |reduced cost| <= W = q * widest, with `widest` the highest cost times the longest time: 0 <= p <= q *
    // highest. Potentials stay above floor - W, with floor = -n W: a node is lowered to at least W below its
    // head, and the sweep ends at the first node below the floor. A sum with a cost stays above floor - 2 W.
    static wide bound(const tp_edges& edges, const Mean& mean, wide widest) {
        return times(plus(edges.nodes, 3), mean.time, widest);
    }

    static wide bytes(const tp_edges& edges) {
        return plus(times(edges.nodes, sizeof(Int) + 5), times(edges.first[edges.nodes], sizeof(Int)));
    }

    OnEdges(const tp_edges& edges, const Mean& mean, wide widest)
        : values(array_of<Int>(edges.nodes)),
          edges_(edges),
          graph_(edges, mean.time, mean.cost),
          parents_(array_of<i32>(edges.nodes)),
          floor_(static_cast<Int>(-edges.nodes * mean.time * widest)) {
        std::fill(parents_.get(), parents_.get() + edges.nodes, -1);
    }

    i64 states() const { return graph_.nodes; }
    bool due() const { return true; }
    i64 successor(i64 node, i64 code) const { return graph_.head(graph_.first(node) + code); }
    i64 parent(i64 node) const { return parents_[node]; }

    Mean mean_of(const Walk& walk) const {
        wide cost = 0, time = 0;
        for (i64 node = walk.start; const i32 code : walk.codes) {
            const i64 edge = graph_.first(node) + code;
            cost += number_at(edges_.costs, edges_.bytes, edge);
            time += edges_.times ? edges_.times[edge] : 1;
            node = graph_.head(edge);
        }
        return {cost, time};
    }

    i64 sweep(const Watch& watch) {
        bool any = false;
        settle();
        for (i64 turn = 0; turn < graph_.nodes; ++turn) {
            if ((turn + 1) % (1 << 14) == 0) watch.tick();
            const i64 node = backwards_ ? graph_.nodes - 1 - turn : turn;
            Int least = values[node];
            for (i64 edge = graph_.first(node); edge < graph_.last(node); ++edge) {
                const Int candidate = graph_.cost(edge) + values[graph_.head(edge)];
                if (candidate >= least) continue;
                least = candidate;
                parents_[node] = static_cast<i32>(edge - graph_.first(node));
            }
            any |= least < values[node];
            values[node] = least;
            if (least < floor_) return node;
        }
        backwards_ = !backwards_;
        return any ? LOWERED : SETTLED;
    }

    void unpack() {}

    bool verify(std::uint8_t* marks, const Watch& watch) const {
        for (i64 node = 0; node < graph_.nodes; ++node) {
            if ((node + 1) % (1 << 14) == 0) watch.tick();
            marks[node] = 0;
            for (i64 code = 0; code < graph_.last(node) - graph_.first(node); ++code) {
                if (excess(node, code) < 0) return false;
                marks[node] |= excess(node, code) == 0;
            }
        }
        return true;
    }

    template <class Take>
    void changed(Take take) {
        take(0, graph_.nodes);
    }

    template <class Wanted>
    i32 next_tight(i64 node, i64 code, Wanted wanted) const {
        for (; code < graph_.last(node) - graph_.first(node); ++code)
            if (wanted(successor(node, code)) && excess(node, code) == 0) return static_cast<i32>(code);
        return -1;
    }

    // Below the floor there is a cycle of parents: nobody asks for a way.
    void way_to(i64, std::vector<i32>&) const { throw Status{TP_WRONG}; }

 private:
    Int excess(i64 node, i64 code) const {
        return graph_.cost(graph_.first(node) + code) + values[successor(node, code)] - values[node];
    }

    // The parents have no cycle here.
    void settle() {
        std::vector<i64> path;
        std::vector<std::uint8_t> done(graph_.nodes, 0);
        for (i64 start = 0; start < graph_.nodes; ++start) {
            for (i64 node = start; !done[node] && parents_[node] >= 0; node = successor(node, parents_[node]))
                path.push_back(node);
            for (; !path.empty(); path.pop_back()) {
                const i64 node = path.back();
                values[node] += excess(node, parents_[node]);
                done[node] = 1;
            }
        }
    }

    const tp_edges& edges_;
    StoredEdges<Int> graph_;
    Array<i32> parents_;
    Int floor_;
    bool backwards_ = false;
};

}  // namespace tallyplan::TP_VARIANT
