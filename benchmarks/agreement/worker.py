"""A tool at work: whether it can be run, and a process of its own with limits of time and memory."""

import json
import os
import resource
import select
import subprocess
import tempfile
import time
from dataclasses import dataclass
from functools import cache
from typing import Any

from benchmarks import ROOT
from benchmarks.build import BUILD, STATUS

START_LIMIT = 300.0  # seconds to load a library


@cache
def built() -> dict[str, Any]:
    """What `python -m benchmarks.build` found."""
    found: dict[str, Any] = {"python": None, "peers": {}}
    return found | (json.loads(STATUS.read_text("utf-8")) if STATUS.exists() else {})


@dataclass(frozen=True)
class Tool:
    """`needs` is its entry in .build/peers.json; a command in .py is a module of benchmarks/peers."""

    needs: str
    command: tuple[str, ...]

    def skipped(self) -> str | None:
        """Why it cannot run, or None."""
        found = built()["peers"].get(self.needs)
        return "not built: run python -m benchmarks.build" if found is None else found.get("skipped")

    def version(self) -> str:
        return str(built()["peers"][self.needs]["version"])

    def argv(self) -> list[str]:
        program, *rest = self.command
        if not program.endswith(".py"):
            return [str(BUILD / program), *rest]
        return [built()["python"], "-m", f"benchmarks.peers.{program.removesuffix('.py')}", *rest]


class OutOfTime(Exception):
    """No answer within the limit."""


class Failed(Exception):
    """The tool ended without an answer."""


class Worker:
    """Every line that it is asked is answered by a JSON object."""

    def __init__(self, tool: Tool, memory_limit: int):
        self._errors = tempfile.TemporaryFile(mode="w+", encoding="utf-8")  # noqa: SIM115, closed in close()

        def limits() -> None:
            resource.setrlimit(resource.RLIMIT_AS, (memory_limit, memory_limit))

        self._process = subprocess.Popen(
            tool.argv(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=ROOT,
            bufsize=0,
            preexec_fn=limits,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        try:
            self.ask("hello", START_LIMIT)
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
