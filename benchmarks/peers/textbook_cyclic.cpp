// The textbook dynamic program for the best closed walk of length exactly L: from every state, L sweeps over
// all K^m edges. It runs in full if "solve L" is small enough; otherwise it measures sweeps and reports the
// time that all n*L of them would take, without a value.

#include <algorithm>
#include <limits>

#include "instance.hpp"

using Vector = std::vector<int>;
constexpr int NOT_YET = std::numeric_limits<int>::max() / 2;

// next[s'] = min over edges (s, s') of values[s] + cost, reading the edges in order.
void sweep(const Instance& instance, const Vector& costs, const Vector& values, Vector& next) {
    const long long rests = instance.states / instance.actions;
    const int actions = instance.actions;
    std::fill(next.begin(), next.end(), NOT_YET);
    for (int d = 0; d < actions; ++d)
        for (long long rest = 0; rest < rests; ++rest) {
            const long long state = d * rests + rest;
            for (int a = 0; a < actions; ++a) {
                int& best = next[rest * actions + a];
                best = std::min(best, values[state] + costs[state * actions + a]);
            }
        }
}

int closed_walk(const Instance& instance, const Vector& costs, long long root, int length, Vector& values,
                Vector& next) {
    std::fill(values.begin(), values.end(), NOT_YET);
    values[root] = 0;
    for (int step = 0; step < length; ++step) {
        sweep(instance, costs, values, next);
        values.swap(next);
        for (int& value : values) value = std::min(value, NOT_YET);
    }
    return values[root];
}

double seconds_of_a_sweep(const Instance& instance, const Vector& costs, Vector& values, Vector& next) {
    std::fill(values.begin(), values.end(), 0);
    double best = std::numeric_limits<double>::infinity();
    const double end = now() + 0.5;
    do {
        const double started = now();
        sweep(instance, costs, values, next);
        best = std::min(best, now() - started);
    } while (now() < end);
    return best;
}

int main(int count, char** words) {
    const double limit = count > 1 ? std::stod(words[1]) : 10.0;  // seconds for a full run
    Instance instance;
    if (!instance.read(std::cin)) return 2;
    Vector costs;
    instance.for_each_edge([&](long long, int, int cost) { costs.push_back(cost); });
    Vector values(instance.states), next(instance.states);
    std::cout << "{\"ready\": true}" << std::endl;
    std::string command;
    int length = 0;
    while (std::cin >> command >> length) {
        const double one = seconds_of_a_sweep(instance, costs, values, next);
        const double all = one * static_cast<double>(length) * static_cast<double>(instance.states);
        std::cout.precision(9);
        if (all > limit) {
            std::cout << "{\"value\": null, \"seconds\": " << all << ", \"sweep\": " << one << "}" << std::endl;
            continue;
        }
        const double started = now();
        int best = NOT_YET;
        for (long long root = 0; root < instance.states; ++root)
            best = std::min(best, closed_walk(instance, costs, root, length, values, next));
        const double seconds = now() - started;
        std::cout << "{\"value\": \"" << ratio(best, length * instance.denominator) << "\", \"seconds\": "
                  << seconds << ", \"sweep\": " << one << "}" << std::endl;
    }
}
