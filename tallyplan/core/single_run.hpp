// The best single-run word: every arm has at most one run. planning/single_run.py has the mathematics.
#pragma once

#include "histories.hpp"

namespace tallyplan::TP_VARIANT {

// A word of K runs: runs[a] plays of a, then those of a + 1; its cost per period, which has `period` plays.
template <class Int>
struct Runs {
    std::vector<i32> lengths;
    Int cost;
    i64 period;
};

// costs[l], 1 <= l <= min(m, P): what the arm with these losses pays per period P = `period` for a run of l
// plays. `sums` are the prefix sums of its losses, from 0 on. No cost exceeds P times the highest loss.
template <class Int>
void run_costs(const Int* losses, const Int* sums, i64 memory, i64 period, Int* costs) {
    const i64 whole = memory / period, rest = memory % period;
    for (i64 length = 1; length <= std::min(memory, period); ++length) {
        const i64 again = std::max<i64>(0, rest - (period - length)), seen = whole * length + again;
        Int cost = sums[whole * length + std::min(length, rest)] - sums[seen];
        if (again > 0) cost += static_cast<Int>(again) * losses[seen - 1];
        if (length > rest) cost += static_cast<Int>(length - rest) * losses[whole * length + rest - 1];
        costs[length] = cost;
    }
}

// The best word of a period up to `longest`. The constant words come first, then shorter periods before
// longer ones, and only what is better replaces what there is; of equal runs of an arm the shortest counts.
// Numbers: longest^2 times the highest loss, which Int must hold; `never` is above every cost of a word.
template <class Int>
Runs<Int> best_runs(const Tallying& bandit, i64 longest, const Watch& watch) {
    const i64 K = bandit.actions, m = bandit.memory, width = longest + 1;
    std::vector<Int> losses(bandit.table.size()), sums(K * (m + 1), 0);
    for (std::size_t i = 0; i < losses.size(); ++i) losses[i] = static_cast<Int>(bandit.table[i]);
    for (i64 a = 0; a < K; ++a)
        for (i64 y = 0; y < m; ++y) sums[a * (m + 1) + y + 1] = sums[a * (m + 1) + y] + losses[a * m + y];
    i64 constant = 0;
    for (i64 a = 1; a < K; ++a)
        if (bandit.cost(a, m - 1) < bandit.cost(constant, m - 1)) constant = a;
    Runs<Int> best{std::vector<i32>(K, 0), static_cast<Int>(bandit.cost(constant, m - 1)), 1};
    best.lengths[constant] = 1;

    const Int never = static_cast<Int>(longest + 1) * static_cast<Int>(bandit.highest);
    std::vector<Int> totals((K + 1) * width, never), costs(m + 1);
    std::vector<i32> choices(K * width, 0);
    totals[0] = 0;
    for (i64 period = 1; period <= longest; ++period) {
        watch.tick();
        for (i64 a = 0; a < K; ++a) {
            run_costs(losses.data() + a * m, sums.data() + a * (m + 1), m, period, costs.data());
            const Int* before = totals.data() + a * width;
            for (i64 used = 0; used <= period; ++used) {
                Int least = before[used];
                i32 choice = 0;
                for (i64 length = 1; length <= std::min(m, used); ++length) {
                    if (before[used - length] == never) continue;
                    const Int candidate = before[used - length] + costs[length];
                    if (candidate < least) {
                        least = candidate;
                        choice = static_cast<i32>(length);
                    }
                }
                totals[(a + 1) * width + used] = least;
                choices[a * width + used] = choice;
            }
        }
        const Int cost = totals[K * width + period];
        if (cost == never || !(cost * static_cast<Int>(best.period) < best.cost * static_cast<Int>(period)))
            continue;
        best.cost = cost;
        best.period = period;
        i64 left = period;
        for (i64 a = K - 1; a >= 0; --a) {
            const i32 length = choices[a * width + left];
            best.lengths[a] = length;
            left -= length;
        }
    }
    return best;
}

// The same in a type that holds its numbers: the run lengths.
inline std::vector<i32> best_run_lengths(const Tallying& bandit, i64 longest, const Watch& watch) {
    const wide bound = times(longest + 1, longest + 1, bandit.highest);
    if (holds<i64>(bound)) return best_runs<i64>(bandit, longest, watch).lengths;
    if (!holds<wide>(bound)) throw Status{TP_TOO_WIDE};
    return best_runs<wide>(bandit, longest, watch).lengths;
}

inline std::vector<i32> word_of_runs(const std::vector<i32>& lengths) {
    std::vector<i32> word;
    for (i32 a = 0; const i32 length : lengths) word.insert(word.end(), length, a++);
    return word;
}

}  // namespace tallyplan::TP_VARIANT
