// The best single-run word: every arm has at most one run. planning/single_run.py has the mathematics.
#pragma once

#include "histories.hpp"

namespace tallyplan::TP_VARIANT {

// Looks for the best single-run word, a period at a time; what is better replaces what there is. Of one table
// in integers Number = Int; or of one in each lane of vectors, and then the words are not kept.
//
// Numbers: a word of period P costs at most P * highest, and costs are compared after multiplying them by a
// period. So longest^2 * highest bounds them all.
template <class Int, class Number = Int>
class SingleRuns {
 public:
    std::vector<i32> runs;  // how often the best word plays each arm, in its only run
    Number cost, period;    // the cost of a period of it, and its length

    static wide bound(wide highest, i64 longest) {
        return times(plus(longest, 1), plus(longest, 1), highest);
    }

    // Begin with the best constant word. Periods up to `longest`, at most K m, may be tried. The losses of a
    // are losses[a * m], ..., as many as there are tallies.
    SingleRuns(i64 actions, i64 memory, const Number* losses, i64 longest)
        : runs(actions, 0),
          cost(losses[memory - 1]),
          period(Number{} + Int{1}),
          K(actions),
          m(memory),
          width(longest + 1),
          losses_(losses),
          sums_(array_of<Number>(K * (m + 1))),
          costs_(array_of<Number>(K * (m + 1))),
          totals_(array_of<Number>(2 * width)),
          choices_(KEPT ? K * width : 0, 0) {
        for (i64 a = 0; a < K; ++a)
            for (i64 y = 0; y < m; ++y)
                sums_[a * (m + 1) + y + 1] = sums_[a * (m + 1) + y] + losses_[a * m + y];
        for (i64 a = 1; a < K; ++a) cost = lesser(cost, losses_[a * m + m - 1]);
        if constexpr (KEPT) {
            i64 first = 0;
            while (losses_[first * m + m - 1] != cost) ++first;
            runs[first] = 1;
        }
    }

    // The best word of period P, by a knapsack over the arms: row a of totals, of which two are kept, has at
    // u the least cost of runs of the arms up to a that take u plays together, up to (a + 1) m. Of equal runs
    // of an arm the shortest counts. O(K P m), and O(m) for K = 2: before the first arm u is 0, and after the
    // last one it is P.
    void try_period(i64 P) {
        price(P);
        for (i64 a = 0; a < K; ++a) {
            const Number* run = &costs_[a * (m + 1)];
            const Number* before = &totals_[(a + 1) % 2 * width];
            const i64 most = std::min(P, (a + 1) * m), known = std::min(P, a * m);
            for (i64 used = a + 1 < K ? 0 : most; used <= most; ++used) {
                const i64 shortest = std::max<i64>(0, used - known);
                Number least = a == 0 ? run[used] : before[used - shortest] + run[shortest];
                i64 choice = shortest;
                for (i64 length = shortest + 1; a > 0 && length <= std::min(m, used); ++length) {
                    const Number candidate = before[used - length] + run[length];
                    if constexpr (KEPT) choice = candidate < least ? length : choice;
                    least = lesser(candidate, least);
                }
                totals_[a % 2 * width + used] = least;
                if constexpr (KEPT) choices_[a * width + used] = static_cast<i32>(choice);
            }
        }
        take(P, totals_[(K - 1) % 2 * width + P]);
    }

    void try_all(i64 longest, const Watch& watch) {
        for (i64 P = 1; P <= longest; ++P) {
            watch.tick();
            try_period(P);
        }
    }

 private:
    static constexpr bool KEPT = std::is_same_v<Int, Number>;

    void take(i64 P, const Number& total) {
        const Number other = Number{} + static_cast<Int>(P);
        const auto better = total * period < cost * other;
        cost = better ? total : cost;
        period = better ? other : period;
        if constexpr (KEPT)
            for (i64 a = K - 1, left = P; a >= 0 && better; left -= runs[a--])
                runs[a] = choices_[a * width + left];
    }

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

    const i64 K, m, width;
    const Number* losses_;
    Array<Number> sums_, costs_, totals_;
    std::vector<i32> choices_;
};

// Use a search in a type that holds its numbers: use(search).
template <class Use>
void with_single_runs(const Tallying& bandit, i64 longest, Watch& watch, Use use) {
    watch.require(times(4, bandit.actions, longest));
    with_type(SingleRuns<i64>::bound(bandit.highest, longest), [&]<class Int>(Int) {
        const std::vector<Int> losses(bandit.table.begin(), bandit.table.end());
        SingleRuns<Int> search(bandit.actions, bandit.memory, losses.data(), longest);
        use(search);
    });
}

}  // namespace tallyplan::TP_VARIANT
