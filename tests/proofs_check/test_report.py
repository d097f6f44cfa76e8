"""What is printed, and the exit status: 1 only if a verdict differs from the recorded one."""

import dataclasses

import pytest

import proofs_check
from proofs_check import claim, report
from proofs_check.__main__ import main
from tallyplan.errors import InvalidInput

QUICK = ["counterexample-3", "counterexample-3/traditional-regret"]


def run(ids=QUICK, *, progress=lambda message: None, **options):
    return report.run(ids, progress=progress, **options)


def test_a_refuted_claim_is_a_result_not_a_failure(capsys):
    assert run() == 0
    printed = capsys.readouterr().out
    assert "1 proved (kernel), 1 refuted" in printed
    assert "Everything matches the record" in printed
    lines = printed.splitlines()
    assert [line.split()[:2] for line in lines[:2]] == [[QUICK[0], "proved"], [QUICK[1], "refuted"]]
    assert max(map(len, lines)) > 80  # none is cut outside a terminal
    assert "…" not in printed


def test_the_status_is_1_if_a_verdict_changed(monkeypatch, capsys):
    was = report.recorded()
    was[QUICK[1]] = was[QUICK[1]] | {"verdict": "checked"}
    monkeypatch.setattr(report, "recorded", lambda: was)
    assert run() == 1
    assert "is refuted (false); checked was recorded" in " ".join(capsys.readouterr().out.split())
    assert run(QUICK[:1]) == 0


def test_an_explanation_tells_the_whole_story_and_shows_premises_on_demand(capsys):
    assert run(explain=True) == 0
    folded = capsys.readouterr().out
    for part in ("stated", "method", "verdict", "evidence", "witness", "T = 2", "repair"):
        assert part in folded
    assert folded.index("formally") < folded.index("verdict") < folded.index("evidence")
    assert run(steps=True) == 0
    assert ("by kernel, from" in folded, "by kernel, from" in capsys.readouterr().out) == (False, True)


@pytest.mark.parametrize(
    ("id", "sentence"),
    [
        ("lema-3", r"no claim 'lema-3'; did you mean 'lemma-3'\?"),
        ("@", r"no claim '@'\. `tallyplan verify --list` names them all"),
        ("lemna-*", "did you mean"),
    ],
)
def test_an_unknown_claim_is_answered_with_the_closest_one(id, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        run([id])


@pytest.fixture
def drawn(monkeypatch):
    """Give a claim a picture, and return what it is asked to write."""
    paths = []
    proofs_check.claims()
    offering = dataclasses.replace(claim._REGISTRY[QUICK[0]], picture=paths.append)
    monkeypatch.setitem(claim._REGISTRY, QUICK[0], offering)
    return paths


def test_a_picture_is_drawn_where_there_is_one(drawn, capsys):
    assert main([QUICK[0], "--plot", "out.svg"]) == 0
    assert drawn == ["out.svg"]
    assert "1 proved (kernel)" in capsys.readouterr().out


def test_a_picture_that_cannot_be_drawn_is_refused_before_any_work(drawn):
    with pytest.raises(InvalidInput, match=rf"no picture of {QUICK[1]}; there is one of: .*{QUICK[0]}"):
        report.draw(QUICK[1], "out.svg")
    with pytest.raises(InvalidInput, match="does not end in"):
        report.draw(QUICK[0], "out.docx")
    with pytest.raises(InvalidInput, match="draws one claim"):
        report.run(QUICK, as_json=False, thorough=False, explain=False, progress=print, plot="out.svg")
    assert drawn == []


def test_claims_are_listed_without_a_run(monkeypatch, capsys):
    monkeypatch.setattr(proofs_check, "verify", None)
    assert run([], only_list=True) == 0
    assert capsys.readouterr().out.split() == [one.id for one in proofs_check.claims()]
    assert run(["lemma-*"], only_list=True, verdict="refuted") == 0
    listed = capsys.readouterr().out.split()
    assert "lemma-6" in listed
    assert all(id.startswith("lemma-") and report.expected()[id] == "refuted" for id in listed)


def test_a_verdict_chooses_among_the_results(capsys):
    assert run(verdict="refuted") == 0
    printed = capsys.readouterr().out
    assert QUICK[1] in printed
    assert "1 claim: 1 refuted" in printed
    with pytest.raises(InvalidInput, match="no verdict 'wrong'"):
        run(verdict="wrong")


def test_an_examination_that_breaks_is_reported_and_the_others_go_on(monkeypatch, capsys):
    def broken(request):
        raise RuntimeError("no answer")

    proofs_check.claims()
    bad = dataclasses.replace(claim._REGISTRY[QUICK[0]], derive=broken)
    monkeypatch.setitem(claim._REGISTRY, QUICK[0], bad)
    assert run() == 1
    printed = " ".join(capsys.readouterr().out.split())
    assert f"{QUICK[0]} ended with an error: RuntimeError: no answer" in printed
    assert f"{QUICK[1]} refuted" in printed


def test_several_processes_find_what_one_finds():
    ids = ["lemma-3/steady-state", "lemma-4/five-s", *QUICK]
    alone, together = proofs_check.verify(ids), proofs_check.verify(ids, workers=2)
    assert [one.to_json() for one in together] == [one.to_json() for one in alone]
    assert [one.claim.id for one in together] == ids
