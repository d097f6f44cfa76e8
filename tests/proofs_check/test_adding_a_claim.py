"""The worked example of docs/adding-a-claim.md is a claim like the others, and answers what the page says."""

import re
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from proofs_check import claim as claims
from proofs_check.claim import Request, named
from proofs_check.mutate import examine
from proofs_check.report import explanation
from proofs_check.steps import Verdict

PAGE = (Path(__file__).parents[2] / "docs" / "adding-a-claim.md").read_text("utf-8")


@pytest.fixture
def example(tmp_path, monkeypatch):
    """The file of the page, imported; its claim is forgotten afterwards."""
    [source] = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    path = tmp_path / "one_step.py"
    path.write_text(source, encoding="utf-8")
    monkeypatch.setattr(claims, "_REGISTRY", dict(claims._REGISTRY))
    spec = spec_from_file_location("one_step", path)
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "one_step", module)
    spec.loader.exec_module(module)
    return module


def cut(line):
    """As the page has it: long lists of what is given are cut short."""
    if len(line) <= 120 or " |- " not in line:
        return line
    return f"{line[:60].rstrip()} ... |- {line.split(' |- ', 1)[1]}"


def test_the_page_shows_what_the_example_prints(example):
    [shown] = re.findall(r"--explain\n(one-step\n.*?)\n```", PAGE, re.S)
    told = explanation(named("one-step").examine(Request()))
    assert "\n".join(map(cut, told.splitlines())) == shown


def test_the_example_passes_the_linter(example, tmp_path):
    root = Path(__file__).parents[2]
    command = ["check", "--config", str(root / "pyproject.toml"), example.__file__]
    done = subprocess.run([sys.executable, "-m", "ruff", *command], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("bound", "verdict"), [("m", Verdict.PROVED), ("m - 1", Verdict.REFUTED), ("2 * m", Verdict.PROVED)]
)
def test_another_bound_gets_another_verdict(example, bound, verdict):
    assert named("one-step").having("bound", bound).examine(Request()).outcome.verdict is verdict


@pytest.mark.parametrize("bound", ["m - 1", "m + 1"])
def test_no_other_constant_of_the_example_is_best(example, bound):
    assert named("one-step").having("best", bound).examine(Request()).outcome.tight is None


def test_every_mutant_of_the_example_is_noticed(example):
    assert [one.mutant.key for one in examine([named("one-step")]) if one.fate == "survives"] == []
