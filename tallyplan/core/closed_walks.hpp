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
          out_(states_),
          home_(states_),
          scratch_(of_never(states_)),
          waiting_(states_, 0) {}

    // By state, the least sum of a way home to the root; -1: there is none.
    Array<Int> ways_to(i64 root) {
        out_.begin(root);
        home_.begin(root);
        extend(home_, out_, never, never, INTO);
        for (i64 s = 0; s < states_; ++s)
            if (home_.sums[s] == never) home_.sums[s] = -1;
        return std::move(home_.sums);
    }

    // The least sum of a closed walk of `length` steps at the root, if it is below the budget; else `never`.
    Int least(i64 root, i64 length, Int budget) {
        find_ways(root, budget);
        const Int found = entry(run(root, length), root);
        home_.forget();
        return found;
    }

    // A closed walk of that least sum, below the budget `sum` + 1.
    Parts walk(i64 root, i64 length, Int sum) {
        find_ways(root, sum + 1);
        run(root, length);
        Parts walk = walk_back(root, length, sum);
        home_.forget();
        return walk;
    }

 private:
    struct Table {
        std::vector<i32> members;
        std::vector<Int> entries;
        Int sum = 0;
    };
    using Place = std::pair<i64, Int>;  // a state and its entry

    // Least sums of ways by state, and the states that have one.
    struct Ways {
        Array<Int> sums;
        std::vector<i64> met;

        explicit Ways(i64 states) : sums(of_never(states)) {}

        void begin(i64 root) {
            met.assign(1, root);
            sums[root] = 0;
        }

        void forget() {
            for (const i64 state : met) sums[state] = never;
        }
    };

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

    // -- the ways out and home

    enum Direction { INTO, FROM };

    // The least sums from the root (`out`) and back (`home`), where both together are below the budget. There
    // one of them is below half of it. So first the ways home from nearby; then the ways out that stay nearby
    // or come to where the way home is known; then the ways home from all of these.
    void find_ways(i64 root, Int budget) {
        const Int near = (budget + 1) / 2;
        budget_ = budget;
        out_.begin(root);
        home_.begin(root);
        extend(home_, out_, budget, near, INTO);
        extend(out_, home_, budget, near, FROM);
        extend(home_, out_, budget, near, INTO);
        out_.forget();
    }

    void extend(Ways& ways, const Ways& other, Int budget, Int near, Direction direction) {
        std::vector<i64> line;
        const auto push = [&](i64 state) {
            if (!std::exchange(waiting_[state], 1)) line.push_back(state);
        };
        for (const i64 state : ways.met)
            if (ways.sums[state] + other.sums[state] < budget) push(state);
        for (std::size_t next = 0; next < line.size(); ++next) {
            const i64 state = line[next];
            waiting_[state] = 0;
            if (next % 4096 == 4095) watch_.tick();
            const auto lower = [&](i64, i64 to, Int cost) {
                const Int total = ways.sums[state] + cost;
                if (total >= ways.sums[to] || (total >= near && other.sums[to] + total >= budget)) return;
                if (ways.sums[to] == never) ways.met.push_back(to);
                ways.sums[to] = total;
                push(to);
            };
            direction == INTO ? edges_.into(state, lower) : edges_.from(state, lower);
        }
    }

    // -- forwards

    void step(const Table& from, Table& to) {
        to.members.clear();
        to.entries.clear();
        for (std::size_t i = 0; i < from.members.size(); ++i) {
            edges_.from(from.members[i], [&](i64, i64 next, Int cost) {
                const Int total = from.entries[i] + cost;
                if (total + home_.sums[next] >= budget_) return;
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
        if (steps * static_cast<i64>(home_.met.size()) > RECORDED && steps > 1) {
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
    Ways out_, home_;
    Array<Int> scratch_;
    std::vector<std::uint8_t> waiting_;
    Int budget_ = 0;
};

}  // namespace tallyplan::TP_VARIANT
