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
//
// A vector is *laid out* if its blocks are filled up to whole vectors of the processor, by repeating the last
// number: so all that is read lies in one line of the cache.
#pragma once

#include <array>
#include <atomic>
#include <numeric>

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
    i64 room = 1;  // numbers that a vector has when it is laid out
    const Int span;

    TallyModel(const Tallying& bandit)
        : actions(bandit.actions),
          memory(bandit.memory),
          states(static_cast<i64>(bandit.states)),
          part((states + actions - 1) / actions),
          span(static_cast<Int>(2 * memory * bandit.highest)),
          table_(bandit.table.begin(), bandit.table.end()),
          low_(memory - 2) {
        if (states == 1) return;
        while (states > SMALL && low_ > 1 && words(low_) >= BLOCK) --low_;
        block_ = words(low_);
        row_ = in_vectors<Int>(block_);
        room = states / block_ * row_;
        while (near_ < turn() && words(low_ + near_ + 1) <= CHUNK) ++near_;
        tallies_ = tallies_of_words(actions, turn() - 1);
        planes_ = planes_of<Int>(actions, low_, turn(), [&](i64 a, i64 y) { return table_[a * memory + y]; });
    }

    wide bytes() const {
        return times(actions * (turn() + 1) * row_, sizeof(Int)) + times(tallies_.size(), 2);
    }
    i64 turn() const { return states > 1 ? memory - 1 - low_ : 1; }

    i64 pass(Row<Int>& values, Row<Int>& spare, i64 done, i64 most, std::vector<Passed<Int>>& passed,
             const Watch& watch) {
        const i64 end = std::min(turn(), done + most);
        Int shift = values[0];
        if (done == 0 && states > 1) {
            rotate(values.get(), turn(), spare.get(), row_, watch);
            fill_up(spare.get());
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

    // Lay out a vector in order.
    void lay_out(const Int* values, Int* to) const {
        for (i64 i = 0; i < states / block_; ++i)
            std::copy(values + i * block_, values + (i + 1) * block_, to + i * row_);
        fill_up(to);
    }

    // The vector that is laid out, in order and less its value at state 0. Threads share this too: where the
    // memory is new, the system takes longer to clear it than we to fill it.
    void in_order(const Int* values, i64 done, Int* to, const Watch& watch) const {
        const Int first = values[0];
        if (done > 0) rotate(values, low_ + done, to, words(turn() - done), watch);
        watch.team().share(states / block_, threads(watch), [&](i64 begin, i64 end, i64) {
            for (i64 i = begin; i < end; ++i) {
                const Int* from = done > 0 ? to + i * block_ : values + i * row_;
                for (i64 s = 0; s < block_; ++s) to[i * block_ + s] = static_cast<Int>(from[s] - first);
            }
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
    using Vector = typename Lanes<Int>::Vector;
    using Sum = typename Lanes<Int>::Sum;
    static constexpr i64 SIDE = Lanes<Int>::COUNT;  // of a square that is transposed at once
    static constexpr i64 BLOCK = 512;               // numbers at least, if the digits allow it
    static constexpr i64 CHUNK = 1 << 17;          // numbers at most that stay in the cache for several steps
    static constexpr i64 THREADED = i64{1} << 19;  // states from which on threads share the work

    i64 threads(const Watch& watch) const { return states >= THREADED ? watch.threads() : 1; }

    i64 words(i64 digits) const { return static_cast<i64>(power(actions, digits)); }

    void fill_up(Int* values) const {
        if (row_ > block_)
            for (Int* end = values + room; values < end; values += row_)
                std::fill(values + block_, values + row_, values[block_ - 1]);
    }

    // Rotate the digits of a vector that is laid out until the one at a position is the lowest. In the result
    // the words of the digits from there on have room for so many numbers.
    //
    // It is a matrix with these words as rows; a part of it has the columns of one block, or all of them.
    void rotate(const Int* from, i64 position, Int* to, i64 room, const Watch& watch) const {
        const i64 columns = words(std::min(position, low_)), parts = words(position) / columns;
        const i64 rows = states / parts / columns, each = block_ / columns;  // rows in a block
        if (rows < SIDE || columns < SIDE) {
            for (i64 i = 0; i < states / block_; ++i)
                separate(from + i * row_, each, columns, to + i % parts * columns * room + i / parts * each,
                         room);
            return;
        }
        std::vector<i64> starts(rows);
        for (i64 row = 0; row < rows; ++row) starts[row] = row / each * parts * row_ + row % each * columns;
        watch.team().share(parts, threads(watch), [&](i64 first, i64 last, i64) {
            for (i64 i = first; i < last; ++i)
                transpose(from + i * row_, starts, columns, to + i * columns * room, room);
        });
    }

    // to[column][row] = from[row][column]
    static void separate(const Int* from, i64 rows, i64 columns, Int* to, i64 room) {
        with_known<Int>(columns, [&](auto known) {
            const i64 K = known ? known : columns;
            for (i64 column = 0; column < K; ++column)
                for (i64 row = 0; row < rows; ++row) to[column * room + row] = from[row * K + column];
        });
    }

    // The same of rows that start anywhere, in squares, of which the last of a row or column may overlap.
    static void transpose(const Int* from, const std::vector<i64>& starts, i64 columns, Int* to, i64 room) {
        const i64 rows = static_cast<i64>(starts.size());
        for (i64 next = 0; next < columns; next += SIDE)
            for (i64 first = 0; first < rows; first += SIDE) {
                const i64 row = std::min(first, rows - SIDE), column = std::min(next, columns - SIDE);
                Vector square[SIDE];
                for (i64 i = 0; i < SIDE; ++i) square[i] = vector_at<Vector>(from + starts[row + i] + column);
                shuffle<SIDE>(square, std::make_index_sequence<SIDE>());
                for (i64 i = 0; i < SIDE; ++i)
                    std::memcpy(to + (column + i) * room + row, &square[i], sizeof(Vector));
            }
    }

    // The halves of a square one number from each by turns: as often as the side has halves, rows are
    // columns.
    template <i64 LEFT, std::size_t... I>
    [[gnu::always_inline]] static void shuffle(Vector* square, std::index_sequence<I...> lanes) {
        if constexpr (LEFT > 1) {
            Vector mixed[SIDE];
            for (i64 i = 0; i < SIDE / 2; ++i) {
                const Vector one = square[i], other = square[i + SIDE / 2];
                mixed[2 * i] = __builtin_shufflevector(one, other, (I / 2 + I % 2 * SIDE)...);
                mixed[2 * i + 1] = __builtin_shufflevector(one, other, ((I + SIDE) / 2 + I % 2 * SIDE)...);
            }
            std::copy(mixed, mixed + SIDE, square);
            shuffle<LEFT / 2>(square, lanes);
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
        const i64 chunk = several ? words(to - 1) : 1, chunks = states / block_ / actions / chunk;
        std::vector<std::atomic<std::uint32_t>> shapes(to - from);
        watch.team().share(chunks, threads(watch), [&](i64 first, i64 last, i64) {
            const i64 size = several ? chunk : last - first;
            for (i64 word = first * chunk; word < last * chunk; word += size) {
                watch.tick();
                for (i64 i = 0; i < to - from; ++i) {
                    shapes[i] += with_known<Int>(actions, [&](auto known) {
                        return step<known>(values, words(from + i), i == 0 ? shift : Int(0), word,
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
        const i64 K = KNOWN ? KNOWN : actions, words = states / block_ / K, row = row_, apart = inner * row;
        std::conditional_t<(KNOWN > 0), std::array<const Int*, KNOWN>, std::vector<const Int*>> costs;
        std::conditional_t<(KNOWN > 0), std::array<Vector, KNOWN>, std::vector<Vector>> old;
        if constexpr (!KNOWN) costs.resize(K), old.resize(K);
        Sum sums = {};
        std::uint32_t sum = 0;
        Int* here = values + first / inner * (K - 1) * apart + first * row;
        for (i64 word = first, left = inner - first % inner; word < last; ++word, here += row) {
            for (i64 a = 0; a < K; ++a)
                costs[a] = &planes_[(a * (turn() + 1) + tallies_[a * words + word]) * row];
            for (i64 place = 0; place < row; place += SIDE) {
                for (i64 a = 0; a < K; ++a) old[a] = vector_at<Vector>(here + a * apart + place);
                bellman<Vector, KNOWN>(
                    K,
                    [&](i64 a, i64 more) {
                        return old[a] + vector_at<Vector>(costs[a] + more * row + place);
                    },
                    [&](i64 d, const Vector& value) {
                        const Vector best = value - shift;
                        std::memcpy(here + d * apart + place, &best, sizeof(Vector));
                        if (d == 0) sums += (Sum)best;
                    });
            }
            sum -= static_cast<std::uint32_t>((row - block_) * here[block_ - 1]);
            if (--left == 0) here += (K - 1) * apart, left = inner;
        }
        Int lanes[SIDE];
        std::memcpy(lanes, &sums, sizeof(sums));
        return std::accumulate(lanes, lanes + SIDE, sum, [](std::uint32_t total, Int lane) {
            return total + static_cast<std::uint32_t>(lane);
        });
    }

    const std::vector<Int> table_;
    i64 low_, block_ = 1, row_ = 1;      // numbers in a block, and when it is filled up
    i64 near_ = 0;                       // so many steps of a turn stay within a chunk
    std::vector<std::int16_t> tallies_;  // of the words of the digits from `low` on but one
    Array<Int> planes_;  // [a][c][place]: the cost of a if the digits from `low` on have it c times
};

}  // namespace tallyplan::TP_VARIANT
