"""What the tests of studies share: a small study, a run of it, and its table."""

from tallyplan.studies.runners import local_workers, run
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


def run_here(spec, store="results.db", jobs=1, code=CODE, **options):
    with Store(store, write=True) as kept:
        kept.add(read_spec(spec, code))
        return run(kept, local_workers(jobs), code=code, **options)


def csv_of(store, path="table.csv", **options):
    with Store(store) as kept:
        write_table(table(kept, **options), "csv", path)
    with open(path, "rb") as file:
        return file.read()
