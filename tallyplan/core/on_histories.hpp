// Bellman-Ford over the histories of a tallying bandit, a block at a time; mean_cycle.hpp has the theory.
#pragma once

#include "histories.hpp"
#include "mean_cycle.hpp"

namespace tallyplan::TP_VARIANT {

constexpr i64 PLACES = 2048;  // in a block at most
constexpr i64 BLOCKS_PER_TICK = 256;

// Bellman-Ford over histories. A value is phi * codes + parent, with codes = 2^bits > K: the parent travels
// in the low bits, and K means that there is none. Then one minimum finds both, and ties go to the smaller
// action. A state is lowered only if phi becomes smaller.
//
// A block whose K input blocks have not changed since its last turn is left out, and sweeps go forwards and
// backwards by turns.
template <class Int, i64 KNOWN>
class OnHistories {
 public:
    Array<Int> values;

    // |reduced cost| <= W = q * highest. Potentials stay above -(m - 1) W - W - 1, and a sum with a cost
    // above
    // -(m + 1) W - 1; so no packed number exceeds codes * ((m + 1) W + 2).
    static wide bound(const Tallying& bandit, const Mean& mean) {
        return times(i64{1} << bits_of(bandit.actions),
                     plus(times(bandit.memory + 1, mean.time, bandit.highest), 2));
    }

    // Values and marks; the costs of a block; two times of each block, of which there are at most n K /
    // PLACES.
    static wide bytes(const Tallying& bandit) {
        const wide states = bandit.power(bandit.memory - 1);
        const wide blocks = times(states / PLACES + 1, bandit.actions);
        return plus(times(states, sizeof(Int) + 1),
                    plus(Histories<Int>::bytes(bandit, PLACES), times(blocks, 16)));
    }

    OnHistories(const Tallying& bandit, const Mean& mean)
        : bandit_(bandit),
          mean_(mean),
          graph_(bandit, PLACES),
          bits_(bits_of(bandit.actions)),
          keep_(static_cast<Int>(~((wide{1} << bits_) - 1))),
          floor_(static_cast<Int>(-(wide{bandit.memory} - 1) * mean.time * bandit.highest *
                                  (wide{1} << bits_))) {
        values = array_of<Int>(graph_.states);
        std::fill(values.get(), values.get() + graph_.states, static_cast<Int>(~keep_));
        graph_.price([&](i64 a, i64 y) { return static_cast<Int>(reduced(a, y) * (wide{1} << bits_) + a); });
        changed_.assign(graph_.blocks * graph_.actions, 0);
        treated_.assign(graph_.blocks, -1);
    }

    i64 states() const { return graph_.states; }

    // Whether to look for a cycle of parents, which takes as long as many sweeps: after the work of 16 of
    // them.
    bool due() const { return clock_ - looked_ >= 2 * 16 * graph_.blocks; }

    i64 successor(i64 s, i64 a) const { return graph_.successor(s, a); }

    i64 parent(i64 s) const {
        const i64 code = static_cast<i64>(values[s] & ~keep_);
        return code == static_cast<i64>(~keep_) ? -1 : code;
    }

    Mean mean_of(const Walk& walk) const {
        wide cost = 0;
        for (i64 s = walk.start; const i32 a : walk.codes) {
            cost += bandit_.cost(a, tally(s, a));
            s = successor(s, a);
        }
        return {cost, static_cast<wide>(walk.codes.size())};
    }

    // Playing the digits of a state leads to it.
    void way_to(i64 state, std::vector<i32>& codes) const {
        for (i64 unit = graph_.rests; unit > 0; unit /= graph_.actions)
            codes.push_back(static_cast<i32>(state / unit % graph_.actions));
    }

    i64 sweep(const Watch& watch) {
        bool any = false;
        for (i64 turn = 0; turn < graph_.blocks; ++turn) {
            if ((turn + 1) % BLOCKS_PER_TICK == 0) watch.tick();
            const i64 number = backwards_ ? graph_.blocks - 1 - turn : turn;
            if (!fresh(number)) continue;
            const i64 low = relax(number, any);
            if (low >= 0) return low;
        }
        backwards_ = !backwards_;
        return any ? LOWERED : SETTLED;
    }

    // take(first, last): the states of each block that has changed since the last call.
    template <class Take>
    void changed(Take take) {
        for (i64 i = 0; i < graph_.blocks * graph_.actions; ++i) {
            if (changed_[i] <= looked_) continue;
            const i64 first = i / graph_.blocks * graph_.rests + i % graph_.blocks * graph_.block;
            take(first, first + graph_.block);
        }
        looked_ = clock_;
    }

    // Whether reduced + phi(head) >= phi(tail) on every edge; marks[tail] says whether one is an equality. By
    // other code than found them, edge by edge. Potentials and costs are by themselves from then on.
    void verify(std::uint8_t* marks, const Watch& watch) {
        for (i64 s = 0; s < graph_.states; ++s) values[s] >>= bits_;
        graph_.price([&](i64 a, i64 y) { return static_cast<Int>(reduced(a, y)); });
        const i64 K = KNOWN ? KNOWN : graph_.actions, size = graph_.block;
        const i64 threads = graph_.states < 1 << 18 ? 1 : watch.threads();
        watch.team().share(graph_.blocks, threads, [&](i64 first, i64 last, i64) {
            std::vector<Int> heads(size), tight(K * size);
            std::vector<i64> counts(K);
            for (i64 number = first; number < last; ++number) {
                if (number % 64 == 0) watch.tick();
                graph_.count_high(number, counts.data());
                std::fill(tight.begin(), tight.end(), Int(0));
                Int wrong = 0;
                for (i64 a = 0; a < K; ++a) {
                    const Int* to = values.get() + number * size * K + a;
                    for (i64 i = 0; i < size; ++i) heads[i] = to[i * K];
                    for (i64 d = 0; d < K; ++d) {
                        const Int *cost = graph_.plane(a, counts[a] + (a == d)), *here = states_of(d, number);
                        Int* equal = &tight[d * size];
                        for (i64 i = 0; i < size; ++i) {
                            const Int sum = cost[i] + heads[i];
                            wrong |= static_cast<Int>(sum < here[i]);
                            equal[i] |= static_cast<Int>(sum == here[i]);
                        }
                    }
                }
                if (wrong) throw Status{TP_WRONG};
                for (i64 d = 0; d < K; ++d)
                    for (i64 i = 0; i < size; ++i)
                        marks[d * graph_.rests + number * size + i] =
                            static_cast<std::uint8_t>(tight[d * size + i]);
            }
        });
    }

    // The first tight edge from `code` on whose head is wanted, or -1.
    template <class Wanted>
    i32 next_tight(i64 s, i64 code, Wanted wanted) const {
        const i64 K = KNOWN ? KNOWN : graph_.actions;
        for (; code < K; ++code) {
            const i64 to = successor(s, code);
            if (wanted(to) && static_cast<Int>(reduced(code, tally(s, code))) + values[to] == values[s])
                return static_cast<i32>(code);
        }
        return -1;
    }

 private:
    // How often a state has an action.
    i64 tally(i64 s, i64 a) const {
        const i64 K = KNOWN ? KNOWN : graph_.actions;
        i64 count = 0;
        for (i64 i = 1; i < graph_.memory; ++i, s /= K) count += s % K == a;
        return count;
    }

    wide reduced(i64 a, i64 y) const { return mean_.time * bandit_.cost(a, y) - mean_.cost; }

    bool fresh(i64 number) const {
        const i64 treated = treated_[number];
        const i64* inputs = changed_.data() + number * graph_.actions;
        for (i64 a = 0; a < graph_.actions; ++a)
            if (inputs[a] >= treated) return true;
        return false;
    }

    // Lower the states of a block; returns one below the floor, or -1. The inputs of a tile were above the
    // floor.
    i64 relax(i64 number, bool& any) {
        treated_[number] = ++clock_;
        ++clock_;
        const Int keep = keep_, floor = floor_;
        i64 below = -1;
        graph_.template bellman<KNOWN>(
            values.get(), keep, number, [&](i64 d, i64 place, i64 count, const Int* best) {
                Int* old = states_of(d, number) + place;
                Int lowered = 0, sunk = 0;
                for (i64 i = 0; i < count; ++i) {
                    const bool lower = best[i] < (old[i] & keep);
                    old[i] = lower ? best[i] : old[i];
                    lowered |= static_cast<Int>(lower);
                    sunk |= static_cast<Int>(best[i] < floor);
                }
                if (lowered) {
                    any = true;
                    changed_[d * graph_.blocks + number] = clock_;
                }
                if (sunk && below < 0)
                    below = std::find_if(old, old + count, [&](Int value) { return value < floor; }) -
                            values.get();
            });
        return below;
    }

    // The states whose oldest action is d and whose rests are those of a block.
    Int* states_of(i64 d, i64 number) const {
        return values.get() + d * graph_.rests + number * graph_.block;
    }

    const Tallying& bandit_;
    const Mean mean_;
    Histories<Int> graph_;
    i32 bits_;
    Int keep_, floor_;
    std::vector<i64> changed_,
        treated_;  // when a block of states last changed, a block of rests had its turn
    i64 clock_ = 0, looked_ = 0;
    bool backwards_ = false;
};

}  // namespace tallyplan::TP_VARIANT
