"""Wrong definitions, counterexamples and remarks, planted one at a time: the outcome must change."""

from dataclasses import replace
from importlib import import_module

import pytest

import proofs_check
from proofs_check.claim import Request, named
from proofs_check.steps import SHOWN, Verdict
from tallyplan.formula import Formula

proofs_check.claims()


def examined(id, name, text):
    one = named(id)
    assert one.formula(name).canonical != Formula(text).canonical
    return one.having(name, text).examine(Request()).outcome


FALSEHOODS = [
    ("definition-1", "stated", "1 <= tally(t) and tally(t) <= m - 1"),
    ("definition-1", "stated", "2 <= tally(t) and tally(t) <= m"),
    ("definition-1/memory", "stated", "a_loss(p + m - 1) == b_loss(p + m - 1)"),
    ("definition-1/restricted", "short", "p >= 0"),
    ("counterexample-1", "stated", "regret >= 2/3 * T"),
    ("counterexample-1", "second", "1 - b / 2"),
    ("counterexample-2/steps", "stated", "steps >= 2**m"),
    ("counterexample-2/cyclic-policy", "open", "m * (floor(t / m) + 1) - 1"),
    ("counterexample-3", "stated", "total(always(x), T) == T"),
    ("counterexample-3", "horizon", "T >= 0"),
    ("counterexample-3/or-traditional", "stated", "total(always(1), T) - OPT(T) == T / 2"),
    ("counterexample-3/or-traditional", "horizon", "T >= 1"),
    ("counterexample-3/switches", "stated", "switches(a, T) == T"),
    ("counterexample-3/switches", "optimal", "total(a, T) <= 1"),
    ("introduction/experts", "order", "T**(2 / 3)"),
    ("introduction/experts", "number", "K**T"),
    ("introduction/oblivious", "memory", "m == 2"),
    ("introduction/restricted", "stated", "regret <= m * K**m - 1"),
    ("lemma-1", "stated", "reward(T) == T + 1 - a_total(T)"),
    ("lemma-2", "same", "total(repeated(w, L), p + L) - total(repeated(w, L), p) == total(c, L)"),
    ("theorem-2/linear-memory", "linear", "(1 - 1 / K) * min(a, 1) * T"),
    ("theorem-2/linear-memory", "long", "2 * m >= a * T"),
]


@pytest.mark.parametrize(("id", "name", "text"), FALSEHOODS)
def test_a_planted_falsehood_is_not_shown(id, name, text):
    assert named(id).examine(Request()).outcome.verdict in SHOWN
    assert examined(id, name, text).verdict not in SHOWN


WRONG_PARTS = [
    ("definition-1", "met", "implies(t <= m + 1, o_tally(t) == t)"),
    ("definition-1/cyclic", "square", "implies(L >= 1 and T == L * L + 1, k * sqrt(T) + t == k * L + t)"),
    (
        "definition-1/rested",
        "long",
        "implies(m >= T - 2 and t + 2 <= T and rests == 1, next(t + 1) == next(t))",
    ),
    ("counterexample-1", "exact", "regret == 1/3 * T"),
    ("counterexample-2", "repaired", "implies(m >= 2 and T >= m, regret >= 1 / 2 * bound)"),
    ("counterexample-2/index", "exactly", "(first >= 1) == (t > m)"),
    ("counterexample-3/traditional-regret", "true", "charged(always(x), always(z), T) >= 1"),
    ("lemma-2", "exact", "implies(m <= L + 2, total(repeated(w, L), 2 * L) == 0)"),
    ("theorem-2/transition-time", "most", "m + 1"),
    ("theorem-2/transition-time", "most", "m - 1"),
]


@pytest.mark.parametrize(("id", "name", "text"), WRONG_PARTS)
def test_a_wrong_repair_or_best_constant_is_not_shown(id, name, text):
    def shown(outcome):
        return [part is not None and part.verdict in SHOWN for part in (outcome.tight, outcome.repair)]

    before, after = shown(named(id).examine(Request()).outcome), shown(examined(id, name, text))
    assert any(was and not now for was, now in zip(before, after, strict=True))


TRUE_INSTEAD = [
    ("counterexample-2", "stated", "regret >= 0 * c * bound"),
    ("counterexample-2/index", "first", "max(1, t - m + 1)"),
    ("counterexample-3/traditional-regret", "stated", "charged(always(x), always(z), T) >= 0"),
    ("definition-1/rested", "stated", "implies(rests == 1, next(t + 1) <= next(t))"),
    ("introduction/experts-regret", "stated", "policy >= traditional"),
]


@pytest.mark.parametrize(("id", "name", "text"), TRUE_INSTEAD)
def test_a_statement_that_is_true_is_not_refuted(id, name, text):
    assert named(id).examine(Request()).outcome.verdict is Verdict.REFUTED
    found = examined(id, name, text)
    assert found.verdict is not Verdict.REFUTED
    assert found.witness is None


def planted(monkeypatch, file, name, value, id):
    monkeypatch.setattr(import_module(f"proofs_check.paper.{file}"), name, value)
    return named(id).examine(Request()).outcome


def test_a_transition_that_forgets_is_noticed(monkeypatch):
    found = planted(monkeypatch, "lemma_1", "transition", lambda s, i: (*s[:-1], i), "lemma-1")
    assert found.verdict not in SHOWN


def test_the_intended_transition_is_not_confirmed_as_too_long(monkeypatch):
    right = planted(
        monkeypatch, "lemma_1", "printed_transition", lambda s, i: (*s[1:], i), "lemma-1/transition"
    )
    assert right.verdict is not Verdict.REFUTED


def test_another_table_has_other_regrets():
    one = named("counterexample-3/or-traditional")
    other = replace(one.setting, define={**one.setting.define, "other(x, y)": "0 if x == 1 else 1"})
    assert replace(one, setting=other).examine(Request()).outcome.verdict is Verdict.REFUTED
