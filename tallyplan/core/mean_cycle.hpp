// The minimum mean cycle, by integer Bellman-Ford.
//
// Keep the mean p / q of the best closed walk known, and give every edge the reduced cost q * cost - p *
// time. Lower potentials from zero, keeping for every state the edge that last lowered it, its *parent*:
//
// - a cycle of the parent graph has a negative sum, hence a smaller mean: it is the new best walk;
// - a sweep that changes nothing leaves  reduced + phi(head) - phi(tail) >= 0  everywhere; along a cycle the
//   potentials cancel, so no mean is smaller: they are the certificate.
//
// At all times  phi(s) >= reduced cost of the parent edge + phi(its head),  since phi(head) has only been
// lowered after the edge became the parent. So a path of parents from s to a state without parent, whose phi
// is 0, costs at most phi(s).
//
// Numbers: let W bound |reduced cost|. Among histories m - 1 steps lead from every state to every other. If a
// potential is below the floor -(m - 1) W then the path of parents from there, closed by m - 1 steps, is a
// closed walk of negative sum; or else the path runs into a cycle of parents. So the search ends as soon as a
// potential is below the floor, and no potential was ever below floor - W. In other graphs the floor is -n W:
// no path has n edges, so below it there is a cycle of parents.
//
// At the fixed point phi(s) is the least cost of a walk from s, of any length, also none: whatever the order
// of the sweeps. The word that is returned depends on it alone: see `first_tight_cycle`.
#pragma once

#include <optional>

#include "run.hpp"

namespace tallyplan::TP_VARIANT {

constexpr i64 SETTLED = -1, LOWERED = -2;  // what a sweep found; otherwise a state below the floor

// A closed walk: the codes of its edges from `start` on.
struct Walk {
    i64 start;
    std::vector<i32> codes;
};

// A mean in lowest terms.
struct Mean {
    wide cost, time;

    Mean(wide c, wide t) : cost(c / gcd(c, t)), time(t / gcd(c, t)) {}
};

// The cycle that the parents from a state on run into; without codes, if they come to a state that has none,
// or was followed before. marks: 0 at first, for all states.
template <class Search>
Walk parent_cycle(const Search& search, i64 state, std::uint8_t* marks) {
    enum : std::uint8_t { NEW, ON_THE_PATH, DONE };
    const auto next = [&](i64 s) { return search.successor(s, search.parent(s)); };
    Walk walk{state, {}};
    for (i64& end = walk.start; marks[end] == NEW && search.parent(end) >= 0; end = next(end))
        marks[end] = ON_THE_PATH;
    for (i64 s = walk.start; marks[s] == ON_THE_PATH; s = next(s)) {
        marks[s] = DONE;
        walk.codes.push_back(static_cast<i32>(search.parent(s)));
    }
    for (; marks[state] == ON_THE_PATH; state = next(state)) marks[state] = DONE;
    return walk;
}

// The cycles of the parent graph that have come about since the last search: take(walk) for each of them.
// Each has a state whose parent has changed since, and those are in the ranges that the search names.
template <class Search, class Take>
void parent_cycles(Search& search, const Watch& watch, std::uint8_t* marks, Take take) {
    std::fill(marks, marks + search.states(), std::uint8_t{0});
    search.changed([&](i64 first, i64 last) {
        for (i64 start = first; start < last; watch.tick(++start))
            if (const Walk walk = parent_cycle(search, start, marks); !walk.codes.empty()) take(walk);
    });
}

// A cycle of parents that begins below the floor; or the path of parents, closed by the shortest way back.
template <class Search>
Walk closed_below_floor(const Search& search, i64 state, std::uint8_t* marks) {
    std::fill(marks, marks + search.states(), std::uint8_t{0});
    Walk walk = parent_cycle(search, state, marks);
    if (!walk.codes.empty()) return walk;
    walk.start = state;
    for (i64 s = state, code; (code = search.parent(s)) >= 0; s = search.successor(s, code))
        walk.codes.push_back(static_cast<i32>(code));
    search.way_to(state, walk.codes);
    return walk;
}

template <class Search>
Mean mean_of(const Search& search, const Walk& walk) {
    wide total = 0, duration = 0;
    for (i64 state = walk.start; const i32 code : walk.codes) {
        const auto [cost, time] = search.edge(state, code);
        total += cost;
        duration += time;
        state = search.successor(state, code);
    }
    return {total, duration};
}

// Sweep until nothing changes, or until closed walks of smaller mean show: the least mean of those.
template <class Search>
std::optional<Mean> smaller_mean(Search& search, Watch& watch, std::uint8_t* marks) {
    for (i64 sweep = 1;; ++sweep) {
        const i64 found = search.sweep(watch);
        if (found == SETTLED) return {};
        if (found >= 0) return mean_of(search, closed_below_floor(search, found, marks));
        watch.progress(sweep);
        watch.tick();
        if (!search.due()) continue;
        std::optional<Mean> best;
        parent_cycles(search, watch, marks, [&](const Walk& walk) {
            const Mean mean = mean_of(search, walk);
            if (!best || times(mean.cost, best->time) < times(best->cost, mean.time)) best = mean;
        });
        if (best) return best;
    }
}

// One word of least mean, the same whatever the order of the sweeps. An edge is *tight* if
// reduced + phi(head) = phi(tail); the cycles of tight edges are the optimal ones. Start from the first state
// from which tight edges lead on forever and always take the first edge that does, until a state comes back.
//
// A search in depth finds it: a state is given up when all of its tight edges lead to states that were given
// up. When a tight edge leads back to the path, every state of the path leads on forever, and every edge that
// was tried before those of the path was given up: it is the one wanted. marks[s]: 1 if s has a tight edge.
template <class Search>
Walk first_tight_cycle(const Search& search, std::uint8_t* marks, const Watch& watch) {
    enum : std::uint8_t { GIVEN_UP, UNTRIED, TAKEN };
    std::vector<i64> path;
    std::vector<i32> codes;
    const auto take = [&](i64 state) {
        marks[state] = TAKEN;
        path.push_back(state);
        codes.push_back(-1);
    };
    for (i64 start = 0, steps = 0; start < search.states(); ++start) {
        if (marks[start] == UNTRIED) take(start);
        while (!path.empty()) {
            if (++steps % (1 << 20) == 0) watch.tick();
            const i64 s = path.back();
            if (++codes.back() == search.choices(s)) {
                marks[s] = GIVEN_UP;
                path.pop_back();
                codes.pop_back();
                continue;
            }
            const i64 to = search.successor(s, codes.back());
            if (marks[to] == GIVEN_UP || search.by_edge(s, codes.back()) != search.values[s]) continue;
            if (marks[to] == UNTRIED) {
                take(to);
                continue;
            }
            const auto first = std::find(path.begin(), path.end(), to) - path.begin();
            return {to, {codes.begin() + first, codes.end()}};
        }
    }
    throw Status{TP_WRONG};
}

}  // namespace tallyplan::TP_VARIANT
