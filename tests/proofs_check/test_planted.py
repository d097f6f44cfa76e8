"""Wrong constants, domains, tables and programs, planted one at a time: the outcome must change."""

from fractions import Fraction
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


STRONGER_THAN_TRUE = [
    ("proposition_1.lower", "QUERIES", "m * (K + 2)", "proposition-1-lower/queries", REFUTED),
    (
        "proposition_1.steps",
        "LARGE_K",
        "m * K / 64 - (m - 1) >= m * K / 100",
        "proposition-1-lower/large-K",
        UNDECIDED,
    ),
]


@pytest.mark.parametrize(("file", "name", "value", "id", "verdict"), STRONGER_THAN_TRUE)
def test_a_statement_that_is_too_strong_is_no_longer_proved(plant, file, name, value, id, verdict):
    plant(file, name, value)
    assert outcome(id).verdict is verdict


TRUE_INSTEAD = [
    ("proposition_1.lower", "STATED", "0 * m * K", "proposition-1-lower"),
    ("algorithm_2", "REMAINING", "max(0, T - m * K)", "algorithm-2/horizon"),
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
    ("proposition_1.lower", "BAYES_REGRET", "m * K / 2", "proposition-1-lower"),
    ("proposition_1.last_step", "EXPLORATION", "head + 2 * m * K", "proposition-1-upper/last-step"),
    ("discussion.accuracy", "RIGHT", "2**(-s) / sqrt(sqrt(T))", "discussion-unknown-memory/set-accuracy"),
]


@pytest.mark.parametrize(("file", "name", "value", "id"), WRONG_REPAIRS)
def test_a_wrong_repair_is_not_called_true(plant, file, name, value, id):
    assert outcome(id).repair.verdict is ARGUED
    plant(file, name, value)
    assert outcome(id).repair.verdict is UNDECIDED


WRONG_BEST_CONSTANTS = [
    ("proposition_1.upper", "SHARP", "min(T - m, m * K)", "proposition-1-upper"),
    ("proposition_1.upper", "SHARP", "min(T - m, m * K - 2)", "proposition-1-upper"),
    ("proposition_1.lower", "BAYES_LOSS", "(q * (q + 1) / 2 * m + (K - q) * T) / K", "proposition-1-lower"),
    ("proposition_1.lower", "QUERIES_EXACT", "m * K / 2", "proposition-1-lower/queries"),
    ("proposition_1.steps", "LARGE_K_EXACT", "ceil(127 * (m - 1) / m)", "proposition-1-lower/large-K"),
]


@pytest.mark.parametrize(("file", "name", "value", "id"), WRONG_BEST_CONSTANTS)
def test_no_other_constant_is_called_best(plant, monkeypatch, file, name, value, id):
    monkeypatch.setattr(
        import_module("proofs_check.paper.proposition_1.upper"), "SIZES", ((1, range(1, 3)), (2, range(1, 3)))
    )
    assert outcome(id).tight
    plant(file, name, value)
    assert outcome(id).tight is None


def test_an_exploration_that_misses_a_cell_is_noticed(plant):
    plant("algorithm_2", "exploration", lambda actions, memory: list(range(actions)) * memory)
    assert outcome("algorithm-2").verdict is REFUTED


def test_beliefs_that_disagree_with_the_formula_prove_nothing(plant):
    honest = import_module("proofs_check.paper.proposition_1.lower").least_expected_loss
    plant("proposition_1.lower", "least_expected_loss", lambda *given: honest(*given) * 2)
    assert outcome("proposition-1-lower").tight is None
    assert outcome("proposition-1-lower").repair.verdict is UNDECIDED
    assert outcome("proposition-1-lower/queries").verdict not in (PROVED, ARGUED)
