"""Bad input (`bad_input.toml`) is one sentence on standard error that says what is wrong, and status 2."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tallyplan as tp
from tallyplan.cli import app

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


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tp.make("uniform", actions=2, memory=4, seed=3).save("two.json")
    rising = [f"{tally}/60" for tally in range(1, 61)]  # so that no arm can be left out
    tp.TallyingBandit([rising] * 3).save("huge.json")
    return tmp_path


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
    assert TABLE["commands"][line] in complaint(line)
    assert sorted(path.name for path in folder.iterdir()) == ["huge.json", "two.json"]


@pytest.mark.parametrize(("kind", "content"), FILES)
def test_a_file_that_makes_no_sense_is_refused_for_its_fault(folder, kind, content):
    name = f"wrong{Path(kind).suffix}"
    (folder / name).write_text(content, encoding="utf-8")
    assert TABLE["files"][kind][content] in complaint(READERS[kind])
    assert sorted(path.name for path in folder.iterdir()) == sorted(["huge.json", "two.json", name])
