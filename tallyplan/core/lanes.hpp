// Numbers side by side in the lanes of a vector.
#pragma once

#include "numbers.hpp"

namespace tallyplan::TP_VARIANT {

// 64 bytes, or as many lanes as are asked for; of 128 bits, which processors do not have in vectors, one
// number.
template <class Int, i64 MANY = 64 / sizeof(Int)>
struct Lanes {
    static constexpr i64 COUNT = MANY;
    typedef Int Vector __attribute__((vector_size(MANY * sizeof(Int))));
    typedef std::make_unsigned_t<Int> Sum __attribute__((vector_size(MANY * sizeof(Int))));
};

template <>
struct Lanes<wide> {
    static constexpr i64 COUNT = 1;
    typedef wide Vector;
    typedef unsigned __int128 Sum;
};

// The lesser and the greater of two numbers, or of two vectors lane by lane.
template <class V>
inline V lesser(const V& a, const V& b) {
    return a < b ? a : b;
}

template <class V>
inline V greater(const V& a, const V& b) {
    return a < b ? b : a;
}

// The two least of some numbers, lane by lane: then the least of all but one of them is known.
template <class V>
struct TwoLeast {
    V least, second;

    TwoLeast(const V& one, const V& other) : least(lesser(one, other)), second(greater(one, other)) {}

    void add(const V& x) {
        second = lesser(second, greater(least, x));
        least = lesser(least, x);
    }

    // If another one equals x then the second is the same number.
    V without(const V& x) const { return x == least ? second : least; }
};

}  // namespace tallyplan::TP_VARIANT
