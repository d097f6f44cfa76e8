"""The peers' suite without its tools: published figures, what counts as agreement, and how a run ends."""

from fractions import Fraction

import pytest

from benchmarks.agreement import __main__ as agreement
from benchmarks.agreement import cases
from benchmarks.agreement.__main__ import Peer, compare


def test_ours_are_the_published_figures():
    found = list(cases.published())
    assert len(found) >= 19
    assert all(case.accepted for case in found), [case.shown for case in found if not case.accepted]


@pytest.fixture
def answered(monkeypatch):
    """Peers that answer what the test says."""

    def answers(reply):
        monkeypatch.setattr(Peer, "absent", lambda self: None)
        monkeypatch.setattr(Peer, "answers", lambda self, asked: map(reply, asked))
        monkeypatch.setattr(Peer, "version", lambda self: "0")
        return Peer("a tool", "tool", ("tool",))

    return answers


def right(case):
    return {"value": None if case.value is None else str(case.value * case.scale)}


def wrong(case):
    return {"value": "1/7" if case.value is None else str(case.value * case.scale + Fraction(1, 10**12))}


def test_agreement_is_counted_and_a_disagreement_printed_with_its_instance(answered, capsys):
    assert list(compare("graphs", cases.graphs(40), [answered(right)])) == [True] * 40
    assert "40 agree, equal as rationals" in capsys.readouterr().out
    assert list(compare("graphs", cases.graphs(3), [answered(wrong)])) == [False] * 3
    printed = capsys.readouterr().out
    assert printed.count("DISAGREEMENT on the mean cycle of an explicit graph (scale ") == 3
    assert printed.count("\n[[") == 3


@pytest.mark.parametrize(("reply", "status"), [(wrong, 1), (right, 0)])
def test_a_disagreement_ends_with_status_1(answered, monkeypatch, reply, status):
    answered(reply)
    monkeypatch.setattr("sys.argv", ["agreement", "--share", "1/100000"])
    assert agreement.main() == status


def test_an_error_that_the_tool_states_is_allowed():
    (case,) = cases.steps(1)
    peer = Peer("a tool", "tool", ("tool",), absolute=1e-9)
    assert peer.agrees(case, repr(float(case.value) + 5e-10))
    assert not peer.agrees(case, repr(float(case.value) + 5e-9))
    assert not peer.agrees(case, None)


def test_no_answer_and_absence_are_named(answered, capsys, monkeypatch):
    silent = answered(lambda case: {"failed": "out of luck"})
    assert list(compare("graphs", cases.graphs(2), [silent])) == [None] * 2
    assert "2 without an answer: out of luck" in capsys.readouterr().out
    monkeypatch.setattr(Peer, "absent", lambda self: "not installed")
    assert list(compare("graphs", cases.graphs(2), [Peer("a tool", "tool", ("tool",))])) == []
    assert "a tool                       absent: not installed" in capsys.readouterr().out


def test_a_process_that_ends_early_leaves_the_others_without_an_answer(tmp_path, monkeypatch):
    program = tmp_path / "tool"
    program.write_text("#!/bin/sh\nread line; echo '{\"value\": null}'; echo 'no more' >&2; exit 3\n")
    program.chmod(0o755)
    monkeypatch.setattr(agreement, "BUILD", tmp_path)
    found = list(Peer("a tool", "tool", ("tool",)).answers(list(cases.graphs(3))))
    assert found == [{"value": None}, {"failed": "no more"}, {"failed": "no more"}]
