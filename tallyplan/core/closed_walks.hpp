// Closed walks of a given length through one root, by tables of least costs, stepped forward from the root.
//
// Costs r are not negative. Let home(s) be the least sum of a walk, of any length, from s to the root, and
//
//     D_0 = {root: 0},  D_{t+1}(s') = the least D_t(s) + r(s, a) over the edges into s',
//
// where s' is left out if D_{t+1}(s') + home(s') reaches the budget: it belongs to no closed walk below the
// budget. A table is a function of the one before: once two are equal, they go round forever.
#pragma once

#include <optional>
#include <utility>

#include "graphs.hpp"
#include "parts.hpp"

namespace tallyplan::TP_VARIANT {

template <class Graph, class Int>
class Tables {
 public:
    i64 since = 0, period = 0;  // the tables of the times `since` and since + period are equal; 0: none were

    static constexpr Int never = static_cast<Int>(largest<Int>() / 4);  // more than any sum

    Tables(const Edges<Graph, Int>& edges, const Watch& watch)
        : edges_(edges),
          states_(edges.graph.states),
          watch_(watch),
          home_(of_never(states_)),
          scratch_(of_never(states_)),
          waiting_(states_, 0) {}

    // By state, the least sum of a way home to the root; -1: there is none.
    Array<Int> ways_to(i64 root) {
        find_ways(root, never);
        for (i64 s = 0; s < states_; ++s)
            if (home_[s] == never) home_[s] = -1;
        return std::move(home_);
    }

    // A closed walk of `length` steps at the root of least sum, and the sum, if it is below the budget.
    std::optional<std::pair<Parts, Int>> best(i64 root, i64 length, Int budget) {
        find_ways(root, budget);
        std::optional<std::pair<Parts, Int>> found;
        const Int sum = entry(run(root, length), root);
        if (sum < budget) found = {walk_back(root, length, sum), sum};
        for (const i64 state : met_) home_[state] = never;
        return found;
    }

 private:
    struct Table {
        std::vector<i32> members;
        std::vector<Int> entries;
        Int sum = 0;
    };
    using Place = std::pair<i64, Int>;  // a state and its entry

    static constexpr i64 FIRST_WAIT = 24,
                         WAIT_SHARE = 3;           // a reference stays for 24 steps, and a third of the time
    static constexpr i64 RECORDED = i64{1} << 22;  // entries of tables that are kept at once

    Int entry(const Table& table, i64 state) const {
        for (std::size_t i = 0; i < table.members.size(); ++i)
            if (table.members[i] == state) return table.entries[i];
        return never;
    }

    static Array<Int> of_never(i64 states) {
        auto made = array_of<Int>(states, false);
        std::fill(made.get(), made.get() + states, never);
        return made;
    }

    // The least sums of ways home, where they are below the budget.
    void find_ways(i64 root, Int budget) {
        std::vector<i64> line{root};
        budget_ = budget;
        home_[root] = 0;
        met_.assign(1, root);
        for (std::size_t next = 0; next < line.size(); ++next) {
            const i64 state = line[next];
            waiting_[state] = 0;
            if (next % 4096 == 4095) watch_.tick();
            edges_.into(state, [&](i64, i64 from, Int cost) {
                const Int total = home_[state] + cost;
                if (total >= std::min(home_[from], budget)) return;
                if (home_[from] == never) met_.push_back(from);
                home_[from] = total;
                if (!std::exchange(waiting_[from], 1)) line.push_back(from);
            });
        }
    }

    // -- forwards

    void step(const Table& from, Table& to) {
        to.members.clear();
        to.entries.clear();
        for (std::size_t i = 0; i < from.members.size(); ++i) {
            edges_.from(from.members[i], [&](i64, i64 next, Int cost) {
                const Int total = from.entries[i] + cost;
                if (total + home_[next] >= budget_) return;
                if (scratch_[next] == never) to.members.push_back(static_cast<i32>(next));
                scratch_[next] = std::min(scratch_[next], total);
            });
        }
        to.sum = 0;
        for (const i32 state : to.members) {
            to.entries.push_back(scratch_[state]);
            to.sum += scratch_[state];
            scratch_[state] = never;
        }
    }

    bool equal(const Table& one, const Table& other) {
        if (one.members.size() != other.members.size() || one.sum != other.sum) return false;
        for (std::size_t i = 0; i < one.members.size(); ++i) scratch_[one.members[i]] = one.entries[i];
        bool same = true;
        for (std::size_t i = 0; i < one.members.size(); ++i)
            same &= scratch_[other.members[i]] == other.entries[i];
        for (const i32 state : one.members) scratch_[state] = never;
        return same;
    }

    // D_length; where tables repeat, the time is brought near.
    Table run(i64 root, i64 length) {
        Table now{{static_cast<i32>(root)}, {0}}, next, reference = now;
        since = period = 0;
        i64 work = 0;
        for (i64 time = 1; time <= length && !now.members.empty(); ++time) {
            step(now, next);
            std::swap(now, next);
            work += static_cast<i64>(now.members.size()) + 1;
            if (work > 1 << 16) watch_.tick(), work = 0;
            if (period) continue;
            if (!now.members.empty() && equal(now, reference)) {
                period = time - since;
                length = time + (length - time) % period;
            } else if (time - since >= std::max(FIRST_WAIT, since / WAIT_SHARE)) {
                reference = now;
                since = time;
            }
        }
        if (!period) since = 0;
        return now;
    }

    // -- backwards

    Table after(Table table, i64 steps) {
        Table next;
        for (i64 i = 0; i < steps; ++i) {
            step(table, next);
            std::swap(table, next);
        }
        return table;
    }

    // Back from a place in the table `steps` after `first`; the letters go to the end of `word`, the last
    // first.
    void back(const Table& first, i64 steps, Place& place, Parts& word) {
        watch_.tick();
        if (steps * static_cast<i64>(met_.size()) > RECORDED && steps > 1) {
            back(after(first, steps / 2), steps - steps / 2, place, word);
            return back(first, steps / 2, place, word);
        }
        std::vector<Table> tables(std::max<i64>(1, steps));
        tables[0] = first;
        for (i64 i = 1; i < steps; ++i) step(tables[i - 1], tables[i]);
        for (i64 i = steps; i-- > 0;) {
            std::optional<Place> origin;
            edges_.into(place.first, [&](i64 edge, i64 tail, Int cost) {
                if (origin) return;
                const Int before = entry(tables[i], tail);
                if (before == never || before + cost != place.second) return;
                origin = {tail, before};
                word.letters.push_back(static_cast<i32>(edge - edges_.graph.first(tail)));
            });
            place = origin.value();
        }
    }

    // Where tables go round, so does the walk as soon as it begins a turn as it began one before.
    Parts walk_back(i64 root, i64 length, Int sum) {
        const Table start{{static_cast<i32>(root)}, {0}};
        Place place{root, sum};
        Parts word;
        if (period) {
            const Table first = after(start, since);
            back(first, (length - since) % period, place, word);
            word.add_blocks((length - since) / period, place, [&] { back(first, period, place, word); });
        }
        back(start, period ? since : length, place, word);
        if (place != Place{root, 0}) throw Status{TP_WRONG};
        word.reverse();
        return word;
    }

    const Edges<Graph, Int>& edges_;
    const i64 states_;
    const Watch& watch_;
    Array<Int> home_, scratch_;
    std::vector<i64> met_;  // the states that have a way home
    std::vector<std::uint8_t> waiting_;
    Int budget_ = 0;
};

}  // namespace tallyplan::TP_VARIANT
