"""Runs of a study: the same table whatever the order, the number of workers, or who is killed when."""

import random
import shutil
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from small_study import CODE, ENVIRONMENT, ITEMS, RUN, csv_of, rows, run_here, slow_player, wait_until

from tallyplan import InvalidInput, make, minimum_mean_cycle, optimal_plan
from tallyplan.model.words import length, read
from tallyplan.studies.questions import Outcome, question
from tallyplan.studies.runners import Ran, answer_batch, local_workers, resumable, run
from tallyplan.studies.spec import read_spec, study_of
from tallyplan.studies.store import Store


def test_rows_are_what_the_solvers_say(spec):
    assert run_here(spec) == Ran(ITEMS, 0)
    found = rows("results.db")
    assert len(found) == ITEMS
    bandit = make("uniform", actions=2, memory=3, seed=0)
    cycle, short, long, *games = (row for row in found if row["instance"] == bandit.name)
    assert Fraction(cycle["value"]) == minimum_mean_cycle(bandit).value
    assert Fraction(short["value"]) == optimal_plan(bandit, 7).value
    words = [read(text, 2, "word") for text in (cycle["word"], short["plan"])]
    assert words == [((minimum_mean_cycle(bandit).word, 1),), optimal_plan(bandit, 7).runs]
    assert (Fraction(long["value"]), long["horizon"]) == (optimal_plan(bandit, 10**30).value, str(10**30))
    assert long["about"] == pytest.approx(float(Fraction(long["value"])))
    for game in games:
        assert Fraction(game["loss"]) - Fraction(game["optimum"]) == Fraction(game["value"]) >= 0
    assert {row["status"] for row in found} == {"exact"}


def test_a_second_run_has_nothing_to_do_and_a_larger_spec_only_the_rest(spec):
    run_here(spec)
    before = csv_of("results.db")
    assert run_here(spec) == Ran(0, 0)
    assert csv_of("results.db") == before
    spec.write_text(spec.read_text() + '\n[[questions]]\nask = "cyclic"\nperiod = 3\n')
    assert run_here(spec) == Ran(6, 0)
    added = rows("results.db")[ITEMS:]
    assert [row["question"] for row in added] == ["cyclic"] * 6
    assert {length(read(row["word"], 3, "word")) for row in added} == {3}


def test_the_order_of_computation_pauses_and_the_number_of_workers_leave_no_trace(spec):
    run_here(spec, "one.db")
    expected = csv_of("one.db")
    with resumable("two.db", read_spec(spec, CODE)) as kept:
        tasks = [*map(kept.store.task, kept.keys)]
        random.Random(5).shuffle(tasks)
        for task in tasks:
            for _ in range(2):  # the second is not taken
                kept.store.record(result for result, _ in answer_batch([task], CODE))
    assert csv_of("two.db") == expected
    assert run_here(spec, "three.db", jobs=2) == Ran(ITEMS, 0)
    assert csv_of("three.db") == expected
    while run_here(spec, "four.db", limit=5).done:
        pass
    assert csv_of("four.db") == expected


def test_items_that_ask_the_same_are_computed_once(spec):
    shutil.copy("mine/a.json", "mine/copy.json")
    assert run_here(spec) == Ran(ITEMS, 0)
    one, other = ([row for row in rows("results.db") if row["instance"] == name] for name in ("a", "copy"))
    assert len(one) == 7
    assert [{**row, "instance": "copy"} for row in one] == other


# -- what fails --------------------


def test_what_cannot_be_answered_says_why_and_can_be_asked_again(spec):
    spec.write_text(
        "[[instances]]\nfamily = 'uniform'\nactions = 3\nmemory = [2, 80]\n"
        "[[questions]]\nask = 'cycle'\nmethod = ['graph', 'two-arms']\n"
    )
    assert run_here(spec) == Ran(4, 3)
    found = rows("results.db")
    assert [row["status"] for row in found] == ["exact", "failed", "failed", "failed"]
    assert "two actions" in found[1]["message"]
    assert "would need about" in found[2]["message"]
    assert run_here(spec) == Ran(0, 0)
    with Store("results.db", write=True) as kept:
        kept.forget_failures()
    assert run_here(spec) == Ran(3, 3)


@pytest.mark.parametrize(
    ("breaks", "how"),
    [("1 // 0", "ZeroDivisionError: integer division or modulo by zero"), ("exit(0)", "SystemExit: 0")],
)
def test_a_learner_that_breaks_fails_its_own_items_only(spec, breaks, how):
    Path("my_study_players.py").write_text(f"def alternate(observations):\n    {breaks}\n")
    assert run_here(spec) == Ran(ITEMS, 12)
    (message,) = {row["message"] for row in rows("results.db") if row["status"] == "failed"}
    assert message.startswith(f"my_study_players:alternate failed: {how} (")


KILLER = """
import os, signal
from tallyplan.games.learners.stepwise import Stepwise
from tallyplan.games.registry import learner
def deadly(observations):
    if observations.rng.integers(2) and observations.horizon == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    return 0
learner("deadly")(lambda: Stepwise(deadly))
"""


@pytest.mark.parametrize("others", ["11, 12, 14, ", ""])
@pytest.mark.usefixtures("registries")
def test_a_task_that_kills_its_worker_fails_and_the_others_go_on(spec, others):
    Path("my_study_players.py").write_text(KILLER)
    spec.write_text(
        "[[instances]]\nfamily = 'uniform'\nactions = 2\nmemory = 2\n[[questions]]\nask = 'play'\n"
        f"learner = 'deadly'\nhorizon = [{others}13]\nseed = [0, 1, 2]\n"
    )
    assert run_here(spec, jobs=2) == Ran(12 if others else 3, 3)
    for row in rows("results.db"):
        assert (row["status"] == "failed") == (row["horizon"] == 13)
        assert row["horizon"] != 13 or "died, twice" in row["message"]


def test_a_worker_of_another_version_is_refused(spec):
    with resumable("r.db", read_spec(spec, CODE)) as kept:
        task = replace(kept.store.task(kept.keys[0]), version="0.0")
    with pytest.raises(InvalidInput, match=r"0\.0 is needed"):
        answer_batch([task])


# -- kill -9 --------------------


def start(jobs):
    command, nowhere = [*RUN, "killed.db", "--jobs", str(jobs)], subprocess.DEVNULL
    return subprocess.Popen(command, env=ENVIRONMENT, stdout=nowhere, stderr=nowhere, start_new_session=True)


def run_until_killed(results, seconds, jobs):
    """Kill a run some seconds after the store has so many results; whether it was still at work."""
    process = start(jobs)
    while process.poll() is None and len(results_in("killed.db")) < results:
        time.sleep(0.02)
    time.sleep(seconds)
    at_work = process.poll() is None
    assert process.poll() in (None, 0)
    process.kill()
    process.wait()
    return at_work


def results_in(store):
    try:
        with Store(store) as kept:
            return dict(kept.select("SELECT key, status || upper FROM results"))
    except InvalidInput:
        return {}  # killed before there was a file, or before the tables were made


def finished():
    """The table of a run that nobody kills, which ends with a sound store; it is thrown away."""
    assert start(2).wait() == 0
    with sqlite3.connect("killed.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT count(*) FROM results").fetchone() == (ITEMS,)
    found = csv_of("killed.db")
    Path("killed.db").unlink()
    return found


@pytest.mark.parametrize("kills", [2, pytest.param(100, marks=pytest.mark.thorough)])
def test_nothing_is_lost_and_nothing_doubled_by_kills(spec, kills):
    """At random moments; what was there once stays, and the end is that of a quiet run."""
    slow_player(0.006)
    expected = finished()
    rng, earlier, killed, partial = random.Random(kills), {}, 0, 0
    while killed < kills or (partial <= kills // 4 and killed < 10 * kills):  # more, if all were too early
        results = len(earlier) + rng.choice([0, 1, 5])
        if not run_until_killed(results, rng.uniform(0, 0.3), rng.choice([1, 2])):
            Path("killed.db").unlink()  # finished too early: begin again
            earlier = {}
            continue
        killed += 1
        now = results_in("killed.db")
        assert earlier.items() <= now.items()
        partial += 0 < len(now) < ITEMS
        earlier = now
        if len(now) > ITEMS // 2:  # begin again before it is too easy
            assert finished() == expected
            earlier = {}
    assert finished() == expected


def test_workers_do_not_outlive_a_killed_run(spec):
    slow_player(0.05, first="open(f'worker-{os.getpid()}', 'w').close()")
    process = start(2)
    try:
        wait_until(lambda: list(Path().glob("worker-*")))
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()
    workers = [path.name.removeprefix("worker-") for path in Path().glob("worker-*")]
    wait_until(lambda: not any(Path("/proc", worker).exists() for worker in workers))


# -- questions of one's own --------------------


@pytest.mark.usefixtures("registries")
def test_a_question_of_ones_own(tmp_path):
    @question("size")
    def size(bandit, *, factor: int = 1):
        """How large it is."""
        sys.exit(0) if factor == 0 else None
        cells = bandit.actions * bandit.memory
        return Outcome(Fraction(cells), Fraction(cells * factor), {"cells": cells})

    family = {"family": "uniform", "actions": 2, "memory": 3}
    study = study_of({"instances": [family], "questions": [{"ask": "size", "factor": [1, 2, 0]}]})
    with resumable(tmp_path / "own.db", study) as kept:
        run(kept, local_workers(1))
    one, two, none = rows(tmp_path / "own.db")
    assert (none["status"], "size failed: SystemExit: 0" in none["message"]) == ("failed", True)
    assert (one["value"], one["cells"], one["certificate"]) == ("6/1", 6, None)
    assert (two["status"], two["value"], two["lower"], two["upper"]) == ("interval", None, "6/1", "12/1")
