// Single-run words: the best one, and a good one where there are many periods.
#include "single_run.hpp"

#include <chrono>

namespace tallyplan::TP_VARIANT {
namespace {

constexpr i64 NEIGHBOURS = 6;  // on each side

// The periods m, m + 1 and m - 1; then those around the best one, ever nearer to it, while there is time.
template <class Int>
void good_word(SingleRuns<Int>& search, i64 memory, i64 longest, i64 nanoseconds, const Watch& watch) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const auto try_period = [&](i64 P) {
        watch.tick();
        if (0 < P && P <= longest) search.try_period(P);
    };
    for (const i64 P : {memory, memory + 1, memory - 1}) try_period(P);
    for (i64 apart = longest / NEIGHBOURS; apart > 0; apart /= 2) {
        const i64 best = static_cast<i64>(search.period);
        for (i64 i = 1; i <= NEIGHBOURS; ++i)
            for (const i64 P : {best - i * apart, best + i * apart}) {
                if (nanoseconds >= 0 && Clock::now() - start > std::chrono::nanoseconds(nanoseconds)) return;
                try_period(P);
            }
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
