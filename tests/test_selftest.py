"""`python -m tallyplan.selftest` finds nothing wrong here, and something where something is wrong."""

import pytest

from tallyplan import selftest
from tallyplan.check import Verdict


def test_nothing_is_wrong():
    assert list(selftest.wrong_answers()) == []


@pytest.mark.parametrize("status", ["accepted", "refused"])
def test_a_checker_that_always_says_the_same_is_noticed(monkeypatch, status):
    monkeypatch.setattr(selftest, "check", lambda *given, **more: Verdict(status, ""))
    assert list(selftest.wrong_answers())
