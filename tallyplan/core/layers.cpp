// Plans and values of a finite horizon.
#include "layers.hpp"

namespace tallyplan::TP_VARIANT {
namespace {

using Made = std::unique_ptr<AnyLayers>;

Made layers_of(const tp_graph& graph, wide steps, Watch& watch) {
    if (graph.memory) {
        const Tallying bandit(graph);
        return with_type(times(16, bandit.memory, bandit.highest), [&]<class Int>(Int) -> Made {
            watch.require(times(bandit.states, FEWEST_ROWS, sizeof(Int)));
            return std::make_unique<Layers<TallyModel<Int>>>(steps, watch, bandit);
        });
    }
    const Stored stored(graph);
    const wide longest = times(plus(steps, 1), stored.highest);
    return with_type(times(16, longest), [&]<class Int>(Int) -> Made {
        watch.require(times(plus(times(stored.states, FEWEST_ROWS), stored.edges), sizeof(Int)));
        return std::make_unique<Layers<EdgeModel<Int>>>(steps, watch, stored, longest);
    });
}

}  // namespace
}  // namespace tallyplan::TP_VARIANT

using namespace tallyplan::TP_VARIANT;

TP_FUNCTION(layers)(const tp_graph* graph, tp_number steps, tp_limits* limits, tp_found* found) {
    return answered(limits, found, [&](Watch& watch, Answer& answer) {
        auto layers = layers_of(*graph, joined(steps), watch);
        answer.add(reinterpret_cast<i64>(layers.get()));
        layers->describe(answer);
        layers.release();
    });
}

TP_FUNCTION(layers_free)(void* layers) {
    delete static_cast<AnyLayers*>(layers);
    return TP_DONE;
}

TP_FUNCTION(value)
(void* layers, const int32_t* place, int32_t length, tp_number steps, tp_limits* limits, tp_found* found) {
    return answered(limits, found, [&](Watch& watch, Answer& answer) {
        static_cast<AnyLayers*>(layers)->value(place, length, joined(steps), watch, answer);
    });
}

TP_FUNCTION(plan)
(const tp_graph* graph, const int32_t* place, int32_t length, tp_number horizon, tp_limits* limits,
 tp_found* found) {
    return answered(limits, found, [&](Watch& watch, Answer& answer) {
        const wide total = joined(horizon);
        const wide missing = graph->memory ? std::min<wide>(total, graph->memory - 1 - length) : 0;
        const auto layers = layers_of(*graph, total - missing, watch);
        layers->value(place, length, total, watch, answer, true);
        layers->describe(answer);
    });
}
