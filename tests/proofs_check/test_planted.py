"""Wrong constants, domains, tables and programs, planted one at a time: the outcome must change."""

from importlib import import_module

import pytest

import proofs_check
from proofs_check.steps import Verdict
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit

proofs_check.claims()

PROVED, ARGUED, CHECKED = Verdict.PROVED, Verdict.ARGUED, Verdict.CHECKED
REFUTED, UNDECIDED = Verdict.REFUTED, Verdict.UNDECIDED


def outcome(id):
    [result] = proofs_check.verify([id])
    return result.outcome


@pytest.fixture
def plant(monkeypatch):
    """Replace a name in the file of a result; a text becomes a formula."""

    def planted(file, name, value):
        value = Formula(value) if isinstance(value, str) else value
        monkeypatch.setattr(import_module(f"proofs_check.paper.{file}"), name, value)

    return planted


TRUE_INSTEAD = [
    (
        "discussion.accuracy",
        "STATED",
        "2**(-s / 2) / sqrt(sqrt(T))",
        "discussion-unknown-memory/set-accuracy",
    ),
    ("discussion.statement", "TRUTH", TallyingBandit([[1, 0, 1, 1]] * 2), "discussion-unknown-memory"),
]


@pytest.mark.parametrize(("file", "name", "value", "id"), TRUE_INSTEAD)
def test_a_statement_that_is_true_is_not_refuted(plant, file, name, value, id):
    assert outcome(id).verdict is REFUTED
    plant(file, name, value)
    assert outcome(id).verdict is not REFUTED
    assert outcome(id).witness is None


WRONG_REPAIRS = [
    ("discussion.accuracy", "RIGHT", "2**(-s) / sqrt(sqrt(T))", "discussion-unknown-memory/set-accuracy"),
]


@pytest.mark.parametrize(("file", "name", "value", "id"), WRONG_REPAIRS)
def test_a_wrong_repair_is_not_called_true(plant, file, name, value, id):
    assert outcome(id).repair.verdict is ARGUED
    plant(file, name, value)
    assert outcome(id).repair.verdict is UNDECIDED
