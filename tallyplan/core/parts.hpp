// Long words in parts, each of which is played so many times.
#pragma once

#include <map>

#include "run.hpp"

namespace tallyplan::TP_VARIANT {

class Parts {
 public:
    std::vector<i32> letters;

    i64 size() const { return static_cast<i64>(letters.size()); }

    // The letters so far are no part of it.
    void begin() { begin_ = first_ = size(); }

    // Those since the last part, up to `end`, are played `repeats` times.
    void cut(i64 end, wide repeats) {
        if (end > begin_) parts_.emplace_back(end - begin_, repeats);
        begin_ = end;
    }

    // Play so many blocks, each of which depends on nothing but the place where it begins, of which `place`
    // is the present one: as soon as a place comes back the blocks repeat.
    template <class Place, class Play>
    void add_blocks(wide blocks, const Place& place, Play play) {
        std::map<Place, std::pair<i64, i64>> met{{place, {0, size()}}};  // with the blocks and letters before
        for (i64 count = 1; count <= blocks; ++count) {
            play();
            const auto [where, fresh] = met.try_emplace(place, count, size());
            if (fresh) continue;
            const auto [before, letter] = where->second;
            const wide turns = (blocks - before) / (count - before);
            cut(letter, 1);
            cut(size(), turns);
            for (wide left = (blocks - before) % (count - before); left > 0; --left) play();
            return;
        }
    }

    // The last letter first.
    void reverse() {
        cut(size(), 1);
        std::reverse(letters.begin(), letters.end());
        std::reverse(parts_.begin(), parts_.end());
    }

    // How many parts there are; of each its length and how often it is played (128 bits); the letters.
    void add_to(Answer& found) {
        cut(size(), 1);
        found.add(static_cast<i64>(parts_.size()));
        for (const auto& [length, repeats] : parts_) found.add(length), found.add_wide(repeats);
        found.add_all({letters.begin() + first_, letters.end()});
    }

 private:
    std::vector<std::pair<i64, wide>> parts_;  // of each its length, and how often it is played
    i64 begin_ = 0, first_ = 0;
};

}  // namespace tallyplan::TP_VARIANT
