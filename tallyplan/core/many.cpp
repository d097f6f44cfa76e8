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
struct VectorOf {
    typedef Int type __attribute__((vector_size(LANES * sizeof(Int))));
};

template <class Int>
using Vector = typename VectorOf<Int>::type;

template <class V>
inline V greater(const V& a, const V& b) {
    return a < b ? b : a;
}

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
        rows.resize(states);
        for (i64 rest = 0; rest < rests; ++rest) {
            for (i64 a = 0; a < K; ++a) rows[rest * K + a] = static_cast<i32>(a * m);
            for (i64 i = 2, digits = rest; i < m; ++i, digits /= K) ++rows[rest * K + digits % K];
        }
    }

    const V* block(i64 number) const { return &costs[number * K * m]; }
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
            K == 2 ? relax<2>(sweep % 2) : relax<0>(sweep % 2);
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
            V least = V{} + std::numeric_limits<Int>::max(), second = least;
            std::array<V, KNOWN ? KNOWN : 1> arrivals;
            for (i64 a = 0; a < K; ++a) {
                const V there = greater(values[rest * K + a] & keep, floor), x = there + reduced_[rows[a]];
                if constexpr (KNOWN) arrivals[a] = there;
                second = lesser(second, greater(least, x));
                least = lesser(least, x);
            }
            for (i64 d = 0; d < K; ++d) {
                V there;
                if constexpr (KNOWN)
                    there = arrivals[d];
                else
                    there = greater(values[rest * K + d] & keep, floor);
                const V x = there + reduced_[rows[d]], y = there + reduced_[rows[d] + 1];
                const V best = lesser(y, x == least ? second : least);
                V& here = values[d * rests + rest];
                const auto lower = best < (here & keep);
                here = lower ? best : here;
                changed |= lower;
                lowest = lesser(lowest, here);
            }
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
        for (i64 lane = 0; lane < LANES && number * LANES + lane < given.count; ++lane) {
            costs[number * LANES + lane] = best.cost[lane];
            lengths[number * LANES + lane] = best.period[lane];
        }
    }
    Means<Int>(tables, costs, lengths, proved).run(watch);
}

// -- a given number of steps

// target[s] = min over a of cost + source[successor], or `never`, among the first `within` states.
template <class Int>
void bellman(const Tables<Int>& tables, const Vector<Int>* some, const Vector<Int>* source, i64 within,
             Int never, Vector<Int>* target) {
    using V = Vector<Int>;
    for (i64 dropped = 0; dropped < tables.K; ++dropped) {
        const i64 first = dropped * tables.rests;
        for (i64 rest = 0; rest < std::min(tables.rests, within - first); ++rest) {
            V least = V{} + never;
            for (i64 a = 0; a < std::min(tables.K, within - rest * tables.K); ++a)
                least = lesser(least, some[tables.rows[rest * tables.K + a] + (a == dropped)] +
                                          source[rest * tables.K + a]);
            target[first + rest] = least;
        }
    }
}

// The least cost of T steps after `start`, at most m - 1 actions, for each T of `horizons`, which rise:
// [j][table]. Until the history is full, nothing leaves the window: these first steps are the levels of a
// tree, folded back from the values of full histories, or from zeros if T is shorter. Numbers: T * highest.
template <class Int>
void least_walks(const tp_tables& given, const tp_walks& asked, const Watch& watch, i64* out) {
    using V = Vector<Int>;
    const Tables<Int> tables(given);
    const i64 K = tables.K, m = tables.m, wait = m - 1 - asked.length;
    const Int never = std::numeric_limits<Int>::max();
    std::vector<i64> tallies(K, 0), seen;
    i64 code = 0;
    for (i64 i = 0; i < asked.length; ++i) {
        ++tallies[asked.start[i]];
        code = code * K + asked.start[i];
    }
    auto values = array_of<V>(2 * tables.states), tree = array_of<V>(tables.states);
    for (i64 number = 0; number < tables.blocks; ++number) {
        const V* some = tables.block(number);
        std::fill(values.get(), values.get() + tables.states, V{});
        for (i64 j = 0, time = 0; j < asked.horizons_count; ++j) {
            const i64 depth = std::min(asked.horizons[j], wait);
            for (; time < asked.horizons[j] - depth; ++time) {
                if (time % 64 == 0) watch.tick();
                bellman(tables, some, &values[time % 2 * tables.states], tables.states, never,
                        &values[(1 - time % 2) * tables.states]);
            }
            i64 words = 1;
            for (i64 i = 0; i < depth; ++i) words *= K;
            const V* full = depth == wait ? &values[time % 2 * tables.states + code * words] : nullptr;
            for (i64 word = 0; word < words; ++word) tree[word] = full ? full[word] : V{};
            for (i64 level = depth - 1; level >= 0; --level) {
                words /= K;
                for (i64 word = 0; word < words; ++word) {
                    seen = tallies;
                    for (i64 i = 0, digits = word; i < level; ++i, digits /= K) ++seen[digits % K];
                    V least = some[seen[0]] + tree[word * K];
                    for (i64 a = 1; a < K; ++a)
                        least = lesser(least, some[a * m + seen[a]] + tree[word * K + a]);
                    tree[word] = least;
                }
            }
            for (i64 lane = 0; lane < LANES && number * LANES + lane < given.count; ++lane)
                out[j * given.count + number * LANES + lane] = tree[0][lane];
        }
    }
}

// The least cost of a closed walk of L = 1, 2, ..., `longest` steps: [L - 1][table]. Each closed walk is
// found from its state of the largest code, so only smaller ones are looked at. Numbers: `never` = (longest +
// 1)(highest + 1) stands for a state from which there is no way, and one loss is added to it before it is cut
// back.
template <class Int>
void closed_walks(const tp_tables& given, i64 longest, Int never, const Watch& watch, i64* out) {
    using V = Vector<Int>;
    const Tables<Int> tables(given);
    auto values = array_of<V>(2 * tables.states), least = array_of<V>(longest);
    for (i64 number = 0; number < tables.blocks; ++number) {
        std::fill(least.get(), least.get() + longest, V{} + never);
        for (i64 root = 0; root < tables.states; ++root) {
            watch.tick();
            std::fill(values.get(), values.get() + root, V{} + never);
            values[root] = V{};
            for (i64 time = 0; time < longest; ++time) {
                V* target = &values[(1 - time % 2) * tables.states];
                bellman(tables, tables.block(number), &values[time % 2 * tables.states], root + 1, never,
                        target);
                least[time] = lesser(least[time], target[root]);
            }
        }
        for (i64 time = 0; time < longest; ++time)
            for (i64 lane = 0; lane < LANES && number * LANES + lane < given.count; ++lane)
                out[time * given.count + number * LANES + lane] = least[time][lane];
    }
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
    return guarded([&] {
        Watch watch(*limits);
        require(watch, *tables, 2);
        with_type<i64>(Means<i64>::bound(tables->actions, tables->memory, highest_of(*tables)),
                       [&]<class Int>(Int) { least_means<Int>(*tables, watch, costs, lengths, proved); });
    });
}

TP_FUNCTION(least_walks)(const tp_tables* tables, const tp_walks* asked, tp_limits* limits, int64_t* out) {
    return guarded([&] {
        Watch watch(*limits);
        require(watch, *tables, 4);
        const i64 longest = asked->horizons[asked->horizons_count - 1];
        with_type<i64>(times(plus(longest, 1), highest_of(*tables)),
                       [&]<class Int>(Int) { least_walks<Int>(*tables, *asked, watch, out); });
    });
}

TP_FUNCTION(closed_walks)(const tp_tables* tables, int64_t longest, tp_limits* limits, int64_t* out) {
    return guarded([&] {
        Watch watch(*limits);
        require(watch, *tables, 3);
        const wide highest = highest_of(*tables), never = times(longest + 1, highest + 1);
        with_type<i64>(plus(never, highest), [&]<class Int>(Int) {
            closed_walks<Int>(*tables, longest, static_cast<Int>(never), watch, out);
        });
    });
}
