// The two kinds of graph that a T-step recursion sweeps: the histories of a tallying bandit, and stored
// edges. Each has a *player*, who stands somewhere and plays on: after a history of any length, or in a node.
//
// A *pass* takes the value of state 0 off a vector and makes some Bellman steps, at least one and at most
// `most`; the result takes its place, with a spare vector. The digits of its states may rotate
// (rotation.hpp): after `turn` steps it is in order again, and `position` is how many there were since.
#pragma once

#include <optional>

#include "graphs.hpp"
#include "parts.hpp"
#include "rotation.hpp"

namespace tallyplan::TP_VARIANT {

// Vectors over the states, taken a few at a time and used again: those that nobody holds go back to the
// shelf.
template <class Int>
class Shelf {
 public:
    struct GiveBack {
        Shelf* shelf;
        void operator()(Int* row) const { shelf->free_.push_back(row); }
    };
    using Row = std::unique_ptr<Int[], GiveBack>;

    Shelf(i64 states, Watch& watch, wide before) : states_(states), watch_(&watch), bytes_(before) {}

    Row take() {
        if (free_.empty()) {
            const i64 numbers = states_ > 4096 ? 1 << 19 : 1 << 14;  // of large rows, a large page
            i64 rows = std::max<i64>(1, std::min<i64>(256, numbers / states_));
            if (plus(bytes_, times(rows * states_, sizeof(Int))) > watch_->memory()) rows = 1;
            bytes_ = plus(bytes_, times(rows * states_, sizeof(Int)));
            watch_->require(bytes_);
            slabs_.push_back(array_of<Int>(rows * states_, false));
            free_.reserve(free_.capacity() + rows);  // for all, so that giving back takes no memory
            for (i64 i = rows; i-- > 0;) free_.push_back(slabs_.back().get() + i * states_);
        }
        Row row(free_.back(), GiveBack{this});
        free_.pop_back();
        return row;
    }

    void watch(Watch& watch) { watch_ = &watch; }

 private:
    i64 states_;
    Watch* watch_;
    wide bytes_;
    std::vector<Array<Int>> slabs_;
    std::vector<Int*> free_;
};

template <class Int>
using Row = typename Shelf<Int>::Row;

constexpr i64 SMALL = 4096;  // states: every layer of a small graph is stored, else those at some distance

// The value at state 0, or 0 if that is `never`.
template <class Int>
Int first_of(const Int* values, Int never) {
    return values[0] < never ? values[0] : 0;
}

template <class Int>
Int less(Int value, Int first, Int never) {
    return value < never ? static_cast<Int>(value - first) : never;
}

// The shape of a layer in order, state s with the weight 2 s + 1.
template <class Int>
std::uint64_t shape_of(const Int* values, i64 states, Int never) {
    std::uint64_t sum = 0;
    const Int first = first_of(values, never);
    for (i64 s = 0; s < states; ++s)
        sum +=
            static_cast<std::uint64_t>(2 * s + 1) * static_cast<std::uint64_t>(less(values[s], first, never));
    return sum;
}

// Numbers: with H the highest cost, V_t(s) - V_t(s') is at most (m - 1) H: play from s what is best from s';
// after m - 1 steps the histories agree. KNOWN: K, if the compiler is to know it, else 0.
template <class Int, i64 KNOWN>
class TallyModel {
 public:
    using Number = Int;
    static constexpr Int never = static_cast<Int>(largest<Int>());
    const i64 actions, memory, states;
    const Int span;

    TallyModel(const Tallying& bandit)
        : actions(bandit.actions),
          memory(bandit.memory),
          states(static_cast<i64>(bandit.power(bandit.memory - 1))),
          span(static_cast<Int>(2 * memory * bandit.highest)),
          table_(bandit.table.begin(), bandit.table.end()),
          constant_(table_[bandit.best_constant() * memory + memory - 1]) {
        if (states > SMALL && memory > 2) {
            rotation_.emplace(actions, memory, table_);
        } else if (states > 1) {
            graph_.emplace(bandit, PLACES);
            graph_->price([&](i64 a, i64 y) { return table_[a * memory + y]; });
        }
    }

    wide bytes() const {
        if (rotation_) return rotation_->bytes();
        return graph_ ? times(actions * (graph_->high + 2), graph_->block, sizeof(Int) + 2) : 0;
    }

    i64 turn() const { return rotation_ ? rotation_->turn : 1; }
    std::uint64_t weights() const { return rotation_ ? rotation_->weight * states : states * states; }

    // Of a layer in order.
    std::uint64_t shape(const Int* values) const {
        return rotation_ ? rotation_->shape(values) : shape_of(values, states, never);
    }

    i64 pass(Row<Int>& values, Row<Int>& spare, i64 position, i64 most, std::vector<Passed<Int>>& passed,
             const Watch& watch) {
        if (rotation_) return rotation_->pass(values.get(), position, most, passed, watch);
        const Int shift = values[0];
        if (!graph_) spare[0] = constant_;
        for (i64 number = 0; graph_ && number < graph_->blocks; ++number) {
            if (number % 64 == 63) watch.tick();
            Int* target = spare.get() + number * graph_->block;
            graph_->template bellman<KNOWN>(values.get(), Int(-1), number,
                                            [&](i64 d, i64 place, i64 size, const Int* best) {
                                                Int* at = target + d * graph_->rests + place;
                                                for (i64 i = 0; i < size; ++i)
                                                    at[i] = static_cast<Int>(best[i] - shift);
                                            });
        }
        std::swap(values, spare);
        passed.assign(1, {values[0], shape(values.get())});
        return 1;
    }

    // A vector in order, less its value at state 0.
    void in_order(const Int* values, i64 position, Int* to, const Watch& watch) const {
        if (rotation_) return rotation_->in_order(values, position, to, watch);
        for (i64 s = 0; s < states; ++s) to[s] = static_cast<Int>(values[s] - values[0]);
    }

    // All that was played, of which the last m - 1 actions are the history; its code, and its tallies.
    class Player {
     public:
        Parts played;
        i64 code = 0;

        Player(const TallyModel& model, const i32* history, i64 length)
            : table_(model.table_.data()),
              actions_(model.actions),
              memory_(model.memory),
              rests_(memory_ > 1 ? model.states / actions_ : 1),
              tallies_(actions_, 0) {
            for (i64 i = 0; i < length; ++i) play(history[i]);
        }

        i64 choices() const { return actions_; }
        i64 missing() const { return std::max<i64>(0, memory_ - 1 - played.size()); }
        Int cost(i64 a) const { return table_[a * memory_ + tallies_[a]]; }
        i64 head(i64 a) const { return memory_ > 1 ? (code - leaving() * rests_) * actions_ + a : 0; }

        void play(i32 a) {
            code = head(a);
            if (!missing() && memory_ > 1) --tallies_[leaving()];
            if (memory_ > 1) ++tallies_[a];
            played.letters.push_back(a);
        }

        // Back to the code before the last action.
        void take_back(i64 before) {
            if (memory_ > 1) --tallies_[played.letters.back()];
            played.letters.pop_back();
            if (!missing() && memory_ > 1) ++tallies_[leaving()];
            code = before;
        }

     private:
        // The action that leaves a full history with the next one; a shorter one has zeros in its place.
        i64 leaving() const { return missing() ? 0 : played.letters[played.size() - memory_ + 1]; }

        const Int* table_;
        i64 actions_, memory_, rests_;
        std::vector<i64> tallies_;
    };

 private:
    static constexpr i64 PLACES = 2048;

    std::optional<Histories<Int>> graph_;
    const std::vector<Int> table_;
    const Int constant_;  // the cost of the best constant word, for K = 1 and m = 1
    std::optional<Rotation<Int, KNOWN>> rotation_;
};

// V_t(s) is `never` where no walk of t steps begins in s. Numbers: with H the highest cost, other values of N
// steps differ by at most N H.
template <class Int>
class EdgeModel {
 public:
    using Number = Int;
    static constexpr Int never = static_cast<Int>(largest<Int>() / 4);
    const i64 states;
    i64 actions = 1;  // at most, out of a node
    const Int span;

    EdgeModel(const Stored& graph, wide longest)
        : states(graph.states), span(static_cast<Int>(longest)), graph_(graph), edges_(graph_) {
        for (i64 s = 0; s < states; ++s) actions = std::max(actions, graph.first(s + 1) - graph.first(s));
    }

    wide bytes() const { return times(graph_.edges, sizeof(Int)); }

    i64 turn() const { return 1; }
    std::uint64_t weights() const { return states * states; }
    std::uint64_t shape(const Int* values) const { return shape_of(values, states, never); }

    i64 pass(Row<Int>& values, Row<Int>& spare, i64, i64, std::vector<Passed<Int>>& passed,
             const Watch& watch) {
        const Int shift = first_of(values.get(), never);
        for (i64 s = 0; s < states; ++s) {
            if (s % (1 << 14) == (1 << 14) - 1) watch.tick();
            Int least = never;
            edges_.from(s, [&](i64, i64 head, Int cost) {
                least = std::min(least, static_cast<Int>(cost + values[head]));
            });
            spare[s] = less(least, shift, never);
        }
        std::swap(values, spare);
        passed.assign(1, {first_of(values.get(), never), shape(values.get())});
        return 1;
    }

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
        const Edges<Stored, Int>& edges_;
    };

 private:
    const Stored graph_;
    const Edges<Stored, Int> edges_;
};

}  // namespace tallyplan::TP_VARIANT
