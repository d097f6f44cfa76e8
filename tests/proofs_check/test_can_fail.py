"""A check that cannot fail checks nothing: wrong bounds, planners and replays change the verdict."""

import pytest

import proofs_check
from proofs_check import certified as exact
from proofs_check.claim import Request, named
from proofs_check.computations.every_table import EveryTable
from proofs_check.report import expected
from proofs_check.steps import Verdict
from tallyplan.check import Verdict as Checked

proofs_check.claims()

from proofs_check.paper.lemma_3 import statement as lemma_3
from proofs_check.paper.proposition_1 import last_step as proposition_1_last_step
from proofs_check.paper.proposition_1 import upper as proposition_1_upper


def outcome(id):
    [result] = proofs_check.verify([id])
    return result.outcome


@pytest.fixture
def small_boxes(monkeypatch):
    monkeypatch.setattr(lemma_3, "_box", lambda request: ([(1, 1), (1, 2), (2, 2)], range(2, 5)))
    monkeypatch.setattr(lemma_3, "LARGE_PERIODS", (97,))
    monkeypatch.setattr(proposition_1_upper, "SIZES", ((1, range(1, 3)), (2, range(1, 3))))
    monkeypatch.setattr(proposition_1_last_step, "SIZES", ((1, 1), (1, 2), (2, 1), (2, 2)))


@pytest.fixture
def planner_off_by_one(monkeypatch):
    from tallyplan import optimal_plan as honest

    def wrong(bandit, horizon, start=()):
        plan = honest(bandit, horizon, start)
        object.__setattr__(plan, "lower", plan.lower - 1)  # answers replay what they are made of
        object.__setattr__(plan, "upper", plan.upper - 1)
        return plan

    monkeypatch.setattr(exact, "optimal_plan", wrong)


@pytest.mark.usefixtures("small_boxes")
def test_the_small_boxes_alone_change_nothing():
    assert outcome("lemma-3").verdict is Verdict.PROVED
    assert outcome("lemma-3").tight
    assert outcome("proposition-1-upper").tight
    assert outcome("proposition-1-upper/last-step").verdict is Verdict.REFUTED


@pytest.mark.usefixtures("small_boxes")
def test_a_bound_below_the_best_constant_of_lemma_3_is_refuted(plant_formula):
    plant_formula("lemma-3", "bound", "(m - 1) * sqrt(T)")
    assert outcome("lemma-3").verdict is Verdict.PROVED
    plant_formula("lemma-3", "bound", "(m - 1) * sqrt(T) - 1")
    refuted = outcome("lemma-3")
    assert refuted.verdict is Verdict.REFUTED
    assert refuted.witness


@pytest.mark.usefixtures("small_boxes")
def test_a_lower_end_that_is_too_high_is_refuted(plant_formula):
    plant_formula("lemma-3/lower-end", "lowest", "0")
    assert outcome("lemma-3/lower-end").verdict is Verdict.REFUTED


@pytest.mark.usefixtures("small_boxes", "planner_off_by_one")
@pytest.mark.parametrize("id", ["lemma-3", "proposition-1-upper"])
def test_a_wrong_planner_is_stopped_by_the_checker(id):
    undecided = outcome(id)
    assert undecided.verdict is Verdict.UNDECIDED
    assert undecided.evidence.steps


@pytest.mark.usefixtures("small_boxes", "planner_off_by_one")
def test_a_wrong_planner_and_a_blind_checker_do_not_refute(monkeypatch):
    monkeypatch.setattr(exact, "check", lambda certificate, instance: Checked("accepted", "Looks fine."))
    assert outcome("proposition-1-upper").verdict is not Verdict.REFUTED


@pytest.mark.usefixtures("small_boxes")
def test_wrong_recursions_over_all_tables_do_not_refute(monkeypatch, plant_formula):
    honest = EveryTable.optima
    wrong = lambda tables, horizons: {T: row - 1 for T, row in honest(tables, horizons).items()}  # noqa: E731
    monkeypatch.setattr(EveryTable, "optima", wrong)
    plant_formula("lemma-3", "bound", "(m - 1) * sqrt(T)")
    plant_formula("proposition-1-upper", "bound", "m * K - 2")
    for id in ("lemma-3", "proposition-1-upper"):
        undecided = outcome(id)
        assert undecided.verdict is Verdict.UNDECIDED
        assert undecided.witness


def test_lemma_2_beyond_its_domain_is_refuted():
    beyond = named("lemma-2").having("memory", "m <= L + 2")
    assert beyond.examine(Request()).outcome.verdict is Verdict.REFUTED


@pytest.mark.usefixtures("small_boxes")
def test_a_bound_below_the_supremum_of_proposition_1_is_refuted(plant_formula):
    plant_formula("proposition-1-upper", "bound", "m * K - 1")
    assert outcome("proposition-1-upper").verdict is Verdict.PROVED
    plant_formula("proposition-1-upper", "bound", "m * K - 2")
    assert outcome("proposition-1-upper").verdict is Verdict.REFUTED


SLOW = {"definition-1/cyclic", "definition-1/independence", "proposition-1-lower", "theorem-1", "theorem-2"}
REFUTED = [
    pytest.param(id, marks=[pytest.mark.thorough] if id in SLOW else [])
    for id, verdict in expected().items()
    if verdict == "refuted" and "stated" in named(id).texts
]


@pytest.mark.parametrize("id", REFUTED)
def test_what_is_always_true_is_not_refuted(with_formula, id):
    """The search for a violation asks the statement, and not what somebody knows about it."""
    found = with_formula(id, "stated", f"({named(id).texts['stated']}) or 0 == 0")
    assert found.error is None
    assert found.verdict is not Verdict.REFUTED
