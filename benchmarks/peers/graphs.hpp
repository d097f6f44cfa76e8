// Explicit graphs for the compiled peers: a line `graph n e` and e times `tail head weight time`, all integers,
// is answered by a line with the least ratio of weight to time of a cycle, {"value": "p/q"} or {"value": null},
// and the seconds of the solve, where the peer has measured them.
#pragma once

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "instance.hpp"

struct Edge {
    int tail, head;
    long long weight, time;
};

inline double solve_seconds = 0;

// Calls mean(n, edges), which returns the value as text, or an empty text if there is no cycle.
template <class Mean>
int answer_all(Mean mean) {
    std::string line, word;
    while (std::getline(std::cin, line)) {
        std::istringstream in(line);
        in >> word;
        if (word != "graph") {
            std::cout << "{\"ready\": true}" << std::endl;
            continue;
        }
        int nodes = 0;
        std::size_t count = 0;
        in >> nodes >> count;
        std::vector<Edge> edges(count);
        for (Edge& edge : edges) in >> edge.tail >> edge.head >> edge.weight >> edge.time;
        if (!in) return 2;
        const std::string value = mean(nodes, edges);
        std::cout << "{\"value\": " << (value.empty() ? "null" : '"' + value + '"');
        std::cout << ", \"seconds\": " << solve_seconds << "}" << std::endl;
    }
    return 0;
}
