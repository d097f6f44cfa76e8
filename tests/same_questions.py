"""Many questions, answered on standard output, whose bytes are to be compared.

`python same_questions.py SIZES`, where SIZES is `few` or `many`. The
locale of the environment is set, as a program with windows and menus would do.
"""

import json
import locale
import sys
import tempfile
from pathlib import Path

from small_study import SPEC, csv_of, run_here
from typer.testing import CliRunner

import tallyplan as tp
from tallyplan.cli import app
from tallyplan.games.registry import learners

FEW = [("uniform", 2, 3), ("near-tie", 3, 3), ("single-peaked", 2, 8), ("uniform", 2, 8)]
MANY = [
    *FEW,
    ("equal-arms", 4, 3),
    ("uniform", 3, 6),
    ("sparse", 5, 4),
    ("uniform", 2, 15),
    ("rotting", 4, 8),
]
STUDY = SPEC.replace(', "my_study_players:alternate"', "").replace("seed = [0, 1]", "seed = 1")
STUDY = STUDY.replace('[[instances]]\nfiles = ["mine/*.json"]\n', "")


def bandits(sizes):
    for family, actions, memory in sizes:
        for seed in range(2):
            yield tp.make(family, actions=actions, memory=memory, seed=seed)
    yield tp.make("counterexample-2", memory=4, secret="0,1,1")
    yield tp.make("weighted-recency", actions=2, memory=4, ratio="1/2")


def answers(bandit):
    yield tp.optimal_plan(bandit, 40, [1])
    yield tp.optimal_plan(bandit, 10**12)
    yield tp.minimum_mean_cycle(bandit)
    yield from (tp.optimal_cyclic_policy(bandit, period) for period in (5, 7, 23))


def documents(bandit):
    """The instance, certificates and verdicts."""
    yield json.dumps(bandit.to_json())
    for answer in answers(bandit):
        yield json.dumps(answer.certificate)
        yield str(tp.check(answer.certificate))


def printed(arguments, bandit):
    result = CliRunner().invoke(app, arguments, input=json.dumps(bandit.to_json()), catch_exceptions=False)
    assert result.exit_code in (0, 3), result.stderr
    return result.stdout


def commands(sizes):
    """What the command line prints, in words and as data."""
    uniform = tp.make("uniform", actions=3, memory=3, seed=5)
    yield printed(["plan", "-", "--horizon", "10^20"], uniform)
    yield printed(["cycle", "-", "--json"], tp.make("uniform", actions=2, memory=40, seed=5))
    if sizes is MANY:
        yield printed(["cycle", "-", "--json"], tp.make("uniform", actions=3, memory=22, seed=5))
    for name in learners() if sizes is MANY else ["exp3", "optimistic-planner"]:
        yield printed(["play", name, "-", "--horizon", "300", "--seed", "4", "--json"], uniform)


def study():
    with tempfile.TemporaryDirectory() as folder:
        spec, store, table = (Path(folder, name) for name in ("study.toml", "results.db", "table.csv"))
        spec.write_text(STUDY)
        run_here(spec, store, code=())
        return csv_of(store, table).decode()


def main(how_many):
    locale.setlocale(locale.LC_ALL, "")
    sizes = {"few": FEW, "many": MANY}[how_many]
    for bandit in bandits(sizes):
        print(*documents(bandit), sep="\n")
    print(*commands(sizes), study(), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
