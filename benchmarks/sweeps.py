"""Sweeps per second over the implicit state graph, next to a memcpy of the same vector. Run by `make bench`.

One sweep reads and writes every entry of a vector once, and so does a memcpy: their ratio is the fraction of
the memory bandwidth that a sweep reaches. Times are the best of several runs, since machines are noisy; the
compiled kernels are warm.
"""

import time

import numpy as np

import tallyplan as tp
from tallyplan.graph import StateGraph
from tallyplan.planning.sweeps import DenseSweeps, TallySweeps

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
    source = np.zeros(graph.states, dtype=np.int32)
    target = np.empty_like(source)
    copy = best_seconds(lambda: np.copyto(target, source), repeats=4 * REPEATS)
    sweeps = TallySweeps(graph, np.int32)
    sweeps.bellman(source)
    bellman = best_seconds(lambda: sweeps.bellman(source))
    potentials, parents = np.zeros(graph.states, dtype=np.int64), np.full(graph.states, -1, dtype=np.int16)
    reduced = TallySweeps(graph, np.int64, 1, int(graph.cost_table(object)[0, -1]))
    reduced.relax(potentials, parents)
    relax = best_seconds(lambda: reduced.relax(potentials, parents))
    dense = "-"
    if graph.states * actions <= 2**22:
        stored = DenseSweeps(graph, np.int32)
        dense = f"{1 / best_seconds(lambda: stored.bellman(source)):.0f}"
    return (
        f"({actions},{memory})",
        f"{graph.states}",
        f"{1 / bellman:.0f}",
        f"{1 / relax:.0f}",
        dense,
        f"{1 / copy:.0f}",
        f"{copy / bellman:.3f}",
    )


def main():
    header = (
        "(K,m)",
        "states",
        "Bellman/s",
        "Bellman-Ford/s",
        "numpy Bellman/s",
        "memcpy/s",
        "Bellman / memcpy",
    )
    print("".join(f"{title:>17}" for title in header))
    for actions, memory in SIZES:
        print("".join(f"{cell:>17}" for cell in row(actions, memory)), flush=True)


if __name__ == "__main__":
    main()
