// Closed walks of a given length through one root, by tables of least costs, stepped forward from the root.
//
// Costs r are not negative. Let home(s) be the least sum of a walk, of any length, from s to the root, and
//
//     D_0 = {root: 0},  D_{t+1}(s') = the least D_t(s) + r(s, a) over the edges into s',
//
// where s' is left out if D_{t+1}(s') + home(s') reaches the budget: it belongs to no closed walk below the
// budget. A table is a function of the one before: once two are equal, they go round forever.
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "run.hpp"

namespace tallyplan::TP_VARIANT {

// Edges forwards and backwards, with costs that are not negative but where an edge is gone.
template <class Int>
struct Slack {
    struct Into {
        i32 tail, code;
    };
    i64 states;
    std::vector<i64> first, last;  // by state, of the edges from it, and of those to it
    std::vector<i32> heads;
    std::vector<Into> into;
    std::vector<Int> costs;
    const Int never = static_cast<Int>(largest<Int>() / 4);  // more than any sum

    i64 edge(i64 state, i64 code) const { return first[state] + code; }

    // For each edge from a state: use(code, head, cost).
    template <class Use>
    void edges_from(i64 state, Use use) const {
        for (i64 e = first[state]; e < first[state + 1]; ++e)
            if (costs[e] >= 0) use(static_cast<i32>(e - first[state]), i64{heads[e]}, costs[e]);
    }

    // For each edge into a state: use(code, tail, cost).
    template <class Use>
    void edges_into(i64 state, Use use) const {
        for (i64 i = last[state]; i < last[state + 1]; ++i) {
            const Int cost = costs[edge(into[i].tail, into[i].code)];
            if (cost >= 0) use(into[i].code, i64{into[i].tail}, cost);
        }
    }

    void turn_round() {
        last.assign(states + 1, 0);
        for (const i32 head : heads) ++last[head + 1];
        for (i64 s = 0; s < states; ++s) last[s + 1] += last[s];
        into.resize(heads.size());
        auto next = last;
        for (i64 s = 0; s < states; ++s)
            for (i64 e = first[s]; e < first[s + 1]; ++e)
                into[next[heads[e]]++] = {static_cast<i32>(s), static_cast<i32>(e - first[s])};
    }
};

// Part of a closed walk: a word, and how often it is played.
struct Run {
    std::vector<i32> word;
    i64 repeats;
};

template <class Int>
class Tables {
 public:
    i64 since = 0, period = 0;  // the tables of the times `since` and since + period are equal; 0: none were

    Tables(const Slack<Int>& slack, const Watch& watch)
        : slack_(slack),
          watch_(watch),
          out_(slack.states, slack.never),
          home_(slack.states, slack.never),
          scratch_(slack.states, slack.never),
          waiting_(slack.states, 0) {}

    // By state, the least sum of a way home to the root; -1: there is none.
    Array<Int> ways_to(i64 root) {
        out_[root] = home_[root] = 0;
        came_.assign(1, root);
        ways_home(slack_.never, slack_.never);
        auto found = array_of<Int>(slack_.states);
        for (i64 s = 0; s < slack_.states; ++s) found[s] = home_[s] == slack_.never ? Int(-1) : home_[s];
        return found;
    }

    // The least sum of a closed walk of `length` steps at the root, if it is below the budget; else `never`.
    Int least(i64 root, i64 length, Int budget) {
        find_ways(root, budget);
        since = period = 0;
        const Table last = run(root, length, budget);
        const Int found = entry(last, root);
        forget_ways();
        return found;
    }

    // A closed walk of that least sum, below the budget `sum` + 1.
    std::vector<Run> walk(i64 root, i64 length, Int sum) {
        find_ways(root, sum + 1);
        since = period = 0;
        run(root, length, sum + 1);
        const auto runs = walk_back(root, length, sum);
        forget_ways();
        return runs;
    }

 private:
    struct Table {
        std::vector<i32> members;
        std::vector<Int> entries;
        Int sum = 0;
    };
    struct Place {
        i64 state;
        Int entry;
        bool operator<(const Place& other) const {
            return state < other.state || (state == other.state && entry < other.entry);
        }
    };

    static constexpr i64 FIRST_WAIT = 24,
                         WAIT_SHARE = 3;           // a reference stays for 24 steps, and a third of the time
    static constexpr i64 RECORDED = i64{1} << 22;  // entries of tables that are kept at once

    Int entry(const Table& table, i64 state) const {
        for (std::size_t i = 0; i < table.members.size(); ++i)
            if (table.members[i] == state) return table.entries[i];
        return slack_.never;
    }

    // -- the ways out and home

    // The least sums from the root (`out`) and back (`home`), where both together are below the budget. There
    // one of them is below half of it. So first the ways home from nearby; then the ways out that stay nearby
    // or come to where the way home is known; then the ways home from all of these.
    void find_ways(i64 root, Int budget) {
        const Int near = (budget + 1) / 2;
        out_[root] = home_[root] = 0;
        left_.assign(1, root);
        came_.assign(1, root);
        ways_home(budget, near);
        ways_out(root, budget, near);
        ways_home(budget, near);
        for (const i64 state : left_) out_[state] = slack_.never;
    }

    void forget_ways() {
        for (const i64 state : came_) home_[state] = slack_.never;
    }

    void ways_home(Int budget, Int near) {
        std::vector<i64> line;
        for (const i64 state : came_)
            if (out_[state] + home_[state] < budget) push(line, state);
        for (std::size_t next = 0; next < line.size(); ++next) {
            const i64 state = line[next];
            waiting_[state] = 0;
            if (next % 4096 == 4095) watch_.tick();
            slack_.edges_into(state, [&](i32, i64 origin, Int cost) {
                const Int total = home_[state] + cost;
                if (total >= home_[origin] || (total >= near && out_[origin] + total >= budget)) return;
                if (home_[origin] == slack_.never) came_.push_back(origin);
                home_[origin] = total;
                push(line, origin);
            });
        }
    }

    void ways_out(i64 root, Int budget, Int near) {
        std::vector<i64> line;
        push(line, root);
        for (std::size_t next = 0; next < line.size(); ++next) {
            const i64 state = line[next];
            waiting_[state] = 0;
            if (next % 4096 == 4095) watch_.tick();
            slack_.edges_from(state, [&](i32, i64 to, Int cost) {
                const Int total = out_[state] + cost;
                if (total >= out_[to] || (total >= near && home_[to] + total >= budget)) return;
                if (out_[to] == slack_.never) left_.push_back(to);
                out_[to] = total;
                push(line, to);
            });
        }
    }

    void push(std::vector<i64>& line, i64 state) {
        if (waiting_[state]) return;
        waiting_[state] = 1;
        line.push_back(state);
    }

    // -- forwards

    void step(const Table& from, Table& to, Int budget) {
        to.members.clear();
        to.entries.clear();
        for (std::size_t i = 0; i < from.members.size(); ++i) {
            slack_.edges_from(from.members[i], [&](i32, i64 next, Int cost) {
                const Int total = from.entries[i] + cost;
                if (total + home_[next] >= budget) return;
                if (scratch_[next] == slack_.never) to.members.push_back(static_cast<i32>(next));
                scratch_[next] = std::min(scratch_[next], total);
            });
        }
        to.sum = 0;
        for (const i32 state : to.members) {
            to.entries.push_back(scratch_[state]);
            to.sum += scratch_[state];
            scratch_[state] = slack_.never;
        }
    }

    bool equal(const Table& one, const Table& other) {
        if (one.members.size() != other.members.size() || one.sum != other.sum) return false;
        for (std::size_t i = 0; i < one.members.size(); ++i) scratch_[one.members[i]] = one.entries[i];
        bool same = true;
        for (std::size_t i = 0; i < one.members.size(); ++i)
            same &= scratch_[other.members[i]] == other.entries[i];
        for (const i32 state : one.members) scratch_[state] = slack_.never;
        return same;
    }

    // D_length; where tables repeat, the time is brought near.
    Table run(i64 root, i64 length, Int budget) {
        Table now{{static_cast<i32>(root)}, {0}}, next, reference = now;
        budget_ = budget;
        i64 work = 0;
        for (i64 time = 1; time <= length && !now.members.empty(); ++time) {
            step(now, next, budget);
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
            step(table, next, budget_);
            std::swap(table, next);
        }
        return table;
    }

    // Back from an entry of the table `steps` after `first`; the letters go to the end of `word`, the last
    // first.
    void back(const Table& first, i64 steps, Place& place, std::vector<i32>& word) {
        watch_.tick();
        if (steps * static_cast<i64>(came_.size()) > RECORDED && steps > 1) {
            back(after(first, steps / 2), steps - steps / 2, place, word);
            return back(first, steps / 2, place, word);
        }
        std::vector<Table> tables(std::max<i64>(1, steps));
        tables[0] = first;
        for (i64 i = 1; i < steps; ++i) step(tables[i - 1], tables[i], budget_);
        for (i64 i = steps; i-- > 0;) {
            std::optional<Place> origin;
            slack_.edges_into(place.state, [&](i32 code, i64 tail, Int cost) {
                if (origin) return;
                const Int before = entry(tables[i], tail);
                if (before == slack_.never || before + cost != place.entry) return;
                origin = {tail, before};
                word.push_back(code);
            });
            place = origin.value();
        }
    }

    // Where tables go round, so does the walk as soon as it begins a turn as it began one before.
    std::vector<Run> walk_back(i64 root, i64 length, Int sum) {
        std::vector<Run> runs;  // the last first, and letters the last first
        const Table start{{static_cast<i32>(root)}, {0}};
        Place place{root, sum};
        const auto add = [&](std::vector<i32> word, i64 repeats) {
            if (!word.empty() && repeats) runs.push_back({std::move(word), repeats});
        };
        std::vector<i32> word;
        i64 rest = length;
        if (period) {
            const Table first = after(start, since);
            i64 turns = (length - since) / period;
            back(first, (length - since) % period, place, word);
            std::map<Place, i64> met;
            std::vector<i32> turned;
            for (; turns; --turns) {
                const auto [where, fresh] = met.try_emplace(place, static_cast<i64>(met.size()));
                if (!fresh) {
                    const i64 round = static_cast<i64>(met.size()) - where->second;
                    const auto cycle = turned.begin() + where->second * period;
                    word.insert(word.end(), turned.begin(), turned.end());
                    add(std::exchange(word, {}), 1);
                    add({cycle, turned.end()}, turns / round);
                    turned.clear();
                    met.clear();
                    turns %= round;
                    if (!turns) break;
                    met.try_emplace(place, 0);
                }
                back(first, period, place, turned);
            }
            word.insert(word.end(), turned.begin(), turned.end());
            rest = since;
        }
        back(start, rest, place, word);
        add(std::move(word), 1);
        if (place.state != root || place.entry != 0) throw Status{TP_WRONG};
        std::reverse(runs.begin(), runs.end());
        for (auto& run : runs) std::reverse(run.word.begin(), run.word.end());
        return runs;
    }

    const Slack<Int>& slack_;
    const Watch& watch_;
    std::vector<Int> out_, home_, scratch_;
    std::vector<std::uint8_t> waiting_;
    std::vector<i64> left_, came_;
    Int budget_ = 0;
};

}  // namespace tallyplan::TP_VARIANT
