// Many Bellman steps of a tallying bandit at a time, in place, on a vector whose digits rotate.
//
// A state has D = m - 1 digits. A step reads the K states that differ in their newest digit and writes the K
// states that differ in their oldest one, with the same digits in between. So the new values can stand where
// the old ones were, if that digit's position holds the oldest action from then on: position 0, the lowest,
// is replaced in the first step, position 1 in the second, and after D steps the vector is in its standard
// order again. Tallies do not depend on which position holds which action.
//
// Steps whose positions lie in one *group* of digits join only entries that agree in all other digits. So a
// *tile* of them is brought into the cache once for all steps of the group: a row for each word of the group,
// and in the lanes of its vectors neighbouring words of the other digits. A turn of D steps takes two or
// three passes over the memory.
//
// Numbers: a pass takes the value of state 0 off all entries and makes at most D steps, each of which adds a
// cost. The caller's bound allows for that.
#pragma once

#include "histories.hpp"

namespace tallyplan::TP_VARIANT {

// A layer that a pass went through: its value at state 0, and its shape (fingerprints.hpp).
template <class Int>
struct Passed {
    Int first;
    std::uint64_t shape;
};

// KNOWN: K, if the compiler is to know it, else 0.
template <class Int, i64 KNOWN>
class Rotation {
 public:
    using V = typename Lanes<Int>::Vector;
    static constexpr i64 LANES = Lanes<Int>::COUNT;
    static constexpr i64 WIDTH = 4, COLUMNS = WIDTH * LANES;  // vectors, and numbers, of a row of a tile

    struct alignas(64) Row {
        V w[WIDTH];
    };

    const i64 turn;  // m - 1 steps, after which a vector is in its standard order again

    // The costs of action a after y earlier plays are table[a * m + y].
    Rotation(i64 actions, i64 memory, const std::vector<Int>& table)
        : turn(memory - 1), actions_(actions), memory_(memory), table_(table) {
        i64 most = 1;
        while (power(most + 1) <= ROWS) ++most;
        const i64 groups = (turn + most - 1) / most;
        for (i64 i = 0; i <= groups; ++i) bounds_.push_back(turn * i / groups);
        for (i64 i = 0; i < groups; ++i) {
            const i64 low = bounds_[i], here = bounds_[i + 1] - low;
            places_.push_back(places(here));
            tallies_.push_back(tallies_of_words(K(), i > 0 ? low : turn - here));
        }
    }

    // The steps from `position` on to the end of its group, at most `most`: how many there were. The values
    // are lowered by that of state 0 before.
    i64 pass(Int* values, i64 position, i64 most, std::vector<Passed<Int>>& passed,
             const Watch& watch) const {
        i64 group = 0;
        while (bounds_[group + 1] <= position) ++group;
        const i64 low = bounds_[group], high = bounds_[group + 1];
        const Pass job{group, low, high - low, position - low, std::min(high, position + most) - low};
        const i64 columns = power(low > 0 ? low : turn - high), across = (columns + COLUMNS - 1) / COLUMNS;
        const i64 tiles = low > 0 ? across * power(turn - high) : across;
        const i64 threads = threads_of(watch), steps = job.last - job.first;
        std::vector<std::vector<Passed<Int>>> each(threads, std::vector<Passed<Int>>(steps, {0, 0}));
        const Int shift = values[0];
        watch.team().share(tiles, threads, [&](i64 first, i64 last, i64 piece) {
            Room room(*this, job);
            for (i64 tile = first; tile < last; ++tile) {
                if (tile % TILES_PER_TICK == 0) watch.tick();
                const i64 column = tile % across * COLUMNS;
                sweep_tile(values, job, tile / across, column, std::min(COLUMNS, columns - column), shift,
                           room, each[piece]);
            }
        });
        passed.assign(steps, {0, 0});
        for (const auto& part : each)
            for (i64 i = 0; i < steps; ++i)
                passed[i] = {part[i].first + passed[i].first, part[i].shape + passed[i].shape};
        for (auto& one : passed)
            one.shape = weight * (one.shape - power(turn) * static_cast<std::uint64_t>(one.first));
        return steps;
    }

    // A vector whose next step is at `position` in standard order, less its value at state 0. Threads share
    // this too: where the memory is new, the system takes longer to clear it than we to fill it.
    void in_order(const Int* values, i64 position, Int* to, const Watch& watch) const {
        const i64 lows = power(position), highs = power(turn - position);
        const Int first = values[0], *from = lows > 1 ? to : values;
        for (i64 low = 0; low < lows && lows > 1; low += STRIP)
            transpose(values + low, lows, highs, std::min(STRIP, lows - low), to + low * highs, highs);
        watch.team().share(lows * highs, threads_of(watch), [&](i64 begin, i64 end, i64) {
            for (i64 s = begin; s < end; ++s) to[s] = static_cast<Int>(from[s] - first);
        });
    }

    // Of a layer in order: every state has the same weight, and sums of 32-bit numbers are known modulo 2^32.
    static constexpr std::uint64_t weight = sizeof(Int) == 4 ? std::uint64_t{1} << 32 : 1;

    std::uint64_t shape(const Int* values) const {
        std::uint64_t sum = 0;
        for (i64 s = 0; s < power(turn); ++s) sum += static_cast<std::uint64_t>(values[s] - values[0]);
        return weight * sum;
    }

    // That it takes, with what a thread works on.
    wide bytes() const {
        wide total = times(64 * WIDTH, std::max(ROWS, K()) + K() * (turn + 2));
        for (const auto& some : places_) total += 4 * some.size();
        for (const auto& some : tallies_) total += 2 * some.size();
        return total;
    }

 private:
    static constexpr i64 ROWS = 1024;  // of a tile at most, if K allows it: it fits the second-level cache
    static constexpr i64 TILES_PER_TICK = 64;
    static constexpr i64 SQUARE = 16;
    static constexpr i64 STRIP = 256;
    static constexpr i64 THREADED = i64{1} << 19;  // states from which on a pass is shared out among threads

    struct Pass {
        i64 group, low, digits, first, last;  // steps `first` to `last`, counted in the group
    };

    // What a thread works on.
    struct Room {
        const i64 rows;
        const std::unique_ptr<Row[]> tile;
        std::vector<Row> costs;
        std::vector<i64> above;

        Room(const Rotation& rotation, const Pass& pass)
            : rows(rotation.power(pass.digits)),
              tile(std::make_unique_for_overwrite<Row[]>(rows)),
              costs(rotation.K() * (pass.digits + 1)),
              above(rotation.K()) {}
    };

    i64 K() const { return KNOWN ? KNOWN : actions_; }
    i64 threads_of(const Watch& watch) const { return power(turn) >= THREADED ? watch.threads() : 1; }

    i64 power(i64 digits) const {
        i64 product = 1;
        for (i64 i = 0; i < digits; ++i) product *= K();
        return product;
    }

    // [word * K + a]: the row of `Room::costs` for a, if one digit 0 of the word of a group does not count.
    std::vector<i32> places(i64 digits) const {
        const i64 words = power(digits);
        const auto counted = tallies_of_words(K(), digits);
        std::vector<i32> found(words * K());
        for (i64 a = 0; a < K(); ++a)
            for (i64 word = 0; word < words; ++word)
                found[word * K() + a] =
                    static_cast<i32>(a * (digits + 1) + counted[a * words + word] - (a == 0));
        return found;
    }

    void sweep_tile(Int* values, const Pass& pass, i64 block, i64 column, i64 columns, Int shift, Room& room,
                    std::vector<Passed<Int>>& passed) const {
        const i64 rows = power(pass.digits), inner = power(pass.low);
        const bool lowest = pass.low == 0;
        Int* corner = values + (lowest ? column * rows : block * rows * inner + column);
        Int* tile = reinterpret_cast<Int*>(room.tile.get());
        price(pass, block, column, columns, room);
        if (columns < COLUMNS) std::fill(tile, tile + rows * COLUMNS, shift);  // zeros where there is nothing
        if (lowest)
            transpose(corner, rows, columns, rows, tile, COLUMNS);
        else
            copy(corner, inner, rows, columns, tile, COLUMNS);
        for (i64 row = 0; row < rows; ++row)
            for (V& w : room.tile[row].w) w -= shift;
        i64 stride = power(pass.first);
        for (i64 step = pass.first; step < pass.last; ++step, stride *= K()) {
            auto& here = passed[step - pass.first];
            here.shape += sweep(room, places_[pass.group].data(), rows, stride, columns);
            if (corner == values) here.first = tile[0];
        }
        if (lowest)
            transpose(tile, COLUMNS, rows, columns, corner, rows);
        else
            copy(tile, COLUMNS, rows, columns, corner, inner);
    }

    static void copy(const Int* from, i64 apart, i64 rows, i64 columns, Int* to, i64 to_apart) {
        for (i64 row = 0; row < rows; ++row)
            std::memcpy(to + row * to_apart, from + row * apart, columns * sizeof(Int));
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
                copy(from + row * apart + column, apart, SQUARE, SQUARE, one, SQUARE);
                shuffle(one, other);
                shuffle(other, one);
                shuffle(one, other);
                shuffle(other, one);
                copy(one, SQUARE, SQUARE, SQUARE, to + column * to_apart + row, to_apart);
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

    // costs[a * (digits + 1) + t]: of a in each lane if the word of the group has it t times.
    void price(const Pass& pass, i64 block, i64 column, i64 columns, Room& room) const {
        const auto& tallies = tallies_[pass.group];
        const i64 words = static_cast<i64>(tallies.size()) / K();
        std::fill(room.above.begin(), room.above.end(), 0);
        if (pass.low > 0)
            for (i64 i = pass.low + pass.digits; i < turn; ++i, block /= K()) ++room.above[block % K()];
        for (i64 a = 0; a < K(); ++a) {
            const std::int16_t* tally = &tallies[a * words + column];
            for (i64 t = 0; t <= pass.digits; ++t) {
                Int* cost = reinterpret_cast<Int*>(&room.costs[a * (pass.digits + 1) + t]);
                const Int* row = &table_[a * memory_ + room.above[a] + t];
                for (i64 lane = 0; lane < columns; ++lane) cost[lane] = row[tally[lane]];
            }
        }
    }

    // One step on a tile; the sum of the new values.
    std::uint64_t sweep(Room& room, const i32* places, i64 rows, i64 stride, i64 columns) const {
        const i64 K = this->K();
        Row* const tile = room.tile.get();
        const Row* const costs = room.costs.data();
        typename Lanes<Int>::Sum totals[WIDTH] = {};
        for (i64 high = 0; high < rows; high += K * stride)
            for (i64 base = high; base < high + stride; ++base) {
                const i32* place = places + base * K;
                for (i64 w = 0; w < WIDTH; ++w) {
                    const auto value = [&](i64 a) -> V& { return tile[base + a * stride].w[w]; };
                    const auto sum = [&](i64 a, i64 more) { return value(a) + costs[place[a] + more].w[w]; };
                    const auto put = [&](i64 d, const V& others) {
                        value(d) = lesser(sum(d, 1), others);
                        totals[w] += (typename Lanes<Int>::Sum)value(d);
                    };
                    if constexpr (KNOWN == 2) {
                        const V first = sum(0, 0);
                        put(0, sum(1, 0));
                        put(1, first);
                    } else {
                        TwoLeast<V> two(sum(0, 0), sum(1, 0));
                        for (i64 a = 2; a < K; ++a) two.add(sum(a, 0));
                        for (i64 d = 0; d < K; ++d) put(d, two.without(sum(d, 0)));
                    }
                }
            }
        std::uint64_t sum = 0;
        for (i64 lane = 0; lane < columns; ++lane)
            sum += static_cast<std::uint64_t>(reinterpret_cast<const Int*>(totals)[lane]);
        return sum;
    }

    const i64 actions_, memory_;
    const std::vector<Int>& table_;
    std::vector<i64> bounds_;  // of the groups
    std::vector<std::vector<i32>> places_;
    std::vector<std::vector<std::int16_t>> tallies_;  // by group, of the words in the columns
};

}  // namespace tallyplan::TP_VARIANT
