// The histories of a tallying bandit, for a T-step recursion: many Bellman steps at a time, in place, on a
// vector whose digits rotate.
//
// A state has D = m - 1 digits. A step reads the K states that differ in their newest digit and writes the K
// states that differ in their oldest one, with the same digits in between. So the new values can stand where
// the old ones were, if the position of that digit holds the oldest action from then on; the newest one is
// then at the next position. Tallies do not depend on which position holds which action.
//
// Steps at the positions low, ..., D - 1 leave the first digits alone, so that K^low neighbours, a *block*,
// are treated by vectors. A turn of D - low steps begins with a transposition, which moves the newest digit
// from position 0 to `low`; after it the vector is in its standard order again.
#pragma once

#include <array>
#include <atomic>

#include "histories.hpp"
#include "models.hpp"

namespace tallyplan::TP_VARIANT {

// Numbers: with H the highest cost, V_t(s) - V_t(s') is at most (m - 1) H: play from s what is best from s';
// after m - 1 steps the histories agree. A pass takes the value of state 0 off all entries and makes at most
// D steps, each of which adds a cost: the caller's bound allows for that.
template <class Int>
class TallyModel {
 public:
    using Number = Int;
    static constexpr Int never = static_cast<Int>(largest<Int>());
    const i64 actions, memory, states, part;
    const Int span;

    TallyModel(const Tallying& bandit)
        : actions(bandit.actions),
          memory(bandit.memory),
          states(static_cast<i64>(bandit.power(bandit.memory - 1))),
          part((states + actions - 1) / actions),
          span(static_cast<Int>(2 * memory * bandit.highest)),
          table_(bandit.table.begin(), bandit.table.end()),
          low_(memory - 2) {
        if (states == 1) return;
        while (states > SMALL && power(low_) >= BLOCK) --low_;
        block_ = power(low_);
        while (near_ < turn() && power(low_ + near_ + 1) <= CHUNK) ++near_;
        tallies_ = tallies_of_words(actions, turn() - 1);
        planes_ = planes_of<Int>(actions, low_, turn(), [&](i64 a, i64 y) { return table_[a * memory + y]; });
    }

    wide bytes() const { return times(planes_.size(), sizeof(Int)) + times(tallies_.size(), 2); }
    i64 turn() const { return states > 1 ? memory - 1 - low_ : 1; }

    i64 pass(Row<Int>& values, Row<Int>& spare, i64 done, i64 most, std::vector<Passed<Int>>& passed,
             const Watch& watch) {
        const i64 end = std::min(turn(), done + most);
        Int shift = values[0];
        if (done == 0 && states > 1) {
            rotate(values.get(), turn(), spare.get(), watch);
            std::swap(values, spare);
        }
        passed.assign(end - done, {0, 0});
        for (i64 step = done, next; step < end; step = next, shift = 0) {
            next = step < near_ ? std::min(near_, end) : step + 1;
            sweep(values.get(), step, next, shift, &passed[step - done], watch);
        }
        for (auto& one : passed) one.shape -= static_cast<std::uint32_t>(part * one.first);
        return end - done;
    }

    // A vector in order, less its value at state 0. Threads share this too: where the memory is new, the
    // system takes longer to clear it than we to fill it.
    void in_order(const Int* values, i64 done, Int* to, const Watch& watch) const {
        const Int first = values[0], *from = done > 0 ? to : values;
        if (done > 0) rotate(values, low_ + done, to, watch);
        watch.team().share(states, threads(watch), [&](i64 begin, i64 end, i64) {
            for (i64 s = begin; s < end; ++s) to[s] = static_cast<Int>(from[s] - first);
        });
    }

    // All that was played, of which the last m - 1 actions are the history; its code, and its tallies.
    class Player {
     public:
        Parts played;
        i64 code = 0;

        Player(const TallyModel& model, const i32* history, i64 length)
            : model_(model), tallies_(model.actions, 0) {
            for (i64 i = 0; i < length; ++i) play(history[i]);
        }

        i64 choices() const { return model_.actions; }
        i64 missing() const { return std::max<i64>(0, model_.memory - 1 - played.size()); }
        Int cost(i64 a) const { return model_.table_[a * model_.memory + tallies_[a]]; }

        i64 head(i64 a) const {
            const i64 rests = model_.states / model_.actions;
            return model_.states > 1 ? code % rests * model_.actions + a : 0;
        }

        void play(i32 a) {
            code = head(a);
            played.letters.push_back(a);
            count(1);
        }

        // Back to the code before the last action.
        void take_back(i64 before) {
            count(-1);
            played.letters.pop_back();
            code = before;
        }

     private:
        // The last action has come into the window, or is to leave it; another one leaves it, or comes back.
        void count(i64 by) {
            tallies_[played.letters.back()] += by;
            if (played.size() >= model_.memory) tallies_[played.letters[played.size() - model_.memory]] -= by;
        }

        const TallyModel& model_;
        std::vector<i64> tallies_;
    };

 private:
    static constexpr i64 BLOCK = 512;              // numbers at least, if the digits allow it
    static constexpr i64 CHUNK = 1 << 17;          // numbers at most that stay in the cache for several steps
    static constexpr i64 SQUARE = 16;              // the side of a square that is transposed at once
    static constexpr i64 THREADED = i64{1} << 19;  // states from which on threads share the work

    i64 threads(const Watch& watch) const { return states >= THREADED ? watch.threads() : 1; }

    i64 power(i64 digits) const {
        i64 product = 1;
        for (i64 i = 0; i < digits; ++i) product *= actions;
        return product;
    }

    // Rotate the digits until the one at a position is the lowest.
    void rotate(const Int* from, i64 position, Int* to, const Watch& watch) const {
        const i64 columns = power(position), rows = states / columns;
        if (columns == actions)
            return with_known<Int>(actions, [&](auto known) {
                const i64 K = known ? known : actions;
                for (i64 a = 0; a < K; ++a)
                    for (i64 row = 0; row < rows; ++row) to[a * rows + row] = from[row * K + a];
            });
        watch.team().share(columns, threads(watch), [&](i64 first, i64 last, i64) {
            transpose(from + first, columns, rows, last - first, to + first * rows);
        });
    }

    // to[column][row] = from[row][column], in squares, of which the last of a row or column may overlap.
    static void transpose(const Int* from, i64 apart, i64 rows, i64 columns, Int* to) {
        if (rows < SQUARE || columns < SQUARE) {
            for (i64 row = 0; row < rows; ++row)
                for (i64 column = 0; column < columns; ++column)
                    to[column * rows + row] = from[row * apart + column];
            return;
        }
        for (i64 next = 0; next < columns; next += SQUARE)
            for (i64 first = 0; first < rows; first += SQUARE) {
                const i64 row = std::min(first, rows - SQUARE), column = std::min(next, columns - SQUARE);
                Int squares[2][SQUARE * SQUARE];
                copy(from + row * apart + column, apart, squares[0], SQUARE);
                for (i64 i = 0; i < 4; ++i) shuffle(squares[i % 2], squares[1 - i % 2]);
                copy(squares[0], SQUARE, to + column * rows + row, rows);
            }
    }

    static void copy(const Int* from, i64 apart, Int* to, i64 to_apart) {
        for (i64 row = 0; row < SQUARE; ++row)
            std::memcpy(to + row * to_apart, from + row * apart, SQUARE * sizeof(Int));
    }

    // The halves of a square one number from each by turns: four times, and rows are columns.
    static void shuffle(const Int* from, Int* to) {
        constexpr i64 half = SQUARE * SQUARE / 2;
        for (i64 i = 0; i < half; ++i) {
            to[2 * i] = from[i];
            to[2 * i + 1] = from[half + i];
        }
    }

    // The steps at the positions low + from, ..., low + to - 1; `shift` is taken off. Adds what was passed.
    //
    // If there are several, they join only blocks that agree in all later digits: as many words as make a
    // chunk, which stays in the cache for all these steps.
    void sweep(Int* values, i64 from, i64 to, Int shift, Passed<Int>* passed, const Watch& watch) const {
        if (states == 1) {
            values[0] = table_[memory - 1];
            for (i64 a = 1; a < actions; ++a)
                values[0] = std::min(values[0], table_[a * memory + memory - 1]);
            passed[0] = {values[0], static_cast<std::uint32_t>(values[0])};
            return;
        }
        const bool several = to - from > 1;
        const i64 chunk = several ? power(to - 1) : 1, chunks = states / block_ / actions / chunk;
        std::vector<std::atomic<std::uint32_t>> shapes(to - from);
        watch.team().share(chunks, threads(watch), [&](i64 first, i64 last, i64) {
            const i64 size = several ? chunk : last - first;
            for (i64 word = first * chunk; word < last * chunk; word += size) {
                watch.tick();
                for (i64 i = 0; i < to - from; ++i) {
                    shapes[i] += with_known<Int>(actions, [&](auto known) {
                        return step<known>(values, power(from + i), i == 0 ? shift : Int(0), word,
                                           word + size);
                    });
                    if (word == 0) passed[i].first = values[0];
                }
            }
        });
        for (i64 i = 0; i < to - from; ++i) passed[i].shape = shapes[i];
    }

    // One step, with the newest digit `inner` blocks from the next, for some words of the digits from `low`
    // on, the newest one left out. The sum of the new values whose oldest action is 0.
    template <i64 KNOWN>
    std::uint32_t step(Int* values, i64 inner, Int shift, i64 first, i64 last) const {
        const i64 K = KNOWN ? KNOWN : actions, words = states / block_ / K;
        std::conditional_t<KNOWN, std::array<const Int*, KNOWN>, std::vector<const Int*>> costs;
        if constexpr (!KNOWN) costs.resize(K);
        std::uint32_t sum = 0;
        Int* here = values + (first / inner * inner * (K - 1) + first) * block_;
        for (i64 word = first, left = inner - first % inner; word < last; ++word, here += block_) {
            for (i64 a = 0; a < K; ++a)
                costs[a] = &planes_[(a * (turn() + 1) + tallies_[a * words + word]) * block_];
            lower<KNOWN, Lanes<Int>::COUNT>(here, inner * block_, costs.data(), 0, shift);
            for (i64 i = 0; i < block_; ++i) sum += static_cast<std::uint32_t>(here[i]);
            if (--left == 0) here += (K - 1) * inner * block_, left = inner;
        }
        return sum;
    }

    // K blocks, `stride` apart, from a place on, by vectors of so many numbers and then by narrower ones.
    template <i64 KNOWN, i64 COUNT>
    [[gnu::always_inline]] void lower(Int* here, i64 stride, const Int* const* costs, i64 place,
                                      Int shift) const {
        using V = typename Lanes<Int, COUNT>::Vector;
        const auto load = [](const Int* numbers) {
            V found;
            std::memcpy(&found, numbers, sizeof(V));
            return found;
        };
        for (; place + COUNT <= block_; place += COUNT)
            bellman<V, KNOWN>(
                actions,
                [&](i64 a, i64 more) {
                    return load(here + a * stride + place) + load(costs[a] + more * block_ + place);
                },
                [&](i64 d, const V& value) {
                    const V best = value - shift;
                    std::memcpy(here + d * stride + place, &best, sizeof(V));
                });
        if constexpr (COUNT > 1) lower<KNOWN, COUNT / 2>(here, stride, costs, place, shift);
    }

    const std::vector<Int> table_;
    i64 low_, block_ = 1, near_ = 0;     // so many steps of a turn stay within a chunk
    std::vector<std::int16_t> tallies_;  // of the words of the digits from `low` on but one
    std::vector<Int> planes_;  // [a][c][place]: the cost of a if the digits from `low` on have it c times
};

}  // namespace tallyplan::TP_VARIANT
