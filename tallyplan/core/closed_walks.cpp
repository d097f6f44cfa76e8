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
// Numbers: let R bound r. A budget is at most L R, entries of tables and ways home are below it. In
// Bellman-Ford an edge costs between -budget and L R (`OnEdges::bound`). `never` is a quarter of what Int
// holds, more than twice that bound, and sums of three of it fit.
//
// Once roots are removed some states without a parent may have v < 0: if the search then falls below its
// floor there need not be a cycle, and it begins again from zero.
#include "closed_walks.hpp"

#include "histories.hpp"
#include "stored.hpp"

namespace tallyplan::TP_VARIANT {
namespace {

template <class Int>
class Search {
 public:
    // `highest` bounds the costs; words below `step` are looked for first.
    Search(Slack<Int> slack, wide highest, i64 period, wide budget, wide step, Watch& watch)
        : length(period),
          slack_(std::move(slack)),
          watch_(watch),
          tables_(slack_, watch),
          highest_(highest),
          best_(static_cast<Int>(budget)),
          step_(static_cast<Int>(step)),
          marks_(slack_.states) {}

    struct Stage {
        i64 root, since, period;
    };

    const i64 length;
    std::vector<Stage> stages;
    std::vector<Run> word;  // of the best closed walk, if one was found
    i64 start = 0;          // where it begins
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

    // multiplier * phi + v by state; verified on every edge that is left.
    template <class Potential>
    Array<Int> potentials(Potential phi) {
        search_->verify(marks_.data(), watch_);
        const wide factor = multiplier();
        for (i64 s = 0; s < slack_.states; ++s) search_->values[s] += static_cast<Int>(factor * phi(s));
        return std::move(search_->values);
    }

    i64 multiplier() const { return static_cast<i64>(mean().time); }

 private:
    struct Cycle {
        i64 root;
        Int sum;
        Walk walk;
        i64 length() const { return static_cast<i64>(walk.codes.size()); }
    };

    Mean mean() const { return {best_, length}; }

    bool below(const Cycle& cycle) const {
        return static_cast<wide>(cycle.sum) * length < static_cast<wide>(best_) * cycle.length();
    }

    // Under another budget the potentials begin from zero again.
    void restart() {
        const tp_graph graph{0,
                             0,
                             sizeof(Int),
                             slack_.costs.data(),
                             slack_.states,
                             slack_.first.data(),
                             slack_.heads.data(),
                             nullptr};
        search_.emplace(graph, mean(), highest_);
        improved_ = false;
        fresh_ = true;
    }

    std::vector<Cycle> find_cycles() {
        for (;;) {
            const i64 found = search_->sweep(watch_);
            std::vector<Cycle> cycles;
            if (found == SETTLED) return cycles;
            parent_cycles(*search_, marks_.data(), [&](const Walk& walk) { cycles.push_back(rooted(walk)); });
            if (!cycles.empty()) return cycles;
            if (found >= 0 && fresh_) throw Status{TP_WRONG};
            if (found >= 0) restart();
            watch_.tick();
        }
    }

    // Its root is the state that is cheapest to leave by another edge: many good cycles meet there.
    Cycle rooted(const Walk& walk) const {
        Cycle cycle{walk.start, 0, walk};
        Int cheapest = slack_.never;
        for (i64 state = walk.start; const i32 code : walk.codes) {
            slack_.edges_from(state, [&](i32 other, i64, Int cost) {
                if (other != code && cost < cheapest) cheapest = cost, cycle.root = state;
            });
            cycle.sum += slack_.costs[slack_.edge(state, code)];
            state = slack_.heads[slack_.edge(state, code)];
        }
        return cycle;
    }

    // -- better words

    void improve(i64 from, Int sum, std::vector<Run> runs) {
        if (sum >= best_) throw Status{TP_WRONG};
        start = from;
        best_ = sum;
        word = std::move(runs);
        improved_ = true;
    }

    void go_round(const std::vector<Cycle>& cycles) {
        for (const auto& cycle : cycles)
            if (length % cycle.length() == 0 && below(cycle)) {
                const i64 turns = length / cycle.length();
                improve(cycle.walk.start, static_cast<Int>(cycle.sum * turns), {{cycle.walk.codes, turns}});
            }
        if (improved_) restart();
    }

    // At first the best word is but a guess: look through all roots with a small budget, which grows until
    // there is a closed walk below it. Tables grow much faster.
    void probe(const std::vector<Cycle>& cycles) {
        for (Int small = step_; small < best_ && !improved_; small = 2 * small + 1)
            for (const auto& cycle : cycles)
                if (below(cycle)) look(cycle.root, std::min(small, best_));
        if (improved_) restart();
    }

    void look(i64 root, Int budget) {
        const Int sum = tables_.least(root, length, budget);
        if (sum < budget) improve(root, sum, tables_.walk(root, length, sum));
    }

    void remove(i64 root) {
        look(root, best_);
        stages.push_back({root, tables_.since, tables_.period});
        const auto gone = [&](i64 state, i64 code) {
            slack_.costs[slack_.edge(state, code)] = -1;
            search_->remove(state, code);
        };
        slack_.edges_from(root, [&](i32 code, i64, Int) { gone(root, code); });
        slack_.edges_into(root, [&](i32 code, i64 tail, Int) { gone(tail, code); });
        fresh_ = false;
        if (improved_) restart();
        watch_.progress(static_cast<i64>(stages.size()));
    }

    Slack<Int> slack_;
    Watch& watch_;
    Tables<Int> tables_;
    wide highest_;
    Int best_, step_;
    std::optional<OnEdges<Int>> search_;
    std::vector<std::uint8_t> marks_;
    bool improved_ = false, fresh_ = true;
};

// The edges of a graph with what the potentials leave of their costs: r, or -1 where an edge is missing.
struct Reduced {
    i64 states;
    std::vector<i64> first;
    std::vector<i32> heads;
    std::vector<wide> costs;
    wide scale, mean, top;  // `top` bounds scale * cost
    wide highest = 1;       // of r and of potentials

    Reduced(const tp_graph& graph, const tp_mean& least, Watch& watch)
        : scale(joined(least.scale)), mean(joined(least.mean)) {
        if (graph.memory)
            read(Tallying(graph), watch);
        else
            read(graph, watch);
        top = times(scale, plus(*std::max_element(costs.begin(), costs.end()), 4));
        if (!holds<wide>(times(4, top))) throw Status{TP_TOO_WIDE};
        for (i64 s = 0; s < states; ++s) {
            const wide here = number_at(least.potentials, least.bytes, s);
            highest = std::max(highest, -here);
            for (i64 e = first[s]; e < first[s + 1]; ++e) {
                if (costs[e] < 0) continue;
                costs[e] =
                    scale * costs[e] - mean + number_at(least.potentials, least.bytes, heads[e]) - here;
                if (costs[e] < 0) throw Status{TP_WRONG};
                highest = std::max(highest, costs[e]);
            }
        }
    }

    // The graph goes to the slack.
    template <class Int>
    Slack<Int> slack() {
        Slack<Int> slack{states, std::move(first), {}, std::move(heads), {}, {costs.begin(), costs.end()}};
        slack.turn_round();
        return slack;
    }

 private:
    void read(const tp_graph& graph, Watch& watch) {
        states = graph.nodes;
        require(watch, graph.first[states]);
        first.assign(graph.first, graph.first + states + 1);
        heads.assign(graph.heads, graph.heads + first[states]);
        for (i64 e = 0; e < first[states]; ++e) costs.push_back(number_at(graph.costs, graph.bytes, e));
    }

    // Tallies change where digits roll over.
    void read(const Tallying& bandit, Watch& watch) {
        states = static_cast<i64>(bandit.power(bandit.memory - 1));
        require(watch, states * bandit.actions);
        std::vector<i64> digits(bandit.memory, 0), tallies(bandit.actions + 1, 0);
        tallies[0] = bandit.memory - 1;
        for (i64 state = 0; state < states; ++state) {
            first.push_back(state * bandit.actions);
            for (i64 a = 0; a < bandit.actions; ++a) {
                heads.push_back(static_cast<i32>((state * bandit.actions + a) % states));
                costs.push_back(bandit.cost(a, tallies[a]));
            }
            i64 place = 0;
            for (; place < bandit.memory - 1 && digits[place] == bandit.actions - 1; digits[place++] = 0)
                --tallies[bandit.actions - 1], ++tallies[0];
            --tallies[digits[place]];
            ++tallies[++digits[place]];
        }
        first.push_back(states * bandit.actions);
    }

    void require(Watch& watch, i64 edges) {
        watch.require(plus(times(edges, 60), times(states, 120)));
        first.reserve(states + 1);
        heads.reserve(edges);
        costs.reserve(edges);
    }
};

template <class Int>
void hand_over(Search<Int>& search, const Reduced& reduced, const tp_mean& least, tp_found& found) {
    Numbers numbers;
    numbers.add(search.finished);
    numbers.add_wide((search.budget() + search.length * reduced.mean) / reduced.scale);
    numbers.add(search.start);
    numbers.add(search.multiplier());
    numbers.add(static_cast<i64>(search.stages.size()));
    for (const auto& stage : search.stages)
        for (const i64 number : {stage.root, stage.since, stage.period}) numbers.add(number);
    numbers.add(static_cast<i64>(search.word.size()));
    for (const auto& run : search.word) {
        numbers.add(static_cast<i64>(run.word.size()));
        numbers.add(run.repeats);
    }
    for (const auto& run : search.word) numbers.add_all(run.word);
    numbers.hand_over(found);
    if (search.finished && search.budget() > 0)
        hand_over(search.potentials([&](i64 s) { return number_at(least.potentials, least.bytes, s); }),
                  reduced.states, found);
}

}  // namespace
}  // namespace tallyplan::TP_VARIANT

using namespace tallyplan::TP_VARIANT;

TP_FUNCTION(best_word)
(const tp_graph* graph, const tp_mean* least, int64_t period, tp_number known, tp_limits* limits,
 tp_found* found) {
    return guarded([&] {
        Watch watch(*limits);
        Reduced reduced(*graph, *least, watch);
        if (!holds<wide>(times(2, period, reduced.top))) throw Status{TP_TOO_WIDE};
        const wide budget = reduced.scale * joined(known) - period * reduced.mean;
        const wide highest = std::max(reduced.highest, budget / period + 1);
        const wide bound = times(16, plus(reduced.states, 3), times(period, highest));
        with_type(std::max(bound, largest<i32>()), [&]<class Int>(Int) {
            Search<Int> search(reduced.slack<Int>(), highest, period, budget,
                               std::min(budget, reduced.top / 4), watch);
            const i32 status = guarded([&] { search.run(); });
            if (status != TP_DONE && !(status == TP_STOPPED && watch.asked_to_stop())) throw Status{status};
            hand_over(search, reduced, *least, *found);
            if (status != TP_DONE) throw Status{status};
        });
    });
}

TP_FUNCTION(ways)
(const tp_graph* graph, const tp_mean* least, int64_t root, tp_limits* limits, tp_found* found) {
    return guarded([&] {
        Watch watch(*limits);
        Reduced reduced(*graph, *least, watch);
        with_type(std::max(times(8, reduced.states, reduced.highest), largest<i32>()), [&]<class Int>(Int) {
            const auto slack = reduced.slack<Int>();
            hand_over(Tables<Int>(slack, watch).ways_to(root), reduced.states, *found);
        });
    });
}
