"""A proof that cannot fail proves nothing: wrong constants, domains and witnesses change what is found."""

import dataclasses
from fractions import Fraction

import pytest

import proofs_check
from proofs_check.claim import named
from proofs_check.steps import Verdict
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit

proofs_check.claims()

from proofs_check.computations import elimination
from proofs_check.paper import introduction, lemma_5, lemma_7
from proofs_check.paper.definition_1 import independence as definition_1_independence
from proofs_check.paper.definition_1 import statement as definition_1
from proofs_check.paper.theorem_1 import statement as theorem_1

PRINTED_ROOT = "sqrt(log(2 * K * m * log(T) / delta))"
PRINTED_LOG = "log2(sqrt(T) / (2 * K * m))"


def outcome(id):
    [result] = proofs_check.verify([id])
    return result.outcome


@pytest.fixture(autouse=True)
def small_eliminations(monkeypatch):
    monkeypatch.setattr(elimination, "PERIODS", (2, 3))


def test_the_small_box_alone_changes_nothing():
    assert outcome("lemma-8").verdict is outcome("lemma-6/chain").verdict is Verdict.ARGUED
    assert outcome("lemma-8").tight
    assert outcome("lemma-6/chain").tight


# A wrong constant inside a proof: a step fails, and the claim is no longer proved.
UNPROVED = {
    "cumulant": ("lemma-7/hoeffding", lemma_7, "CUMULANT", "log(1 - p + p * exp(x)) - x"),
}


@pytest.mark.parametrize("case", UNPROVED)
def test_a_wrong_formula_in_a_proof_is_no_longer_proved(monkeypatch, case):
    id, module, name, wrong = UNPROVED[case]
    assert outcome(id).verdict is Verdict.ARGUED
    monkeypatch.setattr(module, name, Formula(wrong))
    assert outcome(id).verdict not in (Verdict.PROVED, Verdict.ARGUED)


def test_a_bound_that_is_never_negative_is_not_refuted(plant_formula, monkeypatch):
    monkeypatch.setattr(theorem_1, "LARGEST_ROOT", 9)
    monkeypatch.setattr(theorem_1, "LARGEST_KM", 40)
    positive = f"1200 * K * m * sqrt(T) * ({PRINTED_ROOT} + max({PRINTED_LOG}, 0))"
    plant_formula("theorem-1", "bound", positive)
    assert outcome("theorem-1").verdict is Verdict.CHECKED


def test_a_bound_above_the_horizon_is_not_refuted_by_large_memories(plant_formula):
    assert outcome("theorem-1/large-memory").verdict is Verdict.REFUTED
    plant_formula("theorem-1", "bound", "T + K * m * delta")
    assert outcome("theorem-1/large-memory").verdict is Verdict.CHECKED


def test_where_no_epoch_is_run_the_right_side_of_theorem_1_is_above_the_horizon(with_formula):
    wrong = named("theorem-1/large-memory").texts["repaired"].replace("2 * K * m <= sqrt(T) and", "")
    assert wrong != named("theorem-1/large-memory").texts["repaired"]
    assert with_formula("theorem-1/large-memory", "repaired", wrong).repair.verdict is Verdict.UNDECIDED


def test_an_event_that_is_rarer_than_delta_does_not_count(with_formula):
    assert with_formula("definition-1/independence", "event", "likely < delta").verdict is Verdict.CHECKED


def test_an_estimate_that_divides_by_nothing_is_undefined_only_with_one_action(with_formula):
    assert with_formula("algorithm-1/estimate", "actions", "K >= 2").verdict is Verdict.CHECKED
    assert with_formula("algorithm-1/estimate", "stated", "most >= 0").verdict is Verdict.CHECKED
    wrong = with_formula("algorithm-1/estimate", "unmet", "implies(0 <= N and not (most > 0), N == 0)")
    assert wrong.repair.verdict is Verdict.UNDECIDED


def test_rare_or_cheap_coins_do_not_refute_theorem_1(monkeypatch):
    assert outcome("definition-1/independence").verdict is Verdict.REFUTED
    monkeypatch.setattr(definition_1_independence, "MOST_EPOCHS", 13)
    assert outcome("definition-1/independence").verdict is Verdict.CHECKED


def test_a_larger_lower_bound_is_caught_by_running_the_algorithm(monkeypatch):
    tenfold = Formula("10 * gap * steps * max(0, 1 - 2 * C)")
    monkeypatch.setattr(definition_1_independence, "REGRET_IN_EPOCH", tenfold)
    assert outcome("definition-1/independence").verdict is Verdict.UNDECIDED


# A false witness is evaluated again, and not believed.
def test_a_false_delta_does_not_refute_theorem_1(monkeypatch):
    honest = theorem_1._at
    false = lambda *arguments: dataclasses.replace(honest(*arguments), delta=Fraction(1, 2))  # noqa: E731
    monkeypatch.setattr(theorem_1, "_at", false)
    assert outcome("theorem-1").verdict is Verdict.UNDECIDED


def test_a_false_start_does_not_attain_the_sharp_lemma_5(monkeypatch):
    zeros = TallyingBandit([[0, 0], [0, 0]])
    false = Witness({"word": (0, 0), "past": ()}, zeros)
    monkeypatch.setattr(lemma_5, "_start_witness", lambda *arguments: false)
    assert outcome("lemma-5").tight is None


def test_a_false_clash_does_not_refute_the_memory(monkeypatch):
    same = definition_1._different(TallyingBandit([[0, 1], [0, 1]]), (0, 1), (0, 1))
    monkeypatch.setattr(definition_1, "_clash", lambda K, m, window: same)
    undecided = outcome("definition-1/memory")
    assert undecided.verdict is Verdict.UNDECIDED
    assert undecided.tight is None


def test_other_losses_do_not_separate_the_two_regrets(monkeypatch):
    monkeypatch.setattr(introduction, "BANDIT", TallyingBandit([[0, 0], [1, 1]]))
    assert outcome("introduction/experts-regret").verdict is Verdict.CHECKED
