// Plans and values of a finite horizon.
#include "layers.hpp"

namespace tallyplan::TP_VARIANT {
namespace {

// The costs q * cost - p of a bandit or of windows, as a model with the narrowest type that holds 8 m (q H +
// p), H the highest cost: use(model) is called with it.
struct Reduced {
    wide q = 1, p = 0;
    bool rotating = true;
};

template <class Use>
void with_type(i64 memory, wide highest, Use use) {
    const wide bound = times(8, memory, highest);
    if (holds<i32>(bound))
        use(i32{});
    else if (holds<i64>(bound))
        use(i64{});
    else if (holds<wide>(bound))
        use(wide{});
    else
        throw Status{TP_TOO_WIDE};
}

template <class Int, class Use>
void use_windows(i64 actions, i64 memory, wide highest, i64 count, const void* costs, i32 bytes, Reduced r,
                 Watch& watch, Use use) {
    watch.require(times(count, sizeof(Int)));
    std::vector<Int> reduced(count);
    for (i64 i = 0; i < count; ++i) reduced[i] = static_cast<Int>(r.q * number_at(costs, bytes, i) - r.p);
    use(std::make_unique<WindowModel<Int>>(actions, memory, highest, std::move(reduced)));
}

template <class Use>
void with_model(const tp_bandit& given, Reduced r, Watch& watch, Use use) {
    const Tallying bandit(given);
    const wide highest = plus(times(r.q, bandit.highest), r.p);
    with_type(bandit.memory, highest, [&]<class Int>(Int) {
        if (bandit.actions == 1 ||
            bandit.memory == 1)  // windows of one action only: their costs are the table
            return use_windows<Int>(bandit.actions, bandit.memory, highest,
                                    i64{bandit.actions} * bandit.memory, given.table, given.bytes, r, watch,
                                    use);
        watch.require(times(bandit.power(bandit.memory - 1), FEWEST_ROWS, sizeof(Int)));
        if constexpr (sizeof(Int) == 4) {
            if (bandit.actions == 2)
                return use(std::make_unique<TallyModel<Int, 2>>(bandit, r.q, r.p, r.rotating));
            if (bandit.actions == 3)
                return use(std::make_unique<TallyModel<Int, 3>>(bandit, r.q, r.p, r.rotating));
        }
        use(std::make_unique<TallyModel<Int, 0>>(bandit, r.q, r.p, r.rotating));
    });
}

template <class Use>
void with_model(const tp_windows& windows, Reduced r, Watch& watch, Use use) {
    const i64 count = static_cast<i64>(WindowModel<i64>::windows(windows.actions, windows.memory));
    wide highest = 1;
    for (i64 i = 0; i < count; ++i) highest = std::max(highest, number_at(windows.costs, windows.bytes, i));
    highest = plus(times(r.q, highest), r.p);
    with_type(windows.memory, highest, [&]<class Int>(Int) {
        use_windows<Int>(windows.actions, windows.memory, highest, count, windows.costs, windows.bytes, r,
                         watch, use);
    });
}

template <class Use>
void with_model(const tp_bandit* bandit, const tp_windows* windows, Reduced r, Watch& watch, Use use) {
    if (bandit)
        with_model(*bandit, r, watch, use);
    else
        with_model(*windows, r, watch, use);
}

std::unique_ptr<AnyLayers> layers_of(const tp_bandit* bandit, const tp_windows* windows, wide steps,
                                     Watch& watch) {
    std::unique_ptr<AnyLayers> layers;
    with_model(bandit, windows, {}, watch, [&]<class Model>(std::unique_ptr<Model> model) {
        layers = std::make_unique<Layers<Model>>(std::move(model), steps, watch);
    });
    return layers;
}

// h(s), the least total of the costs from s to the root, where no cycle is negative and one through the root
// is zero: by sweeps from above, the root held at 0. With H the largest cost in absolute value, |h| <= (m -
// 1) H, since m - 1 steps lead to the root; a step adds a cost, and a difference of two values is taken: 8 m
// H is enough.
template <class Model>
void ways_to(const Model& model, i64 root, Watch& watch, tp_vector& found) {
    using Int = typename Model::Number;
    watch.require(times(model.states, 3, sizeof(Int)));
    auto here = array_of<Int>(model.states), there = array_of<Int>(model.states);
    const i64 n = model.states;
    std::fill(here.get(), here.get() + n, static_cast<Int>((model.memory - 1) * model.highest));
    here[root] = 0;
    for (i64 sweeps = 1;; ++sweeps) {
        const Int shift = model.step(here.get(), there.get(), watch);
        for (i64 s = 0; s < n; ++s) there[s] = static_cast<Int>(there[s] + shift);
        const Int closed = there[root];
        there[root] = 0;
        watch.progress(sweeps);
        watch.tick();
        if (std::equal(here.get(), here.get() + n, there.get())) {
            if (closed != 0) throw Status{TP_WRONG};
            found = {n, there.release(), sizeof(Int)};
            return;
        }
        std::swap(here, there);
    }
}

}  // namespace
}  // namespace tallyplan::TP_VARIANT

using namespace tallyplan::TP_VARIANT;

TP_FUNCTION(layers)(const tp_bandit* bandit, const tp_windows* windows, tp_number steps, tp_limits* limits,
                    void** found) {
    return guarded([&] {
        Watch watch(*limits);
        *found = layers_of(bandit, windows, joined(steps), watch).release();
    });
}

TP_FUNCTION(layers_free)(void* layers) {
    delete static_cast<AnyLayers*>(layers);
    return TP_DONE;
}

TP_FUNCTION(jumps)(void* layers, tp_limits*, tp_plan* found) {
    return guarded([&] { static_cast<AnyLayers*>(layers)->jumps(*found); });
}

TP_FUNCTION(value)(void* layers, const int32_t* history, int32_t length, tp_number steps, tp_limits* limits,
                   tp_value* found) {
    return guarded([&] {
        Watch watch(*limits);
        auto& those = *static_cast<AnyLayers*>(layers);
        Player player = those.after(history, length);
        *found = those.value(player, joined(steps), watch);
    });
}

TP_FUNCTION(plan)(const tp_bandit* bandit, const tp_windows* windows, const int32_t* history, int32_t length,
                  tp_number horizon, tp_limits* limits, tp_plan* found) {
    return guarded([&] {
        Watch watch(*limits);
        const wide keep = (bandit ? bandit->memory : windows->memory) - 1, total = joined(horizon);
        const i64 missing = static_cast<i64>(std::min<wide>(total, keep - length));
        const auto layers = layers_of(bandit, windows, total - missing, watch);
        Player player = layers->after(history, length);
        std::vector<Part> parts;
        found->value = layers->plan(player, missing, parts);
        const std::vector<i32> letters(player.letters.begin() + length, player.letters.end());
        found->parts = static_cast<i64>(parts.size());
        found->letters = static_cast<i64>(letters.size());
        found->lengths = handed_over<i64>(parts, [](const Part& part) { return part.end - part.begin; });
        found->repeats = handed_over<tp_number>(parts, [](const Part& part) { return split(part.repeats); });
        found->letter = handed_over<i32>(letters);
        layers->jumps(*found);
    });
}

TP_FUNCTION(ways)(const tp_bandit* bandit, const tp_windows* windows, tp_number scale, tp_number mean,
                  int64_t root, tp_limits* limits, tp_vector* found) {
    return guarded([&] {
        Watch watch(*limits);
        with_model(bandit, windows, {joined(scale), joined(mean), false}, watch,
                   [&]<class Model>(std::unique_ptr<Model> model) { ways_to(*model, root, watch, *found); });
    });
}
