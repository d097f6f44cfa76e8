"""Writes benchmarks/RESULTS.md from what the race measured (`python -m benchmarks.results_page`)."""

import json
import os
import platform
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import RESULTS, ROOT
from benchmarks.race import BELOW_10000, HORIZON, LARGE, MIDDLE, PARTS, PERIOD

PAGE = ROOT / "benchmarks" / "RESULTS.md"
Record = dict[str, Any]
Target = tuple[str, str, str, bool]  # what, wanted, measured, met
BANDWIDTH = {2: 0.7, 10: 0.3}  # K: the least part of a memcpy's speed that a sweep is to have
MICROSECONDS = {"cycle": 40, "plan": 60, "word": 100}  # up to 128 states
HEAD = f"""# The race

Written by `make bench` (`python -m benchmarks.race` says how everything is measured). A plan has
{HORIZON} steps, a best word {PERIOD} letters. Ratios are LEMON's time, of its solve alone, over ours, from
the losses to the verified answer. Losses are multiples of 1/1000, families those of `benchmarks/race.py`."""


def time_of(seconds: float) -> str:
    unit, factor = next(u for u in (("us", 1e6), ("ms", 1e3), ("s", 1)) if seconds * u[1] < 1000 or u[1] == 1)
    return f"{seconds * factor:.3g} {unit}"


def table(titles: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    yield "| " + " | ".join(titles) + " |"
    yield "| " + " | ".join("---" for _ in titles) + " |"
    for row in rows:
        yield "| " + " | ".join(map(str, row)) + " |"


def at(records: Iterable[Record], sizes: Iterable[tuple[int, int]]) -> list[Record]:
    return [one for one in records if (one["actions"], one["memory"]) in set(sizes)]


def ratios(records: Iterable[Record]) -> list[float]:
    return sorted(one["LEMON"] / one["seconds"] for one in records)


def cycle_targets(records: list[Record]) -> Iterator[Target]:
    for words, sizes, middle, worst in (
        ("390,625 states and more", LARGE, 150, 50),
        ("30,000 to 100,000", MIDDLE, 40, 10),
        ("1,000 to 10,000", BELOW_10000, 2, 2),
    ):
        found = ratios(at(records, sizes))
        wanted = f"median {middle}x, worst {worst}x"
        measured = f"median {median(found):.3g}x, worst {found[0]:.3g}x"
        holds = median(found) >= middle and found[0] >= worst
        yield f"minimum mean cycle next to LEMON, {words}", wanted, measured, holds


def small_targets(records: list[Record]) -> Iterator[Target]:
    for question, most in MICROSECONDS.items():
        slowest = max(one["seconds"] for one in records if one["question"] == question) * 1e6
        yield f"{question}, up to 128 states", f"{most} us", f"{slowest:.3g} us", slowest <= most
    later = max(one["first"] - one["tenth"] for one in records)
    yield "first call of a process, above its tenth", "5 ms", time_of(later), later <= 0.005


def scale_targets(records: list[Record]) -> Iterator[Target]:
    for question in ("plan", "word"):
        line = [one["per edge"] for one in records if one["question"] == question]
        rise = max(after / before for before, after in pairwise(line))
        words = f"{question}: time per edge from one size to the next"
        yield words, "at most 3x", f"at most {rise:.2g}x", rise <= 3


def sweep_targets(records: list[Record]) -> Iterator[Target]:
    for actions, least in BANDWIDTH.items():
        found = min(one["memcpy"] / one["seconds"] for one in records if one["actions"] == actions)
        words = f"a sweep next to memcpy, K = {actions}, worst size"
        yield words, f"{least}", f"{found:.2f}", found >= least
    one = max(records, key=lambda one: one["states"])
    gain, copy = one["on the wall"] / one["by two"], one["memcpy"] / one["memcpy by two"]
    quiet = copy > 1.2  # else the other core was busy
    measured = f"{gain:.2f}x (memcpy {copy:.2f}x)" if quiet else "not measured: the machine was busy"
    holds = quiet and gain >= min(1.6, 0.8 * copy)
    yield "two threads on the largest graph", "1.6x, or 0.8 of memcpy's gain", measured, holds


def start_targets(records: list[Record]) -> Iterator[Target]:
    found = {one["question"]: one["seconds"] for one in records}
    wanted = "7 times a bare interpreter (0.35 s where that takes 0.05)"
    measured = f"{found['plan']:.2f} s, {found['python']:.3f} s"
    holds = found["plan"] <= 7 * found["python"]
    yield "`tallyplan plan FILE`, whole process, processor time", wanted, measured, holds


def many_targets(records: list[Record]) -> Iterator[Target]:
    worst = ratios(records)[0]
    yield "many tables at once next to LEMON", "27x", f"worst {worst:.3g}x", worst >= 27


def graph_targets(records: list[Record]) -> Iterator[Target]:
    worst, wanted = ratios(records)[0], "as quick as LEMON's solve, ratios too"
    yield "explicit graphs of a million edges", wanted, f"worst {worst:.3g}x", worst >= 1


TARGETS = {
    "cycle": cycle_targets,
    "small": small_targets,
    "scale": scale_targets,
    "many": many_targets,
    "sweeps": sweep_targets,
    "graphs": graph_targets,
    "start": start_targets,
}


def cycle_rows(records: list[Record]) -> Iterator[str]:
    rows = []
    for size in PARTS["cycle"][1]:
        some = sorted(at(records, [size]), key=lambda one: one["LEMON"] / one["seconds"])
        ours, found = time_of(median(one["seconds"] for one in some)), ratios(some)
        shown = [f"{found[0]:.3g}x", some[0]["family"], f"{median(found):.3g}x", f"{found[-1]:.3g}x"]
        peer = "LEMON Howard (C++)"
        rows.append([f"({size[0]},{size[1]})", some[0]["states"], peer, ours, *shown, len(some)])
    titles = ["(K,m)", "states", "peer", "our median", "worst", "on", "median", "best", "tables"]
    yield from table(titles, rows)


def rows_of(records: list[Record]) -> Iterator[str]:
    """A row per record: its seconds as times, and everything else as it is."""
    columns = [name for name in records[0] if name not in ("actions", "memory")]

    def cell(name: str, value: object) -> object:
        if not isinstance(value, float):
            return value
        return f"{value:.3g} ns" if name == "per edge" else time_of(value)

    rows = [[cell(name, one[name]) for name in columns] for one in records]
    sizes = [f"({one['actions']},{one['memory']})" for one in records]
    yield from table(["(K,m)", *columns], ([size, *row] for size, row in zip(sizes, rows, strict=True)))


def write(page: Path = PAGE, results: Path = RESULTS) -> None:
    """The page of all parts that were measured."""
    found = {
        part: json.loads((results / f"{part}.json").read_text("utf-8"))
        for part in PARTS
        if (results / f"{part}.json").exists()
    }
    lines = [HEAD, "", f"Machine: {machine()}.", "", "## Targets", ""]
    targets = (target for part in found for target in TARGETS[part](found[part]["records"]))
    goals = ([*target, "yes" if met else "**no**"] for *target, met in targets)
    lines += table(["question", "wanted", "measured", "met"], goals)
    for part, some in found.items():
        told = (PARTS[part][0].__doc__ or "").split("\n\n")[0]
        recorded = f"Recorded {some['day']}, load {some['load']:.1f}, `--seeds {some['seeds']}`."
        rows = (cycle_rows if part == "cycle" else rows_of)(some["records"])
        lines += ["", f"## {told.rstrip('.')}", "", recorded, "", *rows]
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")


def machine() -> str:
    """The processor, its cores, and Python."""
    file = Path("/proc/cpuinfo")
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    processor = names[0] if names else platform.machine()
    return f"{processor}, {os.cpu_count()} cores, Python {platform.python_version()}"


if __name__ == "__main__":
    write()
