"""A check that cannot fail checks nothing: wrong programs, tables and witnesses change the verdict.

Wrong formulas are in `planted.toml`.
"""

import dataclasses
from fractions import Fraction
from importlib import import_module

import pytest

import proofs_check
from proofs_check import certified as exact
from proofs_check.bayes.deterministic import least_expected_loss
from proofs_check.claim import Request, named
from proofs_check.computations.every_table import EveryTable
from proofs_check.report import expected
from proofs_check.steps import SHOWN, Verdict
from tallyplan.check import Verdict as Checked
from tallyplan.formula import Formula
from tallyplan.games import bounds
from tallyplan.model.instance import TallyingBandit

proofs_check.claims()

from proofs_check.paper.definition_1 import statement as definition_1
from proofs_check.paper.lemma_3 import statement as lemma_3
from proofs_check.paper.proposition_1 import upper as proposition_1_upper
from proofs_check.paper.theorem_1 import statement as theorem_1

REFUTED, CHECKED, UNDECIDED = Verdict.REFUTED, Verdict.CHECKED, Verdict.UNDECIDED


def outcome(id):
    [result] = proofs_check.verify([id])
    return result.outcome


def with_another_delta(*arguments, honest=theorem_1._at):
    return dataclasses.replace(honest(*arguments), delta=Fraction(1, 2))


def no_clash(K, m, window):
    return definition_1._different(TallyingBandit([[0, 1], [0, 1]]), (0, 1), (0, 1))


def doubled(*given, honest=least_expected_loss):
    return honest(*given) * 2


WRONG = [  # the claim, where a name of its file is, what stands there instead, the verdict then
    ("definition-1/independence", "definition_1.independence.MOST_EPOCHS", 13, CHECKED),
    (
        "definition-1/independence",
        "definition_1.independence.REGRET_IN_EPOCH",
        Formula("10 * gap * steps * max(0, 1 - 2 * C)"),
        UNDECIDED,
    ),
    ("definition-1/memory", "definition_1.statement._clash", no_clash, UNDECIDED),
    ("theorem-1", "theorem_1.statement._at", with_another_delta, UNDECIDED),
    ("lemma-1", "lemma_1.transition", lambda s, i: (*s[:-1], i), None),
    ("lemma-6", "lemma_6.BANDIT", TallyingBandit([[1], [1]]), UNDECIDED),
    ("algorithm-2", "algorithm_2.exploration", lambda K, m: list(range(K)) * m, None),
    ("discussion-unknown-memory", "discussion.statement.TRUTH", TallyingBandit([[1, 0, 1, 1]] * 2), CHECKED),
    ("proposition-1-lower", "proposition_1.lower.least_expected_loss", doubled, None),
]


@pytest.mark.parametrize(("id", "place", "instead", "verdict"), WRONG)
def test_a_wrong_program_or_table_changes_the_verdict(monkeypatch, results, id, place, instead, verdict):
    """Where no verdict is named, nothing is shown any more."""
    module, _, name = f"proofs_check.paper.{place}".rpartition(".")
    monkeypatch.setattr(import_module(module), name, instead)
    found = outcome(id)
    assert found.verdict is not results[id].outcome.verdict
    assert found.verdict is verdict if verdict else found.verdict not in SHOWN


def test_another_table_has_other_regrets():
    one = named("counterexample-3/or-traditional")
    other = dataclasses.replace(
        one.setting, define={**one.setting.define, "other(x, y)": "0 if x == 1 else 1"}
    )
    assert dataclasses.replace(one, setting=other).examine(Request()).outcome.verdict is REFUTED


LEARNERS = [  # the claim, what of the learner is another, and how
    ("optimism/cell", "radius(K, m, T, delta, n)", "10 * sqrt(logarithm(T, delta) / (2 * n))"),
    (
        "optimism/visit",
        "width(K, m, T, delta, G, n)",
        "1 if n == 0 else (2 * radius(T, delta, n) + 3 / G) / 10",
    ),
    ("optimism/visit", "width(K, m, T, delta, G, n)", "0 if n == 0 else 2 * radius(T, delta, n) + 3 / G"),
]


@pytest.mark.parametrize(("id", "head", "body"), LEARNERS)
def test_another_radius_or_width_or_free_first_visits_are_refuted(id, head, body):
    one = named(id)
    other = dataclasses.replace(one.setting, define={**one.setting.define, head: body})
    assert dataclasses.replace(one, setting=other).examine(Request()).outcome.verdict is REFUTED


def test_what_the_programs_play_is_what_is_claimed():
    played = {
        "optimism": bounds.OPTIMISM,
        "optimism/anytime": bounds.OPTIMISM_ANYTIME,
        "optimism/few-epochs": bounds.OPTIMISM_FEW_EPOCHS,
        "optimism/within-gaps": bounds.OPTIMISM_WITHIN_GAPS,
        "optimism/carmab": bounds.CARMAB,
    }
    assert all(named(id).formula("bound") == bound.formula for id, bound in played.items())


@pytest.fixture
def small_boxes(monkeypatch):
    monkeypatch.setattr(lemma_3, "_box", lambda request: ([(1, 1), (1, 2), (2, 2)], range(2, 5)))
    monkeypatch.setattr(lemma_3, "LARGE_PERIODS", (97,))
    monkeypatch.setattr(proposition_1_upper, "SIZES", ((1, range(1, 3)), (2, range(1, 3))))


@pytest.fixture
def planner_off_by_one(monkeypatch):
    from tallyplan import optimal_plan as honest

    def wrong(bandit, horizon, start=()):
        plan = honest(bandit, horizon, start)
        object.__setattr__(plan, "lower", plan.lower - 1)  # answers replay what they are made of
        object.__setattr__(plan, "upper", plan.upper - 1)
        return plan

    monkeypatch.setattr(exact, "optimal_plan", wrong)


@pytest.mark.usefixtures("small_boxes", "planner_off_by_one")
@pytest.mark.parametrize("id", ["lemma-3", "proposition-1-upper"])
def test_a_wrong_planner_is_stopped_by_the_checker(id):
    undecided = outcome(id)
    assert undecided.verdict is UNDECIDED
    assert undecided.evidence.steps


@pytest.mark.usefixtures("small_boxes", "planner_off_by_one")
def test_a_wrong_planner_and_a_blind_checker_do_not_refute(monkeypatch):
    monkeypatch.setattr(exact, "check", lambda certificate, instance: Checked("accepted", "Looks fine."))
    assert outcome("proposition-1-upper").verdict is not REFUTED


@pytest.mark.usefixtures("small_boxes")
def test_wrong_recursions_over_all_tables_do_not_refute(monkeypatch, plant_formula):
    honest = EveryTable.optima
    wrong = lambda tables, horizons: {T: row - 1 for T, row in honest(tables, horizons).items()}  # noqa: E731
    monkeypatch.setattr(EveryTable, "optima", wrong)
    plant_formula("lemma-3", "bound", "(m - 1) * sqrt(T)")
    plant_formula("proposition-1-upper", "bound", "m * K - 2")
    for id in ("lemma-3", "proposition-1-upper"):
        undecided = outcome(id)
        assert undecided.verdict is UNDECIDED
        assert undecided.witness


SLOW = {"definition-1/cyclic", "definition-1/independence", "proposition-1-lower", "theorem-1", "theorem-2"}
ALWAYS_TRUE = [
    pytest.param(id, marks=[pytest.mark.thorough] if id in SLOW else [])
    for id, verdict in expected().items()
    if verdict == "refuted" and "stated" in named(id).texts
]


@pytest.mark.parametrize("id", ALWAYS_TRUE)
def test_what_is_always_true_is_not_refuted(with_formula, id):
    """The search for a violation asks the statement, and not what somebody knows about it."""
    found = with_formula(id, "stated", f"({named(id).texts['stated']}) or 0 == 0")
    assert found.error is None
    assert found.verdict is not REFUTED
