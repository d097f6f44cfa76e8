// Bellman-Ford over the histories of a tallying bandit, a block at a time; mean_cycle.hpp has the theory.
//
// The m - 2 digits of a rest are cut in two: the high ones number a *block*, the low ones a *place* in it. In
// a block the tallies of the high digits are fixed, so the costs of an action over all places are a
// ready-made row of numbers, one for each tally in the high digits (`row`).
#pragma once

#include <utility>

#include "histories.hpp"
#include "mean_cycle.hpp"

namespace tallyplan::TP_VARIANT {

// For K >= 2 and m >= 2. A value is phi * codes + parent, with codes = 2^bits > K: the parent travels in the
// low bits, and K means that there is none. Then one minimum finds both, and ties go to the smaller action. A
// state is lowered only if phi becomes smaller.
//
// A block is left out if the K blocks of values that it reads have not changed since its last turn. Sweeps go
// forwards and backwards by turns.
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

    // Values and marks; the costs of a block, and tallies of its places; tallies and marks of blocks.
    static wide bytes(const Tallying& bandit) {
        const wide costs = times(bandit.actions, times(bandit.memory, sizeof(Int)) + 2, PLACES);
        return plus(times(bandit.states, sizeof(Int) + 1),
                    plus(costs, times(5, bandit.states / PLACES + 1, bandit.actions)));
    }

    OnHistories(const Tallying& bandit, const Mean& mean) : bandit_(bandit), mean_(mean) {
        for (; high_ > 0 && block_ * K <= PLACES; --high_) block_ *= K;
        blocks_ = rests_ / block_;
        row_ = in_vectors<Int>(block_);
        values = array_of<Int>(states_, false);
        std::fill(values.get(), values.get() + states_, static_cast<Int>(~keep_));
        price([&](i64 a, i64 y) { return static_cast<Int>(reduced(a, y) * codes_ + a); });
        tallies_ = tallies_of_words(K, high_);
        fresh_.assign(blocks_, 1);
        changed_.assign(blocks_ * K, 0);
    }

    i64 states() const { return states_; }

    // Whether to look for cycles of parents, which takes long: after the work of 16 sweeps.
    bool due() const { return turns_ >= 16 * blocks_; }

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
        i64 found = SETTLED;
        for (i64 turn = 0; turn < blocks_; ++turn) {
            if ((turn + 1) % BLOCKS_PER_TICK == 0) watch.tick();
            const i64 number = backwards_ ? blocks_ - 1 - turn : turn;
            if (!fresh_[number]) continue;
            const i64 here = with_known<Int>(K, [&](auto known) { return relax<known>(number); });
            if (here >= 0) return here;
            found = std::min(found, here);
        }
        backwards_ = !backwards_;
        return found;
    }

    // take(first, last): the states of each block that has changed since the last call.
    template <class Take>
    void changed(Take take) {
        for (i64 i = 0; i < blocks_ * K; ++i)
            if (std::exchange(changed_[i], 0)) take(i * block_, (i + 1) * block_);
        turns_ = 0;
    }

    // Whether reduced + phi(head) >= phi(tail) on every edge; marks[tail] says whether one is an equality. By
    // other code than found them, edge by edge. Potentials and costs are by themselves from then on.
    void verify(std::uint8_t* marks, const Watch& watch) {
        for (i64 s = 0; s < states_; ++s) values[s] >>= bits_of(K);
        price([&](i64 a, i64 y) { return static_cast<Int>(reduced(a, y)); });
        std::fill(marks, marks + states_, std::uint8_t{0});
        watch.team().share(blocks_, states_ < 1 << 18 ? 1 : watch.threads(), [&](i64 first, i64 last, i64) {
            std::vector<Int> heads(block_);
            for (i64 number = first; number < last; ++number) {
                if (number % BLOCKS_PER_TICK == 0) watch.tick();
                for (i64 a = 0; a < K; ++a) {
                    const Int* to = values.get() + number * block_ * K + a;
                    for (i64 i = 0; i < block_; ++i) heads[i] = to[i * K];
                    for (i64 d = 0; d < K; ++d) {
                        const i64 here = d * rests_ + number * block_;
                        verify(row(a, number) + (a == d) * row_, heads.data(), &values[here], marks + here);
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
    }

    // The costs of a over the places of a block; a row on, those if one more drops out.
    const Int* row(i64 a, i64 number) const {
        return &planes_[(a * (high_ + 2) + tallies_[a * blocks_ + number]) * row_];
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

    // Lower the states of a block: LOWERED, SETTLED, or one below the floor now; what is read was above it.
    template <i64 KNOWN>
    i64 relax(i64 number) {
        i64 found = SETTLED;
        fresh_[number] = 0;
        ++turns_;
        for (i64 a = 0; a < K; ++a) rows_[a] = row(a, number);
        for (i64 place = 0; place < block_; place += TILE) {
            const i64 count = std::min(TILE, block_ - place), rest = number * block_ + place;
            find_best<KNOWN>(&values[rest * K], place, count);
            for (i64 d = 0; d < K; ++d) {
                const i64 here = lower(&best_[d * TILE], d * rests_ + rest, count);
                if (here >= 0) return here;
                if (here == SETTLED) continue;
                found = LOWERED;
                changed_[d * blocks_ + number] = fresh_[(d * blocks_ + number) / K] = 1;
            }
        }
        return found;
    }

    // What the states of a tile have by their best edges, from the values of their successors.
    template <i64 KNOWN>
    void find_best(const Int* arrivals, i64 place, i64 count) {
        using V = typename Lanes<Int>::Vector;
        const i64 K = KNOWN ? KNOWN : this->K;
        const Int keep = keep_;
        for (i64 a = 0; a < K; ++a)
            for (i64 i = 0; i < count; ++i) columns_[a * TILE + i] = arrivals[i * K + a] & keep;
        for (i64 i = 0; i < count; i += Lanes<Int>::COUNT) {
            const auto sum = [&](i64 a, i64 more) {
                return vector_at<V>(&columns_[a * TILE + i]) +
                       vector_at<V>(rows_[a] + more * row_ + place + i);
            };
            bellman<V, KNOWN>(
                K, sum, [&](i64 d, const V& best) { std::memcpy(&best_[d * TILE + i], &best, sizeof(V)); });
        }
    }

    // The same for some states in a row, from the first one on.
    i64 lower(const Int* best, i64 first, i64 count) {
        Int *old = &values[first], lowered = 0, sunk = 0;
        const Int keep = keep_, floor = floor_;
        for (i64 i = 0; i < count; ++i) {
            const bool lower = best[i] < (old[i] & keep);
            old[i] = lower ? best[i] : old[i];
            lowered |= static_cast<Int>(lower);
            sunk |= static_cast<Int>(best[i] < floor);
        }
        if (sunk)
            return std::find_if(old, old + count, [&](Int value) { return value < floor; }) - &values[0];
        return lowered ? LOWERED : SETTLED;
    }

    const Tallying& bandit_;
    const Mean mean_;
    const i64 K = bandit_.actions;
    const i64 states_ = static_cast<i64>(bandit_.states), rests_ = states_ / K;
    i64 block_ = 1, row_ = 1, blocks_ = 1;  // places in a block, the same in whole vectors, and blocks
    i64 high_ = bandit_.memory - 2;         // digits that number a block
    const wide codes_ = wide{1} << bits_of(K);
    const Int keep_ = static_cast<Int>(-codes_);
    const Int floor_ = static_cast<Int>((1 - wide{bandit_.memory}) * mean_.time * bandit_.highest * codes_);
    Array<Int> planes_;                  // [a][c][place]: the cost of a if the high digits have it c times
    std::vector<std::int16_t> tallies_;  // [a][block]: how often the high digits have it
    std::vector<const Int*> rows_ = std::vector<const Int*>(K);  // of the block that has its turn
    Array<Int> columns_ = array_of<Int>(K * TILE), best_ = array_of<Int>(K * TILE);  // of a tile
    std::vector<std::uint8_t> fresh_;    // blocks that have something new to read
    std::vector<std::uint8_t> changed_;  // blocks of states, since `changed` was called
    i64 turns_ = 0;                      // of blocks, since then
    bool backwards_ = false;
};

}  // namespace tallyplan::TP_VARIANT
