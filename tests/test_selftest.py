"""`python -m tallyplan.selftest` finds nothing wrong here, and something where something is wrong."""

from fractions import Fraction

import pytest
import typer

from tallyplan import selftest
from tallyplan.check import Verdict


def test_nothing_is_wrong(capsys):
    selftest.main()
    assert capsys.readouterr().out.startswith("tallyplan works")


def test_a_wrong_planner_is_noticed(monkeypatch):
    monkeypatch.setattr(selftest, "_least_mean", lambda bandit, lengths: Fraction(2))
    assert any("the least of all is 2" in line for line in selftest.wrong_answers())


@pytest.mark.parametrize("status", ["accepted", "refused"])
def test_a_wrong_checker_is_noticed(monkeypatch, status):
    monkeypatch.setattr(selftest, "check", lambda *given, **more: Verdict(status, ""))
    assert list(selftest.wrong_answers())


def test_a_command_that_fails_is_noticed(monkeypatch, capsys):
    monkeypatch.setattr(selftest, "PLAY", ("play", "nobody", "-", "--horizon", "10"))
    monkeypatch.setattr(selftest, "instances", lambda: iter(()))
    monkeypatch.setattr(selftest, "VERIFY", ("verify", "--list", "--json"))
    with pytest.raises(typer.Exit) as ending:
        selftest.main()
    assert ending.value.exit_code == 1
    assert "ends with status 2" in capsys.readouterr().out
