"""How fast the planner is, next to LEMON's Howard and to memcpy (`make bench`, which builds LEMON first).

    python -m benchmarks.race [PART ...]     measure these parts, or all
    python -m benchmarks.results_page        write benchmarks/RESULTS.md from what was measured
    python -m benchmarks.race cycle --seeds 1

Every size is measured in a process of its own, with one call per table before the clock starts. Ours and
LEMON's take turns on the same table, and of each the best run counts; where a run takes less than 10 ms, a
turn is the best of five. Times are processor times of all threads, so that a busy machine matters little; on
small graphs of the asking thread alone (numpy's wait busily at first); of two threads next to one, on the
wall. LEMON's is of its solve alone; ours has everything from the losses to the verified answer.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

import tallyplan as tp
from benchmarks import RESULTS, ROOT
from benchmarks.build import BUILD
from tallyplan.core import questions
from tallyplan.planning.effort import tick
from tallyplan.planning.state_graph import graph_of

DENOMINATOR = 1000
FAMILIES = ("uniform", "congested", "decreasing", "single-peaked", "sparse", "near-tie", "equal-arms")
BELOW_10000 = [(2, 11), (4, 6), (2, 12), (3, 8), (2, 14)]
MIDDLE = [(2, 16), (3, 11), (2, 17), (4, 9), (5, 8), (10, 6)]
LARGE = [(5, 9), (2, 20), (3, 13), (10, 7)]  # beyond, LEMON takes minutes
SMALL = [(2, 2), (2, 4), (2, 6), (3, 4), (2, 8), (5, 4)]
SCALE = [(2, m) for m in range(5, 24)]
MANY = [(2, 4), (2, 6), (2, 8), (2, 10), (3, 5), (3, 8), (5, 4)]
SWEEPS = [(2, 16), (2, 20), (2, 22), (3, 13), (5, 9), (10, 6), (10, 7)]
HORIZON, PERIOD = 10**6, 1000
TURNS, SHORT, SECONDS = 5, 0.01, 1.0  # turns on a table; seconds of a short run; seconds for all turns
LONGEST_WORD = 2**18  # states up to which best words are asked for: a search may take a second

Record = dict[str, Any]
Clock = Callable[[], float]
QUESTIONS: dict[str, Callable[[Any], Any]] = {
    "cycle": tp.minimum_mean_cycle,
    "plan": lambda bandit: tp.optimal_plan(bandit, HORIZON),
    "word": lambda bandit: tp.optimal_cyclic_policy(bandit, PERIOD),
}


class Lemon:
    """LEMON's Howard on one table."""

    def __init__(self, bandit: tp.TallyingBandit) -> None:
        if not (BUILD / "lemon").exists():
            raise SystemExit("LEMON is not built: python -m benchmarks.build (needs liblemon-dev and g++).")
        entries = [int(loss * DENOMINATOR) for row in bandit.losses for loss in row]
        self._process = subprocess.Popen(
            [str(BUILD / "lemon"), "howard"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._ask(" ".join(map(str, [bandit.actions, bandit.memory, DENOMINATOR, *entries])))

    def _ask(self, line: str) -> Record:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer: Record = json.loads(self._process.stdout.readline())
        return answer

    def solve(self) -> tuple[float, Fraction]:
        """Seconds, and the least mean."""
        answer = self._ask("solve")
        return answer["seconds"], Fraction(answer["value"])

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


def table(family: str, actions: int, memory: int, seed: int) -> tp.TallyingBandit:
    bandit = tp.make(family, actions=actions, memory=memory, denominator=DENOMINATOR, seed=seed)
    assert isinstance(bandit, tp.TallyingBandit)
    return bandit


def asked(question: str, bandit: tp.TallyingBandit, clock: Clock = time.process_time) -> tuple[float, Any]:
    """Seconds of a question about an instance that was never asked before, and the answer."""
    fresh = tp.TallyingBandit(bandit.losses)
    started = clock()
    answer = QUESTIONS[question](fresh)
    return clock() - started, answer


def turn(run: Callable[[], tuple[float, Any]]) -> tuple[float, Any]:
    """The best of five short runs, or one."""
    first = run()
    return first if first[0] > SHORT else min((first, *(run() for _ in range(4))), key=lambda one: one[0])


def repeated(run: Callable[[], tuple[float, Any]]) -> float:
    """The best of some turns."""
    best, spent = float("inf"), 0.0
    for _ in range(TURNS):
        seconds, _ = turn(run)
        best, spent = min(best, seconds), spent + seconds
        if spent > SECONDS:
            break
    return best


# -- the parts: what is measured at one size


def cycle(actions: int, memory: int, seeds: int) -> Iterator[Record]:
    """Minimum mean cycles, in turns with LEMON."""
    for family in FAMILIES:
        for seed in range(1, seeds + 1):
            bandit = table(family, actions, memory, seed)
            peer, ours, theirs = Lemon(bandit), float("inf"), float("inf")
            asked("cycle", bandit)
            for i in range(TURNS):
                seconds, answer = turn(lambda: asked("cycle", bandit))  # noqa: B023, called at once
                ours = min(ours, seconds)
                if i == 0 or theirs < SECONDS:
                    seconds, value = turn(peer.solve)
                    theirs = min(theirs, seconds)
                    assert value == answer.value, bandit.to_json()
            peer.close()
            yield {"family": family, "seed": seed, "seconds": ours, "LEMON": theirs}


def small(actions: int, memory: int, seeds: int) -> Iterator[Record]:
    """Small graphs: every question, the first call of the process, its modules imported, and its tenth."""
    for question in QUESTIONS:
        bandit = table("uniform", actions, memory, 1)
        calls = [asked(question, bandit, time.thread_time)[0] for _ in range(10)]
        peer = Lemon(bandit)
        found = {"question": question, "first": calls[0], "tenth": calls[9]}
        times = [
            repeated(lambda: asked(question, table("uniform", actions, memory, seed), time.thread_time))  # noqa: B023
            for seed in range(1, seeds + 1)
        ]
        yield found | {"seconds": sorted(times)[len(times) // 2], "LEMON": repeated(peer.solve)}
        peer.close()


def scale(actions: int, memory: int, seeds: int) -> Iterator[Record]:
    """Plans and best words: seconds and nanoseconds per edge, the median over tables."""
    for question in QUESTIONS:
        if question == "word" and actions ** (memory - 1) > LONGEST_WORD:
            continue
        times = []
        for seed in range(1, 6 * seeds + 2):
            bandit = table("uniform", actions, memory, seed)
            asked(question, bandit)
            times.append(repeated(lambda: asked(question, bandit)))  # noqa: B023, called at once
        times.sort()
        middle = times[len(times) // 2]
        per_edge = 1e9 * middle / actions**memory
        yield {"question": question, "seconds": middle, "worst": times[-1], "per edge": per_edge}


def many(actions: int, memory: int, seeds: int) -> Iterator[Record]:
    """Tables per second of `solve_many` on one core, next to LEMON's seconds on some of them."""
    number = max(512, min(2**15, 2**24 // actions ** (memory - 1)))
    tables = np.random.default_rng(1).integers(0, DENOMINATOR + 1, (number, actions, memory))

    def solve() -> tuple[float, list[Any]]:
        started = time.process_time()
        found = list(tp.solve_many(tables, denominator=DENOMINATOR, workers=1).chunks())
        return time.process_time() - started, found

    values = [value for chunk in solve()[1] for value in chunk]
    theirs = []
    for given, value in zip(tables[: 8 * seeds], values, strict=False):
        peer = Lemon(tp.TallyingBandit([[Fraction(int(x), DENOMINATOR) for x in row] for row in given]))
        seconds, found = turn(peer.solve)
        assert found == value
        theirs.append(seconds)
        peer.close()
    yield {"seconds": min(solve()[0] for _ in range(9)) / number, "LEMON": sum(theirs) / len(theirs)}


def sweeps(actions: int, memory: int, seeds: int) -> Iterator[Record]:
    """A Bellman sweep of a plan next to a memcpy of the vector, and what two threads gain for each.

    A sweep is what 8 (m - 1) more sweeps of a plan take, each, with the layers that are stored on the way; on
    the first table whose recursion does not repeat before.
    """
    tables = (graph_of(table("uniform", actions, memory, seed)) for seed in count(1))
    long = 12 * (memory - 1)
    costs = next(one for one in tables if questions.Layers(one, long, tick).sweeps >= long)
    source = np.zeros(actions ** (memory - 1), dtype=np.int32)
    target = np.empty_like(source)
    halves = [slice(0, source.size // 2), slice(source.size // 2, None)]

    def swept(steps: int, threads: int, clock: Clock) -> tuple[float, int]:
        questions.available_cores = lambda: threads
        started = clock()
        layers = questions.Layers(costs, steps, tick)
        return clock() - started, layers.sweeps

    def on_the_wall(threads: int) -> float:
        seconds, made = swept(long, threads, time.perf_counter)
        return seconds / made

    def copy(part: slice) -> float:
        times = []
        for _ in range(200):
            started = time.process_time()
            np.copyto(target[part], source[part])
            times.append(time.process_time() - started)
        return min(times)

    def copy_by_two() -> float:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(time.sleep, (0.01, 0.01)))  # both threads have started
            started = time.perf_counter()
            list(pool.map(copy, halves))
            return (time.perf_counter() - started) / 200

    names = ("few", "more", "memcpy", "on the wall", "by two", "memcpy by two")
    best = dict.fromkeys(names, float("inf"))
    for _ in range(6 * seeds + 3):  # interleaved
        few, more = (swept(steps, 1, time.process_time)[0] for steps in (long // 3, long))
        now = (few, more, copy(slice(None)), on_the_wall(1), on_the_wall(2), copy_by_two())
        best = {name: min(best[name], seconds) for name, seconds in zip(names, now, strict=True)}
    yield {"seconds": (best.pop("more") - best.pop("few")) / (long - long // 3)} | best


def graphs(actions: int, memory: int, seeds: int) -> Iterator[Record]:
    """Explicit graphs of K^(m-1) nodes and K^m edges: least mean and least ratio, next to LEMON's least mean.

    A ring with random chords. Ours begins with an array of edges; LEMON knows no times.
    """
    nodes, count = actions ** (memory - 1), actions**memory
    for seed in range(1, seeds + 1):
        rng = np.random.default_rng(seed)
        edges = rng.integers([0, 0, -1000, 1], [nodes, nodes, 1001, 11], (count, 4))
        edges[:nodes, 0], edges[:nodes, 1] = np.arange(nodes), (np.arange(nodes) + 1) % nodes
        line = f"graph {nodes} {count} {' '.join(map(str, edges.reshape(-1).tolist()))}"
        asked = [str(BUILD / "lemon_graphs"), "howard"]
        theirs = json.loads(subprocess.run(asked, input=line, stdout=subprocess.PIPE, text=True).stdout)
        asks: list[tuple[str, Callable[[Any], Any], Any]] = [
            ("mean", tp.minimum_mean_cycle_of, edges[:, :3]),
            ("ratio", tp.minimum_ratio_cycle_of, edges),
        ]
        for question, ask, given in asks:
            times = []
            for _ in range(3):
                started = time.process_time()
                value = ask(given).value
                times.append(time.process_time() - started)
            assert question == "ratio" or value == Fraction(theirs["value"])
            yield {"question": question, "seed": seed, "seconds": min(times), "LEMON": theirs["seconds"]}


def start(actions: int, memory: int, seeds: int) -> Iterator[Record]:
    """Whole processes: a bare interpreter, `import tallyplan`, and `tallyplan plan FILE`; processor time."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "instance.json")
        table("uniform", actions, memory, 1).save(file)
        plan = ["-m", "tallyplan", "plan", str(file), "--horizon", "1000"]
        for name, ask in (("python", ["-c", ""]), ("import", ["-c", "import tallyplan"]), ("plan", plan)):
            times = []
            for _ in range(3 * seeds):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                subprocess.run([sys.executable, *ask], stdout=subprocess.DEVNULL, check=True)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                times.append(sum(after[:2]) - sum(before[:2]))
            yield {"question": name, "seconds": min(times)}


PARTS: dict[str, tuple[Callable[[int, int, int], Iterator[Record]], list[tuple[int, int]]]] = {
    "cycle": (cycle, BELOW_10000 + MIDDLE + LARGE),
    "small": (small, SMALL),
    "scale": (scale, SCALE),
    "many": (many, MANY),
    "sweeps": (sweeps, SWEEPS),
    "graphs": (graphs, [(10, 6), (2, 20)]),
    "start": (start, [(2, 3)]),
}


def record(part: str, seeds: int) -> None:
    """Measure a part, each size in a fresh process, and keep what it gave in benchmarks/results."""
    records: list[Record] = []
    for actions, memory in PARTS[part][1]:
        command = [sys.executable, "-m", "benchmarks.race", part, f"--seeds={seeds}"]
        command += [f"--size={actions},{memory}"]
        found = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
        records += map(json.loads, found.splitlines())
        print(part, (actions, memory), file=sys.stderr, flush=True)
    RESULTS.mkdir(exist_ok=True)
    about = {"seeds": seeds, "load": os.getloadavg()[0], "day": time.strftime("%Y-%m-%d")}
    (RESULTS / f"{part}.json").write_text(json.dumps(about | {"records": records}), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART")
    parser.add_argument("--seeds", type=int, default=3, help="tables of each kind")
    parser.add_argument("--size", help="K,m: print what is measured there, in this process")
    options = parser.parse_args()
    if options.size:
        actions, memory = map(int, options.size.split(","))
        size = {"actions": actions, "memory": memory, "states": actions ** (memory - 1)}
        for found in PARTS[options.parts[0]][0](actions, memory, options.seeds):
            print(json.dumps(size | found), flush=True)
        return
    for part in options.parts or PARTS:
        record(part, options.seeds)


if __name__ == "__main__":
    main()
