// What belongs to no variant: which of them there are, and which one suits this processor.
#include <cstdlib>

#include "interface.h"

const char* tp_sources(void) { return TP_SOURCES; }

const char* tp_variants(void) { return TP_VARIANTS; }

const char* tp_variant(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return "avx512";
    if (__builtin_cpu_supports("avx2")) return "avx2";
#endif
    return "plain";
}

void tp_free(void* pointer) { std::free(pointer); }
