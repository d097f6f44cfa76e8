"""What is said of the formal proofs: where they are rechecked, where they cannot be, where they differ."""

import json

from typer.testing import CliRunner

import proofs_check
from proofs_check import story, verified
from proofs_check.formal import recorded
from proofs_check.formal import theorems as formal
from tallyplan.cli import app

PROVED, REFUTED = "lemma-7/hoeffding", "lemma-6"
ALL = formal.Recheck("", {one.qualified: one.axioms for one in recorded.theorems()})


def test_a_theorem_is_named_beside_the_verdict_and_does_not_change_it():
    results = {one.claim.id: one for one in proofs_check.verify([PROVED, REFUTED])}
    for id, verdict in ((PROVED, "argued"), (REFUTED, "refuted (slip)")):
        told = {one.name: " ".join(one.lines) for one in story.story(results[id], ALL)}
        assert told["verdict"].startswith(f"{verdict}. ")
        assert ("for you to see" in told["verdict"]) == (id == PROVED)
        assert "(rechecked" in told["formal"]


def test_a_theorem_that_was_not_compiled_or_rests_on_more_does_not_stand():
    for one in recorded.theorems():
        if one.claim == PROVED and one.proves:
            gone = {name: axioms for name, axioms in ALL.axioms.items() if name != one.qualified}
            more = {**ALL.axioms, one.qualified: ("Planted.wrong",)}
            assert ALL.stands(one)
            assert not formal.Recheck("", gone).stands(one)
            assert not formal.Recheck("", more).stands(one)


def test_where_rocq_is_missing_the_report_says_so_and_the_verdict_is_what_else_gives(monkeypatch):
    monkeypatch.setenv("PATH", "")
    done = CliRunner().invoke(app, ["verify", PROVED, "--formal"])
    assert done.exit_code == 0
    assert "not rechecked: Rocq is not installed here" in done.stdout
    assert "apt install coq" in done.stdout
    listed = CliRunner().invoke(app, ["verify", PROVED, "--formal", "--json"])
    (document,) = json.loads(listed.stdout)
    assert document["verdict"] == "argued"
    assert {one["rechecked"] for one in document["formal"]} == {False}


def test_where_the_verified_checker_is_not_built_nothing_is_decided(monkeypatch, tmp_path):
    monkeypatch.setattr(verified, "PROGRAM", tmp_path / "verified-check")
    done = CliRunner().invoke(app, ["check", "any.cert", "--verified"])
    assert done.exit_code == 3
    assert "the verified checker is not built here; `make formal` builds it" in done.stderr
