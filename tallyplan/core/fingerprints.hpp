// Short fingerprints of layers, by which repetitions of the recursion are suspected and never believed.
//
// The *shape* of a layer is the sum modulo 2^32 of its entries less the one at state 0. It is linear,
// so whatever linear relation the layers satisfy, the shapes satisfy it too: no repetition is overlooked.
// Some may be suspected wrongly; the caller verifies them in full.
#pragma once

#include <map>

#include "run.hpp"

namespace tallyplan::TP_VARIANT {

class Fingerprints {
 public:
    using word = std::uint32_t;

    explicit Fingerprints(i64 states) : states_(static_cast<word>(states)) {}

    // Forget all layers, but for the first one from now on.
    void begin(word shape) {
        *this = Fingerprints(states_);
        add(shape, 0);
    }

    // The next layer, whose value at state 0 is the offset.
    void add(word shape, wide offset) { sums_.push_back(shape + static_cast<word>(offset) * states_); }

    // The periods p to try from the last layer on, in order, with `blocks` blocks before `left`, now and
    // then: those of 3p, 2p and p layers ago and this one seem to be in arithmetic progression.
    std::vector<i64> periods(i64 now, wide left, wide blocks) {
        std::vector<i64> found;
        if (now < next_search_) return found;
        next_search_ = now + std::min(std::max<i64>(1, now / OFTEN), SELDOM);
        for (i64 p = 1; p <= now / 3; ++p) {
            const word first = sums_[now] - sums_[now - p], second = sums_[now - p] - sums_[now - 2 * p];
            const bool progression = first == second && second == sums_[now - 2 * p] - sums_[now - 3 * p];
            if (progression && now + blocks * p < left && now >= not_before_[p]) found.push_back(p);
        }
        return found;
    }

    // This period was tried, and held up to some time.
    void not_before(i64 period, i64 time) { not_before_[period] = time; }

 private:
    // Progressions are searched for at the first layers, then after every 1/16 more, but at every 64th.
    static constexpr i64 OFTEN = 16, SELDOM = 64;

    word states_;
    std::vector<word> sums_;
    std::map<i64, i64> not_before_;
    i64 next_search_ = 0;
};

}  // namespace tallyplan::TP_VARIANT
