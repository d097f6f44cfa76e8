// The layers of a recursion as stretches of sweeps and jumps, and where they are stored.
#pragma once

#include "run.hpp"

namespace tallyplan::TP_VARIANT {

// Vectors over the states, taken a few at a time and used again.
template <class Int>
class Shelf {
 public:
    Shelf(i64 states, Watch& watch, wide before) : states_(states), watch_(&watch), bytes_(before) {}

    Int* take() {
        if (free_.empty()) {
            const i64 numbers = states_ > 4096 ? 1 << 19 : 1 << 14;  // of large rows, a large page
            i64 rows = std::max<i64>(1, std::min<i64>(256, numbers / states_));
            if (plus(bytes_, times(rows * states_, sizeof(Int))) > watch_->memory()) rows = 1;
            bytes_ = plus(bytes_, times(rows * states_, sizeof(Int)));
            watch_->require(bytes_);
            slabs_.push_back(array_of<Int>(rows * states_, false));
            for (i64 i = rows; i-- > 0;) free_.push_back(slabs_.back().get() + i * states_);
        }
        Int* row = free_.back();
        free_.pop_back();
        return row;
    }

    void give_back(Int* row) { free_.push_back(row); }
    void watch(Watch& watch) { watch_ = &watch; }

 private:
    i64 states_;
    Watch* watch_;
    wide bytes_;
    std::vector<Array<Int>> slabs_;
    std::vector<Int*> free_;
};

// A stretch of sweeps from a layer at `time`, and the jump after it, if there is one.
template <class Int>
struct Piece {
    struct Row {
        i64 time;  // since the stretch began
        Int* values;
    };
    wide time;
    std::vector<Row> rows;      // those that are stored, in order; the first and the last of the stretch are
    std::vector<wide> offsets;  // by time: what the layer is relative to, less that of the first
    i64 count = 0;              // sweeps before the jump
    i64 period = 0;             // of the jump; 0: none
    wide k = 0, gain = 0;
    Int* by =
        nullptr;  // what a block adds besides `gain`; null: nothing. Then the rows go on to count + period
};

// Of numbers that fit 128 bits; a status says if the sum does not.
inline wide sum(wide one, wide other) {
    wide total;
    if (__builtin_add_overflow(one, other, &total)) throw Status{TP_TOO_WIDE};
    return total;
}

// The next so many letters of a plan, which are played `repeats` times.
struct Part {
    i64 length;
    wide repeats;
};

}  // namespace tallyplan::TP_VARIANT
