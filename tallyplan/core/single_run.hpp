// The best single-run word: every arm has at most one run. planning/single_run.py has the mathematics.
#pragma once

#include "histories.hpp"

namespace tallyplan::TP_VARIANT {

// Looks for the best single-run word, a period at a time; what is better replaces what there is. Of one table
// in integers Number = Int; or of one in each lane of vectors, and then only cost and period are known.
//
// Numbers: a word of period P costs at most P * highest, and costs are compared after multiplying them by a
// period. So longest^2 * highest bounds them all; and sums of m losses, since longest >= m.
template <class Int, class Number = Int>
class SingleRuns {
 public:
    Number cost, period = Number{} + Int{1};  // of the best word, and at first of a constant one

    static wide bound(wide highest, i64 longest) { return times(longest, longest, highest); }

    static wide bytes(i64 actions, i64 memory, i64 longest) {
        return times(actions, plus(longest + 4, times(4, memory)), sizeof(Number));
    }

    // The losses of a are losses[a * m], ..., as many as there are tallies. Periods are at most `longest`.
    SingleRuns(i64 actions, i64 memory, const Number* losses, i64 longest, const Watch& watch)
        : cost(losses[memory - 1]),
          K(actions),
          m(memory),
          width_(longest + 1),
          losses_(losses),
          watch_(watch) {
        for (i64 a = 0; a < K; ++a)
            for (i64 y = 0; y < m; ++y)
                sums_[a * (m + 1) + y + 1] = sums_[a * (m + 1) + y] + losses_[a * m + y];
        try_period(1);
    }

    // The best word of period P, by a knapsack over the arms: row a of totals, of which two are kept, has at
    // u the least cost of runs of the arms up to a that take u plays together, up to (a + 1) m. O(K P m), and
    // O(m) for K = 2: before the first arm u is 0, and after the last one it is P.
    void try_period(i64 P) {
        price(P);
        for (i64 a = 0; a < K; ++a) {
            const Number *run = &costs_[a * (m + 1)], *before = row(a - 1);
            Number* const here = row(a);
            const i64 most = std::min(P, (a + 1) * m);
            for (i64 used = a + 1 < K ? 0 : most; used <= most; ++used) {
                if ((work_ += m) > WORK_PER_TICK) watch_.tick(), work_ = 0;
                i64 length = std::max<i64>(0, used - a * m);
                Number least = before[used - length] + run[length];
                while (++length <= std::min(m, used))
                    least = lesser(least, before[used - length] + run[length]);
                here[used] = least;
            }
        }
        const Number total = row(K - 1)[P], other = Number{} + static_cast<Int>(P);
        const auto better = total * period < cost * other;
        cost = better ? total : cost;
        period = better ? other : period;
    }

    // How often the best word plays each arm. Of equal runs of an arm the shortest counts.
    std::vector<i32> runs() {
        const i64 P = static_cast<i64>(period);
        rows_ = K + 1;
        totals_ = array_of<Number>(rows_ * width_);
        try_period(P);
        std::vector<i32> found(K);
        for (i64 a = K - 1, left = P; a >= 0; left -= found[a--]) {
            i64 length = std::max<i64>(0, left - a * m);
            while (row(a - 1)[left - length] + costs_[a * (m + 1) + length] != row(a)[left]) ++length;
            found[a] = static_cast<i32>(length);
        }
        return found;
    }

 private:
    static constexpr i64 WORK_PER_TICK = 1 << 22;

    // Nobody has a play before the first arm: the total is 0.
    Number* row(i64 a) { return &totals_[(a + 1) % rows_ * width_]; }

    // costs[a][l]: what a pays per period P for a run of l plays.
    void price(i64 P) {
        const i64 whole = m / P, rest = m % P;
        for (i64 a = 0; a < K; ++a) {
            const Number *loss = &losses_[a * m], *sum = &sums_[a * (m + 1)];
            Number* run = &costs_[a * (m + 1)];
            for (i64 length = 1; length <= std::min(m, P); ++length) {
                const i64 again = std::max<i64>(0, rest - (P - length)), seen = whole * length + again;
                run[length] = sum[whole * length + std::min(length, rest)] - sum[seen];
                if (again > 0) run[length] += static_cast<Int>(again) * loss[seen - 1];
                if (length > rest)
                    run[length] += static_cast<Int>(length - rest) * loss[whole * length + rest - 1];
            }
        }
    }

    const i64 K, m, width_;
    const Number* losses_;
    const Watch& watch_;
    i64 rows_ = 2, work_ = 0;
    Array<Number> sums_ = array_of<Number>(K * (m + 1)), costs_ = array_of<Number>(K * (m + 1));
    Array<Number> totals_ = array_of<Number>(rows_ * width_);
};

// Try these periods in a type that holds the numbers: what use(search) gives.
template <class Use>
auto with_single_runs(const Tallying& bandit, const std::vector<i64>& periods, Watch& watch, Use use) {
    i64 longest = bandit.memory;
    for (const i64 P : periods) longest = std::max(longest, P);
    return with_type(SingleRuns<i64>::bound(bandit.highest, longest), [&]<class Int>(Int) {
        watch.require(SingleRuns<Int>::bytes(bandit.actions, bandit.memory, longest));
        const std::vector<Int> losses(bandit.table.begin(), bandit.table.end());
        SingleRuns<Int> search(bandit.actions, bandit.memory, losses.data(), longest, watch);
        for (const i64 P : periods) search.try_period(P);
        return use(search);
    });
}

}  // namespace tallyplan::TP_VARIANT
