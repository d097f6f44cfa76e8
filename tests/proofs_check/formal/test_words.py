"""What is said of the formal proofs beside a verdict, and where the verified checker is not built."""

from typer.testing import CliRunner

import proofs_check
from proofs_check import story, verified
from tallyplan.cli import app

REFUTED = "lemma-6"


def test_a_theorem_is_named_beside_the_verdict_and_does_not_change_it():
    [result] = proofs_check.verify([REFUTED])
    told = {one.name: " ".join(one.lines) for one in story.story(result)}
    assert told["verdict"].startswith("refuted (slip). ")
    assert "recorded; recheck: make formal" in told["formal"]


def test_where_the_verified_checker_is_not_built_nothing_is_decided(monkeypatch, tmp_path):
    monkeypatch.setattr(verified, "PROGRAM", tmp_path / "verified-check")
    done = CliRunner().invoke(app, ["check", "any.cert", "--verified"])
    assert done.exit_code == 3
    assert "the verified checker is not built here; `make formal` builds it" in done.stderr
