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
// Numbers: let R bound r and |phi|. A budget is at most L R, entries of tables and ways home are below it. In
// Bellman-Ford an edge costs between -budget and L R (`OnEdges::bound`). `never` is a quarter of what Int
// holds, more than twice that bound, and sums of three of it fit.
//
// Once roots are removed some states without a parent may have v < 0: if the search then falls below its
// floor there need not be a cycle, and it begins again from zero.
#include "closed_walks.hpp"

#include <array>

#include "on_edges.hpp"

namespace tallyplan::TP_VARIANT {
namespace {

template <class Graph, class Int>
class Search {
 public:
    // `highest` bounds the costs; words below `step` are looked for first.
    Search(Edges<Graph, Int>& edges, wide highest, i64 period, wide budget, wide step, Watch& watch)
        : length(period),
          edges_(edges),
          watch_(watch),
          tables_(edges, watch),
          highest_(highest),
          best_(static_cast<Int>(budget)),
          step_(static_cast<Int>(step)),
          marks_(edges.graph.states) {}

    const i64 length;
    std::vector<std::array<i64, 3>> stages;  // root, since, period
    Parts word;                              // of the best closed walk, if one was found
    i64 start = 0;                           // where it begins
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
                if (best_ > 0 && below(cycle)) remove(cycle.walk.start);
        }
        finished = true;
    }

    Int budget() const { return best_; }

    // multiplier * phi + v by state; verified on every edge that is left.
    Array<Int> potentials(const Int* phi) {
        search_->verify(marks_.data(), watch_);
        const Int factor = static_cast<Int>(multiplier());
        for (i64 s = 0; s < edges_.graph.states; ++s) search_->values[s] += factor * phi[s];
        return std::move(search_->values);
    }

    i64 multiplier() const { return static_cast<i64>(mean().time); }

 private:
    struct Cycle {
        Walk walk;
        Mean mean;  // of the costs r
    };

    Mean mean() const { return {best_, length}; }

    bool below(const Cycle& cycle) const { return cycle.mean.cost * length < best_ * cycle.mean.time; }

    // Under another budget the potentials begin from zero again.
    void restart() {
        search_.emplace(edges_, mean(), highest_);
        improved_ = false;
        fresh_ = true;
    }

    std::vector<Cycle> find_cycles() {
        for (;;) {
            const i64 found = search_->sweep(watch_);
            std::vector<Cycle> cycles;
            if (found == SETTLED) return cycles;
            parent_cycles(*search_, marks_.data(),
                          [&](const Walk& walk) { cycles.push_back({walk, mean_of(*search_, walk)}); });
            if (!cycles.empty()) return cycles;
            if (found >= 0 && fresh_) throw Status{TP_WRONG};
            if (found >= 0) restart();
            watch_.tick();
        }
    }

    // -- better words

    void improve(i64 from, Int sum, Parts walk) {
        if (sum >= best_) throw Status{TP_WRONG};
        start = from;
        best_ = sum;
        word = std::move(walk);
        improved_ = true;
    }

    void go_round(const std::vector<Cycle>& cycles) {
        for (const auto& [walk, mean] : cycles) {
            const i64 size = static_cast<i64>(walk.codes.size());
            if (length % size != 0 || !below({walk, mean})) continue;
            Parts turns;
            turns.letters = walk.codes;
            turns.cut(size, length / size);
            improve(walk.start, static_cast<Int>(mean.cost * (length / mean.time)), std::move(turns));
        }
        if (improved_) restart();
    }

    // At first the best word is but a guess: look through all roots with a small budget, which grows until
    // there is a closed walk below it. Tables grow much faster.
    void probe(const std::vector<Cycle>& cycles) {
        for (Int small = step_; small < best_ && !improved_; small = 2 * small + 1)
            for (const auto& cycle : cycles)
                if (below(cycle)) look(cycle.walk.start, std::min(small, best_));
        if (improved_) restart();
    }

    void look(i64 root, Int budget) {
        if (auto found = tables_.best(root, length, budget))
            improve(root, found->second, std::move(found->first));
    }

    void remove(i64 root) {
        look(root, best_);
        stages.push_back({root, tables_.since, tables_.period});
        const auto gone = [&](i64 state, i64 edge) {
            edges_.costs[edge] = -1;
            search_->forget(state, edge);
        };
        edges_.from(root, [&](i64 edge, i64, Int) { gone(root, edge); });
        edges_.into(root, [&](i64 edge, i64 tail, Int) { gone(tail, edge); });
        fresh_ = false;
        if (improved_) restart();
        watch_.progress(static_cast<i64>(stages.size()));
    }

    Edges<Graph, Int>& edges_;
    Watch& watch_;
    Tables<Graph, Int> tables_;
    wide highest_;
    Int best_, step_;
    std::optional<OnEdges<Graph, Int>> search_;
    std::vector<std::uint8_t> marks_;
    bool improved_ = false, fresh_ = true;
};

// A graph and its least mean, and what bounds the costs r that the potentials leave.
template <class Graph>
struct Reduced {
    Graph graph;
    const tp_mean least;
    const wide scale, mean, top;  // `top` bounds scale * cost
    wide highest = 1;             // bounds r and the potentials

    Reduced(Graph given, const tp_mean& mean_of, Watch& watch)
        : graph(std::move(given)),
          least(mean_of),
          scale(joined(least.scale)),
          mean(joined(least.mean)),
          top(times(scale, plus(graph.highest, 4))) {
        watch.require(plus(times(graph.edges, 32), times(graph.states, 160)));
        if (!holds<wide>(times(4, top))) throw Status{TP_TOO_WIDE};
        for (i64 s = 0; s < graph.states; ++s) highest = std::max({highest, phi(s), -phi(s)});
        highest = plus(top, times(2, highest));
        graph.turn_round();
    }

    wide phi(i64 state) const { return number_at(least.potentials, least.bytes, state); }

    // Use the edges with these costs, and the potentials, in numbers that hold a bound: use(edges,
    // potentials).
    template <class Use>
    void use(wide bound, Use use) const {
        with_type(bound, [&]<class Int>(Int) {
            auto potentials = array_of<Int>(graph.states, false);
            for (i64 s = 0; s < graph.states; ++s) potentials[s] = static_cast<Int>(phi(s));
            const Int q = static_cast<Int>(scale), p = static_cast<Int>(mean);
            Edges<Graph, Int> edges(graph, [&](i64 tail, i64 edge, wide cost) {
                const Int r =
                    q * static_cast<Int>(cost) - p + potentials[graph.head(edge)] - potentials[tail];
                if (r < 0) throw Status{TP_WRONG};
                return r;
            });
            use(edges, potentials.get());
        });
    }
};

// The best closed walk. With TP_STOPPED there is what was found by then, if the caller asked to stop.
template <class Graph>
void best_word(const Reduced<Graph>& given, i64 period, wide known, Watch& watch, tp_found& found) {
    if (!holds<wide>(times(2, period, given.top))) throw Status{TP_TOO_WIDE};
    const wide budget = given.scale * known - period * given.mean;
    const wide highest = std::max(given.highest, budget / period + 1);
    given.use(times(16, plus(given.graph.states, 3), times(period, highest)),
              [&]<class Int>(Edges<Graph, Int>& edges, const Int* phi) {
                  Search<Graph, Int> search(edges, highest, period, budget, std::min(budget, given.top / 4),
                                            watch);
                  const i32 status = guarded([&] { search.run(); });
                  if (status != TP_DONE && !(status == TP_STOPPED && watch.asked_to_stop()))
                      throw Status{status};
                  Numbers numbers;
                  numbers.add(search.finished);
                  numbers.add_wide((search.budget() + period * given.mean) / given.scale);
                  numbers.add(search.start);
                  numbers.add(search.multiplier());
                  numbers.add(static_cast<i64>(search.stages.size()));
                  for (const auto& stage : search.stages)
                      for (const i64 number : stage) numbers.add(number);
                  search.word.hand_over(numbers);
                  numbers.hand_over(found);
                  if (search.finished && search.budget() > 0)
                      hand_over(search.potentials(phi), given.graph.states, found);
                  if (status != TP_DONE) throw Status{status};
              });
}

// Use a graph, reduced: use(reduced).
template <class Use>
void with_reduced(const tp_graph& graph, const tp_mean& least, Watch& watch, Use use) {
    if (graph.memory)
        use(Reduced<Windows>(Windows(Tallying(graph)), least, watch));
    else
        use(Reduced<Stored>(Stored(graph), least, watch));
}

}  // namespace
}  // namespace tallyplan::TP_VARIANT

using namespace tallyplan::TP_VARIANT;

TP_FUNCTION(best_word)
(const tp_graph* graph, const tp_mean* least, int64_t period, tp_number known, tp_limits* limits,
 tp_found* found) {
    return guarded(limits, [&](Watch& watch) {
        with_reduced(*graph, *least, watch,
                     [&](const auto& given) { best_word(given, period, joined(known), watch, *found); });
    });
}

TP_FUNCTION(ways)
(const tp_graph* graph, const tp_mean* least, int64_t root, tp_limits* limits, tp_found* found) {
    return guarded(limits, [&](Watch& watch) {
        with_reduced(*graph, *least, watch, [&](const auto& given) {
            given.use(times(8, given.graph.states, given.highest), [&]<class Graph, class Int>(
                                                                       Edges<Graph, Int>& edges, const Int*) {
                hand_over(Tables<Graph, Int>(edges, watch).ways_to(root), given.graph.states, *found);
            });
        });
    });
}
