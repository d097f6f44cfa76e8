// The best single-run word: every arm has at most one run. planning/single_run.py has the mathematics.
#pragma once

#include <numeric>

#include "histories.hpp"

namespace tallyplan::TP_VARIANT {

// Looks for the best single-run word, a period at a time; what is better replaces what there is.
//
// Numbers: a word of period P costs at most P * highest, and costs are compared after multiplying them by a
// period. So longest^2 * highest bounds them all, which Int must hold four times over: `never` is half of
// what Int holds, and a cost may be added to it.
template <class Int>
class SingleRuns {
 public:
    std::vector<i32> runs;  // how often the best word plays each arm, in its only run
    Int cost;               // of a period of it
    i64 period = 1;

    static wide bound(const Tallying& bandit, i64 longest) {
        return times(4, plus(longest, 1), plus(longest, 1), bandit.highest);
    }

    // Begin with the best constant word. Periods up to `longest` may be tried.
    SingleRuns(const Tallying& bandit, i64 longest)
        : runs(bandit.actions, 0),
          K(bandit.actions),
          m(bandit.memory),
          width(longest + 1),
          losses_(bandit.table.size()),
          sums_(K * (m + 1), 0),
          costs_(K * (m + 1), 0),
          totals_(2 * width, never),
          choices_(K * width, 0) {
        for (i64 i = 0; i < K * m; ++i) losses_[i] = static_cast<Int>(bandit.table[i]);
        for (i64 a = 0; a < K; ++a)
            std::partial_sum(&losses_[a * m], &losses_[a * m] + m, &sums_[a * (m + 1) + 1]);
        const i64 constant = bandit.best_constant();
        runs[constant] = 1;
        cost = losses_[constant * m + m - 1];
    }

    // The best word of period P, by a knapsack over the arms: row a of totals, of which two are kept, has at
    // u the least cost of runs of the arms up to a that take u plays together. Of equal runs of an arm the
    // shortest counts. O(K P m), and O(m) for K = 2: before the first arm u is 0, and after the last one it
    // is P.
    void try_period(i64 P) {
        price(P);
        for (i64 a = 0; a < K; ++a) {
            const Int* run = &costs_[a * (m + 1)];
            const Int* before = a == 0 ? nullptr : &totals_[(a + 1) % 2 * width];
            for (i64 used = a + 1 < K ? 0 : P; used <= P; ++used) {
                Int least = a == 0 ? (used == 0 ? 0 : never) : before[used];
                i32 choice = 0;
                const i64 longest = std::min(m, used), shortest = a == 0 ? std::max<i64>(1, used) : 1;
                for (i64 length = shortest; length <= longest; ++length) {
                    const Int candidate = (a == 0 ? 0 : before[used - length]) + run[length];
                    if (candidate < least) {
                        least = candidate;
                        choice = static_cast<i32>(length);
                    }
                }
                totals_[a % 2 * width + used] = least;
                choices_[a * width + used] = choice;
            }
        }
        const Int total = totals_[(K - 1) % 2 * width + P];
        if (total >= never || total * static_cast<Int>(period) >= cost * static_cast<Int>(P)) return;
        cost = total;
        period = P;
        for (i64 a = K - 1, left = P; a >= 0; --a) {
            runs[a] = choices_[a * width + left];
            left -= runs[a];
        }
    }

    void try_all(i64 longest, const Watch& watch) {
        for (i64 P = 1; P <= longest; ++P) {
            watch.tick();
            try_period(P);
        }
    }

    // A number that no word of period P costs less than per step, up to rounding; or more than `enough` if it
    // is seen that none costs less than that. Charge a price for each play: the least costs of the arms by
    // themselves, plus the price of P plays. Better prices are found by halving an interval.
    double bound_of(i64 P, double& price_of_play, double enough) {
        constexpr int PRICES = 12;
        price(P);
        double low = 0,
               high = 2.0 * static_cast<double>(*std::max_element(losses_.begin(), losses_.end())) + 1,
               bound = -1;
        for (int i = 0; i < PRICES; ++i) {
            double total = 0;
            i64 plays = 0;
            for (i64 a = 0; a < K; ++a) {
                double least = 0;
                i64 best = 0;
                for (i64 length = 1; length <= std::min(m, P); ++length) {
                    const double priced = static_cast<double>(costs_[a * (m + 1) + length]) -
                                          price_of_play * static_cast<double>(length);
                    if (priced >= least) continue;
                    least = priced;
                    best = length;
                }
                total += least;
                plays += best;
            }
            bound = std::max(bound, price_of_play + total / static_cast<double>(P));
            if (plays == P || bound >= enough) break;
            (plays < P ? low : high) = price_of_play;
            price_of_play = (low + high) / 2;
        }
        return bound;
    }

    double mean() const { return static_cast<double>(cost) / static_cast<double>(period); }

 private:
    static constexpr Int never = static_cast<Int>(largest<Int>() / 2);

    // costs[a][l]: what a pays per period P for a run of l plays.
    void price(i64 P) {
        const i64 whole = m / P, rest = m % P;
        for (i64 a = 0; a < K; ++a) {
            const Int *loss = &losses_[a * m], *sum = &sums_[a * (m + 1)];
            Int* run = &costs_[a * (m + 1)];
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
    std::vector<Int> losses_, sums_, costs_, totals_;
    std::vector<i32> choices_;
};

// Use a search in a type that holds its numbers: use(search).
template <class Use>
void with_single_runs(const Tallying& bandit, i64 longest, Watch& watch, Use use) {
    watch.require(times(4, bandit.actions, longest));
    with_type(std::max(largest<i32>(), SingleRuns<i64>::bound(bandit, longest)), [&]<class Int>(Int) {
        SingleRuns<Int> search(bandit, longest);
        use(search);
    });
}

inline std::vector<i32> word_of_runs(const std::vector<i32>& runs) {
    std::vector<i32> word;
    for (i32 a = 0; const i32 length : runs) word.insert(word.end(), length, a++);
    return word;
}

}  // namespace tallyplan::TP_VARIANT
