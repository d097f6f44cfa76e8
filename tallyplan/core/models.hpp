// The two kinds of costs of a T-step recursion: by tallies, and by windows that are stored.
#pragma once

#include <optional>

#include "player.hpp"
#include "rotation.hpp"
#include "sweep.hpp"

namespace tallyplan::TP_VARIANT {

constexpr i64 SMALL = 4096;  // states: every layer of a small graph is stored, else those at some distance

// A tallying bandit with K >= 2 and m >= 2. KNOWN: K, if the compiler is to know it, else 0.
template <class Int, i64 KNOWN>
class TallyModel {
 public:
    using Number = Int;
    const i64 actions, memory, states;
    const wide highest;

    // Costs q * cost - p. `rotating`: large vectors rotate, and then there is no single step.
    TallyModel(const Tallying& bandit, wide q, wide p, bool rotating)
        : actions(bandit.actions),
          memory(bandit.memory),
          states(static_cast<i64>(bandit.power(bandit.memory - 1))),
          highest(q * bandit.highest + p),
          table_(reduced(bandit, q, p)) {
        if (rotating && states > SMALL && memory > 2) {
            rotation_.emplace(actions, memory, table_);
        } else {
            graph_.emplace(bandit, PLACES);
            columns_.resize(actions * TILE);
            rows_.resize(2 * actions);
            counts_.resize(actions);
            graph_->price([&](i64 a, i64 y) { return table_[a * memory + y]; });
        }
    }

    wide bytes() const {
        if (rotation_) return rotation_->bytes();
        return times(actions * (graph_->high + 2), graph_->block, sizeof(Int) + 2);
    }

    // What action a costs after the history of the player.
    Int cost(const Player& player, i64 a) const { return table_[a * memory + player.tally(a)]; }

    // Makes many steps at a time, in place; null if vectors do not rotate.
    using Rotating = Rotation<Int, KNOWN>;
    const Rotating* rotation() const { return rotation_ ? &*rotation_ : nullptr; }

    // One Bellman step, less the value at state 0, which is returned.
    Int step(const Int* from, Int* to, const Watch& watch) const {
        Int shift = static_cast<Int>(table_[memory - 1] + from[0]);
        for (i64 a = 1; a < actions; ++a)
            shift = std::min(shift, static_cast<Int>(table_[a * memory] + from[a]));
        blocks(from, to, shift, watch);
        return shift;
    }

 private:
    static constexpr i64 PLACES = 2048;

    static std::vector<Int> reduced(const Tallying& bandit, wide q, wide p) {
        std::vector<Int> costs;
        for (const wide cost : bandit.table) costs.push_back(static_cast<Int>(q * cost - p));
        return costs;
    }

    void blocks(const Int* from, Int* to, Int shift, const Watch& watch) const {
        Int* column = columns_.data();
        const Int** row = rows_.data();
        i64* count = counts_.data();
        for (i64 number = 0; number < graph_->blocks; ++number) {
            if (number % 64 == 63) watch.tick();
            rows_of(*graph_, number, count, row);
            Int* target = to + number * graph_->block;
            bellman_block<KNOWN>(*graph_, from, Int(-1), number, row, column,
                                 [&](i64 d, i64 place, i64 size, const Int* best) {
                                     Int* at = target + d * graph_->rests + place;
                                     for (i64 i = 0; i < size; ++i) at[i] = static_cast<Int>(best[i] - shift);
                                 });
        }
    }

    std::optional<Histories<Int>> graph_;
    const std::vector<Int> table_;
    std::optional<Rotating> rotation_;
    mutable std::vector<Int> columns_;  // room for a step
    mutable std::vector<const Int*> rows_;
    mutable std::vector<i64> counts_;
};

// Costs for each window of up to m actions. A window's code has its actions as base-K digits, the oldest
// first; those of one action come first, then those of two, and so on.
template <class Int>
class WindowModel {
 public:
    using Number = Int;
    const i64 actions, memory, states;
    const wide highest;

    WindowModel(i64 K, i64 m, wide most, std::vector<Int> costs)
        : actions(K),
          memory(m),
          states(power(K, m - 1)),
          highest(most),
          costs_(std::move(costs)),
          starts_(m) {
        for (i64 length = 1; length < memory; ++length)
            starts_[length] = starts_[length - 1] + power(K, length);
    }

    // The number of windows of up to m actions, or `huge`.
    static wide windows(i64 K, i64 m) {
        wide total = 0;
        for (i64 length = 1; length <= m && total < huge; ++length) {
            wide one = 1;
            for (i64 i = 0; i < length && K > 1; ++i) one = times(one, K);
            total = plus(total, one);
        }
        return total;
    }

    wide bytes() const { return times(static_cast<wide>(costs_.size()), sizeof(Int)); }

    using Rotating = Rotation<Int, 2>;
    const Rotating* rotation() const { return nullptr; }

    Int cost(const Player& player, i64 a) const {
        return costs_[starts_[player.length()] + player.code * actions + a];
    }

    Int step(const Int* from, Int* to, const Watch& watch) const {
        const Int* costs = costs_.data() + starts_[memory - 1];
        const i64 dropped = memory > 1 ? actions : 1, rests = states / dropped,
                  apart = memory > 1 ? actions : 0;
        const i64 stride = memory > 1 ? 1 : 0;
        const auto least = [&](const Int* row, const Int* arrivals) {
            Int best = static_cast<Int>(row[0] + arrivals[0]);
            for (i64 a = 1; a < actions; ++a)
                best = std::min(best, static_cast<Int>(row[a] + arrivals[a * stride]));
            return best;
        };
        const Int shift = least(costs, from);
        for (i64 d = 0; d < dropped; ++d)
            for (i64 rest = 0; rest < rests; ++rest) {
                if (rest % (1 << 14) == (1 << 14) - 1) watch.tick();
                const i64 state = d * rests + rest;
                to[state] = static_cast<Int>(least(costs + state * actions, from + rest * apart) - shift);
            }
        return shift;
    }

 private:
    static i64 power(i64 K, i64 digits) {
        i64 product = 1;
        for (i64 i = 0; i < digits && K > 1; ++i) product *= K;
        return product;
    }

    std::vector<Int> costs_;
    std::vector<i64> starts_;  // by the length of the history
};

}  // namespace tallyplan::TP_VARIANT
