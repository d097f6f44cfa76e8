"""What the race measured, as JSON lines: appended as it comes, looked up so as not to measure twice."""

import hashlib
import json
import os
import platform
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks import ROOT

Record = dict[str, Any]
KEY = ("question", "family", "actions", "memory", "seed", "solver", "argument")


def key_of(record: Record) -> tuple[Any, ...]:
    return tuple(record.get(name) for name in KEY)


class Records:
    """The records in a folder; each new one says by which command it was made, and on which code."""

    def __init__(self, folder: Path, command: str):
        self._command = command
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / "race.jsonl"
        self._known = {key_of(record): record for record in read(folder)}

    def get(self, **key: Any) -> Record | None:
        return self._known.get(key_of(key))

    def add(self, record: Record) -> None:
        self._known[key_of(record)] = record
        with self._path.open("a", encoding="utf-8") as out:
            out.write(json.dumps(record | {"command": self._command} | provenance()) + "\n")


def read(folder: Path) -> list[Record]:
    """All records, the newest for each key; a line cut short by an interruption is ignored."""
    path, records = folder / "race.jsonl", {}
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            continue
        records[key_of(record)] = record
    return list(records.values())


def select(records: Iterable[Record], question: str, solver: str, **fields: Any) -> list[Record]:
    wanted = {"question": question, "solver": solver} | fields
    return [r for r in records if all(r.get(name) == value for name, value in wanted.items())]


def peak_beyond(record: Record) -> int:
    """Bytes at the peak beyond what the process held before it had an instance."""
    return (record.get("peak") or 0) - (record.get("baseline") or 0)


def provenance() -> Record:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return {"when": now, "source": source(), "machine": machine(), "load": os.getloadavg()[0]}


def source() -> str:
    """A fingerprint of the code measured, taken anew for every record: the code may change meanwhile."""
    digest = hashlib.sha256()
    for path in sorted((ROOT / "tallyplan").rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


@cache
def machine() -> str:
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()
