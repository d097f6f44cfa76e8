"""Sweeps per second over the implicit state graph, next to a memcpy of the same vector. Run by `make bench`.

A memcpy reads and writes every entry of a vector once; the ratio says how a Bellman sweep, in a series of
them, compares. It can exceed 1: a turn of m-1 sweeps passes over the vector two or three times. Times are
the best of several interleaved runs, since machines are noisy; the compiled kernels are warm.
"""

import time

import numpy as np

import tallyplan as tp
from tallyplan.model.graph import StateGraph
from tallyplan.planning.on_graph.sweeps import TallySweeps

SIZES = [(2, 16), (2, 20), (2, 22), (3, 10), (3, 13), (5, 7), (5, 9), (10, 6), (10, 7)]
REPEATS = 5


def best_seconds(action, repeats=REPEATS):
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        action()
        times.append(time.perf_counter() - started)
    return min(times)


def row(actions, memory):
    graph = StateGraph(tp.make("uniform", actions=actions, memory=memory, seed=1))
    turn = memory - 1
    source = np.zeros(graph.states, dtype=np.int32)
    target = np.empty_like(source)
    sweeps = TallySweeps(graph, np.int32)
    both = TallySweeps(graph, np.int32, threads=2)
    cost = int(graph.cost_table(object)[0, -1])
    sweeps.power(source, turn)
    copy = bellman = parallel = relax = float("inf")
    for _ in range(REPEATS):  # interleaved
        copy = min(copy, best_seconds(lambda: np.copyto(target, source), repeats=4))
        bellman = min(bellman, best_seconds(lambda: sweeps.power(source, 4 * turn), repeats=1) / (4 * turn))
        parallel = min(parallel, best_seconds(lambda: both.power(source, 4 * turn), repeats=1) / (4 * turn))
        relax = min(relax, first_relaxation(graph, cost))
    return (
        f"({actions},{memory})",
        f"{graph.states}",
        f"{1 / bellman:.0f}",
        f"{1 / copy:.0f}",
        f"{copy / bellman:.2f}",
        f"{bellman / parallel:.2f}",
        f"{1 / relax:.0f}",
    )


def first_relaxation(graph, cost):
    """A fresh Bellman-Ford sweep, in which no block can be left out."""
    reduced = TallySweeps(graph, np.int32, 1, cost)
    potentials, parents = np.zeros(graph.states, dtype=np.int32), np.full(graph.states, -1, dtype=np.int16)
    return best_seconds(lambda: reduced.relax(potentials, parents, -(10**6)), repeats=1)


def main():
    header = (
        "(K,m)",
        "states",
        "Bellman/s",
        "memcpy/s",
        "Bellman/memcpy",
        "2 threads gain",
        "Bellman-Ford/s",
    )
    print("".join(f"{title:>16}" for title in header))
    for actions, memory in SIZES:
        print("".join(f"{cell:>16}" for cell in row(actions, memory)), flush=True)


if __name__ == "__main__":
    main()
