"""A solver at work: a process of its own, pinned to its cores, with limits of time and memory."""

import json
import os
import resource
import select
import subprocess
import tempfile
import time
from collections.abc import Sequence
from typing import Any

from benchmarks import ROOT
from benchmarks.race.participants import Solver

START_LIMIT = 300.0  # seconds to build a graph
THREAD_COUNTS = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class OutOfTime(Exception):
    """No answer within the limit."""


class Failed(Exception):
    """The solver ended without an answer."""


def environment(threads: int) -> dict[str, str]:
    return os.environ | dict.fromkeys(THREAD_COUNTS, str(threads))


def pin(cores: int) -> None:
    """Let the calling process use only the last of the cores that it may use now."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-cores:])


class Worker:
    """One solver on one instance; every line asked is answered by a JSON object."""

    def __init__(self, solver: Solver, line: str, arguments: Sequence[str], memory_limit: int | None):
        self._errors = tempfile.TemporaryFile(mode="w+", encoding="utf-8")  # noqa: SIM115, closed in close()

        def limits() -> None:
            pin(1)
            if memory_limit:
                resource.setrlimit(resource.RLIMIT_AS, (memory_limit, memory_limit))

        self._process = subprocess.Popen(
            [*solver.argv(), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=ROOT,
            env=environment(threads=1),
            bufsize=0,
            preexec_fn=limits,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        try:
            self.ask(line, START_LIMIT)
        except (OutOfTime, Failed):
            self.close()
            raise

    def ask(self, line: str, limit: float) -> dict[str, Any]:
        """Send a line, return the answer."""
        try:
            self._input.write(f"{line}\n".encode())
        except BrokenPipeError:
            raise Failed(self._last_words()) from None
        answer: dict[str, Any] = json.loads(self._read_line(limit))
        return answer

    def _read_line(self, limit: float) -> bytes:
        end = time.monotonic() + limit
        line = b""
        while not line.endswith(b"\n"):
            if not select.select([self._output], [], [], max(0, end - time.monotonic()))[0]:
                self._process.kill()
                raise OutOfTime
            piece = os.read(self._output.fileno(), 65536)
            if not piece:
                raise Failed(self._last_words())
            line += piece
        return line

    def _last_words(self) -> str:
        self._process.wait()
        self._errors.seek(0)
        lines = [line.strip() for line in self._errors if line.strip()]
        words = lines[-1] if lines else f"exit status {self._process.returncode}"
        return "out of memory" if "bad_alloc" in words or "MemoryError" in words else words[:200]

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._input.close()
        self._output.close()
        self._errors.close()
