"""`tallyplan study`: from the spec to the table, bad input in one sentence, Ctrl-C tells the truth."""

import hashlib
import json
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import commands
import pytest
from small_study import CODE, ENVIRONMENT, ITEMS, RUN, csv_of, run_here, slow_player, wait_until

run, data = partial(commands.run, "study"), partial(commands.data, "study")


def test_the_whole_way(spec):
    first = ["run", "study.toml", "--code", *CODE, "--store", "r.db", "--jobs", "1"]
    assert data(*first, "--limit", "1") == {"answered": 1, "failed": 0, "done": 1, "items": ITEMS}
    assert any(row["exact"] == 0 for row in data("table", "r.db", "--over", "seed"))
    status = data("status", "r.db")
    assert (status["done"], status["items"]) == (1, ITEMS)
    assert {entry["question"]: entry["items"] for entry in status["questions"] if entry["status"] == "to do"}
    rest = run(*first, "--certificates", "kept").stdout
    assert rest == f"{ITEMS - 1} answered now; {ITEMS} of {ITEMS} items are done, in r.db\n"
    documents = {path.stem: path.read_bytes() for path in Path("kept").iterdir()}
    assert set() < documents.keys() < {row["certificate"] for row in data("table", "r.db")}
    assert documents.keys() == {hashlib.sha256(content).hexdigest() for content in documents.values()}
    assert run("table", "r.db", "--csv", "out.csv", "--latex", "out.tex").exit_code == 0
    assert not {"about", "certificate"} & set(Path("out.tex").read_text().replace("&", " ").split())
    run_here(spec, "other.db")
    assert Path("out.csv").read_bytes() == csv_of("other.db")
    assert len(data("table", "r.db")) == ITEMS
    assert "the first 40 rows; --csv" in run("table", "r.db").stderr
    assert data("check", "r.db", "--code", *CODE) == {
        "verified": ITEMS,
        "repeated": 0,
        "wrong": [],
        "undecided": [],
    }
    drawn = run("plot", "r.db", "--out", "p.svg", "--question", "play", "--x", "actions").stderr
    assert (drawn, Path("p.svg").exists()) == ("wrote p.svg\n", True)
    assert "alg-det" in run("table", "r.db", "--over", "seed,instance").stdout
    assert {entry["name"] for entry in data("questions")} >= {"plan", "cycle", "cyclic", "play"}


def test_failures_are_the_exit_status_and_can_be_retried(spec):
    Path("study.toml").write_text(
        "[[instances]]\nfamily = 'uniform'\nactions = 3\nmemory = 2\n"
        "[[questions]]\nask = 'cycle'\nmethod = ['graph', 'two-arms']\n"
    )
    first = ["run", "study.toml", "--store", "r.db", "--jobs", "1"]
    assert run(*first).exit_code == 1
    assert run(*first).exit_code == 0
    again = run(*first, "--retry")
    assert again.exit_code == 1
    assert again.stdout == "1 answered now, 1 of them failed; 2 of 2 items are done, in r.db\n"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_says_truthfully_what_is_kept(spec, jobs):
    slow_player(0.02)
    command = [*RUN, "r.db", "--jobs", jobs]
    process = subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)

    def begun():
        found = run("status", "r.db", "--json")
        return found.exit_code == 0 and json.loads(found.stdout)["done"]

    wait_until(begun)
    process.send_signal(signal.SIGINT)
    _, words = process.communicate(timeout=120)
    assert process.returncode == 130, words
    done = data("status", "r.db")["done"]
    assert f"interrupted; {done} of {ITEMS} items are kept in r.db, and the same command goes on." in words


CONSTANTS = '[[questions]]\nask = "constants"\nactions = 2\nmemory = 2\nhorizon = 4\n'
RUNS_CODE = {
    "learner": '[[questions]]\nask = "play"\nlearner = "planted:act"\nhorizon = 5\n',
    "class": f'{CONSTANTS}claim = "gap:planted:words:optimal"\n',
    "family": '[[instances]]\nfamily = "planted:system"\n[[questions]]\nask = "cycle"\n',
}


@pytest.mark.parametrize("place", RUNS_CODE)
def test_a_specification_runs_no_code_that_the_caller_did_not_name(place, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("planted.py").write_text("open('PWNED', 'w')\n")
    instances = "" if place == "family" else '[[instances]]\nfamily = "counterexample-3"\n'
    Path("study.toml").write_text(instances + RUNS_CODE[place])
    result = run("run", "study.toml", "--store", "r.db")
    assert (result.exit_code, Path("PWNED").exists(), Path("r.db").exists()) == (2, False, False)
    assert "name its module: --code planted" in result.stderr


def test_a_store_runs_no_code_that_the_caller_did_not_name(spec):
    run_here(spec)
    sys.modules.pop("my_study_players")
    Path("my_study_players.py").write_text("open('PWNED', 'w')\n")
    for arguments in (["status"], ["table"], ["check"], ["plot", "--out", "p.svg", "--question", "play"]):
        run(arguments[0], "results.db", *arguments[1:])
    assert not Path("PWNED").exists()
