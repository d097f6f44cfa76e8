"""Bad input (`bad_input.toml`) is one sentence on standard error that says what is wrong, and status 2."""

import re
import shlex
import shutil
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tallyplan as tp
from tallyplan.cli import app
from tallyplan.studies.spec import read_spec
from tallyplan.studies.store import EXACT, Result, Store

TABLE = tomllib.loads(Path(__file__).with_name("bad_input.toml").read_text(encoding="utf-8"))
READERS = {  # the command that reads a file
    "instance.json": "cycle wrong.json",
    "table.csv": "cycle wrong.csv",
    "study.toml": "study run wrong.toml --store new.db",
    "graph.csv": "graph cycle wrong.csv",
    "graph.graphml": "graph cycle wrong.graphml",
    "log.csv": "regret wrong.csv two.json",
}
FILES = [(kind, content) for kind in READERS for content in TABLE["files"][kind]]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The files that the commands name, and a store with one answer."""
    folder = tmp_path_factory.mktemp("bad")
    tp.make("uniform", actions=2, memory=4, seed=3).save(folder / "two.json")
    rising = [f"{tally}/60" for tally in range(1, 61)]  # so that no arm can be left out
    tp.TallyingBandit([rising] * 3).save(folder / "huge.json")
    asked = "ask = 'play'\nlearner = 'ucb1'\nhorizon = 5\nseed = 0"
    (folder / "study.toml").write_text(f"[[instances]]\nfiles = ['two.json']\n[[questions]]\n{asked}\n")
    (folder / "text.db").write_text("something else " * 500)
    (folder / "empty.db").touch()
    with Store(folder / "old.db", write=True) as store:
        (key,) = store.add(read_spec(folder / "study.toml"))
        store.record([Result(key, EXACT, Fraction(10**400), Fraction(10**400))])
    return folder


@pytest.fixture
def folder(files, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(files, tmp_path, dirs_exist_ok=True)
    return tmp_path


def contents(folder):
    """All but what SQLite leaves beside a store that it reads."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix[:4] != ".db-"}


def complaint(line):
    """What a command says that must be refused, without the progress that a slow machine shows before."""
    result = CliRunner().invoke(app, shlex.split(line), catch_exceptions=False)
    assert (result.exit_code, result.stdout) == (2, "")
    told = re.sub(r"^(\[\d+ s\] .*\n)+", "", result.stderr)
    assert told.startswith("error: ")
    assert told.count("\n") == 1
    return told


@pytest.mark.parametrize("line", TABLE["commands"])
def test_bad_input_is_one_sentence_and_leaves_nothing(folder, line):
    before = contents(folder)
    assert TABLE["commands"][line] in complaint(line)
    assert contents(folder) == before


@pytest.mark.parametrize(("kind", "content"), FILES)
def test_a_file_that_makes_no_sense_is_refused_for_its_fault(folder, kind, content):
    name = f"wrong{Path(kind).suffix}"
    (folder / name).write_text(content, encoding="utf-8")
    before = contents(folder)
    assert TABLE["files"][kind][content] in complaint(READERS[kind])
    assert contents(folder) == before
