// What belongs to no variant: which of them there are, and which one suits this processor.
#include <cstdlib>
#if defined(_WIN32)
#include <malloc.h>
#endif

#include "interface.h"

#if defined(__x86_64__)
#include <cpuid.h>

// Whether the processor has these instructions (leaf 7) and the system saves these registers (XCR0). The
// compilers' own __builtin_cpu_supports needs a part of their libraries that zig does not have.
static bool can(unsigned instructions, unsigned registers) {
    unsigned a, b, c, d, saved;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) return false;
    __asm__("xgetbv" : "=a"(saved), "=d"(d) : "c"(0));
    if ((saved & registers) != registers) return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & instructions) == instructions;
}
#endif

const char* tp_sources(void) { return TP_SOURCES; }

const char* tp_variants(void) { return TP_VARIANTS; }

const char* tp_variant(void) {
#if defined(__x86_64__)
    constexpr unsigned avx2 = bit_AVX2 | bit_BMI | bit_BMI2;
    constexpr unsigned avx512 = avx2 | bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL;
    if (can(avx512, 0xe6)) return "avx512";
    if (can(avx2, 0x06)) return "avx2";
#endif
    return "plain";
}

void tp_free(void* pointer) {
#if defined(_WIN32)
    _aligned_free(pointer);
#else
    std::free(pointer);
#endif
}
