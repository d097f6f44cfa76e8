// Single-run words: the best one, and a good one where there are many periods.
#include "single_run.hpp"

#include <chrono>

namespace tallyplan::TP_VARIANT {
namespace {

constexpr i64 MOST_KNAPSACKS = 60;
constexpr i64 FEWEST_KNAPSACKS = 3;  // even if there is no time

// The periods m, m + 1 and m - 1; then those whose bound promises most, while there is time. Bounds take half
// of it, on a grid that gets finer.
template <class Int>
void good_word(SingleRuns<Int>& search, i64 memory, i64 longest, i64 nanoseconds, const Watch& watch) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const auto over = [&](i64 parts) {
        watch.tick();
        return nanoseconds >= 0 && Clock::now() - start > std::chrono::nanoseconds(nanoseconds / parts);
    };
    for (const i64 P : {memory, memory + 1, memory - 1})
        if (0 < P && P <= longest) search.try_period(P);
    std::vector<std::pair<double, i64>> promising;
    const double enough = search.mean();
    double price = enough;
    i64 step = 1;
    while (2 * step <= longest) step *= 2;
    for (; step > 0 && !over(2); step /= 2)
        for (i64 P = step; P <= longest && !over(2); P += 2 * step)
            if (const double bound = search.bound_of(P, price, enough); bound < enough)
                promising.push_back({bound, P});
    std::sort(promising.begin(), promising.end());
    for (i64 count = 0; const auto& [bound, P] : promising) {
        if (bound >= search.mean() || count >= MOST_KNAPSACKS || (count >= FEWEST_KNAPSACKS && over(1)))
            break;
        search.try_period(P);
        ++count;
    }
}

}  // namespace
}  // namespace tallyplan::TP_VARIANT

using namespace tallyplan::TP_VARIANT;

TP_FUNCTION(single_run)
(const tp_graph* given, int32_t every, int64_t nanoseconds, tp_limits* limits, tp_found* found) {
    return guarded(limits, [&](Watch& watch) {
        const Tallying bandit(*given);
        const i64 longest = bandit.memory > 1 ? i64{bandit.actions} * bandit.memory : 0;
        with_single_runs(bandit, longest, watch, [&](auto& search) {
            if (every)
                search.try_all(longest, watch);
            else if (longest > 0)
                good_word(search, bandit.memory, longest, nanoseconds, watch);
            Numbers numbers;
            numbers.add_all(search.runs);
            numbers.hand_over(*found);
        });
    });
}
