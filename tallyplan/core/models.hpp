// The graphs that a T-step recursion sweeps: stored edges here, the histories of a tallying bandit in
// tally_model.hpp. Each has a *player*, in a node or after a history of any length, who plays on.
//
// A *pass* takes the value of state 0 off a vector and makes some Bellman steps, at least one and at most
// `most`; the result takes its place, with a spare vector. Between passes the states may have another order:
// `done` says how many steps were made since they were in order.
#pragma once

#include <map>

#include "graphs.hpp"
#include "parts.hpp"

namespace tallyplan::TP_VARIANT {

// Vectors over the states, taken a few at a time; those that nobody holds go back to the shelf.
template <class Int>
class Shelf {
 public:
    struct GiveBack {
        Shelf* shelf;
        void operator()(Int* row) const { shelf->free_.push_back(row); }
    };
    using Row = std::unique_ptr<Int[], GiveBack>;

    // Of what the watch allows, `before` bytes are taken.
    Shelf(i64 states, Watch*& watch, wide before) : states_(states), watch_(watch), bytes_(before) {}

    Row take() {
        if (free_.empty()) {
            const i64 numbers = states_ > 4096 ? 1 << 19 : 1 << 14;  // of large rows, a large page
            i64 rows = std::max<i64>(1, std::min<i64>(256, numbers / states_));
            if (plus(bytes_, times(rows * states_, sizeof(Int))) > watch_->memory()) rows = 1;
            watch_->require(bytes_ = plus(bytes_, times(rows * states_, sizeof(Int))));
            slabs_.push_back(array_of<Int>(rows * states_, false));
            free_.reserve(free_.capacity() + rows);  // for all, so that giving back takes no memory
            for (i64 i = rows; i-- > 0;) free_.push_back(slabs_.back().get() + i * states_);
        }
        Row row(free_.back(), GiveBack{this});
        free_.pop_back();
        return row;
    }

 private:
    i64 states_;
    Watch*& watch_;  // of the present call
    wide bytes_;
    std::vector<Array<Int>> slabs_;
    std::vector<Int*> free_;
};

template <class Int>
using Row = typename Shelf<Int>::Row;

constexpr i64 SMALL = 4096;  // states: every layer of a small graph is stored, else those at some distance

// A layer that a pass went through: its value at state 0, and its shape.
template <class Int>
struct Passed {
    Int first;
    std::uint32_t shape;
};

// The value at state 0, or 0 if that is `never`.
template <class Int>
Int first_of(const Int* values, Int never) {
    return values[0] < never ? values[0] : 0;
}

template <class Int>
Int less(Int value, Int first, Int never) {
    return value < never ? static_cast<Int>(value - first) : never;
}

// The *shape* of a layer is the sum modulo 2^32 of its first so many entries less the one at state 0.
template <class Int>
std::uint32_t shape_of(const Int* values, i64 part, Int never) {
    std::uint32_t sum = 0;
    const Int first = first_of(values, never);
    for (i64 s = 0; s < part; ++s) sum += static_cast<std::uint32_t>(less(values[s], first, never));
    return sum;
}

// Shapes of layers, by which repetitions of the recursion are suspected and never believed. They are linear,
// so whatever linear relation the layers satisfy, the shapes satisfy it too: no repetition is overlooked.
// Some may be suspected wrongly; the caller verifies them in full.
class Fingerprints {
 public:
    std::map<i64, i64> not_before;  // for periods that were tried: the time up to which they held

    // The next layer, by its shape and what its first entries are relative to, all together.
    void add(std::uint32_t sum) { sums_.push_back(sum); }

    // The periods p to try from the last layer on, in order, with `blocks` blocks before `left`, now and
    // then: those of 3p, 2p and p layers ago and this one seem to be in arithmetic progression.
    std::vector<i64> periods(i64 now, wide left, wide blocks) {
        std::vector<i64> found;
        if (now < next_search_) return found;
        next_search_ = now + std::min(std::max<i64>(1, now / OFTEN), SELDOM);
        for (i64 p = 1; p <= now / 3; ++p) {
            const auto first = sums_[now] - sums_[now - p], second = sums_[now - p] - sums_[now - 2 * p];
            const bool progression = first == second && second == sums_[now - 2 * p] - sums_[now - 3 * p];
            if (progression && now + blocks * p < left && now >= not_before[p]) found.push_back(p);
        }
        return found;
    }

 private:
    // Progressions are searched for at the first layers, then after every 1/16 more, but at every 64th.
    static constexpr i64 OFTEN = 16, SELDOM = 64;

    std::vector<std::uint32_t> sums_;
    i64 next_search_ = 0;
};

// V_t(s) is `never` where no walk of t steps begins in s. Numbers: with H the highest cost, other values of N
// steps differ by at most N H.
template <class Int>
class EdgeModel {
 public:
    using Number = Int;
    static constexpr Int never = static_cast<Int>(largest<Int>() / 4);
    const i64 states, part, room;
    i64 actions = 1;  // at most, out of a node
    const Int span;

    EdgeModel(const Stored& graph, wide longest)
        : states(graph.states), part(states), room(states), span(static_cast<Int>(longest)), edges_(graph) {
        for (i64 s = 0; s < states; ++s) actions = std::max(actions, graph.first(s + 1) - graph.first(s));
    }

    wide bytes() const { return times(edges_.graph.edges, sizeof(Int)); }

    i64 turn() const { return 1; }

    i64 pass(Row<Int>& values, Row<Int>& spare, i64, i64, std::vector<Passed<Int>>& passed,
             const Watch& watch) {
        const Int shift = first_of(values.get(), never);
        for (i64 s = 0; s < states; watch.tick(++s)) {
            Int least = never;
            edges_.from(s, [&](i64, i64 head, Int cost) {
                least = std::min(least, static_cast<Int>(cost + values[head]));
            });
            spare[s] = less(least, shift, never);
        }
        std::swap(values, spare);
        passed.assign(1, {first_of(values.get(), never), shape_of(values.get(), states, never)});
        return 1;
    }

    void lay_out(const Int* values, Int* to) const { std::copy(values, values + states, to); }

    void in_order(const Int* values, i64, Int* to, const Watch&) const {
        const Int first = first_of(values, never);
        for (i64 s = 0; s < states; ++s) to[s] = less(values[s], first, never);
    }

    class Player {
     public:
        Parts played;
        i64 code;

        Player(const EdgeModel& model, const i32* place, i64) : code(*place), edges_(model.edges_) {}

        i64 choices() const { return edges_.graph.first(code + 1) - edges_.graph.first(code); }
        i64 missing() const { return 0; }
        i64 head(i64 a) const { return edges_.graph.head(edges_.graph.first(code) + a); }

        Int cost(i64 a) const {
            const Int found = edges_.costs[edges_.graph.first(code) + a];
            return found < 0 ? never : found;
        }

        void play(i32 a) {
            code = head(a);
            played.letters.push_back(a);
        }

        void take_back(i64 before) {
            played.letters.pop_back();
            code = before;
        }

     private:
        const Edges<Int>& edges_;
    };

 private:
    const Edges<Int> edges_;
};

}  // namespace tallyplan::TP_VARIANT
