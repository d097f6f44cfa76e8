"""Bellman sweeps per second over the implicit state graph, next to a memcpy of the vector (`make sweeps`).

    python -m benchmarks.sweeps [--size K M] [--json]

A memcpy reads and writes every entry of a vector once; the ratio says how a Bellman sweep compares, timed as
one of the first 4(m-1) of a plan, with what it takes to store layers and to compare them. Times are the best
of several interleaved runs, since machines are noisy: processor time for one thread, while the gain of two is
in wall-clock time, and means little on a busy machine.
"""

import argparse
import json
import time
from collections.abc import Callable

import numpy as np

import tallyplan as tp
from tallyplan.core import horizon, library
from tallyplan.planning.effort import tick

SIZES = [(2, 16), (2, 20), (2, 22), (3, 10), (3, 13), (5, 7), (5, 9), (10, 6), (10, 7)]
REPEATS = 5
TITLES = ("(K,m)", "states", "Bellman/s", "memcpy/s", "Bellman/memcpy", "2 threads gain")


def seconds(action: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    started = clock()
    action()
    return clock() - started


def swept(costs: horizon.Costs, steps: int, threads: int, clock: Callable[[], float]) -> float:
    """Seconds of a sweep by so many threads."""
    library.available_cores = lambda: threads
    found: list[horizon.Layers] = []
    taken = seconds(lambda: found.append(horizon.Layers(costs, steps, tick)), clock)
    return taken / int(found[0].sweeps)


def measure(actions: int, memory: int) -> dict[str, float]:
    """Seconds of a Bellman sweep and of a memcpy, and what two threads gain."""
    bandit = tp.make("uniform", actions=actions, memory=memory, seed=1)
    costs, steps = horizon.costs_of(bandit), 4 * (memory - 1)
    source = np.zeros(actions ** (memory - 1), dtype=np.int32)
    target = np.empty_like(source)
    copy = bellman = alone = parallel = float("inf")
    for _ in range(REPEATS):  # interleaved
        copy = min(copy, *(seconds(lambda: np.copyto(target, source)) for _ in range(4)))
        bellman = min(bellman, swept(costs, steps, 1, time.process_time))
        alone = min(alone, swept(costs, steps, 1, time.perf_counter))
        parallel = min(parallel, swept(costs, steps, 2, time.perf_counter))
    found = {"states": source.size, "seconds": bellman, "memcpy": copy}
    return found | {"fraction": copy / bellman, "speedup": alone / parallel}


def row(actions: int, memory: int) -> list[str]:
    found = measure(actions, memory)
    per_second = [f"{1 / found[name]:.0f}" for name in ("seconds", "memcpy")]
    ratios = [f"{found[name]:.2f}" for name in ("fraction", "speedup")]
    return [f"({actions},{memory})", f"{found['states']}", *per_second, *ratios]


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
