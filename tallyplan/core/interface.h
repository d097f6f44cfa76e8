/* The C interface of the core: loops over integers, and nothing else.
 *
 * Conventions, the same for every function:
 *
 * - Integers in, integers out. Numbers are int64_t, or 128 bits in two's complement, low half first (`bytes`
 *   says which: 8 or 16); no entry of a table or cost of an edge is negative. The core chooses the width that
 *   it computes with (32, 64 or 128 bits) by a bound that is proved where it is used; if 128 bits do not
 *   suffice the status is TP_TOO_WIDE, and Python's integers must serve.
 * - Every function is compiled several times, for several kinds of processor, and its name ends in the kind:
 *   tp_mean_cycle_plain, tp_mean_cycle_avx2, tp_mean_cycle_avx512. TP_FUNCTION(mean_cycle) declares and
 * defines it. tp_variant() says which kind suits this processor; the caller chooses. All give the same
 * answers.
 * - No global state: any number of threads may call at once.
 * - No exception leaves a function: the status says what happened (`guarded` in run.hpp).
 * - Memory is counted before it is taken. If more than limits->memory bytes would be needed the status is
 *   TP_TOO_LARGE, limits->needed says how many, and nothing was taken.
 * - A long call does not block anybody: it runs in a thread of the caller's, looks at *limits->stop and at
 * the clock at least every 50 ms, and then returns TP_STOPPED. A caller who wants a short answer on his own
 *   thread gives it limits->nanoseconds, and asks again in another thread if that was not enough.
 * - What a result points to was taken with malloc and is given back with tp_free.
 *
 * Where things are: numbers.hpp (integers of 128 bits), run.hpp (limits, threads), histories.hpp and
 * stored.hpp (the two kinds of graph), sweep.hpp (the Bellman step over histories), then a file for each
 * question.
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
    TP_NO_ANSWER = 4, /* there is none: a graph without a cycle */
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

/* A tallying bandit: table[a * memory + y - 1] is the loss of action a at tally y, times the denominator. */
typedef struct {
    int32_t actions;
    int32_t memory;
    int32_t bytes; /* of an entry: 8 or 16 */
    const void* table;
} tp_bandit;

/* An explicit graph: the edges of node s are first[s], ..., first[s + 1] - 1, perhaps none. The code of a
 * node's edge is its place in that row. An edge takes times[e] >= 1 steps; null: one each. */
typedef struct {
    int64_t nodes;
    const int64_t* first;
    const int32_t* heads;
    int32_t bytes; /* of a cost: 8 or 16 */
    const void* costs;
    const int32_t* times;
} tp_edges;

/* A cycle of least mean. Along every edge  scale * cost - mean * time + potential[head] - potential[tail] >=
 * 0 where mean / scale, in lowest terms, is the least mean cost per time of a cycle. */
typedef struct {
    int64_t length;                     /* of the word */
    int32_t* word;                      /* actions, or places in the rows of their nodes */
    int64_t start;                      /* the state or node in which the word begins */
    int64_t states;                     /* the number of potentials */
    void* potentials;                   /* none is positive */
    int32_t bytes;                      /* of a potential: 4, 8 or 16 */
    int64_t scale, mean_low, mean_high; /* the mean has 128 bits */
} tp_cycle;

/* Costs of all windows of up to `memory` actions, first those of one action, then those of two, and so on;
 * the code of a window has its actions as base-K digits, the oldest first. */
typedef struct {
    int32_t actions;
    int32_t memory;
    int32_t bytes; /* of a cost: 8 or 16 */
    const void* costs;
} tp_windows;

typedef struct {
    int64_t low, high; /* 128 bits */
} tp_number;

/* From layer `time` of the recursion on, k + 1 blocks of `period` sweeps add the same each, `gain` at state
 * 0. */
typedef struct {
    tp_number time;
    int64_t period;
    tp_number k, gain;
} tp_jump;

/* The best closed walk of `period` steps is asked for. The minimum mean is mean / scale, with its potentials,
 * and a closed walk is known whose reduced costs add up to `budget`; look for one below `step` first. */
typedef struct {
    int64_t period;
    tp_number scale, mean, budget, step;
    int32_t bytes; /* of a potential: 8 or 16 */
    const void* potentials;
} tp_period;

/* No better closed walk visits `root` and no earlier one. The tables of the times `since` and since + period
 * are equal; period 0: none are. */
typedef struct {
    int64_t root, since, period;
} tp_stage;

/* Numbers of so many bytes each, by state. */
typedef struct {
    int64_t states;
    void* values;
    int32_t bytes; /* 4, 8 or 16 */
} tp_vector;

/* A cost is `cost`, and (k + 1) gain for each of the first `jumps` jumps, and `blocks` times the next one's
 * gain. */
typedef struct {
    tp_number cost;
    int64_t jumps;
    tp_number blocks;
} tp_value;

/* The reduced costs of the best word add up to `budget`; it has no parts if it is the one that was known.
 * With the potentials `last` and multiplier * scale in place of scale no cycle that is left has a smaller
 * mean than the word; there are none if it has the minimum mean, or if the search was not finished. */
typedef struct {
    int32_t finished;
    tp_number budget;
    int64_t stages, parts, letters, multiplier;
    tp_stage* stage;
    int64_t* lengths;
    int64_t* repeats;
    int32_t* letter;
    tp_vector last;
} tp_word;

/* A plan: part i is the next lengths[i] letters, played repeats[i] times. */
typedef struct {
    tp_value value;
    int64_t jumps, parts, letters; /* how many there are */
    int64_t sweeps;                /* that it took */
    tp_jump* jump;
    int64_t* lengths;
    tp_number* repeats;
    int32_t* letter;
} tp_plan;

/* Many tables of one size, table after table, each as in tp_bandit; memory >= 2. */
typedef struct {
    int64_t count;
    int32_t actions;
    int32_t memory;
    const int64_t* tables;
} tp_tables;

/* Walks after a history of at most memory - 1 actions, of so many steps; the horizons rise. */
typedef struct {
    const int32_t* start;
    int64_t length;
    const int64_t* horizons;
    int64_t horizons_count;
} tp_walks;

TP_VISIBLE const char* tp_sources(void); /* a hash of the sources that this library was built from */
TP_VISIBLE const char* tp_variants(
    void);                               /* those that were built, the plain one first, separated by spaces */
TP_VISIBLE const char* tp_variant(void); /* the last of these that this processor can run */
TP_VISIBLE void tp_free(void* pointer);

#ifdef TP_VARIANT
TP_FUNCTION(cycle_of_bandit)(const tp_bandit* bandit, tp_limits* limits, tp_cycle* found);
TP_FUNCTION(cycle_of_edges)(const tp_edges* edges, tp_limits* limits, tp_cycle* found);
/* runs[a]: how often a single-run word of least mean plays action a. `every`: all periods up to K m are
 * tried, O(K^3 m^3) operations. Otherwise those that promise most, for about so many nanoseconds; negative:
 * no limit. */
TP_FUNCTION(single_run)
(const tp_bandit* bandit, int32_t every, int64_t nanoseconds, tp_limits* limits, int32_t* runs);
/* The recursion of so many steps, for a bandit or else for windows, the other being null: a handle. */
TP_FUNCTION(layers)(const tp_bandit* bandit, const tp_windows* windows, tp_number steps, tp_limits* limits,
                    void** found);
TP_FUNCTION(layers_free)(void* layers);
TP_FUNCTION(jumps)(void* layers, tp_limits* limits, tp_plan* found);
/* The least cost of `steps` steps after a history, at most as many as the layers have after it is full. */
TP_FUNCTION(value)(void* layers, const int32_t* history, int32_t length, tp_number steps, tp_limits* limits,
                   tp_value* found);
/* The best plan of `horizon` steps after a history. */
TP_FUNCTION(plan)(const tp_bandit* bandit, const tp_windows* windows, const int32_t* history, int32_t length,
                  tp_number horizon, tp_limits* limits, tp_plan* found);
/* With TP_STOPPED the result is there too, not finished. */
TP_FUNCTION(best_word)(const tp_bandit* bandit, const tp_windows* windows, const tp_period* asked,
                       tp_limits* limits, tp_word* found);
/* By state, the least total of scale * cost - mean on the way to the state `root`, which is on a cycle of
 * mean mean / scale; no cycle has a smaller one. */
TP_FUNCTION(ways)(const tp_bandit* bandit, const tp_windows* windows, tp_number scale, tp_number mean,
                  int64_t root, tp_limits* limits, tp_vector* found);

/* Many tables at once, in 64 bits at most. costs[i] / lengths[i]: the least mean of table i, if it is proved;
 * otherwise that of a word, and the table is to be asked by itself. */
TP_FUNCTION(least_means)
(const tp_tables* tables, int64_t* costs, int64_t* lengths, tp_limits* limits, uint8_t* proved);
/* out[j * count + i]: the least cost of horizons[j] steps. */
TP_FUNCTION(least_walks)(const tp_tables* tables, const tp_walks* asked, tp_limits* limits, int64_t* out);
/* out[(L - 1) * count + i]: the least cost of a closed walk of L steps, for L up to `longest`. */
TP_FUNCTION(closed_walks)(const tp_tables* tables, int64_t longest, tp_limits* limits, int64_t* out);
#endif

#ifdef __cplusplus
}
#endif
#endif
