"""Long commands go on where they stopped, and say the same as one that nobody disturbed."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from commands import run

from proofs_check import parallel, verify
from proofs_check.kept import from_document, to_document
from proofs_check.outcome import Evidence, Outcome, Step, Verdict
from proofs_check.witness import Witness
from tallyplan import make
from tallyplan.formula import Formula
from tallyplan.games.trials import Setup
from tallyplan.model.files import json_text
from tallyplan.studies import runners
from tallyplan.studies.store import Store

ROOT = Path(__file__).parents[2]
COMMANDS = {
    "verify": ["verify", "definition-1/rested", "algorithm-1/burn-in", "algorithm-2/horizon", "--json"],
    "play": ["play", "ucb1,round-robin", "a.json", "b.json", "--horizon", "30", "--repeats", "2"],
}
ITEMS = {"verify": 4, "play": 8}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tallyplan.studies.runners.available_cores", lambda: 1)
    make("uniform", actions=2, memory=2, seed=1).save("a.json")
    make("uniform", actions=3, memory=2, seed=2).save("b.json")
    return tmp_path


def limited(honest, calls):
    """So many honest calls, and then an interrupt."""
    left = iter(range(calls))

    def answer(*given, **options):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return honest(*given, **options)

    return answer


def disturb(monkeypatch, calls):
    monkeypatch.setattr(runners, "answer_batch", limited(runners.answer_batch, calls))
    monkeypatch.setattr(parallel, "_examined", limited(parallel._examined, calls))


@pytest.mark.parametrize("name", COMMANDS)
def test_an_interrupted_command_goes_on_and_prints_what_an_undisturbed_one_does(name, monkeypatch):
    undisturbed, command = run(*COMMANDS[name]).stdout, [*COMMANDS[name], "--store", "s.db"]
    with monkeypatch.context() as patch:
        disturb(patch, 2)
        result = run(*command)
    assert (result.exit_code, result.stdout) == (130, "")
    words = f"interrupted; 2 of {ITEMS[name]} items are kept in s.db, and the same command goes on."
    assert result.stderr.splitlines()[-1] == f"error: {words}"
    with monkeypatch.context() as patch:
        disturb(patch, ITEMS[name] - 2)
        assert run(*command).stdout == undisturbed
    disturb(monkeypatch, 0)  # nothing is left to compute
    assert run(*command).stdout == undisturbed


def change(path, statement):
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement)


def make_newer(path):
    Store(path, write=True).database.close()
    change(path, "PRAGMA user_version = 99")


SPOILT = {
    "not a sound store": lambda path: path.write_text("something else " * 500),
    "of version 99": make_newer,
}


@pytest.mark.parametrize("words", SPOILT)
def test_a_bad_store_is_one_sentence_and_stays_as_it_was(folder, words):
    SPOILT[words](folder / "s.db")
    before = (folder / "s.db").read_bytes()
    result = run(*COMMANDS["verify"], "--store", "s.db")
    *progress, sentence = result.stderr.splitlines()  # a slow machine shows its progress before
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in sentence
    assert all(line.startswith("[") for line in progress)
    assert (folder / "s.db").read_bytes() == before


@pytest.mark.parametrize("name", COMMANDS)
def test_an_answer_that_makes_no_sense_is_one_sentence(name):
    command = [*COMMANDS[name], "--store", "s.db"]
    run(*command)
    for facts in ("{", "[]", '{"outcome": {}, "pure": "x", "losses": "{", "loss": "1/0"}'):
        change("s.db", f"UPDATE results SET facts = '{facts}' WHERE key = (SELECT key FROM items)")
        result = run(*command)
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
        assert "s.db is not a sound store" in result.stderr


def test_a_store_that_cannot_be_made_is_one_sentence():
    result = run(*COMMANDS["play"], "--store", "no/folder/s.db")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)


def test_games_that_were_kept_are_drawn_later(monkeypatch, folder):
    games = ["play", "ucb1", "a.json", "--horizon", "30", "--repeats", "3"]
    assert run(*games, "--store", "s.db").exit_code == 0
    assert run(*games, "--plot", "plain.svg").exit_code == 0
    monkeypatch.setattr(Setup, "play", None)  # no game is played again
    assert run(*games, "--store", "s.db", "--plot", "kept.svg").exit_code == 0
    assert (folder / "kept.svg").read_bytes() == (folder / "plain.svg").read_bytes()
    assert run(*games, "--store", "s.db").exit_code == 0


def test_a_learner_that_breaks_is_one_sentence_and_keeps_what_was_played(folder):
    (folder / "my_moody_player.py").write_text(
        "def moody(observations):\n    return 1 // int(observations.rng.integers(4))\n"
    )
    games = ["play", "my_moody_player:moody", "a.json", "--horizon", "3", "--repeats", "40"]
    result = run(*games, "--store", "s.db")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "my_moody_player:moody failed: ZeroDivisionError" in result.stderr
    with Store("s.db") as kept:
        assert {status for _, status, *_ in kept.counts()} <= {"exact", None}


# -- outcomes as JSON --------------------


def test_outcomes_come_back_as_they_were():
    step, later = Step("words", Formula("x > 0"), "kernel, from nothing"), Step("by inspection")
    facts = {"T": 10**50, "runs": (((0, 1), 7), [Fraction(1, 10**400)]), "none": None, "loss": Fraction(3)}
    bandit = make("uniform", actions=2, memory=2)
    outcome = Outcome(
        Verdict.REFUTED, "K = 2", Evidence("search", 3, ("note", step, later)), Witness(facts, bandit)
    )
    (found,) = verify(["algorithm-1/burn-in"])
    for one in (outcome, found.outcome):
        again = from_document(json.loads(json_text(to_document(one))))
        assert replace(again, witness=None) == replace(one, witness=None)
        assert str(again.witness) == str(one.witness)
        assert to_document(again) == to_document(one)


@pytest.mark.parametrize("document", [{}, {"outcome": 1}, [], {"evidence": 1}])
def test_what_is_no_outcome_is_refused(document):
    with pytest.raises((LookupError, TypeError)):
        from_document(document)
