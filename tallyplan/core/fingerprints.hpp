// Short fingerprints of layers, by which repetitions of the recursion are suspected and never believed.
//
// The fingerprint of a layer is a fixed weighted sum modulo 2^64 of its entries. It is
// linear, so whatever linear relation the layers satisfy, the fingerprints satisfy it too: no repetition is
// overlooked. Some may be suspected wrongly; the caller verifies them in full.
#pragma once

#include <unordered_map>
#include <utility>

#include "run.hpp"

namespace tallyplan::TP_VARIANT {

template <class Int>
class Fingerprints {
 public:
    using word = std::uint64_t;

    explicit Fingerprints(i64 states) : states_(states), constants_(of_total(static_cast<word>(states))) {
        if (states > WEIGHTED) return;
        constants_ = 0;
        for (word random = static_cast<word>(states); static_cast<i64>(weights_.size()) < states;) {
            weights_.push_back(mixed(random) | 1);
            constants_ += weights_.back();
        }
    }

    // Of a layer that is 0 at state 0.
    word of(const Int* values) const {
        word sum = 0;
        if (weights_.empty()) {
            for (i64 i = 0; i < states_; ++i) sum += static_cast<word>(values[i]);
            return of_total(sum);
        }
        for (i64 i = 0; i < states_; ++i) sum += weights_[i] * static_cast<word>(values[i]);
        return sum;
    }

    // Of a large layer by its sum and its value at state 0.
    word of(word total, Int first) const {
        return of_total(total - static_cast<word>(states_) * static_cast<word>(first));
    }

    // Forget all layers but this one.
    void begin(const Int* values) {
        sums_.clear();
        not_before_.clear();
        last_seen_.clear();
        next_search_ = 0;
        add(of(values), 0);
    }

    // The next layer: the fingerprint of its values, which are relative to the offset.
    void add(word shape, wide offset) {
        sums_.push_back(shape + static_cast<word>(offset) * constants_);
        i64& seen = last_seen_.try_emplace(shape, -1).first->second;
        repeated_ = std::exchange(seen, static_cast<i64>(sums_.size()) - 1);
    }

    // The periods p to try from the last layer on, in order, with `blocks` blocks before `left`: this layer
    // seems to be that of p layers ago and a constant; or, now and then, those of 3p, 2p and p ago and this
    // one seem to be in arithmetic progression.
    std::vector<i64> periods(i64 now, wide left, wide blocks) {
        std::vector<i64> found;
        const i64 repeated = repeated_ < 0 ? 0 : now - repeated_;
        if (now >= next_search_) {
            next_search_ = now + std::min(std::max<i64>(1, now / OFTEN), SELDOM);
            for (i64 p = 1; p <= now / 3; ++p) {
                const word first = sums_[now] - sums_[now - p], second = sums_[now - p] - sums_[now - 2 * p];
                const bool progression = first == second && second == sums_[now - 2 * p] - sums_[now - 3 * p];
                if ((progression || p == repeated) && allowed(now, p, left, blocks)) found.push_back(p);
            }
        }
        if (repeated && (found.empty() || found.back() < repeated) && allowed(now, repeated, left, blocks))
            found.push_back(repeated);
        return found;
    }

    // This period was tried, and held up to some time.
    void not_before(i64 period, i64 time) {
        if (static_cast<i64>(not_before_.size()) <= period) not_before_.resize(2 * period + 1, 0);
        not_before_[period] = time;
    }

 private:
    static constexpr i64 WEIGHTED = 4096;  // larger layers have the same weight at every state
    // Progressions are searched for at the first layers, then after every 1/16 more, but at every 64th.
    static constexpr i64 OFTEN = 16, SELDOM = 64;

    // Sums of 32-bit numbers are known modulo 2^32.
    static word of_total(word total) { return sizeof(Int) == 4 ? total << 32 : total; }

    bool allowed(i64 now, i64 period, wide left, wide blocks) const {
        const bool waiting = period < static_cast<i64>(not_before_.size()) && now < not_before_[period];
        return !waiting && now + blocks * period < left;
    }

    // A well-known mixer of 64 bits (splitmix64).
    static word mixed(word& state) {
        word x = state += 0x9E3779B97F4A7C15u;
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
        return x ^ (x >> 31);
    }

    i64 states_;
    word constants_;
    std::vector<word> weights_, sums_;
    std::unordered_map<word, i64> last_seen_;
    std::vector<i64> not_before_;
    i64 repeated_ = -1, next_search_ = 0;
};

}  // namespace tallyplan::TP_VARIANT
