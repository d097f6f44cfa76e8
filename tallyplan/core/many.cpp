// Many tables of one size at once: tables lie side by side in the lanes of vectors, one table a lane.
//
// A state is its oldest digit d and the rest r, the m - 2 others: d R + r. All states with one rest have the
// successors r K + a. Costs are those of histories.hpp: the tally of a in the rest, and one more if d = a.
#include <array>

#include "histories.hpp"
#include "single_run.hpp"

namespace tallyplan::TP_VARIANT {
namespace {

constexpr i64 LANES = 16;
constexpr i64 LONGEST = 4;  // words are at most so many times K m long, longer than nearly all that are best

template <class Int>
using Vector = typename Lanes<Int, LANES>::Vector;

// The tables by blocks of lanes: row a m + y of a block has the costs of a after y earlier plays. Lanes that
// no table is left for are zero. K >= 1, m >= 2.
template <class Int>
struct Tables {
    using V = Vector<Int>;
    const i64 count, K, m, blocks;
    i64 rests = 1, states = 1;
    Array<V> costs;         // [block][row]
    std::vector<i32> rows;  // [rest * K + a]: the row of a if it does not drop out of the window

    explicit Tables(const tp_tables& tables)
        : count(tables.count),
          K(tables.actions),
          m(tables.memory),
          blocks((count + LANES - 1) / LANES),
          costs(array_of<V>(blocks * K * m)) {
        for (i64 i = 2; i < m; ++i) rests *= K;
        states = rests * K;
        for (i64 i = 0; i < count; ++i)
            for (i64 row = 0; row < K * m; ++row)
                costs[i / LANES * K * m + row][i % LANES] = static_cast<Int>(tables.tables[i * K * m + row]);
        const auto tallies = tallies_of_words(K, m - 2);
        for (i64 to = 0; to < states; ++to)
            rows.push_back(static_cast<i32>(to % K * m + tallies[to % K * rests + to / K]));
    }

    const V* block(i64 number) const { return &costs[number * K * m]; }

    // The numbers in the lanes of a block go to its tables.
    void put(i64 number, const V& numbers, i64* out) const {
        for (i64 i = number * LANES; i < std::min(count, (number + 1) * LANES); ++i)
            out[i] = numbers[i % LANES];
    }
};

// -- the minimum mean cycle

// Bellman-Ford with a floor, as in mean_cycle.hpp, one table a lane. A value is phi * codes + parent, with
// codes = 2^bits > K, and codes - 1 means that there is no parent. A lane that is settled takes the next
// table. Every so many sweeps a cycle of parents is looked for: it is a better word, with which the lane
// begins again; if it is very long the table is left to be asked by itself.
//
// Numbers: with W = length * highest, a value that is read is at least the floor -(m - 1) W - 1, so one that
// is written is at least -m W - 1, and lengths are at most LONGEST * K m: see `bound`.
template <class Int>
class Means {
 public:
    using V = Vector<Int>;

    static wide bound(i64 K, i64 m, wide highest) {
        const i64 longest = LONGEST * K * m;
        return std::max(times(wide{1} << bits_of(K), plus(times(m + 2, longest, highest), 2)),
                        SingleRuns<Int>::bound(highest, longest));
    }

    Means(const Tables<Int>& tables, i64* costs, i64* lengths, std::uint8_t* proved)
        : tables_(tables),
          K(tables.K),
          m(tables.m),
          codes_(static_cast<Int>(Int{1} << bits_of(K))),
          costs_(costs),
          lengths_(lengths),
          proved_(proved),
          values_(array_of<V>(tables.states)),
          reduced_(array_of<V>(K * m)),
          marks_(tables.states) {}

    void run(const Watch& watch) {
        const i64 sweeps = 4 + m;
        std::array<i64, LANES> table, due;
        table.fill(-1);
        due.fill(0);
        i64 taken = 0, busy = 0;
        for (i64 sweep = 0;; ++sweep) {
            if (sweep % 64 == 0) watch.tick();
            for (i64 lane = 0; lane < LANES && taken < tables_.count; ++lane) {
                if (table[lane] >= 0) continue;
                table[lane] = taken++;
                due[lane] = sweeps;
                begin(table[lane], lane);
                ++busy;
            }
            if (busy == 0) return;
            with_known<Int>(K, [&](auto known) { relax<known>(sweep % 2); });
            for (i64 lane = 0; lane < LANES; ++lane) {
                const i64 i = table[lane];
                if (i < 0) continue;
                proved_[i] = changed_[lane] == 0 && lowest_[lane] >= floor_[lane];
                bool left = proved_[i];
                if (!left && --due[lane] == 0) {
                    const auto [cost, length] = parent_cycle(i, lane);
                    due[lane] = sweeps;
                    left = length > LONGEST * K * m;
                    if (!left && length > 0) {
                        costs_[i] = cost;
                        lengths_[i] = length;
                        begin(i, lane);
                    }
                }
                if (left) {
                    table[lane] = -1;
                    --busy;
                }
            }
        }
    }

 private:
    // The reduced costs of a table, each with its action in the lowest bits, and zero potentials.
    void begin(i64 i, i64 lane) {
        const V* some = tables_.block(i / LANES);
        const Int cost = static_cast<Int>(costs_[i]), length = static_cast<Int>(lengths_[i]);
        Int highest = 1;
        for (i64 a = 0; a < K; ++a)
            for (i64 y = 0; y < m; ++y) {
                const Int loss = some[a * m + y][i % LANES];
                highest = std::max(highest, loss);
                reduced_[a * m + y][lane] = codes_ * (length * loss - cost) + static_cast<Int>(a);
            }
        floor_[lane] = -codes_ * ((static_cast<Int>(m) - 1) * length * highest + 1);
        for (i64 s = 0; s < tables_.states; ++s) values_[s][lane] = codes_ - 1;
    }

    // A sweep in place: which lanes have changed, and their lowest values.
    template <i64 KNOWN>
    void relax(bool backwards) {
        const i64 K = KNOWN ? KNOWN : this->K, rests = tables_.rests;
        const V keep = V{} - codes_, floor = floor_;
        V changed{}, lowest{};
        V* values = values_.get();
        for (i64 turn = 0; turn < rests; ++turn) {
            const i64 rest = backwards ? rests - 1 - turn : turn;
            const i32* rows = &tables_.rows[rest * K];
            const auto arrival = [&](i64 a) { return greater(values[rest * K + a] & keep, floor); };
            bellman<V, KNOWN>(
                K, [&](i64 a, i64 more) { return arrival(a) + reduced_[rows[a] + more]; },
                [&](i64 d, const V& best) {
                    V& here = values[d * rests + rest];
                    const auto lower = best < (here & keep);
                    here = lower ? best : here;
                    changed |= lower;
                    lowest = lesser(lowest, here);
                });
        }
        changed_ = changed;
        lowest_ = lowest;
    }

    // Cost and length of a cycle of the parents of a lane; length 0 if there is none.
    std::pair<i64, i64> parent_cycle(i64 i, i64 lane) {
        const auto parent = [&](i64 s) { return static_cast<i64>(values_[s][lane] & (codes_ - 1)); };
        std::fill(marks_.begin(), marks_.end(), 0);
        for (i64 start = 0; start < tables_.states; ++start) {
            i64 s = start;
            for (; marks_[s] == 0 && parent(s) < K; s = s % tables_.rests * K + parent(s))
                marks_[s] = static_cast<i32>(start + 1);
            if (marks_[s] != start + 1) continue;
            i64 cost = 0, length = 0, t = s;
            do {
                const i64 a = parent(t), rest = t % tables_.rests;
                cost += static_cast<i64>(tables_.block(
                    i / LANES)[tables_.rows[rest * K + a] + (t / tables_.rests == a)][i % LANES]);
                t = rest * K + a;
                ++length;
            } while (t != s);
            return {cost, length};
        }
        return {0, 0};
    }

    const Tables<Int>& tables_;
    const i64 K, m;
    const Int codes_;
    i64 *costs_, *lengths_;
    std::uint8_t* proved_;
    Array<V> values_, reduced_;
    V floor_{}, changed_{}, lowest_{};
    std::vector<i32> marks_;
};

template <class Int>
void least_means(const tp_tables& given, const Watch& watch, i64* costs, i64* lengths, std::uint8_t* proved) {
    const Tables<Int> tables(given);
    for (i64 number = 0; number < tables.blocks; ++number) {
        watch.tick();
        SingleRuns<Int, Vector<Int>> best(tables.K, tables.m, tables.block(number), tables.K * tables.m);
        for (i64 P = 1; P <= tables.K * tables.m; ++P) best.try_period(P);
        tables.put(number, best.cost, costs);
        tables.put(number, best.period, lengths);
    }
    Means<Int>(tables, costs, lengths, proved).run(watch);
}

wide highest_of(const tp_tables& tables) {
    const i64 size = tables.count * tables.actions * tables.memory;
    return size == 0 ? 1 : std::max<i64>(1, *std::max_element(tables.tables, tables.tables + size));
}

// Bytes of `entries` numbers of each table, of 8 bytes, and of `vectors` over the states.
void require(Watch& watch, const tp_tables& tables, wide vectors) {
    wide states = 1;
    for (i64 i = 1; i < tables.memory && states < huge; ++i) states = times(states, tables.actions);
    watch.require(plus(times(8, plus(tables.count, LANES), times(tables.actions, tables.memory)),
                       times(8 * LANES, vectors, states)));
}

}  // namespace
}  // namespace tallyplan::TP_VARIANT

using namespace tallyplan::TP_VARIANT;

TP_FUNCTION(least_means)
(const tp_tables* tables, int64_t* costs, int64_t* lengths, tp_limits* limits, uint8_t* proved) {
    return guarded(limits, [&](Watch& watch) {
        require(watch, *tables, 2);
        with_type<i64>(Means<i64>::bound(tables->actions, tables->memory, highest_of(*tables)),
                       [&]<class Int>(Int) { least_means<Int>(*tables, watch, costs, lengths, proved); });
    });
}
