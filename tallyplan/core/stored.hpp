// Graphs whose edges are stored: rows of successors and costs, one row a node.
#pragma once

#include "run.hpp"

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

}  // namespace tallyplan::TP_VARIANT
