"""The worked example of CONTRIBUTING.md passes the linter and its own tests, and plays by its name."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tallyplan.cli import app

ROOT = Path(__file__).parents[2]
PAGE, SETTINGS = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), ROOT / "pyproject.toml"


@pytest.fixture
def learner(tmp_path, monkeypatch, registries):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    learner, test, *_ = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    Path("explore_then_commit.py").write_text(learner)
    Path("test_it.py").write_text(test)
    yield "explore_then_commit"
    sys.modules.pop("explore_then_commit", None)


def test_the_example_passes_the_linter_and_its_own_tests(learner):
    for check in (["check"], ["format", "--check"]):
        command = [sys.executable, "-m", "ruff", *check, "--config", str(SETTINGS), f"{learner}.py"]
        subprocess.run(command, check=True, capture_output=True)
    run = runpy.run_path("test_it.py")
    for name in [name for name in run if name.startswith("test_")]:
        run[name]()


def test_the_example_plays_by_its_name(learner):
    arguments = ["play", "explore_then_commit:ExploreThenCommit", "c.json", "--horizon", "90"]
    Path("c.json").write_text(CliRunner().invoke(app, ["new", "counterexample-3"]).stdout)
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    assert "explore-then-commit" in result.stdout
