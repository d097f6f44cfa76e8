// What every compiled peer shares: the instance as it is read, the edges of its state graph, the clock, the
// peak of the memory, and the loop that answers "solve" lines. The Python peers (serve.py) speak the same
// language: one line `K m denominator` and K*m integers, then a line with a JSON object for every `solve`.
#pragma once

#include <cstdint>
#include <ctime>
#include <fstream>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

struct Instance {
    int actions = 0;
    int memory = 0;
    long long denominator = 1;
    std::vector<int> table;  // table[x * memory + y - 1] = denominator * h_x(y)
    long long states = 1;    // histories: the last m - 1 actions as base-K digits, oldest first

    bool read(std::istream& in) {
        if (!(in >> actions >> memory >> denominator)) return false;
        table.resize(static_cast<std::size_t>(actions) * memory);
        for (int& entry : table)
            if (!(in >> entry)) return false;
        for (int i = 1; i < memory; ++i) states *= actions;
        return true;
    }

    long long successor(long long state, int action) const { return (state * actions + action) % states; }

    // Calls edge(state, action, cost) for all edges, states in order.
    template <class Edge>
    void for_each_edge(Edge edge) const {
        std::vector<int> tally(actions);
        for (long long state = 0; state < states; ++state) {
            std::fill(tally.begin(), tally.end(), 0);
            long long code = state;
            for (int i = 1; i < memory; ++i, code /= actions) ++tally[code % actions];
            for (int a = 0; a < actions; ++a) edge(state, a, table[a * memory + tally[a]]);
        }
    }
};

// Seconds of processor time.
inline double now() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// A line of /proc/self/status in bytes: VmHWM is the peak of the resident memory, VmRSS its present size.
inline long long status_bytes(const std::string& name) {
    std::ifstream status("/proc/self/status");
    std::string key;
    while (status >> key) {
        if (key == name + ":") {
            long long kilobytes = 0;
            status >> kilobytes;
            return kilobytes * 1024;
        }
        status.ignore(4096, '\n');
    }
    return 0;
}

inline std::string ratio(long long numerator, long long denominator) {
    const long long divisor = std::gcd(numerator, denominator);
    return std::to_string(numerator / divisor) + "/" + std::to_string(denominator / divisor);
}

// Answers every "solve" line: solve() returns the value as text; only it is on the clock.
template <class Solve>
void serve(long long baseline, Solve solve) {
    std::cout << "{\"ready\": true}" << std::endl;
    std::string command;
    while (std::cin >> command) {
        if (command != "solve") continue;
        const double started = now();
        const std::string value = solve();
        const double seconds = now() - started;
        std::cout.precision(9);
        std::cout << "{\"value\": \"" << value << "\", \"seconds\": " << seconds << ", \"baseline\": " << baseline
                  << ", \"peak\": " << status_bytes("VmHWM") << "}" << std::endl;
    }
}
