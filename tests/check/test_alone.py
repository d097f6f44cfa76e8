"""The checker stands alone: the folder runs wherever it is copied (test_architecture.py: what it imports)."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from brute_force import VECTORS

import tallyplan.check
from tallyplan.check.__main__ import main

FOLDER = Path(sys.modules["tallyplan.check"].__file__).parent


PROVED = "accepted: Proved: the least mean loss per step over words of length 3 is 1/3.\n"


def test_a_copy_of_the_folder_judges(tmp_path):
    shutil.copytree(FOLDER, tmp_path / "check", ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-S", "-m", "check"]
    accepted, refused = (
        subprocess.run([*command, VECTORS / name], cwd=tmp_path, env={}, capture_output=True, text=True)
        for name in ("accepted/cyclic-stages.json", "refused/horizon-value-below.json")
    )
    assert (accepted.returncode, accepted.stdout) == (0, PROVED)
    assert re.fullmatch(r"checked by \d+ lines: replay, cases, potential\n", accepted.stderr)
    assert (refused.returncode, refused.stderr) == (1, "")


def test_a_limit_that_is_too_small_has_a_status_of_its_own(capsys):
    assert main([str(VECTORS / "accepted" / "cyclic-stages.json"), "--limit", "1"]) == 3
    assert capsys.readouterr().out.startswith("undecided: ")


def closed_pipe():
    reader, writer = os.pipe()
    os.close(reader)
    return writer


@pytest.mark.parametrize("target", [lambda: "/dev/full", closed_pipe])
def test_a_verdict_that_cannot_be_written_is_no_refusal(capsys, monkeypatch, target):
    with open(target(), "w") as out:  # closing it writes again what was not written, which must not fail
        monkeypatch.setattr(sys, "stdout", out)
        with pytest.raises(SystemExit, match="2"):
            main([str(VECTORS / "accepted" / "cyclic-stages.json")])
    assert capsys.readouterr().err.startswith("The verdict cannot be written: ")


def test_the_package_offers_the_function():
    assert tallyplan.check is sys.modules["tallyplan.check"].check


def loaded(code):
    """The files of the checker that a fresh process has loaded after this."""
    after = "; import sys; print(*(n[16:] for n in sys.modules if n.startswith('tallyplan.check.')))"
    result = subprocess.run([sys.executable, "-c", code + after], capture_output=True, text=True, check=True)
    return set(result.stdout.split("\n")[-2].split())


ALWAYS = {"certificate", "problem", "reading", "replay"}


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("accepted/mean-cycle", {"potential"}),
        ("accepted/horizon", {"recursion"}),
        ("accepted/horizon-mean-cycle", {"close", "potential"}),
        ("accepted/fewer-arms", {"fewer_actions", "potential"}),
        ("accepted/cyclic-stages", {"cases", "potential"}),
        ("accepted/graph-triangle", {"potential"}),
        ("arms/accepted/cycle", {"arms", "potential"}),
        ("arms/accepted/none-forever", {"arms", "longest_walk"}),
        ("arms/accepted/ratio", {"graphs", "potential"}),
        ("arms/accepted/critical", {"graphs", "potential"}),
    ],
)
def test_a_certificate_loads_the_rules_that_it_names_and_counts_their_lines(name, rules):
    path = VECTORS / f"{name}.json"
    found = loaded(f"from tallyplan.check import check; print(check({str(path)!r}).reason)")
    assert found == ALWAYS | rules
    lines = sum(len((FOLDER / f"{name}.py").read_text().splitlines()) for name in found | {"__init__"})
    assert tallyplan.check(path).by.startswith(f"{lines} lines: replay, ")
