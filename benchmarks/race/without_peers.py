"""The questions that need no turns: sweeps, two threads, starting, many tables, one table of any size.

Each is measured by a process of its own, which races against LEMON itself where it does.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks import ROOT
from benchmarks.many import SIZES as MANY_SIZES
from benchmarks.race.against_peers import Race
from benchmarks.race.turns import say
from benchmarks.race.worker import environment, pin

SWEEP_SIZES = ((2, 22), (3, 13), (3, 14), (5, 9), (5, 10), (10, 7))
THREAD_SIZES = ((2, 22), (3, 14), (5, 10), (10, 7))
STARTS = 5
SINGLE_STATES = 3 * 10**5  # beyond, a check of a plan takes long

TEN_CALLS = """
import time
import tallyplan as tp
for seed in range(10):
    bandit = tp.make("uniform", actions=2, memory=13, seed=seed)
    started = time.perf_counter()
    tp.minimum_mean_cycle(bandit)
    print(time.perf_counter() - started)
"""


def python(*arguments: str, cores: int = 1, **variables: str) -> tuple[str, float]:
    """Run a Python process on the last cores; its standard output and its wall time."""
    started = time.perf_counter()
    process = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment(threads=cores) | variables,
        check=False,
        preexec_fn=lambda: pin(cores),
    )
    seconds = time.perf_counter() - started
    if process.returncode != 0:
        raise RuntimeError(process.stderr.strip().splitlines()[-1])
    return process.stdout.strip(), seconds


def sweep(race: Race) -> None:
    """The fraction of a memcpy's bandwidth; the median of several processes, since the best of them is one
    whose memcpy was disturbed."""
    for size in SWEEP_SIZES:
        _add_sweeps(race, "sweep", size, "fraction", "of the bandwidth of memcpy", cores=1)


def threads(race: Race) -> None:
    """A series of sweeps shared out between two threads, next to one thread, in turns; two cores."""
    if len(os.sched_getaffinity(0)) < 2:
        say("threads: skipped, this process may use one core only")
        return
    for size in THREAD_SIZES:
        _add_sweeps(race, "threads", size, "speedup", "times as fast as one thread", cores=2)


def _add_sweeps(
    race: Race, question: str, size: tuple[int, int], figure: str, words: str, cores: int
) -> None:
    actions, memory = size
    key = {"question": question, "actions": actions, "memory": memory, "solver": "tallyplan"}
    if race.records.get(**key):
        return
    command = ("-m", "benchmarks.sweeps", "--size", str(actions), str(memory), "--json")
    found = [json.loads(python(*command, cores=cores)[0]) for _ in range(3 if race.full else 1)]
    middle = sorted(found, key=lambda one: float(one[figure]))[len(found) // 2]
    race.records.add(key | {"status": "ok"} | middle)
    say(f"{question} {size}: {middle[figure]:.3f} {words}")


def many(race: Race) -> None:
    """Tables per second of `solve_many` on one core, next to LEMON's solves of some of them, in turns."""
    for actions, memory in MANY_SIZES:
        key = {"question": "many", "actions": actions, "memory": memory, "solver": "lemon-howard"}
        if race.records.get(**key):
            continue
        command = ("-m", "benchmarks.many", "--size", str(actions), str(memory), "--json")
        found = json.loads(python(*command)[0])
        race.records.add(key | {"status": "ok"} | found)
        say(f"many {actions, memory}: {found['seconds'] / found['reference_seconds']:.3g}x LEMON")


def single(race: Race) -> None:
    """Single answers to every question at every size, next to LEMON's minimum mean cycle; processor time."""
    if race.records.get(question="single", actions=2, memory=3, solver="tallyplan"):
        return
    command = ("-m", "benchmarks.single", "--json", "--to", str(SINGLE_STATES if race.full else 10**4))
    for line in python(*command)[0].splitlines():
        record = {"question": "single", "solver": "tallyplan", "status": "ok"} | json.loads(line)
        race.records.add(record)
        say(f"single {record['actions'], record['memory']}: {1000 * record['plan']:.3g} ms for a plan")


def startup(race: Race) -> None:
    """Cold processes with a warm disk: the median of several."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "small.json"
        file.write_text('{"memory": 3, "losses": [["0.1", "0.5", "0.9"], ["0.3", "0.4", "0.5"]]}', "utf-8")
        plan = ("-m", "tallyplan", "plan", str(file), "--horizon", "1000", "--json")
        commands = {
            "bare interpreter": ("-c", "pass"),
            "import tallyplan": ("-c", "import tallyplan"),
            "tallyplan plan, small file": plan,
        }
        for name, command in commands.items():
            _add_start(race, name, statistics.median(python(*command)[1] for _ in range(STARTS)))
    calls = [[float(line) for line in python("-c", TEN_CALLS)[0].splitlines()] for _ in range(STARTS)]
    for name, number in (("first call", 0), ("tenth call", 9)):
        _add_start(race, name, statistics.median(times[number] for times in calls))


def _add_start(race: Race, name: str, value: float | bool) -> None:
    found: dict[str, Any] = {"question": "startup", "solver": "tallyplan", "argument": name, "seconds": value}
    race.records.add(found | {"status": "ok"})
    say(f"startup: {name}: {value if isinstance(value, bool) else f'{value:.3f} s'}")
