// Words played from a history of any length: where they lead, and what the next action costs.
#pragma once

#include "histories.hpp"

namespace tallyplan::TP_VARIANT {

// All that was played, of which the last m - 1 actions are the history; its code, and its tallies.
class Player {
 public:
    std::vector<i32> letters;
    i64 code = 0;

    Player(i64 actions, i64 memory, wide states)
        : actions_(actions),
          keep_(memory - 1),
          rests_(keep_ > 0 ? static_cast<i64>(states / actions) : 1),
          tallies_(actions, 0) {}

    i64 played() const { return static_cast<i64>(letters.size()); }
    i64 length() const { return std::min(played(), keep_); }
    i64 tally(i64 a) const { return tallies_[a]; }

    // The code of the history after action 0; that after a is a more, but for m = 1, where there is one
    // history.
    i64 following() const { return keep_ == 0 ? 0 : (code - dropped() * rests_) * actions_; }
    i64 stride() const { return keep_ == 0 ? 0 : 1; }

    void play(i32 a) {
        const i64 after = following() + stride() * a;
        if (played() >= keep_ && keep_ > 0) --tallies_[letters[played() - keep_]];
        if (keep_ > 0) ++tallies_[a];
        letters.push_back(a);
        code = after;
    }

    // Back to the code before the last action.
    void take_back(i64 before) {
        if (keep_ > 0) --tallies_[letters.back()];
        letters.pop_back();
        if (played() >= keep_ && keep_ > 0) ++tallies_[letters[played() - keep_]];
        code = before;
    }

 private:
    // The digit that leaves a full history with the next action; a shorter one has zeros in its place.
    i64 dropped() const { return played() >= keep_ ? letters[played() - keep_] : 0; }

    i64 actions_, keep_, rests_;
    std::vector<i64> tallies_;
};

}  // namespace tallyplan::TP_VARIANT
