// The two kinds of graph that a T-step recursion sweeps: the histories of a tallying bandit, and stored
// edges. Each has a *player*, who stands somewhere and plays on: after a history of any length, or in a node.
#pragma once

#include <optional>

#include "graphs.hpp"
#include "parts.hpp"
#include "rotation.hpp"
#include "sweep.hpp"

namespace tallyplan::TP_VARIANT {

constexpr i64 SMALL = 4096;  // states: every layer of a small graph is stored, else those at some distance

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
          table_(bandit.table.begin(), bandit.table.end()) {
        if (states > SMALL && memory > 2) {
            rotation_.emplace(actions, memory, table_);
        } else if (states > 1) {
            graph_.emplace(bandit, PLACES);
            columns_.resize(actions * TILE);
            rows_.resize(2 * actions);
            counts_.resize(actions);
            graph_->price([&](i64 a, i64 y) { return table_[a * memory + y]; });
        }
    }

    wide bytes() const {
        if (rotation_) return rotation_->bytes();
        return graph_ ? times(actions * (graph_->high + 2), graph_->block, sizeof(Int) + 2) : 0;
    }

    // Makes many steps at a time, in place; null if vectors do not rotate.
    using Rotating = Rotation<Int, KNOWN>;
    const Rotating* rotation() const { return rotation_ ? &*rotation_ : nullptr; }

    // One Bellman step, less the value at state 0, which is returned.
    Int step(const Int* from, Int* to, const Watch& watch) const {
        Int shift = static_cast<Int>(table_[memory - 1] + from[0]);
        for (i64 a = 1; a < actions; ++a)
            shift = std::min(shift, static_cast<Int>(table_[a * memory] + from[states > 1 ? a : 0]));
        for (i64 number = 0; graph_ && number < graph_->blocks; ++number) {
            if (number % 64 == 63) watch.tick();
            rows_of(*graph_, number, counts_.data(), rows_.data());
            Int* target = to + number * graph_->block;
            bellman_block<KNOWN>(*graph_, from, Int(-1), number, rows_.data(), columns_.data(),
                                 [&](i64 d, i64 place, i64 size, const Int* best) {
                                     Int* at = target + d * graph_->rests + place;
                                     for (i64 i = 0; i < size; ++i) at[i] = static_cast<Int>(best[i] - shift);
                                 });
        }
        if (!graph_) to[0] = 0;
        return shift;
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
    std::optional<Rotating> rotation_;
    mutable std::vector<Int> columns_;  // room for a step
    mutable std::vector<const Int*> rows_;
    mutable std::vector<i64> counts_;
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

    using Rotating = Rotation<Int, 2>;
    const Rotating* rotation() const { return nullptr; }

    Int step(const Int* from, Int* to, const Watch& watch) const {
        Int shift = 0;
        for (i64 s = 0; s < states; ++s) {
            if (s % (1 << 14) == (1 << 14) - 1) watch.tick();
            Int least = never;
            edges_.from(s, [&](i64, i64 head, Int cost) {
                least = std::min(least, static_cast<Int>(cost + from[head]));
            });
            if (s == 0 && least < never) shift = least;
            to[s] = least < never ? static_cast<Int>(least - shift) : never;
        }
        return shift;
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
