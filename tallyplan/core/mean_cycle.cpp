// The minimum mean cycle of a tallying bandit, and of a graph with stored edges.
#include "mean_cycle.hpp"

#include <cmath>

#include "single_run.hpp"

namespace tallyplan::TP_VARIANT {
namespace {

constexpr i64 PLACES = 2048;  // in a block at most
constexpr i64 BLOCKS_PER_TICK = 256;
constexpr i64 VERIFIED = 512;  // rests that are verified together at most

// Bellman-Ford over histories. A value is phi * codes + parent, with codes = 2^bits > K: the parent travels
// in the low bits, and K means that there is none. Then one minimum finds both, and ties go to the smaller
// action. A state is lowered only if phi becomes smaller.
//
// A block whose K input blocks have not changed since its last turn is left out, and sweeps go forwards and
// backwards by turns.
template <class Int, i64 KNOWN>
class OnHistories {
 public:
    Array<Int> values;

    // |reduced cost| <= W = q * highest. Potentials stay above -(m - 1) W - W - 1, and a sum with a cost
    // above
    // -(m + 1) W - 1; so no packed number exceeds codes * ((m + 1) W + 2).
    static wide bound(const Tallying& bandit, const Mean& mean) {
        return times(i64{1} << bits(bandit), plus(times(bandit.memory + 1, mean.time, bandit.highest), 2));
    }

    // Values and marks; the costs of a block; two times of each block, of which there are at most n K /
    // PLACES.
    static wide bytes(const Tallying& bandit) {
        const wide states = bandit.power(bandit.memory - 1);
        const wide blocks = times(states / PLACES + 1, bandit.actions);
        return plus(times(states, sizeof(Int) + 1),
                    plus(Histories<Int>::bytes(bandit, PLACES), times(blocks, 16)));
    }

    OnHistories(const Tallying& bandit, const Mean& mean)
        : bandit_(bandit),
          mean_(mean),
          graph_(bandit, PLACES),
          bits_(bits(bandit)),
          keep_(static_cast<Int>(~((wide{1} << bits_) - 1))),
          floor_(static_cast<Int>(-(wide{bandit.memory} - 1) * mean.time * bandit.highest *
                                  (wide{1} << bits_))) {
        values = array_of<Int>(graph_.states);
        std::fill(values.get(), values.get() + graph_.states, static_cast<Int>(~keep_));
        graph_.price([&](i64 a, i64 y) { return static_cast<Int>(reduced(a, y) * (wide{1} << bits_) + a); });
        changed_.assign(graph_.blocks * graph_.actions, 0);
        treated_.assign(graph_.blocks, -1);
        columns_.resize(graph_.actions * TILE);
        counts_.resize(graph_.actions);
        digits_.resize(graph_.memory);
        rows_.resize(2 * graph_.actions);
    }

    i64 states() const { return graph_.states; }

    // Whether to look for a cycle of parents, which takes as long as many sweeps: after the work of 16 of
    // them.
    bool due() const { return clock_ - looked_ >= 2 * 16 * graph_.blocks; }

    i64 successor(i64 s, i64 a) const { return graph_.successor(s, a); }

    i64 parent(i64 s) const {
        const i64 code = static_cast<i64>(values[s] & ~keep_);
        return code == static_cast<i64>(~keep_) ? -1 : code;
    }

    Mean mean_of(const Walk& walk) const {
        return {bandit_.cost_of_word(walk.codes), static_cast<wide>(walk.codes.size())};
    }

    // Playing the digits of a state leads to it.
    void way_to(i64 state, std::vector<i32>& codes) const {
        for (i64 unit = graph_.rests; unit > 0; unit /= graph_.actions)
            codes.push_back(static_cast<i32>(state / unit % graph_.actions));
    }

    i64 sweep(const Watch& watch) {
        bool any = false;
        for (i64 turn = 0; turn < graph_.blocks; ++turn) {
            if ((turn + 1) % BLOCKS_PER_TICK == 0) watch.tick();
            const i64 number = backwards_ ? graph_.blocks - 1 - turn : turn;
            if (!fresh(number)) continue;
            const i64 low = relax(number, any);
            if (low >= 0) return low;
        }
        backwards_ = !backwards_;
        return any ? LOWERED : SETTLED;
    }

    void unpack() {
        for (i64 s = 0; s < graph_.states; ++s) values[s] >>= bits_;
    }

    // take(first, last): the states of each block that has changed since the last call.
    template <class Take>
    void changed(Take take) {
        for (i64 i = 0; i < graph_.blocks * graph_.actions; ++i) {
            if (changed_[i] <= looked_) continue;
            const i64 first = i / graph_.blocks * graph_.rests + i % graph_.blocks * graph_.block;
            take(first, first + graph_.block);
        }
        looked_ = clock_;
    }

    // Whether reduced + phi(head) >= phi(tail) on every edge; marks[tail] says whether one is an equality. By
    // other code than found them: edge by edge, with the costs from the table.
    bool verify(std::uint8_t* marks, const Watch& watch) const {
        const i64 K = graph_.actions, m = graph_.memory;
        std::vector<Int> costs(K * (m + 1), 0);
        for (i64 a = 0; a < K; ++a)
            for (i64 y = 0; y < m; ++y) costs[a * (m + 1) + y] = static_cast<Int>(reduced(a, y));
        i32 low = 0;
        i64 places = 1;
        for (; low < m - 2 && places * K <= VERIFIED; ++low) places *= K;
        std::vector<std::int16_t> tallies(K * places, 0);
        for (i64 a = 0; a < K; ++a) count_words(K, a, low, tallies.data() + a * places);
        const i64 threads = graph_.states < 1 << 18 ? 1 : watch.threads();
        std::vector<std::uint8_t> holds(threads, 0);
        in_threads(graph_.rests / places, threads, [&](i64 first, i64 last, i64 piece) {
            bool all = true;
            std::vector<Int> sums(2 * K * places);
            for (i64 number = first; number < last && all; ++number) {
                if (number % 64 == 0) watch.tick();
                all = verify_places(number, places, costs.data(), tallies.data(), sums.data(), marks);
            }
            holds[piece] = all;
        });
        return std::count(holds.begin(), holds.end(), 1) ==
               static_cast<i64>(std::min(threads, graph_.rests / places));
    }

    // The first tight edge from `code` on whose head is wanted, or -1.
    template <class Wanted>
    i32 next_tight(i64 s, i64 code, Wanted wanted) const {
        i64 tallied = -1, tally = 0;
        for (; code < graph_.actions; ++code) {
            const i64 to = successor(s, code);
            if (!wanted(to)) continue;
            if (tallied < 0)
                for (i64 i = 1, digits = s; i < graph_.memory; ++i, digits /= graph_.actions)
                    digits_[i] = static_cast<i32>(digits % graph_.actions);
            tallied = code;
            tally = std::count(digits_.begin() + 1, digits_.end(), static_cast<i32>(code));
            if (static_cast<Int>(reduced(code, tally)) + values[to] == values[s])
                return static_cast<i32>(code);
        }
        return -1;
    }

 private:
    static i32 bits(const Tallying& bandit) {
        i32 count = 1;
        while ((i64{1} << count) <= bandit.actions) ++count;
        return count;
    }

    wide reduced(i64 a, i64 y) const { return mean_.time * bandit_.cost(a, y) - mean_.cost; }

    bool fresh(i64 number) const {
        const i64 treated = treated_[number];
        const i64* inputs = changed_.data() + number * graph_.actions;
        for (i64 a = 0; a < graph_.actions; ++a)
            if (inputs[a] >= treated) return true;
        return false;
    }

    // Lower the states of a block; returns one below the floor, or -1. The inputs of a tile were above the
    // floor.
    i64 relax(i64 number, bool& any) {
        treated_[number] = ++clock_;
        ++clock_;
        rows_of(graph_, number, counts_.data(), rows_.data());
        const Int keep = keep_, floor = floor_;
        i64 below = -1;
        bellman_block<KNOWN>(graph_, values.get(), keep, number, rows_.data(), columns_.data(),
                             [&](i64 d, i64 place, i64 count, const Int* best) {
                                 Int* old = values.get() + d * graph_.rests + number * graph_.block + place;
                                 Int lowered = 0, sunk = 0;
                                 for (i64 i = 0; i < count; ++i) {
                                     const bool lower = best[i] < (old[i] & keep);
                                     old[i] = lower ? best[i] : old[i];
                                     lowered |= static_cast<Int>(lower);
                                     sunk |= static_cast<Int>(best[i] < floor);
                                 }
                                 if (lowered) {
                                     any = true;
                                     changed_[d * graph_.blocks + number] = clock_;
                                 }
                                 if (sunk && below < 0)
                                     below = std::find_if(old, old + count,
                                                          [&](Int value) { return value < floor; }) -
                                             values.get();
                             });
        return below;
    }

    // The edges out of the states whose rests are the places of a block of `verify`, action by action. `sums`
    // has room for 2 K rows of cost + phi(head), for a play that the oldest action does not count for, and
    // for one that it does.
    bool verify_places(i64 number, i64 places, const Int* costs, const std::int16_t* tallies, Int* sums,
                       std::uint8_t* marks) const {
        const i64 K = graph_.actions;
        std::vector<i64> high(K, 0);
        for (i64 digits = number, unit = graph_.rests / places; unit > 1; unit /= K, digits /= K)
            ++high[digits % K];
        for (i64 a = 0; a < K; ++a) {
            const Int *cost = costs + a * (graph_.memory + 1) + high[a],
                      *to = values.get() + number * places * K + a;
            const std::int16_t* tally = tallies + a * places;
            Int *without = sums + 2 * a * places, *with = without + places;
            for (i64 i = 0; i < places; ++i) {
                without[i] = cost[tally[i]] + to[i * K];
                with[i] = cost[tally[i] + 1] + to[i * K];
            }
        }
        Int wrong = 0, tight[VERIFIED];
        for (i64 d = 0; d < K; ++d) {
            const i64 first = d * graph_.rests + number * places;
            const Int* here = values.get() + first;
            std::fill(tight, tight + places, Int(0));
            for (i64 a = 0; a < K; ++a) {
                const Int* sum = sums + (2 * a + (a == d)) * places;
                for (i64 i = 0; i < places; ++i) {
                    wrong |= static_cast<Int>(sum[i] < here[i]);
                    tight[i] |= static_cast<Int>(sum[i] == here[i]);
                }
            }
            for (i64 i = 0; i < places; ++i) marks[first + i] = static_cast<std::uint8_t>(tight[i]);
        }
        return wrong == 0;
    }

    const Tallying& bandit_;
    const Mean mean_;
    Histories<Int> graph_;
    i32 bits_;
    Int keep_, floor_;
    std::vector<i64> changed_,
        treated_;  // when a block of states last changed, a block of rests had its turn
    i64 clock_ = 0, looked_ = 0;
    bool backwards_ = false;
    std::vector<Int> columns_;
    std::vector<i64> counts_;
    mutable std::vector<i32> digits_;
    std::vector<const Int*> rows_;
};

// Bellman-Ford over stored edges. After each sweep every potential is set to the cost of its path of parents,
// which is at most as large: whole paths in place of single steps, so that few sweeps are needed.
template <class Int>
class OnEdges {
 public:
    Array<Int> values;

    // |reduced cost| <= W = q * widest, with `widest` the highest cost times the longest time: 0 <= p <= q *
    // highest. Potentials stay above floor - W, with floor = -n W: a node is lowered to at least W below its
    // head, and the sweep ends at the first node below the floor. A sum with a cost stays above floor - 2 W.
    static wide bound(const tp_edges& edges, const Mean& mean, wide widest) {
        return times(plus(edges.nodes, 3), mean.time, widest);
    }

    static wide bytes(const tp_edges& edges) {
        return plus(times(edges.nodes, sizeof(Int) + 5), times(edges.first[edges.nodes], sizeof(Int)));
    }

    OnEdges(const tp_edges& edges, const Mean& mean, wide widest)
        : values(array_of<Int>(edges.nodes)),
          edges_(edges),
          graph_(edges, mean.time, mean.cost),
          parents_(array_of<i32>(edges.nodes)),
          floor_(static_cast<Int>(-edges.nodes * mean.time * widest)) {
        std::fill(parents_.get(), parents_.get() + edges.nodes, -1);
    }

    i64 states() const { return graph_.nodes; }
    bool due() const { return true; }
    i64 successor(i64 node, i64 code) const { return graph_.head(graph_.first(node) + code); }
    i64 parent(i64 node) const { return parents_[node]; }

    Mean mean_of(const Walk& walk) const {
        wide cost = 0, time = 0;
        for (i64 node = walk.start; const i32 code : walk.codes) {
            const i64 edge = graph_.first(node) + code;
            cost += number_at(edges_.costs, edges_.bytes, edge);
            time += edges_.times ? edges_.times[edge] : 1;
            node = graph_.head(edge);
        }
        return {cost, time};
    }

    i64 sweep(const Watch& watch) {
        bool any = false;
        settle();
        for (i64 turn = 0; turn < graph_.nodes; ++turn) {
            if ((turn + 1) % (1 << 14) == 0) watch.tick();
            const i64 node = backwards_ ? graph_.nodes - 1 - turn : turn;
            Int least = values[node];
            for (i64 edge = graph_.first(node); edge < graph_.last(node); ++edge) {
                const Int candidate = graph_.cost(edge) + values[graph_.head(edge)];
                if (candidate >= least) continue;
                least = candidate;
                parents_[node] = static_cast<i32>(edge - graph_.first(node));
            }
            any |= least < values[node];
            values[node] = least;
            if (least < floor_) return node;
        }
        backwards_ = !backwards_;
        return any ? LOWERED : SETTLED;
    }

    void unpack() {}

    bool verify(std::uint8_t* marks, const Watch& watch) const {
        for (i64 node = 0; node < graph_.nodes; ++node) {
            if ((node + 1) % (1 << 14) == 0) watch.tick();
            marks[node] = 0;
            for (i64 code = 0; code < graph_.last(node) - graph_.first(node); ++code) {
                if (excess(node, code) < 0) return false;
                marks[node] |= excess(node, code) == 0;
            }
        }
        return true;
    }

    template <class Take>
    void changed(Take take) {
        take(0, graph_.nodes);
    }

    template <class Wanted>
    i32 next_tight(i64 node, i64 code, Wanted wanted) const {
        for (; code < graph_.last(node) - graph_.first(node); ++code)
            if (wanted(successor(node, code)) && excess(node, code) == 0) return static_cast<i32>(code);
        return -1;
    }

    // Below the floor there is a cycle of parents: nobody asks for a way.
    void way_to(i64, std::vector<i32>&) const { throw Status{TP_WRONG}; }

 private:
    Int excess(i64 node, i64 code) const {
        return graph_.cost(graph_.first(node) + code) + values[successor(node, code)] - values[node];
    }

    // The parents have no cycle here.
    void settle() {
        std::vector<i64> path;
        std::vector<std::uint8_t> done(graph_.nodes, 0);
        for (i64 start = 0; start < graph_.nodes; ++start) {
            for (i64 node = start; !done[node] && parents_[node] >= 0; node = successor(node, parents_[node]))
                path.push_back(node);
            for (; !path.empty(); path.pop_back()) {
                const i64 node = path.back();
                values[node] += excess(node, parents_[node]);
                done[node] = 1;
            }
        }
    }

    const tp_edges& edges_;
    StoredEdges<Int> graph_;
    Array<i32> parents_;
    Int floor_;
    bool backwards_ = false;
};

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

template <class Int>
std::optional<Mean> settle_with(const Tallying& bandit, const Mean& mean, Watch& watch, tp_cycle& found) {
    switch (bandit.actions) {
        case 2:
            return settle<Int, 2>(bandit, mean, watch, found);
        case 3:
            return settle<Int, 3>(bandit, mean, watch, found);
        case 4:
            return settle<Int, 4>(bandit, mean, watch, found);
        default:
            return settle<Int, 0>(bandit, mean, watch, found);
    }
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
