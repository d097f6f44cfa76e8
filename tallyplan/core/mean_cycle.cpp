// The minimum mean cycle of a tallying bandit, and of a graph with stored edges.
#include "mean_cycle.hpp"

#include <numeric>

#include "on_edges.hpp"
#include "on_histories.hpp"
#include "single_run.hpp"

namespace tallyplan::TP_VARIANT {
namespace {

// Search under a mean: the smaller mean of a closed walk, or nothing, and then the answer is there.
template <class Search>
std::optional<Mean> settle(Search search, const Mean& mean, bool known, Watch& watch, Answer& answer) {
    auto marks = array_of<std::uint8_t>(search.states());
    if (const auto smaller = smaller_mean(search, watch, marks.get())) return smaller;
    if (!known) throw Status{TP_NO_ANSWER};
    search.verify(marks.get(), watch);
    const Walk walk = first_tight_cycle(search, marks.get(), watch);
    answer.add(walk.start);
    answer.add(static_cast<i64>(mean.time));
    answer.add_wide(mean.cost);
    answer.add_all(walk.codes);
    answer.take(std::move(search.values), search.states());
    return {};
}

// The mean of a word to begin with: the best single-run word, of a period so short that K P^2 m / 2, the
// operations to find it, are about those of 16 sweeps.
Mean first_mean(const Tallying& bandit, Watch& watch) {
    const i64 plays = i64{bandit.actions} * bandit.memory;
    i64 longest = bandit.memory + 1;
    while (longest < plays && times(longest, longest, plays) < times(32, bandit.states)) ++longest;
    std::vector<i64> periods(longest);
    std::iota(periods.begin(), periods.end(), 1);
    return with_single_runs(bandit, periods, watch, [](auto& best) { return Mean(best.cost, best.period); });
}

void cycle_of_histories(const Tallying& bandit, Watch& watch, Answer& answer) {
    watch.require(times(bandit.states, 5));
    if (!holds<wide>(times(plus(bandit.states, bandit.memory), bandit.highest))) throw Status{TP_TOO_WIDE};
    for (std::optional<Mean> mean = first_mean(bandit, watch); mean;)
        mean = with_type(OnHistories<i64>::bound(bandit, *mean), [&]<class Int>(Int) {
            watch.require(OnHistories<Int>::bytes(bandit));
            return settle(OnHistories<Int>(bandit, *mean), *mean, true, watch, answer);
        });
}

// Begin with a mean above that of every cycle; if nothing is better, there is no cycle.
void cycle_of_edges(const Stored& graph, Watch& watch, Answer& answer) {
    const wide widest = times(plus(graph.highest, 1), graph.longest);
    if (!holds<wide>(times(graph.states, widest))) throw Status{TP_TOO_WIDE};
    std::optional<Mean> mean({graph.highest + 1, 1});
    for (bool known = false; mean; known = true)
        mean = with_type(OnEdges<i64>::bound(graph.states, *mean, widest), [&]<class Int>(Int) {
            watch.require(plus(times(graph.states, sizeof(Int) + 6), times(graph.edges, sizeof(Int))));
            const Edges<Int> edges(graph);
            return settle(OnEdges<Int>(edges, *mean, widest), *mean, known, watch, answer);
        });
}

}  // namespace
}  // namespace tallyplan::TP_VARIANT

using namespace tallyplan::TP_VARIANT;

// With K = 1 or m = 1 there is one history.
TP_FUNCTION(cycle)(const tp_graph* graph, tp_limits* limits, tp_found* found) {
    return answered(limits, found, [&](Watch& watch, Answer& answer) {
        if (graph->memory > 1 && graph->actions > 1)
            cycle_of_histories(Tallying(*graph), watch, answer);
        else
            with_stored(*graph, watch, [&](const Stored& stored) { cycle_of_edges(stored, watch, answer); });
    });
}

TP_FUNCTION(single_run)
(const tp_graph* given, const int64_t* periods, int64_t count, tp_limits* limits, tp_found* found) {
    return answered(limits, found, [&](Watch& watch, Answer& answer) {
        with_single_runs(Tallying(*given), {periods, periods + count}, watch,
                         [&](auto& best) { answer.add_all(best.runs()); });
    });
}
