"""Sweeps per second over the implicit state graph, next to a memcpy of the same vector (`make sweeps`).

    python -m benchmarks.sweeps [--size K M] [--json]

A memcpy reads and writes every entry of a vector once; the ratio says how a Bellman sweep compares, timed as
one of a series of 4(m-1). It can exceed 1: a turn of m-1 sweeps passes over the vector two or three times.
Times are the best of several interleaved runs, since machines are noisy: processor time for one thread, while
the gain of two is in wall-clock time, and means little on a busy machine. The compiled kernels are warm.
"""

import argparse
import json
import time
from collections.abc import Callable

import numpy as np

import tallyplan as tp
from tallyplan.model.graph import StateGraph
from tallyplan.planning.on_graph.sweeps import TallySweeps

SIZES = [(2, 16), (2, 20), (2, 22), (3, 10), (3, 13), (5, 7), (5, 9), (10, 6), (10, 7)]
REPEATS = 5
TITLES = ("(K,m)", "states", "Bellman/s", "memcpy/s", "Bellman/memcpy", "2 threads gain", "Bellman-Ford/s")


def best_seconds(
    action: Callable[[], object], repeats: int = 1, clock: Callable[[], float] = time.process_time
) -> float:
    times = []
    for _ in range(repeats):
        started = clock()
        action()
        times.append(clock() - started)
    return min(times)


def measure(actions: int, memory: int) -> dict[str, float]:
    """Seconds of a Bellman sweep, a memcpy and a first Bellman-Ford sweep, and what two threads gain."""
    graph = StateGraph(tp.make("uniform", actions=actions, memory=memory, seed=1))
    steps = 4 * (memory - 1)
    source = np.zeros(graph.states, dtype=np.int32)
    target = np.empty_like(source)
    sweeps = TallySweeps(graph, np.int32)
    both = TallySweeps(graph, np.int32, threads=2)
    cost = int(graph.cost_table(object)[0, -1])
    sweeps.power(source, memory - 1)  # loads the kernels
    copy = bellman = alone = parallel = relax = float("inf")
    for _ in range(REPEATS):  # interleaved
        copy = min(copy, best_seconds(lambda: np.copyto(target, source), repeats=4))
        bellman = min(bellman, best_seconds(lambda: sweeps.power(source, steps)) / steps)
        alone = min(alone, best_seconds(lambda: sweeps.power(source, steps), clock=time.perf_counter))
        parallel = min(parallel, best_seconds(lambda: both.power(source, steps), clock=time.perf_counter))
        relax = min(relax, first_relaxation(graph, cost))
    found = {"states": graph.states, "seconds": bellman, "memcpy": copy, "relax": relax}
    return found | {"fraction": copy / bellman, "speedup": alone / parallel}


def first_relaxation(graph: StateGraph, cost: int) -> float:
    """A fresh Bellman-Ford sweep, in which no block can be left out."""
    reduced = TallySweeps(graph, np.int32, 1, cost)
    potentials, parents = np.zeros(graph.states, dtype=np.int32), np.full(graph.states, -1, dtype=np.int16)
    return best_seconds(lambda: reduced.relax(potentials, parents, -(10**6), 1))


def row(actions: int, memory: int) -> list[str]:
    found = measure(actions, memory)
    per_second = [f"{1 / found[name]:.0f}" for name in ("seconds", "memcpy", "relax")]
    ratios = [f"{found[name]:.2f}" for name in ("fraction", "speedup")]
    return [f"({actions},{memory})", f"{found['states']}", *per_second[:2], *ratios, per_second[2]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", type=int, nargs=2, action="append", metavar=("K", "M"))
    parser.add_argument("--json", action="store_true", help="a JSON object for each size")
    options = parser.parse_args()
    if not options.json:
        print("".join(f"{title:>16}" for title in TITLES))
    for actions, memory in options.size or SIZES:
        line = json.dumps(measure(actions, memory)) if options.json else None
        print(line or "".join(f"{cell:>16}" for cell in row(actions, memory)), flush=True)


if __name__ == "__main__":
    main()
