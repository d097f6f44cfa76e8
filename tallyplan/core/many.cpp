// Many tables of one size at once: tables lie side by side in the lanes of vectors, one table a lane.
//
// A state is its oldest digit d and the rest r, the m - 2 others: d R + r. All states with one rest have the
// successors r K + a. Costs are those of histories.hpp: the tally of a in the rest, and one more if d = a.
#include <array>

#include "mean_cycle.hpp"
#include "single_run.hpp"

namespace tallyplan::TP_VARIANT {
namespace {

constexpr i64 LANES = 16;
constexpr i64 LONGEST = 4;  // words are at most so many times K m long, longer than nearly all that are best

// Bellman-Ford with a floor, as in mean_cycle.hpp, one table a lane. A value is phi * codes + parent, with
// codes = 2^bits > K, and codes - 1 means that there is no parent. A lane that is settled takes the next
// table. Every so many sweeps a cycle of parents is looked for: it is a better word, with which the lane
// begins again; if it is very long the table is left to be asked by itself. K >= 2, m >= 2.
//
// Numbers: with W = length * highest, a value that is read is at least the floor -(m - 1) W - 1, so one that
// is written is at least -m W - 1, and lengths are at most LONGEST * K m: see `bound`.
template <class Int>
class Means {
 public:
    using V = typename Lanes<Int, LANES>::Vector;

    static wide bound(i64 K, i64 m, wide highest) {
        const i64 longest = LONGEST * K * m;
        return std::max(times(wide{1} << bits_of(K), plus(times(m + 2, longest, highest), 2)),
                        SingleRuns<Int>::bound(highest, longest));
    }

    Means(const tp_graph& tables, i64 count, i64 states, const Watch& watch, i64* costs, i64* lengths)
        : tables_(tables), count_(count), states_(states), watch_(watch), costs_(costs), lengths_(lengths) {
        const auto tallies = tallies_of_words(K, m - 2);
        for (i64 to = 0; to < states; ++to)
            rows_.push_back(static_cast<i32>(to % K * m + tallies[to % K * rests_ + to / K]));
    }

    // Begin with the best single-run words.
    void find_words() {
        const auto losses = array_of<V>(K * m);
        for (i64 first = 0; first < count_; first += LANES) {
            const i64 count = std::min(LANES, count_ - first);
            watch_.tick();
            for (i64 lane = 0; lane < count; ++lane)
                for (i64 row = 0; row < K * m; ++row)
                    losses[row][lane] = static_cast<Int>(table(first + lane)[row]);
            SingleRuns<Int, V> best(K, m, losses.get(), K * m, watch_);
            for (i64 P = 2; P <= K * m; ++P) best.try_period(P);
            for (i64 lane = 0; lane < count; ++lane) {
                costs_[first + lane] = best.cost[lane];
                lengths_[first + lane] = best.period[lane];
            }
        }
    }

    void find_means() {
        lanes_.fill(NONE);
        i64 taken = 0, busy = std::min(LANES, count_);
        for (; taken < busy; ++taken) begin(lanes_[taken] = taken, taken);
        for (i64 sweep = 0; busy > 0; ++sweep) {
            if (sweep % 64 == 0) watch_.tick();
            with_known<Int>(K, [&](auto known) { relax<known>(sweep % 2); });
            for (i64 lane = 0; lane < LANES; ++lane) {
                if (lanes_[lane] == NONE || !has_ended(lanes_[lane], lane)) continue;
                if (taken < count_)
                    begin(lanes_[lane] = taken++, lane);
                else
                    lanes_[lane] = NONE, --busy;
            }
        }
    }

    // The search in `lane_`, as `parent_cycle` takes it.
    i64 parent(i64 s) const {
        const i64 code = static_cast<i64>(values_[s][lane_] & (codes_ - 1));
        return code < K ? code : -1;
    }
    i64 successor(i64 s, i64 a) const { return s % rests_ * K + a; }
    std::pair<wide, wide> edge(i64 s, i64 a) const {
        return {table(lanes_[lane_])[rows_[successor(s, a)] + (s / rests_ == a)], 1};
    }

 private:
    static constexpr i64 NONE = -1;

    const i64* table(i64 i) const { return static_cast<const i64*>(tables_.costs) + i * K * m; }

    // The reduced costs of a table, each with its action in the lowest bits, and zero potentials.
    void begin(i64 i, i64 lane) {
        const Int cost = static_cast<Int>(costs_[i]), length = static_cast<Int>(lengths_[i]);
        Int highest = 1;
        for (i64 a = 0; a < K; ++a)
            for (i64 row = a * m; row < (a + 1) * m; ++row) {
                const Int loss = static_cast<Int>(table(i)[row]);
                highest = std::max(highest, loss);
                reduced_[row][lane] = codes_ * (length * loss - cost) + static_cast<Int>(a);
            }
        floor_[lane] = -codes_ * ((static_cast<Int>(m) - 1) * length * highest + 1);
        for (i64 s = 0; s < states_; ++s) values_[s][lane] = codes_ - 1;
        due_[lane] = 4 + m;
    }

    // A sweep in place: which lanes have changed, and their lowest values.
    template <i64 KNOWN>
    void relax(bool backwards) {
        const i64 K = KNOWN ? KNOWN : this->K, rests = rests_;
        const V keep = V{} - codes_, floor = floor_;
        V changed{}, lowest{};
        V* values = values_.get();
        for (i64 turn = 0; turn < rests; ++turn) {
            const i64 rest = backwards ? rests - 1 - turn : turn;
            const i32* rows = &rows_[rest * K];
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

    // Whether the search for the mean of a table has ended; at times it begins again with a better word.
    bool has_ended(i64 i, i64 lane) {
        if (changed_[lane] == 0 && lowest_[lane] >= floor_[lane]) return true;
        if (--due_[lane] > 0) return false;
        due_[lane] = 4 + m;
        lane_ = lane;
        std::fill(&marks_[0], &marks_[states_], std::uint8_t{0});
        Walk walk{0, {}};
        for (i64 start = 0; start < states_ && walk.codes.empty(); ++start)
            walk = parent_cycle(*this, start, marks_.get());
        if (walk.codes.empty()) return false;
        const Mean mean = mean_of(*this, walk);
        lengths_[i] = mean.time <= LONGEST * K * m ? static_cast<i64>(mean.time) : 0;
        costs_[i] = static_cast<i64>(mean.cost);
        if (lengths_[i] > 0) begin(i, lane);
        return lengths_[i] == 0;
    }

    const tp_graph& tables_;
    const i64 count_, states_;
    const Watch& watch_;
    i64 *costs_, *lengths_;
    const i64 K = tables_.actions, m = tables_.memory, rests_ = states_ / K;
    const Int codes_ = static_cast<Int>(Int{1} << bits_of(K));
    Array<V> values_ = array_of<V>(states_), reduced_ = array_of<V>(K * m);
    Array<std::uint8_t> marks_ = array_of<std::uint8_t>(states_);
    V floor_{}, changed_{}, lowest_{};
    std::vector<i32> rows_;  // [rest * K + a]: the row of a if it does not drop out of the window
    std::array<i64, LANES> lanes_{}, due_;  // the table of each, and sweeps until its parents are followed
    i64 lane_ = 0;                          // the one whose parents are
};

}  // namespace
}  // namespace tallyplan::TP_VARIANT

using namespace tallyplan::TP_VARIANT;

TP_FUNCTION(least_means)
(const tp_graph* tables, int64_t count, int64_t* costs, tp_limits* limits, int64_t* lengths) {
    return guarded([&] {
        Watch watch(*limits);
        const i64 K = tables->actions, m = tables->memory, plays = K * m;
        const wide states = power(K, m - 1);
        watch.require(times(8 * LANES, plus(times(2, states), times(K, plays + 5 * m + 4))));
        i64 highest = 1;
        for (i64 i = 0; i < count * plays; ++i)
            highest = std::max(highest, static_cast<const i64*>(tables->costs)[i]);
        with_type<i64>(Means<i64>::bound(K, m, highest), [&]<class Int>(Int) {
            Means<Int> means(*tables, count, static_cast<i64>(states), watch, costs, lengths);
            means.find_words();
            means.find_means();
        });
    });
}
