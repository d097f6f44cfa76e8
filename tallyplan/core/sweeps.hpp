// Many Bellman steps of a tallying bandit at a time, on a vector whose digits rotate.
//
// A state has D = m - 1 digits. A step reads the K states that differ in their newest digit and writes the K
// states that differ in their oldest one, with the same digits in between. So the new values can stand where
// the old ones were, if the position of that digit holds the oldest action from then on; the newest one is
// then at the next position. Tallies do not depend on which position holds which action.
//
// Steps at the positions low, ..., mid - 1 join only states that agree in the digits from `mid` on. So a
// *chunk* of K^mid neighbouring numbers stays in the cache for all steps of a *turn*, of which there are mid
// - low; and K^low neighbours are treated by vectors, since they differ in digits that no step of the turn
// touches. A turn begins with the newest digit at position `mid`: the digits are rotated by a transposition
// until it is at position `low`, a chunk at a time, and the steps follow.
//
// Numbers: a pass takes the value of state 0 off all entries and makes at most D steps, each of which adds a
// cost. The caller's bound allows for that.
#pragma once

#include <array>

#include "histories.hpp"

namespace tallyplan::TP_VARIANT {

// A layer that a pass went through: its value at state 0, and its shape (fingerprints.hpp).
template <class Int>
struct Passed {
    Int first;
    std::uint32_t shape;
};

// KNOWN: K, if the compiler is to know it, else 0.
template <class Int, i64 KNOWN>
class Sweeps {
 public:
    // The costs of action a after y earlier plays are table[a * m + y]; K >= 2 and m >= 2. `single`: a turn
    // has but one step, and vectors are in order between turns.
    Sweeps(i64 actions, i64 memory, const std::vector<Int>& table, bool single)
        : actions_(actions), digits_(memory - 1), low_(digits_ - 1), mid_(digits_), powers_(1, 1) {
        for (i64 i = 0; i < digits_; ++i) powers_.push_back(powers_.back() * K());
        while (!single && power(low_ - 1) >= BLOCK) --low_;
        while (power(mid_) > CHUNK && power(std::max<i64>(0, 2 * mid_ - 2 - low_ - digits_)) >= SQUARE)
            --mid_;
        tallies_ = tallies_of_words(K(), turn() - 1);
        const auto below = tallies_of_words(K(), low_);
        const i64 block = power(low_), counts = digits_ - low_ + 1;
        planes_.resize(K() * counts * block);
        for (i64 a = 0; a < K(); ++a)
            for (i64 c = 0; c < counts; ++c)
                for (i64 place = 0; place < block; ++place)
                    planes_[(a * counts + c) * block + place] =
                        table[a * memory + below[a * block + place] + c];
    }

    i64 turn() const { return mid_ - low_; }

    // From its standard order to that in which a turn begins.
    void enter(const Int* values, Int* to) const { rotate(values, digits_ - mid_, to); }

    // After so many steps of a turn, back in standard order, less the value at state 0.
    void in_order(const Int* values, i64 done, Int* to) const {
        const i64 states = power(digits_);
        const Int first = values[0];
        rotate(values, done > 0 ? low_ + done : mid_, to);
        for (i64 s = 0; s < states; ++s) to[s] -= first;
    }

    // The steps of a turn after the first `done`, at most `most`: how many there were. The values are lowered
    // by that of state 0 before. If the turn begins they are read from another vector.
    i64 pass(const Int* before, Int* values, i64 done, i64 most, std::vector<Passed<Int>>& passed,
             const Watch& watch) const {
        const i64 steps = std::min(turn() - done, most), chunk = power(mid_), chunks = power(digits_ - mid_);
        const i64 threads = power(digits_) >= THREADED ? watch.threads() : 1;
        const Int shift = done > 0 ? values[0] : before[0];
        std::vector<std::vector<Passed<Int>>> each(threads, std::vector<Passed<Int>>(steps, {0, 0}));
        in_threads(chunks, threads, [&](i64 first, i64 last, i64 piece) {
            Room room(K());
            for (i64 number = first; number < last; ++number) {
                watch.tick();
                Int* const here = values + number * chunk;
                if (done == 0) gather(before, number, here);
                for (i64 i = 0; i < chunk; ++i) here[i] -= shift;
                room.count(number, digits_ - mid_, K());
                for (i64 step = 0; step < steps; ++step) {
                    each[piece][step].shape += sweep(here, low_ + done + step, room);
                    if (number == 0) each[piece][step].first = here[0];
                }
            }
        });
        passed.assign(steps, {0, 0});
        for (i64 i = 0; i < steps; ++i) {
            passed[i].first = each[0][i].first;
            passed[i].shape = -static_cast<std::uint32_t>(power(digits_) * passed[i].first);
            for (const auto& part : each) passed[i].shape += part[i].shape;
        }
        return steps;
    }

    // That it takes.
    wide bytes() const {
        return times(planes_.size(), sizeof(Int)) + times(tallies_.size(), sizeof(std::int16_t));
    }

 private:
    static constexpr i64 BLOCK = 128, CHUNK = i64{1} << 14;  // numbers, if the digits allow it
    static constexpr i64 SQUARE = 16, STRIP = 256;
    static constexpr i64 THREADED = i64{1} << 19;  // states from which on a pass is shared out among threads

    // What a thread works with: how often each action occurs in the number of a chunk, and its costs.
    struct Room {
        std::vector<i64> above;
        std::vector<const Int*> costs;

        explicit Room(i64 actions) : above(actions), costs(actions) {}

        void count(i64 number, i64 digits, i64 K) {
            std::fill(above.begin(), above.end(), 0);
            for (i64 i = 0; i < digits; ++i, number /= K) ++above[number % K];
        }
    };

    i64 K() const { return KNOWN ? KNOWN : actions_; }

    i64 power(i64 digits) const { return powers_[digits]; }

    // The costs of a over the places of a block if the digits from `low` on have it c times.
    const Int* plane(i64 a, i64 c) const {
        return planes_.data() + (a * (digits_ - low_ + 1) + c) * power(low_);
    }

    // Rotate the digits until the one at a position is the lowest.
    void rotate(const Int* from, i64 position, Int* to) const {
        const i64 rows = power(digits_ - position), columns = power(position);
        if (rows == 1) std::copy(from, from + columns, to);
        if (rows == 1) return;
        for (i64 column = 0; column < columns; column += STRIP)
            transpose(from + column, columns, rows, std::min(STRIP, columns - column), to + column * rows,
                      rows);
    }

    // The numbers of a chunk as a turn begins.
    void gather(const Int* from, i64 number, Int* to) const {
        const i64 apart = power(turn()), rows = power(digits_ - turn());
        if (apart == K()) {
            for (i64 a = 0; a < K(); ++a)
                for (i64 row = 0; row < rows; ++row) to[a * rows + row] = from[row * K() + a];
        } else {
            const i64 columns = power(turn() - digits_ + mid_);
            transpose(from + number * columns, apart, rows, columns, to, rows);
        }
    }

    static void copy(const Int* from, i64 apart, Int* to, i64 to_apart) {
        for (i64 row = 0; row < SQUARE; ++row)
            std::memcpy(to + row * to_apart, from + row * apart, SQUARE * sizeof(Int));
    }

    // to[column][row] = from[row][column], in squares, of which the last of a row or column may overlap.
    static void transpose(const Int* from, i64 apart, i64 rows, i64 columns, Int* to, i64 to_apart) {
        if (rows < SQUARE || columns < SQUARE) {
            for (i64 row = 0; row < rows; ++row)
                for (i64 column = 0; column < columns; ++column)
                    to[column * to_apart + row] = from[row * apart + column];
            return;
        }
        for (i64 first = 0; first < rows; first += SQUARE)
            for (i64 next = 0; next < columns; next += SQUARE) {
                const i64 row = std::min(first, rows - SQUARE), column = std::min(next, columns - SQUARE);
                Int one[SQUARE * SQUARE], other[SQUARE * SQUARE];
                copy(from + row * apart + column, apart, one, SQUARE);
                shuffle(one, other);
                shuffle(other, one);
                shuffle(one, other);
                shuffle(other, one);
                copy(one, SQUARE, to + column * to_apart + row, to_apart);
            }
    }

    // The halves of a square one number from each by turns: four times, and rows are columns.
    static void shuffle(const Int* from, Int* to) {
        constexpr i64 half = SQUARE * SQUARE / 2;
        for (i64 i = 0; i < half; ++i) {
            to[2 * i] = from[i];
            to[2 * i + 1] = from[half + i];
        }
    }

    // One step on a chunk with the newest digit at a position, for the places of each block from one on; the
    // sum of the new values. What is left of a block after the last whole vector is treated by narrower ones.
    template <class L = Lanes<Int>>
    std::uint32_t sweep(Int* chunk, i64 position, Room& room, i64 from = 0) const {
        const i64 block = power(low_), inner = power(position - low_), words = power(turn() - 1);
        const i64 to = block - (block - from) % L::COUNT;
        std::array<const Int*, KNOWN ? KNOWN : 1> known;
        const Int** const costs = KNOWN ? known.data() : room.costs.data();
        typename L::Sum totals{};
        for (i64 high = 0; high < words; high += inner)
            for (i64 word = high; word < high + inner; ++word) {
                Int* const here = chunk + (high * (K() - 1) + word) * block;
                for (i64 a = 0; a < K(); ++a) costs[a] = plane(a, room.above[a] + tallies_[a * words + word]);
                for (i64 i = from; i < to; i += L::COUNT)
                    totals += lower<L>(here, block * inner, costs, i, block);
            }
        if constexpr (L::COUNT > 1)
            if (to < block) return added(totals) + sweep<Lanes<Int, L::COUNT / 2>>(chunk, position, room, to);
        return added(totals);
    }

    template <class Sum>
    static std::uint32_t added(const Sum& sums) {
        Int numbers[sizeof(Sum) / sizeof(Int)];
        std::memcpy(numbers, &sums, sizeof(Sum));
        std::uint32_t sum = 0;
        for (const Int number : numbers) sum += static_cast<std::uint32_t>(number);
        return sum;
    }

    // The step at some places of a block, K numbers each, so far from each other, which are replaced; the sum
    // of the new ones.
    template <class L>
    typename L::Sum lower(Int* here, i64 stride, const Int* const* costs, i64 place, i64 block) const {
        using V = typename L::Vector;
        typename L::Sum total{};
        const auto load = [](const Int* numbers) {
            V found;
            std::memcpy(&found, numbers, sizeof(V));
            return found;
        };
        const auto sum = [&](i64 a, i64 more) {
            return load(here + a * stride + place) + load(costs[a] + more * block + place);
        };
        const auto put = [&](i64 d, const V& others) {
            const V best = lesser<V>(sum(d, 1), others);
            std::memcpy(here + d * stride + place, &best, sizeof(V));
            total += (typename L::Sum)best;
        };
        if constexpr (KNOWN == 2) {
            const V first = sum(0, 0);
            put(0, sum(1, 0));
            put(1, first);
        } else {
            TwoLeast<V> two(sum(0, 0), sum(1, 0));
            for (i64 a = 2; a < K(); ++a) two.add(sum(a, 0));
            for (i64 d = 0; d < K(); ++d) put(d, two.without(sum(d, 0)));
        }
        return total;
    }

    const i64 actions_, digits_;
    i64 low_, mid_;
    std::vector<i64> powers_;            // of K
    std::vector<std::int16_t> tallies_;  // of the other digits between `low` and `mid`
    std::vector<Int> planes_;
};

}  // namespace tallyplan::TP_VARIANT
