"""Theorem 2: false statements, planted one at a time, are no longer shown, and true ones not refuted."""

import pytest

from proofs_check.steps import Verdict

PROVED, ARGUED, CHECKED = Verdict.PROVED, Verdict.ARGUED, Verdict.CHECKED
REFUTED, UNDECIDED = Verdict.REFUTED, Verdict.UNDECIDED

STRONGER_THAN_TRUE = [
    ("theorem-2/hits", "met", "y + 1", REFUTED),
    ("theorem-2/hits", "period", "j >= 0", CHECKED),
    ("theorem-2/optimal-loss", "bound", "T / 2 - eps * 25 * (T - m) / 24", REFUTED),
    ("theorem-2/optimal-loss", "height", "22 * m <= 24 * y and y <= m", REFUTED),
    ("theorem-2/algebra", "regret", "eps * T / 24 - 22 * m * eps / 24", REFUTED),
    ("theorem-2/algebra", "least", "78 / 2400 * sqrt(c * m * K * T)", REFUTED),
    ("theorem-2/algebra", "eps_squared", "eps**2 == c * m * K * T", UNDECIDED),
    ("theorem-2/identification", "missed", "1 / 2", REFUTED),
    ("theorem-2/identification", "missed", "1 / 11", CHECKED),
    ("theorem-2/identification", "c", "1 / 2", CHECKED),
    ("theorem-2/exact-bayes", "bound", "sqrt(m * K * T) / 6", REFUTED),
    ("theorem-2/rules-out", "additive", "m * K * sqrt(T)", REFUTED),
    ("theorem-2/rules-out", "large_memory", "m * c**2 >= a**2 * K", REFUTED),
    ("theorem-2/memory-one", "memory", "m == 2", UNDECIDED),
    pytest.param(
        "theorem-2/repaired", "constant", "1 / 400", UNDECIDED, marks=pytest.mark.thorough
    ),  # a minute
    ("theorem-2/repaired", "horizon", "T >= 1", UNDECIDED),
    ("theorem-2/all-horizons", "constant", "1 / 529", UNDECIDED),
    ("theorem-2/all-horizons", "actions", "K >= 1", UNDECIDED),
]


@pytest.mark.parametrize(("id", "name", "text", "verdict"), STRONGER_THAN_TRUE)
def test_a_statement_that_is_too_strong_is_no_longer_shown(results, with_formula, id, name, text, verdict):
    assert results[id].outcome.verdict is not verdict
    assert with_formula(id, name, text).verdict is verdict


TRUE_INSTEAD = [
    ("theorem-2", "bound", "0 * m * K"),
    ("theorem-2/set-size", "size", "m / 24 + 1"),
    ("theorem-2/number-of-arms", "arms", "K * (m / 24 + 1)"),
    ("theorem-2/epsilon", "horizon", "T >= 4 * c * m * K"),
    ("theorem-2/short-horizons", "stated", "regret >= 0 * c * T"),
]


@pytest.mark.parametrize(("id", "name", "text"), TRUE_INSTEAD)
def test_a_statement_that_is_true_is_not_refuted(results, with_formula, id, name, text):
    assert results[id].outcome.verdict is REFUTED
    outcome = with_formula(id, name, text)
    assert outcome.verdict is not REFUTED
    assert outcome.witness is None


WRONG_REPAIRS = [
    ("theorem-2/set-size", "exact", "floor(m / 24)"),
    ("theorem-2/number-of-arms", "exact", "K * floor(m / 24)"),
    ("theorem-2/epsilon", "square", "c * m * K * T"),
    ("theorem-2/epsilon", "enough_steps", "T >= 2 * c * m * K"),
    ("theorem-2/short-horizons", "repaired", "worst >= (2 - 1 / K) * theta"),
    ("theorem-2/short-horizons", "share", "T / 100"),
]


@pytest.mark.parametrize(("id", "name", "text"), WRONG_REPAIRS)
def test_a_wrong_repair_is_not_called_true(results, with_formula, id, name, text):
    assert results[id].outcome.repair.verdict in (PROVED, ARGUED)
    assert with_formula(id, name, text).repair.verdict is UNDECIDED


WEAKER_PARTS = [
    ("theorem-2/identification", "missed", "1 / 13"),
    ("theorem-2/optimal-loss", "bound", "T / 2 - eps * 22 * (T - m) / 24"),
    ("theorem-2/number-of-arms", "exact", "m * K / 48"),
]


@pytest.mark.parametrize(("id", "name", "text"), WEAKER_PARTS)
def test_the_repaired_theorem_needs_all_of_its_parts(with_formula, id, name, text):
    assert with_formula(id, name, text, of="theorem-2/repaired").verdict is UNDECIDED
    assert with_formula(id, name, text, of="theorem-2").repair.verdict is UNDECIDED


OTHER_FACTORS = [
    ("theorem-2/near-optimal", "factor", "1200"),
    ("theorem-2/near-optimal", "actions", "K >= 1"),
    ("theorem-2/near-optimal", "stated", "loss - OPT <= factor * worst"),
    ("theorem-2/repaired", "constant", "1 / 433"),
    ("theorem-1/domain", "bound", "1201 * K * m * sqrt(T) * (1 + log2(sqrt(T) / (2 * K * m)))"),
]


@pytest.mark.parametrize(("id", "name", "text"), OTHER_FACTORS)
def test_the_factor_between_the_bounds_is_that_of_the_two_theorems(results, with_formula, id, name, text):
    assert results["theorem-2/near-optimal"].outcome.verdict is ARGUED
    assert with_formula(id, name, text, of="theorem-2/near-optimal").verdict is UNDECIDED


def test_the_theorem_says_that_there_is_a_problem(results):
    assert results["theorem-2"].claim.statement.startswith("There exist a tallying bandit problem and")


def test_pi_is_replayed_where_y_is_below_m():
    from proofs_check.paper.theorem_2 import loss

    assert any(24 * (m - 1) >= 23 * m for m in loss.MEMORIES)
