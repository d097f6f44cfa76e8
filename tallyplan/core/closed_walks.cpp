// The best word of exactly L actions under repetition: the closed walks of length L on the state graph.
//
// Let w = p / q be the minimum mean, and let potentials make r = q cost - p + phi(s') - phi(s) nonnegative. A
// closed walk of L steps that is better than the best one known has an r-sum below the *budget* q best - L p,
// and so it contains a cycle whose mean of r is below budget / L. As long as Bellman-Ford on L r - budget
// finds such cycles among the states that are left, take a *root* on each: where the length of the cycle
// divides L, going round it is better; and `Tables` find the best closed walk through the root, or show that
// none is below the budget. Then the root is removed. When Bellman-Ford ends, its values v prove the rest.
//
// Numbers: let R bound r and |phi|. A budget is at most L R, entries of tables and ways home are below it. In
// Bellman-Ford an edge costs between -budget and L R (`OnEdges::bound`). `never` is a quarter of what Int
// holds, more than twice that bound, and sums of three of it fit.
//
// Once roots are removed some states without a parent may have v < 0: if the search then falls below its
// floor there need not be a cycle, and it begins again from zero.
#include <optional>
#include <utility>

#include "on_edges.hpp"
#include "parts.hpp"

namespace tallyplan::TP_VARIANT {
namespace {

// Closed walks of a given length through one root, by tables of least sums, stepped forward from the root.
//
// Costs r are not negative. Let home(s) be the least sum of a walk, of any length, from s to the root, and
//
//     D_0 = {root: 0},  D_{t+1}(s') = the least D_t(s) + r(s, a) over the edges into s',
//
// where s' is left out if D_{t+1}(s') + home(s') reaches the budget: it belongs to no closed walk below the
// budget. A table is a function of the one before: once two are equal, they go round forever.
template <class Int>
class Tables {
 public:
    i64 since = 0, period = 0;  // the tables of the times `since` and since + period are equal; 0: none were

    static constexpr Int never = static_cast<Int>(largest<Int>() / 4);  // more than any sum

    Tables(const Edges<Int>& edges, const Watch& watch)
        : edges_(edges), watch_(watch), home_(edges.graph.states, never) {}

    // By state, the least sum of a way home to the root; -1: there is none.
    Array<Int> ways_to(i64 root) {
        spread(root, true, never, never, home_);
        auto ways = array_of<Int>(edges_.graph.states, false);
        std::replace_copy(home_.begin(), home_.end(), ways.get(), never, Int(-1));
        return ways;
    }

    // A closed walk of `length` steps at the root of least sum, and the sum, if it is below the budget.
    std::optional<std::pair<Parts, Int>> best(i64 root, i64 length, Int budget) {
        find_ways(root, budget);
        const Table start{{static_cast<i32>(root), 0}};
        std::optional<std::pair<Parts, Int>> found;
        const Int sum = entry(run(start, length), root);
        if (sum < budget) found = {walk_back(start, length, sum), sum};
        for (const i64 state : met_) home_[state] = reference_[state] = never;
        return found;
    }

 private:
    using Place = std::pair<i32, Int>;  // a state and its entry
    using Table = std::vector<Place>;

    static constexpr i64 FIRST_WAIT = 24, WAIT_SHARE = 3;  // steps that a reference stays; a third of all
    static constexpr i64 RECORDED = i64{1} << 22;          // entries of tables that are kept at once

    static Int entry(const Table& table, i64 state) {
        for (const auto& [member, sum] : table)
            if (member == state) return sum;
        return never;
    }

    // The least sums, below a limit, of walks to a root or from it; from `half` on only of states near the
    // root, which have a number in `scratch_`. The states that were met, some of them twice.
    std::vector<i64> spread(i64 root, bool home, Int limit, Int half, std::vector<Int>& sums) {
        std::vector<i64> line{root};
        sums[root] = 0;
        for (std::size_t next = 0; next < line.size(); ++next) {
            const i64 state = line[next];
            waiting_[state] = 0;
            if (next % 4096 == 4095) watch_.tick();
            const auto relax = [&](i64, i64 other, Int cost) {
                const Int total = sums[state] + cost;
                if (total >= std::min(sums[other], limit)) return;
                if (total >= half && scratch_[other] == never) return;
                sums[other] = total;
                if (!std::exchange(waiting_[other], 1)) line.push_back(other);
            };
            home ? edges_.into(state, relax) : edges_.from(state, relax);
        }
        return line;
    }

    // Ways home, as far as closed walks below the budget need them: a state of such a walk has a way home
    // below half of the budget, or it is near: reached from the root below half.
    void find_ways(i64 root, Int budget) {
        const Int half = budget - budget / 2;
        const auto near = spread(root, false, half, half, scratch_);
        met_ = spread(root, true, budget, half, home_);
        for (const i64 state : near) scratch_[state] = never;
        budget_ = budget;
    }

    void step(Table& table) {
        next_.clear();
        for (const auto& [state, sum] : table) {
            edges_.from(state, [&, sum = sum](i64, i64 head, Int cost) {
                const Int total = sum + cost;
                if (total + home_[head] >= budget_) return;
                if (scratch_[head] == never) next_.emplace_back(static_cast<i32>(head), 0);
                scratch_[head] = std::min(scratch_[head], total);
            });
        }
        for (auto& [state, sum] : next_) sum = std::exchange(scratch_[state], never);
        std::swap(table, next_);
        work_ += table.size() + 1;
        if (work_ > 1 << 16) watch_.tick(), work_ = 0;
    }

    Table after(Table table, i64 steps) {
        for (; steps > 0; --steps) step(table);
        return table;
    }

    // The table that later ones are compared with, by state; how large it is.
    std::size_t refer_to(const Table& table) {
        for (const i64 state : met_) reference_[state] = never;
        for (const auto& [state, sum] : table) reference_[state] = sum;
        return table.size();
    }

    // D_length; where tables repeat, the time is brought near.
    Table run(Table table, i64 length) {
        std::size_t size = refer_to(table);
        const auto known = [&](const Place& place) { return reference_[place.first] == place.second; };
        since = period = 0;
        for (i64 time = 1; time <= length && !table.empty(); ++time) {
            step(table);
            if (period) continue;
            if (table.size() == size && std::all_of(table.begin(), table.end(), known)) {
                period = time - since;
                length = time + (length - time) % period;
            } else if (time - since >= std::max(FIRST_WAIT, since / WAIT_SHARE)) {
                size = refer_to(table);
                since = time;
            }
        }
        if (!period) since = 0;
        return table;
    }

    // Back from a place in the table `steps` after `first`; the last letter goes to the end of `word` first.
    void back(const Table& first, i64 steps, Place& place, Parts& word) {
        if (steps * static_cast<i64>(met_.size()) > RECORDED && steps > 1) {
            back(after(first, steps / 2), steps - steps / 2, place, word);
            return back(first, steps / 2, place, word);
        }
        std::vector<Table> tables(1, first);
        for (i64 i = 1; i < steps; ++i) tables.push_back(after(tables.back(), 1));
        for (i64 i = steps; i-- > 0;) {
            const auto [state, sum] = place;
            place = {-1, never};
            edges_.into(state, [&, sum = sum](i64 edge, i64 tail, Int cost) {
                if (place.first >= 0 || entry(tables[i], tail) + cost != sum) return;
                place = {static_cast<i32>(tail), sum - cost};
                word.letters.push_back(static_cast<i32>(edge - edges_.graph.first(tail)));
            });
        }
    }

    // Where tables go round, so does the walk as soon as it begins a turn as it began one before.
    Parts walk_back(const Table& start, i64 length, Int sum) {
        Place place{start[0].first, sum};
        Parts word;
        if (period) {
            const Table first = after(start, since);
            back(first, (length - since) % period, place, word);
            word.add_blocks((length - since) / period, place, [&] { back(first, period, place, word); });
            length = since;
        }
        back(start, length, place, word);
        if (place != start[0]) throw Status{TP_WRONG};
        word.reverse();
        return word;
    }

    const Edges<Int>& edges_;
    const Watch& watch_;
    std::vector<Int> home_, scratch_ = home_, reference_ = home_;
    std::vector<i64> met_;  // the states that have a way home
    std::vector<std::uint8_t> waiting_ = std::vector<std::uint8_t>(edges_.graph.states);
    Table next_;  // room for a step
    std::size_t work_ = 0;
    Int budget_ = 0;
};

// The least mean of a graph, and what is known of closed walks of a length.
struct Reduced {
    const tp_graph& graph;
    const tp_mean& least;
    i64 period = 1;
    wide known = 0;
    const wide scale = joined(least.scale), mean = joined(least.mean);
    wide budget = 0, highest = 1, step = 0;  // `highest` bounds r and phi; words below `step` are tried first

    wide phi(i64 state) const { return number_at(least.potentials, least.bytes, state); }

    // Use the costs r, and the potentials: use(edges, potentials).
    template <class Use>
    void use(Watch& watch, Use use) {
        const wide states = graph.memory ? Tallying(graph).states : wide{graph.nodes};
        const wide edges = graph.memory ? times(states, graph.actions) : wide{graph.first[graph.nodes]};
        watch.require(plus(times(edges, 48), times(states, 160)));
        with_stored(graph, [&](Stored stored) {
            stored.turn_round();
            const wide top = times(scale, plus(stored.highest, 4));  // bounds scale * cost
            if (!holds<wide>(plus(times(4, period, top), times(scale, known)))) throw Status{TP_TOO_WIDE};
            for (i64 s = 0; s < stored.states; ++s) highest = std::max({highest, phi(s), -phi(s)});
            budget = scale * known - period * mean;
            highest = std::max(plus(top, times(2, highest)), budget / period + 1);
            step = top / 4;
            with_type(times(16, plus(states, 3), times(period, highest)), [&]<class Int>(Int) {
                auto potentials = array_of<Int>(stored.states, false);
                for (i64 s = 0; s < stored.states; ++s) potentials[s] = static_cast<Int>(phi(s));
                Edges<Int> reduced(std::move(stored));
                const Int q = static_cast<Int>(scale), p = static_cast<Int>(mean);
                for (i64 tail = 0; tail < reduced.graph.states; ++tail)
                    reduced.from(tail, [&](i64 edge, i64 head, Int cost) {
                        reduced.costs[edge] = q * cost - p + potentials[head] - potentials[tail];
                        if (reduced.costs[edge] < 0) throw Status{TP_WRONG};
                    });
                use(reduced, potentials);
            });
        });
    }
};

template <class Int>
class Search {
 public:
    const i64 length;
    Int best;                 // the budget
    std::vector<i64> stages;  // of each its root, since and period
    Parts word;               // of the best closed walk, if one was found
    i64 start = 0;            // where it begins

    Search(const Reduced& given, Edges<Int>& edges, Watch& watch)
        : length(given.period),
          best(static_cast<Int>(given.budget)),
          given_(given),
          edges_(edges),
          watch_(watch) {}

    void run() {
        while (best > 0) {
            const auto cycles = find_cycles();
            if (cycles.empty()) return;
            go_round(cycles);
            if (stages.empty()) probe(cycles);
            for (const auto& cycle : cycles)
                if (below(cycle)) remove(cycle.first.start);
        }
        stages.clear();  // the minimum mean of all: nothing is to be gained
    }

    // mean().time * phi + v by state; verified on every edge that is left.
    Array<Int> potentials(const Array<Int>& phi) {
        search_->verify(marks_.data(), watch_);
        const Int factor = static_cast<Int>(mean().time);
        for (i64 s = 0; s < edges_.graph.states; ++s) search_->values[s] += factor * phi[s];
        return std::move(search_->values);
    }

    Mean mean() const { return {best, length}; }

 private:
    using Cycle = std::pair<Walk, Mean>;  // and the mean of its costs r

    bool below(const Cycle& cycle) const { return cycle.second.cost * length < best * cycle.second.time; }

    std::vector<Cycle> find_cycles() {
        for (std::vector<Cycle> cycles;;) {
            if (!search_) search_.emplace(edges_, mean(), given_.highest);
            const i64 found = search_->sweep(watch_);
            if (found == SETTLED) return {};
            parent_cycles(*search_, watch_, marks_.data(),
                          [&](const Walk& walk) { cycles.emplace_back(walk, mean_of(*search_, walk)); });
            if (!cycles.empty()) return cycles;
            if (found >= 0) search_.reset();
            watch_.tick();
        }
    }

    // Under another budget the potentials begin from zero again.
    void improve(i64 from, Int sum, Parts walk) {
        if (sum >= best) throw Status{TP_WRONG};
        start = from;
        best = sum;
        word = std::move(walk);
        search_.reset();
    }

    void go_round(const std::vector<Cycle>& cycles) {
        for (const auto& cycle : cycles) {
            const auto& [walk, mean] = cycle;
            const i64 size = static_cast<i64>(walk.codes.size());
            if (length % size != 0 || !below(cycle)) continue;
            Parts turns;
            turns.letters = walk.codes;
            turns.cut(size, length / size);
            improve(walk.start, static_cast<Int>(mean.cost * (length / mean.time)), std::move(turns));
        }
    }

    // At first the best word is but a guess: look through all roots with a small budget, which grows until
    // there is a closed walk below it. Tables grow much faster.
    void probe(const std::vector<Cycle>& cycles) {
        const Int known = best;
        for (Int small = static_cast<Int>(given_.step); small < known && best == known; small = 2 * small + 1)
            for (const auto& cycle : cycles)
                if (below(cycle)) look(cycle.first.start, std::min(small, best));
    }

    void look(i64 root, Int budget) {
        if (auto found = tables_.best(root, length, budget))
            improve(root, found->second, std::move(found->first));
    }

    void remove(i64 root) {
        look(root, best);
        stages.insert(stages.end(), {root, tables_.since, tables_.period});
        const auto gone = [&](i64 state, i64 edge) {
            edges_.costs[edge] = -1;
            if (search_) search_->forget(state, edge);
        };
        edges_.from(root, [&](i64 edge, i64, Int) { gone(root, edge); });
        edges_.into(root, [&](i64 edge, i64 tail, Int) { gone(tail, edge); });
        watch_.progress(static_cast<i64>(stages.size()) / 3);
    }

    const Reduced& given_;
    Edges<Int>& edges_;
    Watch& watch_;
    Tables<Int> tables_{edges_, watch_};
    std::optional<OnEdges<Int>> search_;
    std::vector<std::uint8_t> marks_ = std::vector<std::uint8_t>(edges_.graph.states);
};

// Hand over the best closed walk; if the caller asked to stop, what was found by then.
template <class Int>
void best_word(const Reduced& given, Edges<Int>& edges, const Array<Int>& phi, Watch& watch, Answer& answer) {
    Search<Int> search(given, edges, watch);
    const i32 status = guarded([&] { search.run(); });
    if (status != TP_DONE && !(status == TP_STOPPED && watch.asked_to_stop())) throw Status{status};
    answer.add_wide((search.best + given.period * given.mean) / given.scale);
    answer.add(search.start);
    answer.add(static_cast<i64>(search.mean().time));
    answer.add(static_cast<i64>(search.stages.size()) / 3);
    for (const i64 number : search.stages) answer.add(number);
    search.word.add_to(answer);
    if (status == TP_DONE && search.best > 0) answer.take(search.potentials(phi), edges.graph.states);
    if (status == TP_DONE) return;
    answer.hand_over();
    throw Status{status};
}

}  // namespace
}  // namespace tallyplan::TP_VARIANT

using namespace tallyplan::TP_VARIANT;

TP_FUNCTION(best_word)
(const tp_graph* graph, const tp_mean* least, int64_t period, tp_number known, tp_limits* limits,
 tp_found* found) {
    return answered(limits, found, [&](Watch& watch, Answer& answer) {
        Reduced given{*graph, *least, period, joined(known)};
        given.use(watch, [&](auto& edges, const auto& phi) { best_word(given, edges, phi, watch, answer); });
    });
}

TP_FUNCTION(ways)
(const tp_graph* graph, const tp_mean* least, int64_t root, tp_limits* limits, tp_found* found) {
    return answered(limits, found, [&](Watch& watch, Answer& answer) {
        Reduced{*graph, *least}.use(watch, [&]<class Int>(Edges<Int>& edges, const Array<Int>&) {
            answer.take(Tables<Int>(edges, watch).ways_to(root), edges.graph.states);
        });
    });
}
