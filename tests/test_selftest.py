"""`python -m tallyplan.selftest` finds nothing wrong here, and something where something is wrong."""

from fractions import Fraction

import pytest

from tallyplan import selftest
from tallyplan.check import Verdict


def test_nothing_is_wrong():
    assert list(selftest.wrong_answers()) == []


def test_a_wrong_answer_is_noticed(monkeypatch):
    monkeypatch.setattr(selftest, "_least_mean", lambda bandit, lengths: Fraction(2))
    assert any("the least of all is 2" in line for line in selftest.wrong_answers())


@pytest.mark.parametrize("status", ["accepted", "refused"])
def test_a_checker_that_always_says_the_same_is_noticed(monkeypatch, status):
    monkeypatch.setattr(selftest, "check", lambda *given, **more: Verdict(status, ""))
    assert list(selftest.wrong_answers())
