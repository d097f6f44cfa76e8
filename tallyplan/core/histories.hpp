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
// A Bellman step treats a *tile* of neighbouring rests at a time.
// With x_a = (cost of a at its tally in the rest) + (value of the successor), and y_d the same for a = d at
// one tally more, the new value of state (d, rest) is min(y_d, min over a != d of x_a). The two smallest x
// serve all d: O(1) operations a state. If x_d is the least and another x equals it then the second is the
// same number.
#pragma once

#include <vector>

#include "run.hpp"

namespace tallyplan::TP_VARIANT {

// A table of a tallying bandit in wide integers, and what words cost.
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

    // The cost of a period of a word that is repeated forever, by sliding the window along it: m + length
    // steps. The sum is at most length * highest, which the caller has shown to fit.
    wide cost_of_word(const std::vector<i32>& word) const {
        const i64 length = static_cast<i64>(word.size());
        std::vector<i64> tallies(actions, 0);
        const auto letter = [&](i64 t) { return word[t % length]; };
        const i64 before =
            length * (memory / length + 1) - (memory - 1);  // play memory - 1 letters up to a whole period
        for (i64 t = before; t < before + memory - 1; ++t) ++tallies[letter(t)];
        wide total = 0;
        for (i64 t = 0; t < length; ++t) {
            total += cost(word[t], tallies[letter(t)]);
            ++tallies[letter(t)];
            --tallies[letter(before + t)];
        }
        return total;
    }
};

// How often a occurs in each word of so many digits, from the words of one digit less: from the last one
// down, in place. `tallies` is all zeros.
inline void count_words(i64 actions, i64 a, i32 digits, std::int16_t* tallies) {
    for (i64 words = 1; digits > 0; --digits, words *= actions)
        for (i64 word = words - 1; word >= 0; --word)
            for (i64 d = actions - 1; d >= 0; --d)
                tallies[word * actions + d] = static_cast<std::int16_t>(tallies[word] + (d == a));
}

constexpr i64 TILE = 64;  // rests that are treated together

// The new values of the states (d, rest) for `count` <= TILE rests from place `place` of a block on: give(d,
// values) is called for each d. `arrivals` are the values of the first rest's successors, of which only the
// bits of `keep` count; `rows` are 2 K planes, for each action the one without and the one with a play that
// drops out. KNOWN is the number of actions if the compiler is to know it, else 0. WHOLE: count = TILE. Sums
// of a value and a cost must fit Int: the caller's bound.
template <i64 KNOWN, bool WHOLE, class Int, class Give>
inline void bellman_tile(i64 actions, const Int* arrivals, Int keep, const Int* const* rows, i64 place,
                         i64 tile, Int* columns, Give give) {
    const i64 K = KNOWN ? KNOWN : actions;
    const i64 count = WHOLE ? TILE : tile;
    for (i64 a = 0; a < K; ++a)
        for (i64 i = 0; i < count; ++i) columns[a * TILE + i] = arrivals[i * K + a] & keep;
    Int least[TILE], second[TILE], best[TILE];
    const Int *row0 = rows[0] + place, *row1 = rows[2] + place;
    for (i64 i = 0; i < count; ++i) {
        const Int x0 = columns[i] + row0[i], x1 = columns[TILE + i] + row1[i];
        least[i] = std::min(x0, x1);
        second[i] = std::max(x0, x1);
    }
    for (i64 a = 2; a < K; ++a) {
        const Int *row = rows[2 * a] + place, *column = columns + a * TILE;
        for (i64 i = 0; i < count; ++i) {
            const Int x = column[i] + row[i];
            second[i] = std::min(second[i], std::max(least[i], x));
            least[i] = std::min(least[i], x);
        }
    }
    for (i64 d = 0; d < K; ++d) {
        const Int *without = rows[2 * d] + place, *with = rows[2 * d + 1] + place,
                  *column = columns + d * TILE;
        for (i64 i = 0; i < count; ++i) {
            const Int x = column[i] + without[i], y = column[i] + with[i];
            best[i] = std::min(y, x == least[i] ? second[i] : least[i]);
        }
        give(d, static_cast<const Int*>(best));
    }
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
        tallies_.assign(actions * block, 0);
        for (i64 a = 0; a < actions; ++a) count_words(actions, a, low, tallies_.data() + a * block);
        planes_.resize(actions * (high + 2) * block);
        columns_.resize(actions * TILE);
        counts_.resize(actions);
        rows_.resize(2 * actions);
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

    // The new values of the states (d, rest) for all rests of a block: give(d, place, count, values) for each
    // d and each tile. Of the values of successors only the bits of `keep` count.
    template <i64 KNOWN, class Give>
    void bellman(const Int* values, Int keep, i64 number, Give give) {
        count_high(number, counts_.data());
        for (i64 a = 0; a < actions; ++a) {
            rows_[2 * a] = plane(a, counts_[a]);
            rows_[2 * a + 1] = plane(a, counts_[a] + 1);
        }
        const Int* arrivals = values + number * block * actions;
        for (i64 place = 0; place < block; place += TILE) {
            const i64 count = std::min(TILE, block - place);
            const auto tile = [&](auto whole) {
                bellman_tile<KNOWN, whole>(actions, arrivals + place * actions, keep, rows_.data(), place,
                                           count, columns_.data(),
                                           [&](i64 d, const Int* best) { give(d, place, count, best); });
            };
            count == TILE ? tile(std::true_type{}) : tile(std::false_type{});
        }
    }

    i64 successor(i64 state, i64 a) const { return state % rests * actions + a; }

    // How often each action occurs in the high digits of a block.
    void count_high(i64 number, i64* counts) const {
        std::fill(counts, counts + actions, 0);
        for (i32 i = 0; i < high; ++i, number /= actions) ++counts[number % actions];
    }

 private:
    std::vector<std::int16_t>
        tallies_;  // [a * block + place]: of a in the low digits; block <= 2^15 bounds it
    std::vector<Int> planes_;
    std::vector<Int> columns_;  // room for a step
    std::vector<i64> counts_;
    std::vector<const Int*> rows_;
};

}  // namespace tallyplan::TP_VARIANT
