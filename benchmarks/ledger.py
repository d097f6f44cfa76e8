"""Results as JSON lines: appended as they come, and looked up so that nothing is measured twice."""

import hashlib
import json
import os
import platform
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KEY = ("question", "family", "actions", "memory", "seed", "solver", "argument")


def key_of(record):
    return tuple(record.get(name) for name in KEY)


class Ledger:
    def __init__(self, folder, command):
        self._command = command
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / "race.jsonl"
        self._known = {key_of(record): record for record in read(self._path)}

    def get(self, **key):
        return self._known.get(key_of(key))

    def has(self, **key):
        return key_of(key) in self._known

    def add(self, record):
        self._known[key_of(record)] = record
        with self._path.open("a", encoding="utf-8") as out:
            out.write(json.dumps(record | {"command": self._command} | provenance()) + "\n")


def read(path):
    """All records, the newest for a key; a line cut short by an interruption is ignored."""
    records = {}
    if path.exists():
        for line in path.read_text("utf-8").splitlines():
            try:
                record = json.loads(line)
            except json.JSONDecodeError:
                continue
            records[key_of(record)] = record
    return list(records.values())


def provenance():
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return {"when": now, "source": source(), "machine": machine(), "load": os.getloadavg()[0]}


def source():
    """A fingerprint of the code that is measured, taken anew for every record: code may change meanwhile."""
    digest = hashlib.sha256()
    for path in sorted((ROOT / "tallyplan").rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


@cache
def machine():
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def _processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()
