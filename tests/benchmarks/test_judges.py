"""The judges' suite without its tools: published figures, what counts as agreement, and how a run ends."""

from fractions import Fraction

import pytest

from benchmarks.judges import __main__ as judges
from benchmarks.judges import cases
from benchmarks.judges.__main__ import Judge, hear
from benchmarks.judges.worker import Tool


def test_ours_are_the_published_figures():
    found = list(cases.published())
    assert len(found) >= 19
    for case, value in found:
        assert case.value == value, case.shown["source"]
        assert case.accepted


@pytest.fixture
def answered(monkeypatch):
    """Judges who answer what they are told to."""

    def answers(reply):
        monkeypatch.setattr(Judge, "start", lambda self: None)
        monkeypatch.setattr(Judge, "answer", lambda self, case: reply(case))
        monkeypatch.setattr(Tool, "version", lambda self: "0")
        return Judge("a tool", "tool", ("tool",))

    return answers


def right(case):
    return {"value": None if case.value is None else str(case.value * case.scale)}


def wrong(case):
    return {"value": "1/7" if case.value is None else str(case.value * case.scale + Fraction(1, 10**12))}


def test_agreement_is_counted(answered, capsys):
    judge = answered(right)
    assert all(hear("graphs", cases.graphs(40), [judge]))
    assert judge.agreed == 40
    assert "40 agree, equal as rationals" in capsys.readouterr().out


def test_a_disagreement_is_printed_with_its_instance(answered, capsys):
    assert list(hear("graphs", cases.graphs(3), [answered(wrong)])) == [False] * 3
    printed = capsys.readouterr().out
    assert printed.count("DISAGREEMENT on the mean cycle of an explicit graph (scale ") == 3
    assert printed.count("\n[[") == 3


def test_a_disagreement_ends_with_status_1(answered, monkeypatch):
    judge = answered(wrong)
    for name in ("on_graphs", "on_steps", "on_words"):
        monkeypatch.setattr(judges, name, lambda: [judge])
    monkeypatch.setattr(judges, "storm", lambda: judge)
    monkeypatch.setattr("sys.argv", ["judges", "--share", "1/100000"])
    assert judges.main() == 1
    monkeypatch.setattr(Judge, "answer", lambda self, case: right(case))
    assert judges.main() == 0


def test_an_error_that_the_tool_states_is_allowed():
    (case,) = cases.steps(1)
    judge = Judge("a tool", "tool", ("tool",), absolute=1e-9)
    assert judge.agrees(case, repr(float(case.value) + 5e-10))
    assert not judge.agrees(case, repr(float(case.value) + 5e-9))
    assert not judge.agrees(case, None)


def test_no_answer_and_absence_are_named(answered, capsys, monkeypatch):
    silent = answered(lambda case: {"failed": "out of luck"})
    assert list(hear("graphs", cases.graphs(2), [silent])) == [None] * 2
    assert "2 without an answer: out of luck" in capsys.readouterr().out
    monkeypatch.setattr(Judge, "start", lambda self: "not installed")
    assert list(hear("graphs", cases.graphs(2), [Judge("a tool", "tool", ("tool",))])) == []
    assert "a tool                       absent: not installed" in capsys.readouterr().out
