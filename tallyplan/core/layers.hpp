// The Bellman recursion V_0, V_1, ..., V_N, with jumps, and the walk back. planning/reference_layers.py has
// the mathematics: what a jump is, why it holds, and how many sweeps there are.
//
// Layers are stored relative to their value at state 0. Let `span` S bound the differences between the values
// of a layer. A gain G is at most S, and k G too, since larger k are not tried; so a candidate x + k G is at
// most 2 S and what it claims 3 S. From a vector within 2 S, whose entries differ by 4 S, sweeps lead to
// vectors whose entries differ by 5 S at most, and a cost is added to that: 8 S bounds every number. What
// layers are relative to grows with t: those sums are taken in 128 bits, and looked at (`sum`).
#pragma once

#include <deque>

#include "tally_model.hpp"

namespace tallyplan::TP_VARIANT {

constexpr i64 STORED_BYTES = i64{1} << 29;  // layers of this size are stored, if half of the memory suffices
constexpr i64 FEWEST_ROWS = 8;
constexpr wide FEWEST_BLOCKS = 2;  // k of a jump: the walk back reads its words at i = 1, strictly inside

// A stretch of sweeps from a layer at `time`, and the jump after it, if there is one.
template <class Int>
struct Piece {
    struct Layer {
        i64 time;  // since the stretch began
        Row<Int> values;
    };
    wide time = 0;
    std::vector<Layer> rows;  // those that are stored, in order; the first and the last of the stretch are
    std::vector<wide> offsets{0};  // by time: what the layer is relative to, less that of the first
    i64 count = 0;                 // sweeps before the jump
    i64 period = 0;                // of the jump; 0: none
    wide k = 0, gain = 0;
    Row<Int> by = nullptr;  // what a block adds besides `gain`
};

// Of numbers that fit 128 bits; a status says if the sum does not.
inline wide sum(wide one, wide other) {
    wide total;
    if (__builtin_add_overflow(one, other, &total)) throw Status{TP_TOO_WIDE};
    return total;
}

// The layers of a model whatever its types. A place is a history, or a node.
class AnyLayers {
 public:
    virtual ~AnyLayers() = default;
    // How many sweeps it took, and the jumps of the recursion.
    virtual void describe(Answer& answer) const = 0;
    // The least cost of `steps` more steps from a place; if they are all that there are, they may be played.
    virtual void value(const i32* place, i64 length, wide steps, Watch& watch, Answer& answer,
                       bool played = false) = 0;
};

template <class Model>
class Layers : public AnyLayers {
 public:
    using Int = typename Model::Number;
    using Layer = typename Piece<Int>::Layer;
    using Player = typename Model::Player;

    template <class... Given>
    Layers(wide steps, Watch& watch, const Given&... given)
        : model_(given...), watch_(&watch), shelf_(model_.room, watch_, model_.bytes()), steps_(steps) {
        while (model_.actions > 1 && power(model_.actions, deepest_ + 1) <= model_.states / 8) ++deepest_;
        most_rows_ =
            std::min(STORED_BYTES, watch.memory() / 2) / (model_.room * static_cast<i64>(sizeof(Int)));
        top_ = shelf_.take();
        spare_ = shelf_.take();
        Row<Int> first = shelf_.take();
        std::fill(&first[0], &first[model_.states], Int(0));
        for (wide time = 0; first;) {
            auto& piece = pieces_.emplace_back();
            piece.time = time;
            piece.rows.push_back({0, std::move(first)});
            advance(piece);
            time += piece.count + (piece.k + 1) * piece.period;
            most_rows_ -= static_cast<i64>(piece.rows.size());
            if (!piece.period) break;
            first = shelf_.take();
            move(piece.rows.back().values.get(), piece.k + 1, piece.by.get(), first.get());
        }
    }

    void describe(Answer& answer) const override {
        answer.add(sweeps_);
        for (const auto& piece : pieces_) {
            if (!piece.period) return;
            answer.add_wide(piece.time + piece.count);
            answer.add(piece.period);
            answer.add_wide(piece.k);
            answer.add_wide(piece.gain);
        }
    }

    void value(const i32* place, i64 length, wide steps, Watch& watch, Answer& answer, bool played) override {
        watch_ = &watch;
        Player player(model_, place, length);
        player.played.begin();
        add_value(player, steps, answer);
        if (!played) return;
        for (i64 i = static_cast<i64>(pieces_.size()) - 1; i >= 0; --i) {
            if (pieces_[i].period) through(pieces_[i], player);
            walk(pieces_[i].rows, pieces_[i].count, player);
        }
        player.played.add_to(answer);
    }

 private:
    // A pass over the layer at the end, of at most so many sweeps, up to one that is to be stored; how many.
    i64 sweep(Piece<Int>& piece, i64 most) {
        const i64 before = static_cast<i64>(piece.offsets.size()) - 1;
        top_offset_ = sum(top_offset_, first_of(top_.get(), Model::never));
        const i64 made = pass(top_, before, std::min(most, spacing_ - before % spacing_));
        for (const auto& one : passed_) {
            piece.offsets.push_back(sum(top_offset_, one.first));
            prints_.add(one.shape + static_cast<std::uint32_t>(model_.part) *
                                        static_cast<std::uint32_t>(piece.offsets.back()));
        }
        if ((before + made) % spacing_ == 0) keep_top(piece);
        return made;
    }

    i64 pass(Row<Int>& values, i64 time, i64 most) {
        const i64 made = model_.pass(values, spare_, time % model_.turn(), most, passed_, *watch_);
        watch_->progress(sweeps_ += made);
        return made;
    }

    // So many Bellman steps from one vector to another; the value of state 0, which is taken off.
    wide steps(const Int* from, i64 count, Int* to) {
        Row<Int> here = shelf_.take();
        model_.lay_out(from, here.get());
        wide total = first_of(here.get(), Model::never);
        for (i64 done = 0; done < count; total = sum(total, first_of(here.get(), Model::never)))
            done += pass(here, done, count - done);
        model_.in_order(here.get(), count % model_.turn(), to, *watch_);
        return total;
    }

    // The layer at the end is stored from now on; where rows become too many, fewer are.
    const Int* keep_top(Piece<Int>& piece) {
        const i64 now = static_cast<i64>(piece.offsets.size()) - 1;
        if (piece.rows.back().time < now) {
            piece.rows.push_back({now, shelf_.take()});
            model_.in_order(top_.get(), now % model_.turn(), piece.rows.back().values.get(), *watch_);
        }
        if (static_cast<i64>(piece.rows.size()) > std::max(FEWEST_ROWS, most_rows_)) {
            spacing_ *= 2;
            std::erase_if(piece.rows, [&](const Layer& row) {
                return row.time % spacing_ != 0 && row.time != now && row.time != base_time_;
            });
        }
        return piece.rows.back().values.get();
    }

    // Sweep until a jump is found, or until the end.
    void advance(Piece<Int>& piece) {
        const wide left = steps_ - piece.time;
        const wide blocks = FEWEST_BLOCKS + static_cast<wide>(pieces_.size()) - 1;
        spacing_ =
            model_.states <= SMALL ? 1 : (deepest_ + model_.turn() - 1) / model_.turn() * model_.turn();
        const Int* const first = piece.rows[0].values.get();
        model_.lay_out(first, top_.get());
        top_offset_ = 0;
        base_time_ = 0;
        prints_ = {};
        prints_.add(shape_of(first, model_.part, Model::never));
        i64 now = 0;
        while (now < left) {
            const auto periods = prints_.periods(now, left, blocks);
            if (periods.empty()) {
                now += sweep(piece, static_cast<i64>(std::min<wide>(left - now, i64{1} << 40)));
                continue;
            }
            const Int* base = keep_top(piece);
            base_time_ = now;
            i64 ahead = 0;
            for (const i64 period : periods) {
                while (ahead < period) ahead += sweep(piece, period - ahead);
                Row<Int> by = shelf_.take();
                model_.in_order(top_.get(), (now + ahead) % model_.turn(), by.get(), *watch_);
                move(by.get(), -1, base, by.get());
                piece.gain = piece.offsets[now + period] - piece.offsets[now];
                const wide k =
                    blocks_that_hold(base, by.get(), period, piece.gain, (left - now) / period - 1);
                if (k >= blocks) {
                    piece.count = now, piece.period = period, piece.k = k, piece.by = std::move(by);
                    while (piece.rows.back().time > now) piece.rows.pop_back();
                    return;
                }
                prints_.not_before[period] =
                    now + static_cast<i64>(std::min<wide>((k + 1) * period, i64{1} << 60));
            }
            now += ahead;
        }
        keep_top(piece);
        piece.count = now;
    }

    // to = from + times * by
    void move(const Int* from, wide times, const Int* by, Int* to) const {
        const Int factor = static_cast<Int>(times);
        for (i64 s = 0; s < model_.states; ++s) to[s] = from[s] + factor * by[s];
    }

    // The largest k <= longest for which k + 1 blocks from `base` on are a jump, where one block adds `by`.
    wide blocks_that_hold(const Int* base, const Int* by, i64 period, wide gain, wide longest) {
        Row<Int> here = shelf_.take(), there = shelf_.take();
        Int largest = 0;
        for (i64 s = 0; s < model_.states; ++s)
            largest = std::max(largest, by[s] < 0 ? static_cast<Int>(-by[s]) : by[s]);
        if (largest == 0) return longest;                          // the layers are equal
        longest = std::min<wide>(longest, model_.span / largest);  // beyond the span it is false
        const auto hold = [&](wide k) {
            move(base, k, by, there.get());
            if (steps(there.get(), period, here.get()) != gain) return false;
            move(base, k + 1, by, there.get());
            return std::equal(&here[0], &here[model_.states], there.get());
        };
        wide k = 0, more = 1;
        while (k + more <= longest && hold(k + more)) k += more, more *= 2;
        while ((more /= 2) > 0)
            if (k + more <= longest && hold(k + more)) k += more;
        return k;
    }

    // The last stored row before a time.
    const Layer& before(const std::vector<Layer>& rows, i64 time) const {
        return *(std::ranges::lower_bound(rows, time, {}, &Layer::time) - 1);
    }

    // Play from the layer of a time down to that of time 0.
    void walk(const std::vector<Layer>& rows, i64 time, Player& player) {
        while (time > 0) {
            const Layer& row = before(rows, time);
            stretch(row.values.get(), time - row.time, player);
            time = row.time;
        }
    }

    // Play so many steps down to a layer. Where the tree of all words is large, by the layer in the middle.
    void stretch(const Int* values, i64 steps, Player& player) {
        if (steps <= deepest_) {
            opening(player, steps, values);
            return;
        }
        Row<Int> middle = shelf_.take();
        this->steps(values, steps / 2, middle.get());
        stretch(middle.get(), steps - steps / 2, player);
        middle.reset();
        stretch(values, steps / 2, player);
    }

    // All blocks of a jump, by the layers of one strictly inside it.
    void through(const Piece<Int>& piece, Player& player) {
        std::vector<Layer> rows;
        const i64 apart = std::max(std::max(deepest_, model_.turn()), piece.period / FEWEST_ROWS);
        for (i64 time = 0; time < piece.period; time += apart) {
            rows.push_back({time, shelf_.take()});
            if (time == 0)
                move(piece.rows.back().values.get(), 1, piece.by.get(), rows[0].values.get());
            else
                steps(rows[rows.size() - 2].values.get(), apart, rows.back().values.get());
        }
        player.played.add_blocks(piece.k + 1, player.code, [&] { walk(rows, piece.period, player); });
    }

    // Play the best `depth` actions if what follows costs `leaves`, by code (null: nothing). Their cost.
    Int opening(Player& player, i64 depth, const Int* leaves) {
        Int total = 0;
        for (; depth > 0; --depth) {
            i32 best = 0;
            Int least = 0;
            for (i32 a = 0; a < player.choices() && player.choices() > 1; ++a) {
                const Int cost = after(player, a, depth, leaves);
                if (a == 0 || cost < least) least = cost, best = a;
            }
            total += player.cost(best);
            player.play(best);
        }
        return leaves ? static_cast<Int>(total + leaves[player.code]) : total;
    }

    // The least cost of `depth` actions, the first of which is a.
    Int after(Player& player, i32 a, i64 depth, const Int* leaves) {
        const Int cost = player.cost(a);
        if (cost == Model::never) return cost;
        if (depth == 1) return leaves ? static_cast<Int>(cost + leaves[player.head(a)]) : cost;
        const i64 before = player.code;
        player.play(a);
        Int least = Model::never;
        for (i32 b = 0; b < player.choices(); ++b)
            least = std::min(least, after(player, b, depth - 1, leaves));
        player.take_back(before);
        return least < Model::never ? static_cast<Int>(cost + least) : least;
    }

    // What `steps` steps cost; the player plays those after which the history is full.
    void add_value(Player& player, wide steps, Answer& answer) {
        const i64 missing = static_cast<i64>(std::min<wide>(steps, player.missing()));
        find_layer(steps - missing);
        const Int cost = opening(player, missing, player.missing() == missing ? found_.get() : nullptr);
        if (cost >= Model::never) throw Status{TP_NO_ANSWER};
        answer.add_wide(sum(found_offset_, cost));
        answer.add(found_piece_);
        answer.add_wide(found_blocks_);
    }

    // V_time goes to found_, relative to found_offset_, all pieces before number found_piece_, and
    // found_blocks_ blocks of that one.
    void find_layer(wide time) {
        if (found_ && found_time_ == time) return;
        if (!found_) found_ = shelf_.take();
        found_time_ = -1;
        found_piece_ = static_cast<i64>(pieces_.size()) - 1;
        while (pieces_[found_piece_].time > time) --found_piece_;
        const auto& piece = pieces_[found_piece_];
        wide since = time - piece.time;
        found_blocks_ = piece.period && since > piece.count ? (since - piece.count) / piece.period : 0;
        since -= found_blocks_ * piece.period;
        found_offset_ = 0;
        for (i64 i = 0; i < found_piece_; ++i)
            found_offset_ = sum(found_offset_, pieces_[i].offsets[pieces_[i].count]);
        const Layer& row = before(piece.rows, static_cast<i64>(since) + 1);
        if (piece.period && since >= piece.count)
            move(row.values.get(), found_blocks_, piece.by.get(), found_.get());
        else
            std::copy(&row.values[0], &row.values[model_.states], &found_[0]);
        found_offset_ = sum(found_offset_, piece.offsets[row.time]);
        if (const i64 count = static_cast<i64>(since) - row.time; count > 0) {
            Row<Int> later = shelf_.take();
            found_offset_ = sum(found_offset_, steps(found_.get(), count, later.get()));
            found_.swap(later);
        }
        found_time_ = time;
    }

    Model model_;
    Watch* watch_;
    Shelf<Int> shelf_;
    std::deque<Piece<Int>> pieces_;
    std::vector<Passed<Int>> passed_;
    wide steps_;
    Fingerprints prints_;
    i64 deepest_ = 1, most_rows_, spacing_ = 1, base_time_ = 0, sweeps_ = 0;
    Row<Int> top_, spare_;  // the layer at the end, less top_offset_; room for a pass
    wide top_offset_ = 0;
    Row<Int> found_;
    wide found_time_ = -1, found_blocks_ = 0, found_offset_ = 0;
    i64 found_piece_ = 0;
};

}  // namespace tallyplan::TP_VARIANT
