"""Wrong constants, domains, tables and programs, planted one at a time: the outcome must change."""

from importlib import import_module

import pytest

import proofs_check
from proofs_check.steps import Verdict
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit

proofs_check.claims()

ARGUED, CHECKED = Verdict.ARGUED, Verdict.CHECKED
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


def test_other_losses_do_not_discard_the_true_memory(plant):
    assert outcome("discussion-unknown-memory").verdict is REFUTED
    plant("discussion.statement", "TRUTH", TallyingBandit([[1, 0, 1, 1]] * 2))
    assert outcome("discussion-unknown-memory").verdict is CHECKED


TRUE_INSTEAD = [
    ("discussion-unknown-memory", "stated", "own - other <= 2 * C(s) + 1"),
    ("discussion-unknown-memory", "epoch", "2 <= s and s <= S"),
    ("discussion-unknown-memory/set-accuracy", "rate", "2**(-s / 2) / sqrt(sqrt(T))"),
]


@pytest.mark.parametrize(("id", "name", "text"), TRUE_INSTEAD)
def test_a_statement_that_is_true_is_not_refuted(with_formula, results, id, name, text):
    assert results[id].outcome.verdict is REFUTED
    assert with_formula(id, name, text).verdict is CHECKED


WRONG_REPAIRS = [
    (
        "discussion-unknown-memory",
        "repaired",
        "implies(abs(own_seen - mu) <= C(s), own_seen - other_seen <= 2 * C(s))",
    ),
    ("discussion-unknown-memory/set-accuracy", "right", "2**(-s) / sqrt(sqrt(T))"),
    ("lemma-6/chain", "gap", "3 * C(s - 1)"),
]


@pytest.mark.parametrize(("id", "name", "text"), WRONG_REPAIRS)
def test_a_wrong_repair_is_not_called_true(with_formula, results, id, name, text):
    user = id if id.startswith("discussion") else "discussion-unknown-memory/set-accuracy"
    assert results[user].outcome.repair.verdict is ARGUED
    assert with_formula(id, name, text, of=user).repair.verdict is UNDECIDED
