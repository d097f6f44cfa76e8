// The minimum mean cycle of a tallying bandit, and of a graph with stored edges.
#include "mean_cycle.hpp"

#include <cmath>

#include "on_histories.hpp"
#include "single_run.hpp"
#include "stored.hpp"

namespace tallyplan::TP_VARIANT {
namespace {

// Search under a mean: the smaller mean of a closed walk, or nothing, and then the answer is there.
template <class Search>
std::optional<Mean> settle(Search& search, const Mean& mean, bool known, Watch& watch, tp_cycle& found) {
    auto marks = array_of<std::uint8_t>(search.states());
    if (const auto better = better_walk(search, watch, marks.get())) return search.mean_of(*better);
    if (!known) throw Status{TP_NO_ANSWER};
    finish(search, mean, marks.get(), watch, found);
    return {};
}

template <class Int>
std::optional<Mean> settle(const tp_edges& edges, const Mean& mean, wide widest, bool known, Watch& watch,
                           tp_cycle& found) {
    watch.require(OnEdges<Int>::bytes(edges));
    OnEdges<Int> search(edges, mean, widest);
    return settle(search, mean, known, watch, found);
}

template <class Int, i64 KNOWN>
std::optional<Mean> settle(const Tallying& bandit, const Mean& mean, Watch& watch, tp_cycle& found) {
    watch.require(OnHistories<Int, KNOWN>::bytes(bandit));
    OnHistories<Int, KNOWN> search(bandit, mean);
    return settle(search, mean, true, watch, found);
}

// The compiler knows the number of actions where that pays.
template <class Int>
std::optional<Mean> settle_with(const Tallying& bandit, const Mean& mean, Watch& watch, tp_cycle& found) {
    if (bandit.actions == 2) return settle<Int, 2>(bandit, mean, watch, found);
    if constexpr (sizeof(Int) == 4) {
        if (bandit.actions == 3) return settle<Int, 3>(bandit, mean, watch, found);
        if (bandit.actions == 4) return settle<Int, 4>(bandit, mean, watch, found);
    }
    return settle<Int, 0>(bandit, mean, watch, found);
}

// K = 1 or m = 1: a constant word is best, and there is one state.
void constant_word(const Tallying& bandit, tp_cycle& found) {
    i32 best = 0;
    for (i32 a = 1; a < bandit.actions; ++a)
        if (bandit.cost(a, bandit.memory - 1) < bandit.cost(best, bandit.memory - 1)) best = a;
    auto word = array_of<i32>(1);
    auto potentials = array_of<i32>(1);
    const wide cost = bandit.cost(best, bandit.memory - 1);
    word[0] = best;
    found = {1, word.release(),         0,
             1, potentials.release(),   4,
             1, static_cast<i64>(cost), static_cast<i64>(cost >> 64)};
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
        for (i64 P = 1; P <= longest; ++P) {
            watch.tick();
            search.try_period(P);
        }
        word = word_of_runs(search.runs);
    });
    return word;
}

void cycle_of_bandit(const Tallying& bandit, Watch& watch, tp_cycle& found) {
    if (bandit.actions == 1 || bandit.memory == 1) return constant_word(bandit, found);
    const wide states = bandit.power(bandit.memory - 1);
    watch.require(times(states, 5));
    if (!holds<wide>(times(states + bandit.memory, bandit.highest))) throw Status{TP_TOO_WIDE};
    const auto word = first_word(bandit, states, watch);
    Mean mean(bandit.cost_of_word(word), static_cast<wide>(word.size()));
    for (;;) {
        const wide bound = OnHistories<i64, 0>::bound(bandit, mean);
        std::optional<Mean> better;
        if (holds<i32>(bound))
            better = settle_with<i32>(bandit, mean, watch, found);
        else if (holds<i64>(bound))
            better = settle_with<i64>(bandit, mean, watch, found);
        else if (holds<wide>(bound))
            better = settle<wide, 0>(bandit, mean, watch, found);
        else
            throw Status{TP_TOO_WIDE};
        if (!better) return;
        mean = *better;
    }
}

// Begin with a mean above that of every cycle; if nothing is better, there is no cycle.
void cycle_of_edges(const tp_edges& edges, Watch& watch, tp_cycle& found) {
    wide highest = 0, longest = 1;
    for (i64 e = 0; e < edges.first[edges.nodes]; ++e) {
        highest = std::max(highest, number_at(edges.costs, edges.bytes, e));
        if (edges.times) longest = std::max<wide>(longest, edges.times[e]);
    }
    const wide widest = times(plus(highest, 1), longest);
    if (!holds<wide>(times(edges.nodes, widest))) throw Status{TP_TOO_WIDE};
    Mean mean(highest + 1, 1);
    for (bool known = false;; known = true) {
        const wide bound = OnEdges<i64>::bound(edges, mean, widest);
        std::optional<Mean> better;
        if (holds<i32>(bound))
            better = settle<i32>(edges, mean, widest, known, watch, found);
        else if (holds<i64>(bound))
            better = settle<i64>(edges, mean, widest, known, watch, found);
        else if (holds<wide>(bound))
            better = settle<wide>(edges, mean, widest, known, watch, found);
        else
            throw Status{TP_TOO_WIDE};
        if (!better) return;
        mean = *better;
    }
}

}  // namespace
}  // namespace tallyplan::TP_VARIANT

using namespace tallyplan::TP_VARIANT;

TP_FUNCTION(cycle_of_bandit)(const tp_bandit* bandit, tp_limits* limits, tp_cycle* found) {
    return guarded([&] {
        Watch watch(*limits);
        cycle_of_bandit(Tallying(*bandit), watch, *found);
    });
}

TP_FUNCTION(cycle_of_edges)(const tp_edges* edges, tp_limits* limits, tp_cycle* found) {
    return guarded([&] {
        Watch watch(*limits);
        cycle_of_edges(*edges, watch, *found);
    });
}
