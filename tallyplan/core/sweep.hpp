// The Bellman step over the histories of a tallying bandit, a tile of neighbouring rests at a time.
//
// With x_a = (cost of a at its tally in the rest) + (value of the successor), and y_d the same for a = d at
// one tally more, the new value of state (d, rest) is min(y_d, min over a != d of x_a). The two smallest x
// serve all d: O(1) operations a state. If x_d is the least and another x equals it then the second is the
// same number.
#pragma once

#include "histories.hpp"

namespace tallyplan::TP_VARIANT {

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

// All tiles of a block: give(d, place, count, values) for each d and each tile.
template <i64 KNOWN, class Int, class Give>
inline void bellman_block(const Histories<Int>& graph, const Int* values, Int keep, i64 number,
                          const Int* const* rows, Int* columns, Give give) {
    const Int* arrivals = values + number * graph.block * graph.actions;
    i64 place = 0;
    for (; place + TILE <= graph.block; place += TILE)
        bellman_tile<KNOWN, true>(graph.actions, arrivals + place * graph.actions, keep, rows, place, TILE,
                                  columns, [&](i64 d, const Int* best) { give(d, place, TILE, best); });
    if (place < graph.block)
        bellman_tile<KNOWN, false>(
            graph.actions, arrivals + place * graph.actions, keep, rows, place, graph.block - place, columns,
            [&](i64 d, const Int* best) { give(d, place, graph.block - place, best); });
}

// The planes of a block, as `bellman_tile` takes them; counts: room for K numbers.
template <class Int>
inline void rows_of(const Histories<Int>& graph, i64 number, i64* counts, const Int** rows) {
    graph.count_high(number, counts);
    for (i64 a = 0; a < graph.actions; ++a) {
        rows[2 * a] = graph.plane(a, counts[a]);
        rows[2 * a + 1] = graph.plane(a, counts[a] + 1);
    }
}

}  // namespace tallyplan::TP_VARIANT
