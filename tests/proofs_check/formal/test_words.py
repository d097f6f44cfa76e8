"""What is said of the formal proofs: where they are rechecked, where they cannot be, where they differ."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

import proofs_check
from proofs_check import report, story, verified
from proofs_check.steps import Verdict
from proofs_check.ways import formal
from tallyplan.cli import app
from tallyplan.errors import InternalError
from tallyplan.limits import silent

PROVED, REFUTED = "proposition-1-lower/optimum", "lemma-6"
ALL = formal.Recheck("", {one.qualified: one.axioms for one in formal.theorems()})


@pytest.fixture(scope="module")
def results():
    return {one.claim.id: one for one in proofs_check.verify([PROVED, REFUTED])}


def told(results, again):
    return [story.told_verdict(results[id], again) for id in (PROVED, REFUTED)]


def test_a_theorem_that_stands_makes_the_verdict_formal(results):
    assert told(results, ALL) == ["proved (formal)", "refuted (formal)"]
    assert told(results, story.NOT_NOW) == ["proved", "refuted"]


def examined(result, verdict):
    return replace(result, outcome=replace(result.outcome, verdict=verdict))


@pytest.mark.parametrize("found", ["argued", "checked", "undecided"])
def test_a_theorem_decides_where_the_other_evidence_does_not(results, found):
    weaker = {id: examined(one, Verdict(found)) for id, one in results.items()}
    assert told(weaker, ALL) == ["proved (formal)", "refuted (formal)"]
    assert told(weaker, story.NOT_NOW) == [found, found]


@pytest.mark.parametrize(("id", "verdict"), [(PROVED, Verdict.REFUTED), (REFUTED, Verdict.PROVED)])
def test_evidence_against_a_theorem_is_an_error(results, id, verdict):
    with pytest.raises(InternalError, match="one is wrong"):
        story.told_verdict(examined(results[id], verdict), ALL)


def test_a_theorem_that_was_not_compiled_or_rests_on_more_does_not(results):
    for one in formal.theorems():
        if one.claim == PROVED and one.proves:
            gone = {name: axioms for name, axioms in ALL.axioms.items() if name != one.qualified}
            assert told(results, formal.Recheck("", gone))[0] == "proved"
            more = {**ALL.axioms, one.qualified: ("Planted.wrong",)}
            assert told(results, formal.Recheck("", more))[0] == "proved"


def test_a_claim_that_states_something_else_is_named_and_the_status_is_1(results, monkeypatch, capsys):
    differing = replace(ALL, differing=frozenset({PROVED}))
    assert told(results, differing) == ["proved", "refuted (formal)"]
    monkeypatch.setattr(report, "recheck", lambda progress: differing)
    assert report.run([PROVED], formal=True, progress=silent) == 1
    assert f"{PROVED} does not state what its theorem does." in " ".join(capsys.readouterr().out.split())


def test_what_a_theorem_proves_is_about_the_whole_domain(results):
    one = results[PROVED]
    searched = replace(one, outcome=replace(one.outcome, domain="a box"))
    assert story.told_domain(searched, ALL) == one.claim.on
    assert story.told_domain(searched, story.NOT_NOW) == "a box"


def test_where_rocq_is_missing_the_report_says_so_and_the_verdict_is_what_else_gives(monkeypatch):
    monkeypatch.setenv("PATH", "")
    done = CliRunner().invoke(app, ["verify", PROVED, "--formal"])
    assert done.exit_code == 0
    assert "not rechecked: Rocq is not installed here" in done.stdout
    assert "apt install coq" in done.stdout
    assert "(formal)" not in done.stdout
    listed = CliRunner().invoke(app, ["verify", PROVED, "--formal", "--json"])
    (document,) = json.loads(listed.stdout)
    assert document["verdict"] == "proved"
    assert {one["rechecked"] for one in document["formal"]} == {False}


def test_where_the_verified_checker_is_not_built_nothing_is_decided(monkeypatch, tmp_path):
    monkeypatch.setattr(verified, "PROGRAM", tmp_path / "verified-check")
    done = CliRunner().invoke(app, ["check", "any.cert", "--verified"])
    assert done.exit_code == 3
    assert "the verified checker is not built here; `make formal` builds it" in done.stderr
