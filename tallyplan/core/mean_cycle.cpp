// The minimum mean cycle of a tallying bandit, and of a graph with stored edges.
#include "mean_cycle.hpp"

#include <cmath>

#include "on_edges.hpp"
#include "on_histories.hpp"
#include "single_run.hpp"

namespace tallyplan::TP_VARIANT {
namespace {

// Search under a mean: the smaller mean of a closed walk, or nothing, and then the answer is there.
template <class Search>
std::optional<Mean> settle(Search search, const Mean& mean, bool known, Watch& watch, tp_found& found) {
    auto marks = array_of<std::uint8_t>(search.states());
    if (const auto better = better_walk(search, watch, marks.get())) return search.mean_of(*better);
    if (!known) throw Status{TP_NO_ANSWER};
    search.unpack();
    search.verify(marks.get(), watch);
    const Walk walk = first_tight_cycle(search, marks.get(), watch);
    Numbers numbers;
    numbers.add(walk.start);
    numbers.add(static_cast<i64>(mean.time));
    numbers.add_wide(mean.cost);
    numbers.add_all(walk.codes);
    numbers.hand_over(found);
    hand_over(std::move(search.values), search.states(), found);
    return {};
}

// K = 1 or m = 1: a constant word is best, and there is one state.
void constant_word(const Tallying& bandit, tp_found& found) {
    const i32 best = bandit.best_constant();
    Numbers numbers;
    numbers.add(0);
    numbers.add(1);
    numbers.add_wide(bandit.cost(best, bandit.memory - 1));
    numbers.add(best);
    numbers.hand_over(found);
    hand_over(array_of<i32>(1), 1, found);
}

// A word to begin with: the best single-run word, of a period so short that K P^2 m / 2, the operations to
// find it, are about those of 16 sweeps.
std::vector<i32> first_word(const Tallying& bandit, wide states, Watch& watch) {
    const i64 plays = i64{bandit.actions} * bandit.memory;
    const double sweeps = 32 * static_cast<double>(states) / static_cast<double>(plays);
    const i64 longest =
        std::min(plays, std::max<i64>(bandit.memory + 1, static_cast<i64>(std::sqrt(sweeps))));
    std::vector<i32> word;
    with_single_runs(bandit, longest, watch, [&](auto& search) {
        search.try_all(longest, watch);
        word = word_of_runs(search.runs);
    });
    return word;
}

void cycle_of_bandit(const Tallying& bandit, Watch& watch, tp_found& found) {
    if (bandit.actions == 1 || bandit.memory == 1) return constant_word(bandit, found);
    const wide states = bandit.power(bandit.memory - 1);
    watch.require(times(states, 5));
    if (!holds<wide>(times(states + bandit.memory, bandit.highest))) throw Status{TP_TOO_WIDE};
    const auto word = first_word(bandit, states, watch);
    std::optional<Mean> mean({bandit.cost_of_word(word), static_cast<wide>(word.size())});
    while (mean)
        mean = with_type(OnHistories<i64, 0>::bound(bandit, *mean), [&]<class Int>(Int) {
            watch.require(OnHistories<Int, 0>::bytes(bandit));
            return with_known<Int>(bandit.actions, [&](auto known) {
                return settle(OnHistories<Int, known>(bandit, *mean), *mean, true, watch, found);
            });
        });
}

// Begin with a mean above that of every cycle; if nothing is better, there is no cycle.
void cycle_of_edges(const Stored& graph, Watch& watch, tp_found& found) {
    const wide widest = times(plus(graph.highest, 1), graph.longest);
    if (!holds<wide>(times(graph.states, widest))) throw Status{TP_TOO_WIDE};
    std::optional<Mean> mean({graph.highest + 1, 1});
    for (bool known = false; mean; known = true)
        mean = with_type(OnEdges<Stored, i64>::bound(graph.states, *mean, widest), [&]<class Int>(Int) {
            watch.require(plus(times(graph.states, sizeof(Int) + 6), times(graph.edges, sizeof(Int))));
            const Edges<Stored, Int> edges(graph);
            return settle(OnEdges<Stored, Int>(edges, *mean, widest), *mean, known, watch, found);
        });
}

}  // namespace
}  // namespace tallyplan::TP_VARIANT

using namespace tallyplan::TP_VARIANT;

TP_FUNCTION(cycle)(const tp_graph* graph, tp_limits* limits, tp_found* found) {
    return guarded(limits, [&](Watch& watch) {
        if (graph->memory)
            cycle_of_bandit(Tallying(*graph), watch, *found);
        else
            cycle_of_edges(Stored(*graph), watch, *found);
    });
}
