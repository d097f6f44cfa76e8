// The state graph of a tallying bandit, never written down.
//
// A state is a history of m - 1 actions; its code has these as base-K digits, the oldest first. Playing a in
// state s leads to (s K + a) mod n, n = K^(m-1). Write s = d R + rest with R = n / K: the action d drops out
// of the window, and the successors of s are rest K, ..., rest K + K - 1 for every d. Playing a costs what
// the table says of its tally: c_a + [d = a], counted from 0, with c_a the tally of a in `rest`.
//
// The m - 2 digits of a rest are cut in two: the high ones number a *block*, the low ones a *place* in it. In
// a block the tallies of the high digits are fixed, so the costs of an action over all places are a
// ready-made row of numbers, one for each tally in the high digits (`plane`).
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
    wide highest;             // of the costs, and at least 1

    explicit Tallying(const tp_graph& bandit)
        : actions(bandit.actions), memory(bandit.memory), table(actions * memory), highest(1) {
        for (i64 i = 0; auto& entry : table) {
            entry = number_at(bandit.costs, bandit.bytes, i++);
            highest = std::max(highest, entry);
        }
    }

    wide cost(i64 a, i64 earlier) const { return table[a * memory + earlier]; }

    // The first action that costs least if it is played forever.
    i32 best_constant() const {
        i32 best = 0;
        for (i32 a = 1; a < actions; ++a)
            if (cost(a, memory - 1) < cost(best, memory - 1)) best = a;
        return best;
    }

    // K^digits, or `huge`.
    wide power(i32 digits) const {
        wide product = 1;
        for (i32 i = 0; i < digits && product < huge && actions > 1; ++i) product = times(product, actions);
        return product;
    }
};

// [a * words + word]: how often a occurs in each word of so many digits; from the words of one digit less,
// from the last one down, in place.
inline std::vector<std::int16_t> tallies_of_words(i64 actions, i64 digits) {
    i64 words = 1;
    for (i64 i = 0; i < digits; ++i) words *= actions;
    std::vector<std::int16_t> tallies(actions * words, 0);
    for (i64 a = 0; a < actions; ++a)
        for (i64 i = 0, shorter = 1, first = a * words; i < digits; ++i, shorter *= actions)
            for (i64 word = shorter - 1; word >= 0; --word)
                for (i64 d = actions - 1; d >= 0; --d)
                    tallies[first + word * actions + d] =
                        static_cast<std::int16_t>(tallies[first + word] + (d == a));
    return tallies;
}

// Where it pays, the compiler knows the number of actions: use(constant), which is 0 otherwise.
template <class Int, class Use>
auto with_known(i64 actions, Use use) {
    if constexpr (sizeof(Int) == 4) {
        if (actions == 2) return use(std::integral_constant<i64, 2>{});
        if (actions == 3) return use(std::integral_constant<i64, 3>{});
    }
    return use(std::integral_constant<i64, 0>{});
}

template <class Int>
class Histories {
 public:
    const i64 actions, memory;
    i64 states = 1, rests = 1;
    i64 block = 1, blocks = 1;  // places in a block, and blocks; block * blocks = rests
    i32 high = 0;               // digits that number a block

    // For K >= 2 and m >= 2. `most` bounds the places of a block.
    Histories(const Tallying& bandit, i64 most) : actions(bandit.actions), memory(bandit.memory) {
        i32 low = 0;
        for (i64 i = 2; i < memory; ++i) rests *= actions;
        states = rests * actions;
        for (; low < memory - 2 && block * actions <= most; ++low) block *= actions;
        high = static_cast<i32>(memory) - 2 - low;
        blocks = rests / block;
        tallies_ = tallies_of_words(actions, low);
        planes_.resize(actions * (high + 2) * block + TILE);  // the last vector of a row may go beyond it
        columns_.resize(actions * TILE);
        best_.resize(actions * TILE);
        counts_.resize(actions);
    }

    // The bytes that it takes: K (high + 2) rows of `block` numbers, and the tallies.
    static wide bytes(const Tallying& bandit, i64 most) {
        return times(bandit.actions, times(bandit.memory, sizeof(Int)) + 2, most);
    }

    // Set the costs: cost(a, y) of a after y earlier plays in the window. A tally that no window has is not
    // asked.
    template <class Cost>
    void price(Cost cost) {
        std::vector<Int> row(memory + 1, Int(0));
        for (i64 a = 0; a < actions; ++a) {
            for (i64 y = 0; y < memory; ++y) row[y] = cost(a, y);
            for (i64 c = 0; c < high + 2; ++c) {
                Int* plane = planes_.data() + (a * (high + 2) + c) * block;
                const std::int16_t* low = tallies_.data() + a * block;
                for (i64 place = 0; place < block; ++place)
                    plane[place] = row[std::min(low[place] + c, memory)];
            }
        }
    }

    // The costs of a over the places of a block whose high digits hold a c times; c + 1: one more drops out.
    const Int* plane(i64 a, i64 c) const { return planes_.data() + (a * (high + 2) + c) * block; }

    // The new values of the states (d, rest) for the rests of a block: give(d, place, count, values) for each
    // d and each tile. Of the values only the bits of `keep` count. Sums of a value and a cost must fit Int:
    // the caller's bound. KNOWN is the number of actions if the compiler is to know it, else 0.
    template <i64 KNOWN, class Give>
    void bellman(const Int* values, Int keep, i64 number, Give give) {
        const i64 K = KNOWN ? KNOWN : actions;
        count_high(number, counts_.data());
        for (i64 place = 0; place < block; place += TILE) {
            const i64 count = std::min(TILE, block - place);
            const Int* arrivals = values + (number * block + place) * K;
            for (i64 a = 0; a < K; ++a)
                for (i64 i = 0; i < count; ++i) columns_[a * TILE + i] = arrivals[i * K + a] & keep;
            for (i64 i = 0; i < count; i += Lanes<Int>::COUNT) {
                const auto sum = [&](i64 a, i64 more) {
                    return load(&columns_[a * TILE + i]) + load(plane(a, counts_[a] + more) + place + i);
                };
                TwoLeast<V> two(sum(0, 0), sum(1, 0));
                for (i64 a = 2; a < K; ++a) two.add(sum(a, 0));
                for (i64 d = 0; d < K; ++d) {
                    const V best = lesser(sum(d, 1), two.without(sum(d, 0)));
                    std::memcpy(&best_[d * TILE + i], &best, sizeof(V));
                }
            }
            for (i64 d = 0; d < K; ++d) give(d, place, count, &best_[d * TILE]);
        }
    }

    i64 successor(i64 state, i64 a) const { return state % rests * actions + a; }

    // How often each action occurs in the high digits of a block.
    void count_high(i64 number, i64* counts) const {
        std::fill(counts, counts + actions, 0);
        for (i32 i = 0; i < high; ++i, number /= actions) ++counts[number % actions];
    }

 private:
    using V = typename Lanes<Int>::Vector;
    static constexpr i64 TILE = 64;  // rests that are treated together

    static V load(const Int* numbers) {
        V vector;
        std::memcpy(&vector, numbers, sizeof(V));
        return vector;
    }

    std::vector<std::int16_t>
        tallies_;  // [a * block + place]: of a in the low digits; block <= 2^15 bounds it
    std::vector<Int> planes_;
    std::vector<Int> columns_, best_;  // room for a step
    std::vector<i64> counts_;
};

}  // namespace tallyplan::TP_VARIANT
