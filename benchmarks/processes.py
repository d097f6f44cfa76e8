"""The questions about processes: bandwidth of a sweep, two threads, the time to start."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from contest import say
from solvers import ONE_THREAD

HERE = Path(__file__).resolve().parent
SWEEP_SIZES = ((2, 22), (3, 13), (3, 14), (5, 9), (5, 10), (10, 7))
THREAD_SIZES = ((2, 22), (3, 14), (5, 10), (10, 7))
ROUNDS = 5

COMPUTE_SMALL = """
import sys
import tallyplan as tp
bandit = tp.TallyingBandit([["0.1", "0.5", "0.9"], ["0.3", "0.4", "0.5"]])
tp.minimum_mean_cycle(bandit), tp.optimal_plan(bandit, 100), tp.optimal_cyclic_policy(bandit, 12)
print("numba" in sys.modules)
"""
COMPUTE_LARGE = """
import time
import tallyplan as tp
bandit = tp.make("uniform", actions=2, memory=18, seed=1)
started = time.perf_counter()
tp.minimum_mean_cycle(bandit)
print(time.perf_counter() - started)
"""


def python(*arguments, cores=1, threads=1, **environment):
    """Run a Python process on the last cores; its standard output and its wall time."""
    pinned = sorted(os.sched_getaffinity(0))[-cores:]
    settings = os.environ | dict.fromkeys(ONE_THREAD, str(threads)) | environment
    started = time.perf_counter()
    process = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        env=settings,
        check=False,
        preexec_fn=lambda: os.sched_setaffinity(0, pinned),
    )
    seconds = time.perf_counter() - started
    if process.returncode != 0:
        raise RuntimeError(process.stderr.strip().splitlines()[-1])
    return process.stdout.strip(), seconds


def sweep(ledger, full):
    """The fraction of the memory bandwidth, the median of several processes."""
    for actions, memory in SWEEP_SIZES:
        key = {"question": "sweep", "actions": actions, "memory": memory, "solver": "tallyplan"}
        if ledger.has(**key):
            continue
        rounds = [one_sweep(actions, memory) for _ in range(3 if full else 1)]
        # the median, not the best: a memcpy that was disturbed makes the fraction too large
        middle = sorted(rounds, key=lambda found: found["fraction"])[len(rounds) // 2]
        ledger.add(key | {"states": actions ** (memory - 1), "status": "ok"} | middle)
        say(f"sweep ({actions},{memory}): {middle['fraction']:.3f} of the bandwidth of memcpy")


def one_sweep(actions, memory, **how):
    return json.loads(python(str(HERE / "one_sweep.py"), str(actions), str(memory), **how)[0])


def threads(ledger, full):
    """A series of sweeps shared out between two threads, next to one thread, in turns; two cores."""
    if len(os.sched_getaffinity(0)) < 2:
        say("threads: skipped, this process may use one core only")
        return
    for actions, memory in THREAD_SIZES:
        key = {"question": "threads", "actions": actions, "memory": memory, "solver": "tallyplan"}
        if ledger.has(**key):
            continue
        speedups = [
            one_sweep(actions, memory, cores=2, threads=2)["speedup"] for _ in range(3 if full else 1)
        ]
        middle = sorted(speedups)[len(speedups) // 2]
        states = actions ** (memory - 1)
        ledger.add(key | {"states": states, "status": "ok", "speedup": middle, "runs": speedups})
        say(f"threads ({actions},{memory}): two threads sweep {middle:.2f} times as fast as one")


def startup(ledger, full):
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
            times = [python(*command)[1] for _ in range(ROUNDS)]
            _add_start(ledger, name, sorted(times)[ROUNDS // 2], times)
    _add_start(ledger, "numba loaded on small instances", python("-c", COMPUTE_SMALL)[0] == "True", None)
    with tempfile.TemporaryDirectory() as cache:
        for name in ("first solve, no kernels cached", "second process, kernels cached"):
            seconds = float(python("-c", COMPUTE_LARGE, NUMBA_CACHE_DIR=cache)[0])
            _add_start(ledger, name, seconds, None)


def _add_start(ledger, name, value, runs):
    ledger.add(
        {"question": "startup", "solver": "tallyplan", "argument": name, "seconds": value, "runs": runs}
    )
    say(f"startup: {name}: {value if isinstance(value, bool) else f'{value:.3f} s'}")
