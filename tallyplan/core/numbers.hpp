// Integers of 32, 64 and 128 bits, vectors of them, and arithmetic that notices when 128 bits do not suffice.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "interface.h"

namespace tallyplan::TP_VARIANT {

// A status other than TP_DONE, thrown inside the core and caught by `guarded`.
struct Status {
    std::int32_t code;
};

using i32 = std::int32_t;
using i64 = std::int64_t;
__extension__ typedef __int128 wide;

// The largest number that an integer type holds (numeric_limits need not know 128 bits).
template <class Int>
constexpr wide largest() {
    return static_cast<wide>((static_cast<unsigned __int128>(1) << (8 * sizeof(Int) - 1)) - 1);
}

// A product or sum of nonnegative numbers that is cut off at `huge`, which no type holds; for bounds.
constexpr wide huge = largest<wide>();

constexpr wide times(wide a, wide b) { return a != 0 && b > huge / a ? huge : a * b; }

constexpr wide plus(wide a, wide b) { return b > huge - a ? huge : a + b; }

template <class... More>
constexpr wide times(wide a, wide b, wide c, More... more) {
    return times(times(a, b), c, more...);
}

// K^digits, or `huge`.
constexpr wide power(wide K, i64 digits) {
    wide product = 1;
    for (; digits > 0 && product < huge && K > 1; --digits) product = times(product, K);
    return product;
}

template <class Int>
constexpr bool holds(wide bound) {
    return bound < largest<Int>();
}

// Use the narrowest integer type, up to Widest, that holds a bound: use(Int{}).
template <class Widest = wide, class Use>
auto with_type(wide bound, Use use) {
    if (holds<i32>(bound)) return use(i32{});
    if (holds<i64>(bound)) return use(i64{});
    if constexpr (sizeof(Widest) == sizeof(wide))
        if (holds<wide>(bound)) return use(wide{});
    throw Status{TP_TOO_WIDE};
}

// The bits of a number.
constexpr i32 bits_of(i64 number) {
    return static_cast<i32>(std::bit_width(static_cast<std::uint64_t>(number)));
}

constexpr wide gcd(wide a, wide b) {
    while (b != 0) {
        const wide rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// Entry i of an array of numbers of 8 or 16 bytes; those of 16 need not be aligned.
inline wide number_at(const void* numbers, i32 bytes, i64 i) {
    if (bytes == 8) return static_cast<const i64*>(numbers)[i];
    wide number;
    std::memcpy(&number, static_cast<const char*>(numbers) + 16 * i, 16);
    return number;
}

// The bytes of a vector of this kind of processor. Of wider ones compilers make slow pieces.
#if defined(__AVX512F__)
constexpr i64 VECTOR = 64;
#elif defined(__AVX2__)
constexpr i64 VECTOR = 32;
#else
constexpr i64 VECTOR = 16;
#endif

// A vector of numbers, one in each lane, or as many lanes as are asked for; of 128 bits, which processors do
// not have in vectors, one number.
template <class Int, i64 MANY = VECTOR / sizeof(Int)>
struct Lanes {
    static constexpr i64 COUNT = MANY;
    typedef Int Vector __attribute__((vector_size(MANY * sizeof(Int))));
    typedef std::make_unsigned_t<Int> Sum __attribute__((vector_size(MANY * sizeof(Int))));
};

template <i64 MANY>
struct Lanes<wide, MANY> {
    static constexpr i64 COUNT = 1;
    typedef wide Vector;
    typedef unsigned __int128 Sum;
};

// The vector that begins at a number, anywhere.
template <class V>
inline V vector_at(const void* numbers) {
    V found;
    std::memcpy(&found, numbers, sizeof(V));
    return found;
}

// The lesser and the greater of two numbers, or of two vectors lane by lane.
template <class V>
inline V lesser(const V& a, const V& b) {
    return a < b ? a : b;
}

template <class V>
inline V greater(const V& a, const V& b) {
    return a < b ? b : a;
}

}  // namespace tallyplan::TP_VARIANT
