"""The page of the race: every part has its targets."""

import json

from benchmarks.race import PARTS, QUESTIONS
from benchmarks.results_page import write


def measured(part, actions, memory):
    """What a part might give at one size."""
    size = {"actions": actions, "memory": memory, "states": actions ** (memory - 1)}
    if part == "cycle":
        return [size | {"family": "uniform", "seed": 1, "seconds": 1e-3, "LEMON": 0.2}]
    if part == "sweeps":
        times = {"seconds": 2e-3, "memcpy": 1e-3, "on the wall": 2e-3, "by two": 1e-3, "memcpy by two": 8e-4}
        return [size | times]
    if part == "many":
        return [size | {"seconds": 1e-6, "LEMON": 1e-4}]
    questions = ("python", "plan") if part == "start" else QUESTIONS
    times = {"seconds": 3e-5, "LEMON": 1e-5, "first": 1e-3, "tenth": 1e-4, "worst": 1e-2, "per edge": 2.0}
    return [size | {"question": question} | times for question in questions]


def test_a_page_of_all_parts_says_what_is_met(tmp_path):
    for part, (_, sizes) in PARTS.items():
        records = [one for size in sizes for one in measured(part, *size)]
        about = {"seeds": 3, "load": 0.1, "day": "2026-11-18", "records": records}
        (tmp_path / f"{part}.json").write_text(json.dumps(about), encoding="utf-8")
    page = tmp_path / "RESULTS.md"
    write(page, tmp_path)
    _, *sections = page.read_text(encoding="utf-8").split("\n## ")
    assert len(sections) == 1 + len(PARTS)
    met = {line.split("|")[-2].strip(" *") for line in sections[0].splitlines() if line.startswith("| ")}
    assert {"yes", "no"} <= met  # a sweep takes twice a memcpy
