"""Falsehoods planted in Lemmas 4 and 7, the burn-in and the vacuous horizons: they must not be shown."""

import pytest

import proofs_check
from proofs_check.claim import named
from proofs_check.steps import SHOWN, Verdict

proofs_check.claims()

WIDTH_16 = "sqrt(16 * K * m / (2**s * sqrt(T)) * log(2 * K * m * S / delta))"

# The claim, the formula, what it was changed to.
FALSEHOODS = [
    ("lemma-4/five-s", "stated", "terms <= 7 / 2 * S"),
    ("lemma-4/five-s", "epochs", "S >= 1 / 2"),
    ("lemma-4/geometric-sum", "factor", "218"),
    ("lemma-4/geometric-sum", "closed", "sqrt(2) * v - 2"),
    ("lemma-4/root", "right", "sqrt(sqrt(T) / 2 - 1) / sqrt(K * m)"),
    ("lemma-4/root", "runs", "sqrt(T) >= K * m"),
    ("lemma-4/substitution", "before", "sqrt(K * m / (2**s * sqrt(T)))"),
    ("lemma-4/substitution", "width", WIDTH_16),
    ("lemma-7/hoeffding", "width", "sqrt(1 / 3 / (observations) * log(2 * K * m * S / delta))"),
    ("lemma-7/subset", "width", WIDTH_16),
    ("lemma-7/subset", "event", "implies(x(worst) > 0, abs(h(worst) - observed(worst)) <= 1)"),
    ("lemma-7/step-i", "counts", "0 <= N"),
    ("lemma-7/step-ii", "bound", "sqrt(K * m) - 1 / 100"),
    ("lemma-7/step-ii", "bound", "sqrt(K + m)"),
    ("lemma-7/cauchy-schwarz", "bound", "sqrt(n) - 1 / 100"),
    ("lemma-7", "width", WIDTH_16),
    ("algorithm-1/width", "width", WIDTH_16),
    ("theorem-1/vacuous", "few", "S <= 13"),
    ("theorem-1/vacuous", "stated", "2 * T <= bound"),
    ("theorem-1/vacuous", "horizon", "L == 8 * K * m * (2**S - 1)"),
]


# Where values are easily found, a falsehood is refuted by them.
WITH_VALUES = [
    ("lemma-4/five-s", "stated", "terms <= 7 / 2 * S", {"S": 1}),
    ("lemma-4/geometric-sum", "factor", "218", {"S": 40}),
    ("lemma-4/root", "right", "sqrt(sqrt(T) / 2 - 1) / sqrt(K * m)", {"K": 1, "m": 1, "T": 16}),
    ("lemma-4/root", "runs", "sqrt(T) >= K * m", {"K": 1, "m": 1, "T": 1}),
    ("lemma-7/hoeffding", "width", "sqrt(1 / 3 / (observations) * log(2 * K * m * S / delta))", {"T": 225}),
    ("lemma-7/step-i", "counts", "0 <= N", {"N": 2, "most": 1}),
    ("lemma-7/step-ii", "bound", "sqrt(K * m) - 1 / 100", {"K": 2, "m": 1}),
    ("lemma-7/step-ii", "bound", "sqrt(K + m)", {"K": 2, "m": 3}),
    ("lemma-7/cauchy-schwarz", "bound", "sqrt(n) - 1 / 100", {"n": 1}),
    ("theorem-1/vacuous", "few", "S <= 13", {"S": 13}),
    ("theorem-1/vacuous", "stated", "2 * T <= bound", {"S": 12}),
]


@pytest.mark.parametrize(("id", "name", "text", "values"), WITH_VALUES)
def test_a_planted_falsehood_is_refuted_with_values(with_formula, id, name, text, values):
    outcome = with_formula(id, name, text)
    assert outcome.verdict is Verdict.REFUTED
    assert values.items() <= outcome.witness.facts.items()


@pytest.mark.parametrize(("id", "name", "text"), FALSEHOODS)
def test_a_planted_falsehood_is_not_shown(with_formula, results, id, name, text):
    assert results[id].outcome.verdict in SHOWN
    assert with_formula(id, name, text).verdict not in SHOWN


# What a claim quotes is what the other one shows: weaken it, and what rests on it falls.
HUNDREDFOLD = "100 * K * m * (sqrt(T) + 8 * 2**s * sqrt(T) * C(s - 1))"
WEAKENED = [
    ("lemma-5", "bound", HUNDREDFOLD, "lemma-4"),
    ("lemma-4/first-epoch", "first", "100 * K * m * sqrt(T)", "lemma-4"),
    ("lemma-4/constant", "factor", "40000", "lemma-4"),
    ("lemma-7/hoeffding", "failure", "2 * delta / (K * m * S)", "lemma-7"),
    ("lemma-7/subset", "width", "100 * (" + WIDTH_16 + ")", "lemma-7"),
    ("lemma-7/step-ii", "bound", "100 * sqrt(K * m)", "lemma-7/subset"),
    ("lemma-7/cauchy-schwarz", "bound", "100 * sqrt(n)", "lemma-7/step-ii"),
]


@pytest.mark.parametrize(("id", "name", "text", "user"), WEAKENED)
def test_a_weakened_lemma_does_not_carry_what_rests_on_it(with_formula, results, id, name, text, user):
    assert results[user].outcome.verdict in SHOWN
    assert with_formula(id, name, text, of=user).verdict not in SHOWN


# A best constant that is not the best is not called so.
NOT_THE_BEST = [
    ("lemma-4/five-s", "best", "7 / 2 * S"),
    ("lemma-4/five-s", "best", "5 * S"),
    ("lemma-4/geometric-sum", "sharper", "64 * (2 + sqrt(2)) + 1"),
    ("lemma-4/geometric-sum", "sharper", "64 * (2 + sqrt(2)) - 1"),
    ("lemma-4/root", "least", "sqrt(T) >= 3 * K * m / 2"),
    ("lemma-7/hoeffding", "narrower", "sqrt(1 / (3 * (observations)) * log(2 * K * m * S / delta))"),
    ("lemma-7/hoeffding", "narrower", "sqrt(1 / (observations) * log(2 * K * m * S / delta))"),
    ("lemma-7/step-i", "largest", "y / (m + 1)"),
    ("algorithm-1/burn-in", "least", "m"),
    ("theorem-1/vacuous", "few", "S <= 11"),
]


@pytest.mark.parametrize(("id", "name", "text"), NOT_THE_BEST)
def test_no_other_constant_is_called_the_best(with_formula, results, id, name, text):
    assert results[id].outcome.tight
    assert with_formula(id, name, text).tight is None


def test_a_burn_in_that_is_too_short_is_refuted(with_formula):
    refuted = with_formula("algorithm-1/burn-in", "stated", "needed <= sqrt(T) - 2")
    assert refuted.verdict is Verdict.REFUTED
    assert refuted.witness


def test_a_first_line_that_counts_the_steps_that_are_run_is_not_refuted(with_formula):
    assert (
        with_formula("lemma-4/first-line", "stated", "loss - T * mu <= excess(F)").verdict is Verdict.CHECKED
    )


def test_a_repair_of_the_first_line_that_is_wrong_is_not_shown(with_formula):
    wrong = with_formula("lemma-4/first-line", "repaired", "loss - T * mu < excess(F)")
    assert wrong.repair.verdict not in SHOWN


def test_what_is_printed_is_what_was_checked():
    for id in ("lemma-7/step-ii", "lemma-4/root", "theorem-1/vacuous"):
        assert str(named(id).formula("stated")) in named(id).statement
