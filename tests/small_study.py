"""What the tests of studies share: a small study, runs of it here and in a process, its table."""

import os
import sys
import time
from pathlib import Path

from tallyplan.studies.runners import local_workers, resumable, run
from tallyplan.studies.spec import read_spec
from tallyplan.studies.store import Store
from tallyplan.studies.tables import table, write_table

SPEC = """
[[instances]]
family = "uniform"
actions = [2, 3]
memory = 3
seed = [0, 1]

[[instances]]
files = ["mine/*.json"]

[[questions]]
ask = "cycle"

[[questions]]
ask = "plan"
horizon = [7, "10^30"]

[[questions]]
ask = "play"
learner = ["alg-det", "my_study_players:alternate"]
horizon = 50
seed = [0, 1]
"""
PLAYERS = "def alternate(observations):\n    return len(observations) % observations.actions\n"
ITEMS = 6 * (1 + 2 + 4)
CODE = ("my_study_players",)  # what the caller names
RUN = [sys.executable, "-m", "tallyplan", "study", "run", "study.toml", "--code", *CODE, "--store"]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}


def run_here(spec, store="results.db", jobs=1, code=CODE, **options):
    with resumable(store, read_spec(spec, code)) as kept:
        return run(kept, local_workers(jobs), **options)


def slow_player(seconds, first=""):
    """A player who takes its time, and does something first."""
    Path("my_study_players.py").write_text(
        f"import os, time\ndef alternate(observations):\n    {first or 'pass'}\n    time.sleep({seconds})\n"
        "    return len(observations) % observations.actions\n"
    )


def wait_until(condition):
    for _ in range(600):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError("it did not happen within a minute.")


def rows(store, **options):
    """The rows of a store, or of a file."""
    if not isinstance(store, Store):
        with Store(store) as kept:
            return rows(kept, **options)
    found = table(store, **options)
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


def csv_of(store, path="table.csv"):
    with Store(store) as kept:
        write_table(table(kept), "csv", path)
    return Path(path).read_bytes()
