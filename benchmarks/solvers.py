"""Who takes part, and how a solver is run: a process of its own, pinned, with limits of time and memory."""

import json
import os
import resource
import select
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

from build import BUILD, STATUS

PEERS = Path(__file__).resolve().parent / "peers"
START_LIMIT = 300  # seconds to build a graph
ONE_THREAD = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True)
class Solver:
    """`needs` is its entry in .build/peers.json; None: part of this project's own environment."""

    name: str
    label: str
    needs: str | None
    command: tuple[str, ...]
    arithmetic: str = "exact"

    def skipped(self):
        """Why it cannot run, or None."""
        if self.needs is None:
            return None
        found = built()["peers"].get(self.needs)
        return "not built: run benchmarks/build.py" if found is None else found.get("skipped")

    def version(self):
        return version(self.name) if self.needs is None else built()["peers"][self.needs]["version"]

    def argv(self):
        program, *rest = self.command
        if not program.endswith(".py"):
            return [str(BUILD / program), *rest]
        python = sys.executable if self.needs is None else built()["python"]
        return [python, str(PEERS / program), *rest]


@cache
def built():
    return json.loads(STATUS.read_text("utf-8")) if STATUS.exists() else {"python": None, "peers": {}}


FLOATS = "floating point"
CYCLE = "floating point; its cycle added up exactly"
_ALL = (
    Solver("tallyplan", "tallyplan", None, ("ours.py",)),
    Solver("lemon-howard", "LEMON Howard (C++)", "lemon", ("lemon", "howard")),
    Solver("lemon-hartmann-orlin", "LEMON Hartmann-Orlin (C++)", "lemon", ("lemon", "hartmann-orlin")),
    Solver("lemon-karp", "LEMON Karp (C++)", "lemon", ("lemon", "karp")),
    Solver("boost-howard", "Boost Howard (C++)", "boost_howard", ("boost_howard",), CYCLE),
    Solver("highs", "LP, HiGHS by SciPy", "scipy", ("scipy_highs.py",), FLOATS),
    Solver("rustworkx", "rustworkx negative cycles", "rustworkx", ("rustworkx_cycle.py",)),
    Solver("networkx", "networkx negative cycles", "networkx", ("networkx_cycle.py",)),
    Solver("storm", "Storm, exact", "stormpy", ("storm_exact.py",)),
    Solver("numpy", "numpy, int32 cost planes", None, ("numpy_horizon.py",)),
    Solver("quantecon", "QuantEcon DiscreteDP", "quantecon", ("quantecon_horizon.py",), FLOATS),
    Solver("textbook", "textbook n*L*K^m program (C++)", "textbook_cyclic", ("textbook_cyclic",)),
)
SOLVERS = {solver.name: solver for solver in _ALL}
MEAN_CYCLE_PEERS = (
    "lemon-howard",
    "boost-howard",
    "lemon-hartmann-orlin",
    "lemon-karp",
    "highs",
    "rustworkx",
    "networkx",
    "storm",
)


class OutOfTime(Exception):
    """No answer within the limit."""


class Failed(Exception):
    """The solver ended without an answer."""


class Worker:
    """A solver at work on one instance."""

    def __init__(self, solver, line, *, arguments=(), memory_limit=None, cores=1, threads=1):
        self._errors = tempfile.TemporaryFile(mode="w+", encoding="utf-8")  # noqa: SIM115, closed in close()
        pinned = sorted(os.sched_getaffinity(0))[-cores:]

        def limits():
            os.sched_setaffinity(0, pinned)
            if memory_limit:
                resource.setrlimit(resource.RLIMIT_AS, (memory_limit, memory_limit))

        self._process = subprocess.Popen(
            [*solver.argv(), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=os.environ | dict.fromkeys(ONE_THREAD, str(threads)),
            bufsize=0,
            preexec_fn=limits,
        )
        try:
            self.ask(line, START_LIMIT)
        except (OutOfTime, Failed):
            self.close()
            raise

    def ask(self, line, limit):
        """Send a line, return the answer."""
        try:
            self._process.stdin.write(f"{line}\n".encode())
        except BrokenPipeError:
            raise Failed(self._last_words()) from None
        return json.loads(self._read_line(limit))

    def _read_line(self, limit):
        end = time.monotonic() + limit
        line = b""
        while not line.endswith(b"\n"):
            if not select.select([self._process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                self._process.kill()
                raise OutOfTime
            piece = os.read(self._process.stdout.fileno(), 65536)
            if not piece:
                raise Failed(self._last_words())
            line += piece
        return line

    def _last_words(self):
        self._process.wait()
        self._errors.seek(0)
        lines = [line.strip() for line in self._errors if line.strip()]
        words = lines[-1] if lines else f"exit status {self._process.returncode}"
        return "out of memory" if "bad_alloc" in words or "MemoryError" in words else words[:200]

    def close(self):
        self._process.kill()
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()
        self._errors.close()
