"""A check that cannot fail checks nothing: wrong programs, tables and witnesses change the verdict.

Wrong formulas are in `planted.toml`.
"""

import dataclasses
from importlib import import_module

import pytest

import proofs_check
from proofs_check.claim import named
from proofs_check.examining import Request, examine
from proofs_check.report import expected
from proofs_check.steps import SHOWN, Verdict
from tallyplan.games import bounds
from tallyplan.model.instance import TallyingBandit

proofs_check.claims()

REFUTED, CHECKED, UNDECIDED = Verdict.REFUTED, Verdict.CHECKED, Verdict.UNDECIDED


def outcome(id):
    [result] = proofs_check.verify([id])
    return result.outcome


WRONG = [  # the claim, where a name of its file is, what stands there instead, the verdict then
    ("definition-1/independence", "observations.COINS", [(0, 1), (1, 0)], CHECKED),
    ("discussion-unknown-memory", "discussion.TRUTH", TallyingBandit([[1, 0, 1, 1]] * 2), CHECKED),
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
    assert examine(dataclasses.replace(one, setting=other), Request()).outcome.verdict is REFUTED


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
    assert examine(dataclasses.replace(one, setting=other), Request()).outcome.verdict is REFUTED


def test_what_the_programs_play_is_what_is_claimed():
    played = {
        "optimism": bounds.OPTIMISM,
        "optimism/anytime": bounds.OPTIMISM_ANYTIME,
        "optimism/few-epochs": bounds.OPTIMISM_FEW_EPOCHS,
        "optimism/within-gaps": bounds.OPTIMISM_WITHIN_GAPS,
        "optimism/carmab": bounds.CARMAB,
    }
    assert all(named(id).formula("bound") == bound.formula for id, bound in played.items())


SLOW = {"definition-1/cyclic", "proposition-1-lower", "theorem-1", "theorem-2"}
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
