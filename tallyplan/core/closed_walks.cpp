// The best word of exactly L actions under repetition: the closed walks of length L on the state graph.
//
// Let w = p / q be the minimum mean, and let potentials make r = q cost - p + phi(s') - phi(s) nonnegative. A
// closed walk of L steps that is better than the best one known has an r-sum below the *budget* q best - L p,
// and so it contains a cycle whose mean of r is below budget / L. As long as Bellman-Ford on L r - budget
// finds such cycles among the states that are left, take a *root* on each: where the length of the cycle
// divides L, going round it is better; and the tables of `closed_walks.hpp` find the best closed walk through
// the root, or show that none is below the budget. Then the root is removed. When Bellman-Ford ends, its
// values v prove the rest.
//
// Numbers: with H the highest cost, 0 <= r <= 2 m q H, since |phi| <= (m - 1) q H + 1. A budget is at most L
// q H, and entries of tables and ways home are below it. Every edge of Bellman-Ford costs at least -budget.
// Let no state without a parent have v < 0; then while the parents have no cycle, v >= -n budget. The search
// stops below that floor: there is a cycle, or roots were removed since, and then it begins again from zero.
// So |v| is at most (n + 1) L q H + L 2 m q H. `never` is 4 times that bound, and sums of three of it fit.
#include "closed_walks.hpp"

#include <deque>
#include <numeric>

#include "histories.hpp"

namespace tallyplan::TP_VARIANT {
namespace {

template <class Int>
class Search {
 public:
    Search(Slack<Int> slack, const tp_period& asked, Watch& watch)
        : slack_(std::move(slack)),
          watch_(watch),
          tables_(slack_, watch),
          length_(asked.period),
          best_(static_cast<Int>(joined(asked.budget))),
          step_(static_cast<Int>(joined(asked.step))),
          parents_(slack_.states, -1),
          values_(slack_.states, 0),
          queued_(slack_.states, 0) {}

    std::vector<tp_stage> stages;
    std::vector<Run> word;  // of the best closed walk, if one was found
    bool finished = false;

    void run() {
        restart();
        for (;;) {
            if (best_ == 0) {  // the minimum mean of all: nothing is to be gained
                stages.clear();
                break;
            }
            auto cycles = find_cycles();
            if (cycles.empty()) break;
            go_round(cycles);
            if (stages.empty()) probe(cycles);
            for (const auto& cycle : cycles)
                if (best_ > 0 && below(cycle)) remove(cycle.root);
        }
        finished = true;
    }

    Int budget() const { return best_; }

    // L / g * phi + v by state, with g the divisor that was used; verified on every edge that is left.
    template <class Potential>
    Array<Int> potentials(Potential phi) const {
        auto found = array_of<Int>(slack_.states);
        for (i64 s = 0; s < slack_.states; ++s) {
            for (i64 a = 0; a < slack_.actions; ++a)
                if (slack_.cost(s, a) != slack_.never &&
                    reduced(s, a) + values_[slack_.successor(s, a)] < values_[s])
                    throw Status{TP_WRONG};
            found[s] = static_cast<Int>(times_ * phi(s) + values_[s]);
        }
        return found;
    }

    i64 multiplier() const { return static_cast<i64>(times_); }

 private:
    struct Cycle {
        i64 root, length;
        Int sum;
        std::vector<i32> word;
    };

    Int reduced(i64 s, i64 a) const { return static_cast<Int>(times_ * slack_.cost(s, a) - minus_); }

    bool below(const Cycle& cycle) const {
        return static_cast<wide>(cycle.sum) * length_ < static_cast<wide>(best_) * cycle.length;
    }

    // -- Bellman-Ford, from a line of states that may have to be lowered

    void restart() {
        const wide common = gcd(length_, best_);
        times_ = static_cast<Int>(common ? length_ / common : 1);
        minus_ = static_cast<Int>(common ? best_ / common : 0);
        std::fill(parents_.begin(), parents_.end(), -1);
        std::fill(values_.begin(), values_.end(), Int(0));
        std::fill(queued_.begin(), queued_.end(), 1);
        line_.resize(slack_.states);
        std::iota(line_.begin(), line_.end(), 0);
        fresh_ = true;
    }

    std::vector<Cycle> find_cycles() {
        const Int floor = static_cast<Int>(-minus_ * slack_.states);
        i64 treated = 0, check = slack_.states;
        while (!line_.empty()) {
            const i64 state = line_.front();
            line_.pop_front();
            queued_[state] = 0;
            lower(state);
            if (values_[state] >= floor && ++treated < check) continue;
            watch_.tick();
            auto cycles = parent_cycles();
            if (!cycles.empty()) return cycles;
            if (values_[state] < floor) {
                if (fresh_) throw Status{TP_WRONG};
                restart();
            }
            check = std::min(2 * check, 16 * slack_.states);
            treated = 0;
        }
        return parent_cycles();
    }

    void lower(i64 state) {
        Int least = values_[state];
        i32 action = -1;
        for (i64 a = 0; a < slack_.actions; ++a) {
            if (slack_.cost(state, a) == slack_.never) continue;
            const Int candidate = reduced(state, a) + values_[slack_.successor(state, a)];
            if (candidate < least) least = candidate, action = static_cast<i32>(a);
        }
        if (action < 0) return;
        values_[state] = least;
        parents_[state] = action;
        for (i64 d = 0; d < slack_.actions; ++d) {
            const i64 origin = slack_.origin(state, d);
            if (queued_[origin] || slack_.cost(origin, state % slack_.actions) == slack_.never) continue;
            queued_[origin] = 1;
            line_.push_back(origin);
        }
    }

    std::vector<Cycle> parent_cycles() const {
        std::vector<Cycle> cycles;
        std::vector<i64> mark(slack_.states, -1);
        for (i64 start = 0; start < slack_.states; ++start) {
            i64 state = start;
            for (; mark[state] < 0 && parents_[state] >= 0; state = slack_.successor(state, parents_[state]))
                mark[state] = start;
            if (parents_[state] >= 0 && mark[state] == start) cycles.push_back(cycle_at(state));
        }
        return cycles;
    }

    // Its root is the state that is cheapest to leave by another edge: many good cycles meet there.
    Cycle cycle_at(i64 start) const {
        Cycle cycle{start, 0, 0, {}};
        Int cheapest = slack_.never;
        for (i64 state = start; cycle.length == 0 || state != start; ++cycle.length) {
            for (i64 a = 0; a < slack_.actions; ++a)
                if (a != parents_[state] && slack_.cost(state, a) < cheapest)
                    cheapest = slack_.cost(state, a), cycle.root = state;
            cycle.sum += slack_.cost(state, parents_[state]);
            cycle.word.push_back(parents_[state]);
            state = slack_.successor(state, parents_[state]);
        }
        return cycle;
    }

    // -- better words

    void improve(Int sum, std::vector<Run> runs) {
        if (sum >= best_) throw Status{TP_WRONG};
        best_ = sum;
        word = std::move(runs);
        improved_ = true;
    }

    void go_round(const std::vector<Cycle>& cycles) {
        for (const auto& cycle : cycles)
            if (length_ % cycle.length == 0 && below(cycle))
                improve(static_cast<Int>(cycle.sum * (length_ / cycle.length)),
                        {{cycle.word, length_ / cycle.length}});
        if (improved_) settle();
    }

    // At first the best word is but a guess: look through all roots with a small budget, which grows until
    // there is a closed walk below it. Tables grow much faster.
    void probe(const std::vector<Cycle>& cycles) {
        for (Int small = step_; small < best_ && !improved_; small = 2 * small + 1)
            for (const auto& cycle : cycles)
                if (below(cycle)) look(cycle.root, std::min(small, best_));
        if (improved_) settle();
    }

    void look(i64 root, Int budget) {
        const Int sum = tables_.least(root, length_, budget);
        if (sum < budget) improve(sum, tables_.walk(root, length_, sum));
    }

    void remove(i64 root) {
        look(root, best_);
        stages.push_back({root, tables_.since, tables_.period});
        slack_.remove(root);
        parents_[root] = -1;
        for (i64 d = 0; d < slack_.actions; ++d) {
            const i64 origin = slack_.origin(root, d);
            if (parents_[origin] == root % slack_.actions) parents_[origin] = -1;
        }
        fresh_ = false;
        if (improved_) settle();
        watch_.progress(static_cast<i64>(stages.size()));
    }

    // Under another budget the values begin from zero again.
    void settle() {
        improved_ = false;
        restart();
    }

    Slack<Int> slack_;
    Watch& watch_;
    Tables<Int> tables_;
    i64 length_;
    Int best_, step_, times_ = 1, minus_ = 0;
    std::vector<i32> parents_;
    std::vector<Int> values_;
    std::vector<std::uint8_t> queued_;
    std::deque<i64> line_;
    bool improved_ = false, fresh_ = true;
};

// costs[code of a window]: of a tallying bandit, with tallies that change where digits roll over.
std::vector<wide> window_costs(const Tallying& bandit, i64 states) {
    std::vector<wide> costs;
    std::vector<i64> digits(bandit.memory, 0), tallies(bandit.actions + 1, 0);
    tallies[0] = bandit.memory - 1;
    for (i64 state = 0; state < states; ++state) {
        for (i64 a = 0; a < bandit.actions; ++a) costs.push_back(bandit.cost(a, tallies[a]));
        i64 place = 0;
        for (; place < bandit.memory - 1 && digits[place] == bandit.actions - 1; digits[place++] = 0)
            --tallies[bandit.actions - 1], ++tallies[0];
        --tallies[digits[place]];
        ++tallies[++digits[place]];
    }
    return costs;
}

template <class Int>
void best_word(const tp_period& asked, const std::vector<wide>& costs, i64 actions, i64 states, wide bound,
               Watch& watch, tp_word& found) {
    const auto phi = [&](i64 s) { return number_at(asked.potentials, asked.bytes, s); };
    const wide p = joined(asked.mean), q = joined(asked.scale);
    Slack<Int> slack{actions, states, states / actions, std::vector<Int>(costs.size()),
                     static_cast<Int>(4 * bound)};
    for (i64 s = 0; s < states; ++s)
        for (i64 a = 0; a < actions; ++a) {
            const wide r = q * costs[s * actions + a] - p + phi(slack.successor(s, a)) - phi(s);
            if (r < 0) throw Status{TP_WRONG};
            slack.costs[s * actions + a] = static_cast<Int>(r);
        }
    Search<Int> search(std::move(slack), asked, watch);
    const i32 status = guarded([&] { search.run(); });
    if (status != TP_DONE && !(status == TP_STOPPED && watch.asked_to_stop())) throw Status{status};
    found.finished = search.finished;
    found.budget = split(search.budget());
    found.stages = static_cast<i64>(search.stages.size());
    found.stage = handed_over<tp_stage>(search.stages);
    std::vector<i32> letters;
    std::vector<i64> lengths, repeats;
    for (const auto& run : search.word) {
        letters.insert(letters.end(), run.word.begin(), run.word.end());
        lengths.push_back(static_cast<i64>(run.word.size()));
        repeats.push_back(run.repeats);
    }
    found.parts = static_cast<i64>(lengths.size());
    found.letters = static_cast<i64>(letters.size());
    found.letter = handed_over<i32>(letters);
    found.lengths = handed_over<i64>(lengths);
    found.repeats = handed_over<i64>(repeats);
    if (search.finished && search.budget() > 0) {
        found.multiplier = search.multiplier();
        found.last = {states, search.potentials(phi).release(), sizeof(Int)};
    }
    if (status != TP_DONE) throw Status{status};
}

void best_word(const tp_bandit* given, const tp_windows* windows, const tp_period& asked, Watch& watch,
               tp_word& found) {
    const i64 actions = given ? given->actions : windows->actions,
              memory = given ? given->memory : windows->memory;
    i64 states = 1;
    for (i64 i = 1; i < memory; ++i) states *= actions;
    watch.require(times(states, 40 * actions + 120));
    std::vector<wide> costs;
    if (given) {
        costs = window_costs(Tallying(*given), states);
    } else {
        const i64 first = (states * actions - actions) / (actions - 1);  // windows that are shorter
        for (i64 i = 0; i < states * actions; ++i)
            costs.push_back(number_at(windows->costs, windows->bytes, first + i));
    }
    const wide highest = std::max<wide>(1, *std::max_element(costs.begin(), costs.end()));
    const wide bound = times(plus(states, 2 * memory + 2), asked.period, times(joined(asked.scale), highest));
    if (holds<i64>(times(16, bound)))
        best_word<i64>(asked, costs, actions, states, bound, watch, found);
    else if (holds<wide>(times(16, bound)))
        best_word<wide>(asked, costs, actions, states, bound, watch, found);
    else
        throw Status{TP_TOO_WIDE};
}

}  // namespace
}  // namespace tallyplan::TP_VARIANT

using namespace tallyplan::TP_VARIANT;

TP_FUNCTION(best_word)(const tp_bandit* bandit, const tp_windows* windows, const tp_period* asked,
                       tp_limits* limits, tp_word* found) {
    return guarded([&] {
        Watch watch(*limits);
        best_word(bandit, windows, *asked, watch, *found);
    });
}
