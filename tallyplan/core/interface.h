/* The C interface of the core: loops over integers, and nothing else.
 *
 * - Integers in, integers out. Numbers are int64_t, or 128 bits in two's complement, low half first. The core
 *   chooses the width that it computes with (32, 64 or 128 bits) by a bound that is proved where it is used;
 *   if 128 bits do not suffice the status is TP_TOO_WIDE, and Python's integers must serve.
 * - Functions are compiled for several kinds of processor, and their names end in the kind: tp_cycle_plain,
 *   tp_cycle_avx2, tp_cycle_avx512. TP_FUNCTION(cycle) declares and defines it. tp_variant() says which kind
 *   suits this processor; the caller chooses. All give the same answers. Closed walks are plain alone.
 * - No global state: any number of threads may call at once. No exception leaves a function.
 * - Memory is counted before it is taken: with TP_TOO_LARGE nothing was taken.
 * - A long call runs in a thread of the caller's, looks at *limits->stop and at the clock at least every 50
 *   ms, and then returns TP_STOPPED. A caller who wants a short answer on his own thread gives it
 *   limits->nanoseconds, and asks again in another thread if that was not enough.
 * - What a result points to is given back with tp_free.
 */
#ifndef TALLYPLAN_INTERFACE_H
#define TALLYPLAN_INTERFACE_H

#include <stdint.h>

#if defined(_WIN32)
#define TP_VISIBLE __declspec(dllexport)
#else
#define TP_VISIBLE __attribute__((visibility("default")))
#endif

#define TP_JOIN_(name, variant) tp_##name##_##variant
#define TP_JOIN(name, variant) TP_JOIN_(name, variant)
#define TP_FUNCTION(name) TP_VISIBLE int32_t TP_JOIN(name, TP_VARIANT)

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TP_DONE = 0,      /* the result is there */
    TP_STOPPED = 1,   /* *stop was set, or the time was over */
    TP_TOO_LARGE = 2, /* more memory is needed than limits->memory; see limits->needed */
    TP_TOO_WIDE = 3,  /* numbers may exceed 128 bits */
    TP_NO_ANSWER = 4, /* there is none: a graph without a cycle, no walk so long */
    TP_WRONG = 5      /* a result failed its verification: a fault of the core */
};

typedef struct {
    int64_t memory;      /* bytes that may be taken */
    int64_t nanoseconds; /* that the call may take; negative: no limit */
    const int32_t* stop; /* the call returns soon after this became nonzero; may be null */
    int32_t threads;     /* at most so many, this one included */
    int64_t needed;      /* out, with TP_TOO_LARGE */
    int64_t progress;    /* out, while it runs: sweeps done */
} tp_limits;

typedef struct {
    int64_t low, high; /* 128 bits */
} tp_number;

/* A graph. The histories of a tallying bandit, memory > 0: costs[a * memory + y - 1] is the loss of action a
 * at tally y, times the denominator. Or else stored edges: those of node s are first[s], ..., first[s + 1] -
 * 1, perhaps none, and the code of an edge is its place in that row. An edge takes times[e] >= 1 steps; null:
 * one each. An edge of negative cost is missing, all other costs are at least 0. */
typedef struct {
    int32_t actions, memory;
    int32_t bytes; /* of a cost: 8 or 16 */
    const void* costs;
    int64_t nodes;
    const int64_t* first;
    const int32_t* heads;
    const int32_t* times;
} tp_graph;

/* A result: a list of numbers, those of 128 bits as two; and numbers of so many bytes each, by state. */
typedef struct {
    int64_t count;
    int64_t* numbers;
    int64_t states;
    void* values;
    int32_t bytes; /* 4, 8 or 16 */
} tp_found;

/* The minimum mean is mean / scale: along every edge  scale * cost - mean * time + potentials[head] -
 * potentials[tail] >= 0. */
typedef struct {
    tp_number scale, mean;
    int32_t bytes; /* of a potential: 8 or 16 */
    const void* potentials;
} tp_mean;

/* A hash of the sources that this library was built from; the variants that were built, the plain one first,
 * with spaces between; and the last of these that this processor can run. */
TP_VISIBLE const char* tp_sources(void);
TP_VISIBLE const char* tp_variants(void);
TP_VISIBLE const char* tp_variant(void);
TP_VISIBLE void tp_free(void* pointer);

#ifdef TP_VARIANT
/* A cycle of least mean: its start, its scale and its mean of 128 bits, as in tp_mean, and then the codes of
 * its edges; the values are the potentials, none of which is positive. */
TP_FUNCTION(cycle)(const tp_graph* graph, tp_limits* limits, tp_found* found);
/* How often the best word plays each action, of all single-run words of these periods and constant ones. */
TP_FUNCTION(single_run)
(const tp_graph* graph, const int64_t* periods, int64_t count, tp_limits* limits, tp_found* found);
/* The recursion of so many steps: a handle, which `layers_free` takes back; how many sweeps it took; and for
 * each jump its time (128 bits), period, k (128) and gain (128): from layer `time` on, k + 1 blocks of
 * `period` sweeps add the same each, `gain` at state 0. */
TP_FUNCTION(layers)(const tp_graph* graph, tp_number steps, tp_limits* limits, tp_found* found);
TP_FUNCTION(layers_free)(void* layers);
/* The least cost of `steps` steps from a place: after a history, or from a node, the only entry of `place`.
 * The layers must have as many steps as there are once the history is full. The cost (128 bits) is to be
 * increased by (k + 1) gain for each of the first so many jumps, the next number, and so many times, the last
 * number (128 bits), by the next one's gain. */
TP_FUNCTION(value)
(void* layers, const int32_t* place, int32_t length, tp_number steps, tp_limits* limits, tp_found* found);
/* The best plan of `horizon` steps from a place: its value, five numbers; how many parts there are, of each
 * its length and how often it is played (128 bits), and the codes of all; then what `layers` has but the
 * handle. */
TP_FUNCTION(plan)
(const tp_graph* graph, const int32_t* place, int32_t length, tp_number horizon, tp_limits* limits,
 tp_found* found);
/* The best closed walk of `period` steps, if one costs less than `known`. The cost (128 bits), or
 * `known`; where the walk begins; the multiplier; how many stages there are, and for each root, since,
 * period: no better closed walk visits the root and no earlier one, and the tables of the times since and
 * since + period are equal (0: none are); the parts, as those of a plan, none if there is no better walk.
 * With the values as potentials, and multiplier * scale in place of scale, no cycle that is left has a
 * smaller mean than the walk; there are none if it has the minimum mean, or if the search was not finished.
 * With TP_STOPPED there is a result. */
TP_FUNCTION(best_word)
(const tp_graph* graph, const tp_mean* least, int64_t period, tp_number known, tp_limits* limits,
 tp_found* found);
/* By state, the least total of the costs that the potentials leave on the way to `root`; or else -1. */
TP_FUNCTION(ways)
(const tp_graph* graph, const tp_mean* least, int64_t root, tp_limits* limits, tp_found* found);

/* Many tables of one size at once, in 64 bits at most: costs has those of one after the other, of 8 bytes;
 * two actions or more, memory >= 2. totals[i] / lengths[i] is the least mean of table i; if lengths[i] is 0
 * then the table is to be asked by itself. */
TP_FUNCTION(least_means)
(const tp_graph* tables, int64_t count, int64_t* totals, tp_limits* limits, int64_t* lengths);
#endif

#ifdef __cplusplus
}
#endif
#endif
