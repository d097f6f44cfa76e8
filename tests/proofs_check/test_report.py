"""What is printed, and the exit status: 1 only if a verdict differs from the recorded one."""

import dataclasses
import re

import commands
import pytest

import proofs_check
from proofs_check import claim, kept, report
from tallyplan.errors import InvalidInput

QUICK = ["counterexample-3", "counterexample-3/traditional-regret"]


def run(*arguments, status=0):
    """What `tallyplan verify` prints; complaints, if it ends with status 2."""
    done = commands.run("verify", *(arguments or QUICK))
    assert done.exit_code == status
    return done.stderr if status == 2 else done.stdout


def test_a_refuted_claim_is_a_result_not_a_failure():
    printed = run()
    assert "1 proved (kernel), 1 refuted" in printed
    assert "Everything matches the record" in printed
    lines = printed.splitlines()
    assert [line.split()[:2] for line in lines[:2]] == [[QUICK[0], "proved"], [QUICK[1], "refuted"]]
    assert max(map(len, lines)) > 80  # none is cut outside a terminal
    assert "…" not in printed


def test_the_status_is_1_if_a_verdict_changed(monkeypatch):
    was = report.recorded()
    was[QUICK[1]] = was[QUICK[1]] | {"verdict": "checked"}
    monkeypatch.setattr(report, "recorded", lambda: was)
    assert "is refuted (false); checked was recorded" in " ".join(run(status=1).split())
    assert run(QUICK[0])


def test_an_explanation_tells_the_whole_story_and_shows_premises_on_demand():
    folded = run(*QUICK, "--explain")
    for part in ("stated", "method", "verdict", "evidence", "witness", "T = 2", "repair"):
        assert part in folded
    places = [folded.index(part) for part in ("stated", "verdict", "formally", "evidence", "repair")]
    assert places == sorted(places)
    assert "by kernel, from" not in folded
    assert "by kernel, from" in run(*QUICK, "--steps")


@pytest.mark.parametrize(
    ("id", "sentence"),
    [
        ("lema-3", r"no claim 'lema-3'; did you mean 'lemma-3'\?"),
        ("@", r"no claim '@'\. `tallyplan verify --list` names them all"),
        ("lemna-*", "did you mean"),
    ],
)
def test_an_unknown_claim_is_answered_with_the_closest_one(id, sentence):
    assert re.search(sentence, run(id, status=2))


@pytest.fixture
def drawn(monkeypatch):
    """Give a claim a picture, and return what it is asked to write."""
    paths = []
    proofs_check.claims()
    offering = dataclasses.replace(claim._REGISTRY[QUICK[0]], picture=paths.append)
    monkeypatch.setitem(claim._REGISTRY, QUICK[0], offering)
    return paths


def test_a_picture_is_drawn_where_there_is_one(drawn):
    assert "1 proved (kernel)" in run(QUICK[0], "--plot", "out.svg")
    assert drawn == ["out.svg"]


def test_a_picture_that_cannot_be_drawn_is_refused_before_any_work(drawn):
    with pytest.raises(InvalidInput, match=rf"no picture of {QUICK[1]}; there is one of: .*{QUICK[0]}"):
        report.draw(QUICK[1], "out.svg")
    with pytest.raises(InvalidInput, match="does not end in"):
        report.draw(QUICK[0], "out.docx")
    assert "draws one claim" in run(*QUICK, "--plot", "out.svg", status=2)
    assert drawn == []


def test_claims_are_listed_without_a_run(monkeypatch):
    monkeypatch.setattr(kept, "examined_and_kept", None)
    assert run("--list").split() == [one.id for one in proofs_check.claims()]
    listed = run("lemma-*", "--list", "--verdict", "refuted").split()
    assert "lemma-6" in listed
    assert all(id.startswith("lemma-") and report.expected()[id] == "refuted" for id in listed)


def test_a_verdict_chooses_among_the_results():
    printed = run(*QUICK, "--verdict", "refuted")
    assert QUICK[1] in printed
    assert "1 claim: 1 refuted" in printed
    assert "no verdict 'wrong'" in run("--verdict", "wrong", status=2)


def test_an_examination_that_breaks_is_reported_and_the_others_go_on(monkeypatch):
    def broken(request):
        raise RuntimeError("no answer")

    proofs_check.claims()
    bad = dataclasses.replace(claim._REGISTRY[QUICK[0]], derive=broken)
    monkeypatch.setitem(claim._REGISTRY, QUICK[0], bad)
    printed = " ".join(run(status=1).split())
    assert f"{QUICK[0]} ended with an error: RuntimeError: no answer" in printed
    assert f"{QUICK[1]} refuted" in printed


def test_several_processes_find_what_one_finds():
    ids = ["lemma-3/steady-state", "lemma-4/five-s", *QUICK]
    alone, together = proofs_check.verify(ids), proofs_check.verify(ids, workers=2)
    assert [one.to_json() for one in together] == [one.to_json() for one in alone]
    assert [one.claim.id for one in together] == ids
