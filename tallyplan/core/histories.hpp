// The state graph of a tallying bandit, never written down.
//
// A state is a history of m - 1 actions; its code has these as base-K digits, the oldest first. Playing a in
// state s leads to (s K + a) mod n, n = K^(m-1). Write s = d R + rest with R = n / K: the action d drops out
// of the window, and the successors of s are rest K, ..., rest K + K - 1 for every d. Playing a costs what
// the table says of its tally: c_a + [d = a], counted from 0, with c_a the tally of a in `rest`.
//
// With x_a = (cost of a at its tally in the rest) + (value of the successor), and y_d the same for a = d at
// one tally more, the new value of state (d, rest) is min(y_d, min over a != d of x_a). The two smallest x
// serve all d: O(1) operations a state.
#pragma once

#include <vector>

#include "run.hpp"

namespace tallyplan::TP_VARIANT {

// A table of a tallying bandit in wide integers.
struct Tallying {
    i32 actions, memory;
    std::vector<wide> table;  // [a * memory + y]: the cost of a if the window has y earlier plays of it
    wide highest = 1;         // of the costs, and at least 1
    wide states;

    explicit Tallying(const tp_graph& bandit)
        : actions(bandit.actions),
          memory(bandit.memory),
          table(actions * memory),
          states(power(actions, memory - 1)) {
        for (i64 i = 0; auto& entry : table) {
            entry = number_at(bandit.costs, bandit.bytes, i++);
            highest = std::max(highest, entry);
        }
    }

    wide cost(i64 a, i64 earlier) const { return table[a * memory + earlier]; }
};

// [a * words + word]: how often a occurs in each word of so many digits; in place, a leading digit at a time.
inline std::vector<std::int16_t> tallies_of_words(i64 actions, i64 digits) {
    const i64 words = static_cast<i64>(power(actions, digits));
    std::vector<std::int16_t> tallies(actions * words, 0);
    for (i64 a = 0; a < actions; ++a)
        for (i64 i = 0, shorter = 1; i < digits; ++i, shorter *= actions)
            for (i64 d = actions, from = a * words; d-- > 0;)
                std::transform(&tallies[from], &tallies[from + shorter], &tallies[from + d * shorter],
                               [=](auto tally) { return static_cast<std::int16_t>(tally + (d == a)); });
    return tallies;
}

// So many numbers and more, which are whole vectors.
template <class Int>
constexpr i64 in_vectors(i64 numbers) {
    return (numbers + Lanes<Int>::COUNT - 1) / Lanes<Int>::COUNT * Lanes<Int>::COUNT;
}

// [a][c][place], for words of so many low digits and c = 0, ..., high: the cost of a if the word of this
// place has it, together with other digits, which have it c times, so many times: cost(a, tally). Each row of
// places is filled up to whole vectors with what the last place has.
template <class Int, class Cost>
Array<Int> planes_of(i64 actions, i64 low, i64 high, Cost cost) {
    const auto tallies = tallies_of_words(actions, low);
    const i64 block = static_cast<i64>(tallies.size()) / actions, row = in_vectors<Int>(block);
    auto planes = array_of<Int>(actions * (high + 1) * row, false);
    std::vector<Int> costs(low + high + 1);
    Int* next = planes.get();
    for (i64 a = 0; a < actions; ++a) {
        for (i64 y = 0; y <= low + high; ++y) costs[y] = cost(a, y);
        for (i64 c = 0; c <= high; ++c, next += row) {
            for (i64 place = 0; place < block; ++place) next[place] = costs[tallies[a * block + place] + c];
            std::fill(next + block, next + row, next[block - 1]);
        }
    }
    return planes;
}

// The Bellman step of K states that share their rest: sum(a, more) is x_a, or y_a with one tally more, and
// put(d, value) takes the new value of the one whose oldest action is d. KNOWN: K, if the compiler knows it;
// then all x fit registers.
template <class V, i64 KNOWN, class Sum, class Put>
inline void bellman(i64 K, Sum sum, Put put) {
    if constexpr (KNOWN > 0) {
        V x[KNOWN], after[KNOWN];  // after[d]: the least x_a of all a > d
        for (i64 a = 0; a < KNOWN; ++a) x[a] = sum(a, 0);
        after[KNOWN - 2] = x[KNOWN - 1];
        for (i64 d = KNOWN - 2; d > 0; --d) after[d - 1] = lesser(after[d], x[d]);
        put(0, lesser<V>(sum(0, 1), after[0]));
        V before = x[0];
        for (i64 d = 1; d < KNOWN - 1; ++d) {
            put(d, lesser<V>(sum(d, 1), lesser(before, after[d])));
            before = lesser(before, x[d]);
        }
        put(KNOWN - 1, lesser<V>(sum(KNOWN - 1, 1), before));
    } else {
        const V zero = sum(0, 0), one = sum(1, 0);
        V least = lesser(zero, one), second = greater(zero, one);  // if two are equal, the second is, too
        for (i64 a = 2; a < K; ++a) {
            const V x = sum(a, 0);
            second = lesser(second, greater(least, x));
            least = lesser(least, x);
        }
        for (i64 d = 0; d < K; ++d) put(d, lesser<V>(sum(d, 1), sum(d, 0) == least ? second : least));
    }
}

// Where it pays, the compiler knows the number of actions: use(constant), which is 0 otherwise.
template <class Int, i64 KNOWN = 2, class Use>
auto with_known(i64 actions, Use use) {
    if constexpr (sizeof(Int) > 4 || KNOWN > 10) {
        return use(std::integral_constant<i64, 0>{});
    } else {
        if (actions == KNOWN) return use(std::integral_constant<i64, KNOWN>{});
        return with_known<Int, KNOWN + 1>(actions, use);
    }
}

}  // namespace tallyplan::TP_VARIANT
