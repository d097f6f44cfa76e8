// Bellman-Ford over the histories of a tallying bandit, a block at a time; mean_cycle.hpp has the theory.
//
// The m - 2 digits of a rest are cut in two: the high ones number a *block*, the low ones a *place* in it. In
// a block the tallies of the high digits are fixed, so the costs of an action over all places are a
// ready-made row of numbers, one for each tally in the high digits (`plane`).
#pragma once

#include "histories.hpp"
#include "mean_cycle.hpp"

namespace tallyplan::TP_VARIANT {

// For K >= 2 and m >= 2. A value is phi * codes + parent, with codes = 2^bits > K: the parent travels in the
// low bits, and K means that there is none. Then one minimum finds both, and ties go to the smaller action. A
// state is lowered only if phi becomes smaller.
//
// A block whose K input blocks have not changed since its last turn is left out, and sweeps go forwards and
// backwards by turns.
template <class Int>
class OnHistories {
 public:
    Array<Int> values;

    // |reduced cost| <= W = q * highest. Potentials stay above -(m - 1) W - W - 1, and a sum with a cost
    // above -(m + 1) W - 1; so no packed number exceeds codes * ((m + 1) W + 2).
    static wide bound(const Tallying& bandit, const Mean& mean) {
        return times(i64{1} << bits_of(bandit.actions),
                     plus(times(bandit.memory + 1, mean.time, bandit.highest), 2));
    }

    // Values and marks; the costs of a block, and tallies; two times of each block.
    static wide bytes(const Tallying& bandit) {
        const wide states = bandit.power(bandit.memory - 1);
        const wide costs = times(bandit.actions, times(bandit.memory, sizeof(Int)) + 2, PLACES);
        return plus(times(states, sizeof(Int) + 1),
                    plus(costs, times(16, states / PLACES + 1, bandit.actions)));
    }

    OnHistories(const Tallying& bandit, const Mean& mean)
        : bandit_(bandit),
          mean_(mean),
          K(bandit.actions),
          states_(static_cast<i64>(bandit.power(bandit.memory - 1))),
          rests_(states_ / bandit.actions),
          high_(bandit.memory - 2),
          bits_(bits_of(bandit.actions)),
          keep_(static_cast<Int>(~((wide{1} << bits_) - 1))),
          floor_(
              static_cast<Int>(-(wide{bandit.memory} - 1) * mean.time * bandit.highest * (wide{1} << bits_))),
          counts_(K),
          columns_(K * TILE),
          best_(K * TILE) {
        for (; high_ > 0 && block_ * K <= PLACES; --high_) block_ *= K;
        blocks_ = rests_ / block_;
        values = array_of<Int>(states_, false);
        std::fill(values.get(), values.get() + states_, static_cast<Int>(~keep_));
        price([&](i64 a, i64 y) { return static_cast<Int>(reduced(a, y) * (wide{1} << bits_) + a); });
        changed_.assign(blocks_ * K, 0);
        treated_.assign(blocks_, -1);
    }

    i64 states() const { return states_; }

    // Whether to look for a cycle of parents, which takes as long as many sweeps: after the work of 16 of
    // them.
    bool due() const { return clock_ - looked_ >= 2 * 16 * blocks_; }

    i64 successor(i64 s, i64 a) const { return s % rests_ * K + a; }

    i64 parent(i64 s) const {
        const i64 code = static_cast<i64>(values[s] & ~keep_);
        return code == static_cast<i64>(~keep_) ? -1 : code;
    }

    // Cost and time of an edge.
    std::pair<wide, wide> edge(i64 s, i64 a) const { return {bandit_.cost(a, tally(s, a)), 1}; }
    i64 choices(i64) const { return K; }

    // The reduced cost of an edge and what follows, after `verify`.
    Int by_edge(i64 s, i64 a) const {
        return static_cast<Int>(reduced(a, tally(s, a))) + values[successor(s, a)];
    }

    // Playing the digits of a state leads to it.
    void way_to(i64 state, std::vector<i32>& codes) const {
        for (i64 unit = rests_; unit > 0; unit /= K) codes.push_back(static_cast<i32>(state / unit % K));
    }

    i64 sweep(const Watch& watch) {
        bool any = false;
        for (i64 turn = 0; turn < blocks_; ++turn) {
            if ((turn + 1) % BLOCKS_PER_TICK == 0) watch.tick();
            const i64 number = backwards_ ? blocks_ - 1 - turn : turn;
            if (!fresh(number)) continue;
            const i64 low = with_known<Int>(K, [&](auto known) { return relax<known>(number, any); });
            if (low >= 0) return low;
        }
        backwards_ = !backwards_;
        return any ? LOWERED : SETTLED;
    }

    // take(first, last): the states of each block that has changed since the last call.
    template <class Take>
    void changed(Take take) {
        for (i64 i = 0; i < blocks_ * K; ++i)
            if (changed_[i] > looked_) take(i * block_, (i + 1) * block_);
        looked_ = clock_;
    }

    // Whether reduced + phi(head) >= phi(tail) on every edge; marks[tail] says whether one is an equality. By
    // other code than found them, edge by edge. Potentials and costs are by themselves from then on.
    void verify(std::uint8_t* marks, const Watch& watch) {
        for (i64 s = 0; s < states_; ++s) values[s] >>= bits_;
        price([&](i64 a, i64 y) { return static_cast<Int>(reduced(a, y)); });
        std::fill(marks, marks + states_, std::uint8_t{0});
        watch.team().share(blocks_, states_ < 1 << 18 ? 1 : watch.threads(), [&](i64 first, i64 last, i64) {
            std::vector<Int> heads(block_);
            std::vector<i64> counts(K);
            for (i64 number = first; number < last; ++number) {
                if (number % BLOCKS_PER_TICK == 0) watch.tick();
                count_high(number, counts);
                for (i64 a = 0; a < K; ++a) {
                    const Int* to = values.get() + number * block_ * K + a;
                    for (i64 i = 0; i < block_; ++i) heads[i] = to[i * K];
                    for (i64 d = 0; d < K; ++d) {
                        const i64 here = d * rests_ + number * block_;
                        verify(plane(a, counts[a] + (a == d)), heads.data(), &values[here], marks + here);
                    }
                }
            }
        });
    }

 private:
    static constexpr i64 PLACES = 2048;  // in a block at most
    static constexpr i64 TILE = 64;      // rests that are treated together
    static constexpr i64 BLOCKS_PER_TICK = 256;

    // How often a state has an action.
    i64 tally(i64 s, i64 a) const {
        i64 count = 0;
        for (i64 i = 1; i < bandit_.memory; ++i, s /= K) count += s % K == a;
        return count;
    }

    wide reduced(i64 a, i64 y) const { return mean_.time * bandit_.cost(a, y) - mean_.cost; }

    // Set the costs: cost(a, y) of a after y earlier plays in the window.
    template <class Cost>
    void price(Cost cost) {
        planes_ = planes_of<Int>(K, bandit_.memory - 2 - high_, high_ + 1, cost);
        planes_.resize(planes_.size() + TILE);  // the last vector of a row may go beyond it
    }

    // The costs of a over the places of a block whose high digits hold a c times; c + 1: one more drops out.
    const Int* plane(i64 a, i64 c) const { return planes_.data() + (a * (high_ + 2) + c) * block_; }

    // How often each action occurs in the high digits of a block.
    void count_high(i64 number, std::vector<i64>& counts) const {
        std::fill(counts.begin(), counts.end(), 0);
        for (i64 i = 0; i < high_; ++i, number /= K) ++counts[number % K];
    }

    // Nothing overlaps: the compiler may use vectors, although bytes may lie anywhere.
    void verify(const Int* __restrict costs, const Int* __restrict heads, const Int* __restrict here,
                std::uint8_t* __restrict marks) const {
        Int wrong = 0;
        for (i64 i = 0; i < block_; ++i) {
            const Int sum = costs[i] + heads[i];
            wrong |= static_cast<Int>(sum < here[i]);
            marks[i] |= static_cast<std::uint8_t>(sum == here[i]);
        }
        if (wrong) throw Status{TP_WRONG};
    }

    bool fresh(i64 number) const {
        const auto inputs = changed_.begin() + number * K;
        return std::any_of(inputs, inputs + K, [&](i64 time) { return time >= treated_[number]; });
    }

    // Lower the states of a block; returns one below the floor, or -1. The inputs of a tile were above the
    // floor.
    template <i64 KNOWN>
    i64 relax(i64 number, bool& any) {
        treated_[number] = ++clock_;
        ++clock_;
        count_high(number, counts_);
        i64 below = -1;
        for (i64 place = 0; place < block_; place += TILE) {
            const i64 count = std::min(TILE, block_ - place);
            find_best<KNOWN>(values.get() + (number * block_ + place) * K, place, count);
            for (i64 d = 0; d < K; ++d) {
                Int* old = values.get() + d * rests_ + number * block_ + place;
                const auto [lowered, sunk] = lower(&best_[d * TILE], count, old);
                any |= lowered;
                if (lowered) changed_[d * blocks_ + number] = clock_;
                if (sunk && below < 0)
                    below = std::find_if(old, old + count, [&](Int value) { return value < floor_; }) -
                            values.get();
            }
        }
        return below;
    }

    // What the states of a tile have by their best edges, from the values of their successors.
    template <i64 KNOWN>
    void find_best(const Int* arrivals, i64 place, i64 count) {
        using V = typename Lanes<Int>::Vector;
        const auto load = [](const Int* numbers) {
            V vector;
            std::memcpy(&vector, numbers, sizeof(V));
            return vector;
        };
        const i64 K = KNOWN ? KNOWN : this->K;
        const Int keep = keep_;
        for (i64 a = 0; a < K; ++a)
            for (i64 i = 0; i < count; ++i) columns_[a * TILE + i] = arrivals[i * K + a] & keep;
        for (i64 i = 0; i < count; i += Lanes<Int>::COUNT) {
            const auto sum = [&](i64 a, i64 more) {
                return load(&columns_[a * TILE + i]) + load(plane(a, counts_[a] + more) + place + i);
            };
            bellman<V, KNOWN>(
                K, sum, [&](i64 d, const V& best) { std::memcpy(&best_[d * TILE + i], &best, sizeof(V)); });
        }
    }

    // Whether a state was lowered, and whether one is below the floor.
    std::pair<bool, bool> lower(const Int* best, i64 count, Int* old) const {
        const Int keep = keep_, floor = floor_;
        Int lowered = 0, sunk = 0;
        for (i64 i = 0; i < count; ++i) {
            const bool lower = best[i] < (old[i] & keep);
            old[i] = lower ? best[i] : old[i];
            lowered |= static_cast<Int>(lower);
            sunk |= static_cast<Int>(best[i] < floor);
        }
        return {lowered != 0, sunk != 0};
    }

    const Tallying& bandit_;
    const Mean mean_;
    const i64 K, states_, rests_;
    i64 block_ = 1, blocks_ = 1;  // places in a block, and blocks
    i64 high_;                    // digits that number a block
    const i32 bits_;
    const Int keep_, floor_;
    std::vector<Int> planes_;
    std::vector<i64> counts_;  // room for a block
    std::vector<Int> columns_, best_;
    std::vector<i64> changed_,
        treated_;  // when a block of states last changed, and a block of rests had its turn
    i64 clock_ = 0, looked_ = 0;
    bool backwards_ = false;
};

}  // namespace tallyplan::TP_VARIANT
