"""Changes planted one at a time (most in `planted.toml`), in claims, axioms and programs: each is noticed.

A claim that is shown is shown no longer; what quotes a weakened claim falls with it; a false repair is not
called true, nor another constant the best; and a true statement in the place of a false one is not refuted.
A changed axiom is false in a small model. Another sentence, hypothesis or definition differs from the record,
and `verify` names it.
"""

import random
import tomllib
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

import proofs_check
from proofs_check import report
from proofs_check.claim import named
from proofs_check.kernel.rules import free
from proofs_check.steps import SHOWN, Verdict
from proofs_check.theory.models import small_model, verdict
from proofs_check.theory.schemas import LANGUAGE, TEXTS
from tallyplan.formula import Formula
from tallyplan.games import bounds
from tallyplan.model.instance import TallyingBandit

proofs_check.claims()
TABLE = tomllib.loads(Path(__file__).with_name("planted.toml").read_text(encoding="utf-8"))
PLANTED = [
    pytest.param(
        claim, *row, id=f"{claim} {row[0]}", marks=[pytest.mark.thorough] if row[3].get("thorough") else []
    )
    for claim, rows in TABLE.items()
    if isinstance(rows, list)
    for row in rows
]
MODELS = 500


def planted(kind):
    return [(name, *row) for name, rows in TABLE[kind].items() for row in rows]


@pytest.mark.parametrize(("name", "right", "wrong"), planted("axioms"))
def test_a_changed_axiom_is_false_in_some_model(name, right, wrong):
    hypotheses, conclusion = TEXTS[name]
    texts = [*hypotheses, conclusion]
    place = next(number for number, text in enumerate(texts) if right in text)
    texts[place] = texts[place].replace(right, wrong, 1)
    *assumed, changed = map(LANGUAGE.read, texts)
    names, rng = free([*assumed, changed]), random.Random(name)
    assert any(verdict(assumed, changed, small_model(names, rng)) is False for _ in range(MODELS))


def differences(results, changed):
    """What `verify` says of a claim that prints something else, whatever it finds."""
    return " ".join(report.differences([replace(results[changed.id], claim=changed)]))


@pytest.mark.parametrize(("id", "right", "wrong"), planted("sentences"))
def test_another_sentence_is_noticed(results, id, right, wrong):
    assert named(id).words.count(right) == 1
    changed = replace(named(id), words=named(id).words.replace(right, wrong))
    assert f"The statement of {id} is " in differences(results, changed)


@pytest.mark.parametrize(("id", "name", "text"), planted("hypotheses"))
def test_another_hypothesis_or_none_is_noticed(results, id, name, text):
    one = named(id)
    domain = {key: old if key != name else text for key, old in one.domain.items() if text or key != name}
    assert name in one.domain
    assert f"The meaning of {id} is " in differences(results, replace(one, domain=domain))


def defining(one, head, body):
    return replace(one, setting=replace(one.setting, define={**one.setting.define, head: body}))


@pytest.mark.parametrize(("id", "head", "right", "wrong"), planted("definitions"))
def test_another_definition_is_noticed(results, id, head, right, wrong):
    body = named(id).setting.define[head]
    assert right in body
    changed = defining(named(id), head, body.replace(right, wrong))
    assert f"In {id}, {head.partition('(')[0]} is " in differences(results, changed)


WIDTH = "2 * radius(T, delta, n) + 3 / G"
DEFINED = [  # the claim, and what is defined otherwise: a table, a radius, a width, free first visits
    ("counterexample-3/or-traditional", "other(x, y)", "0 if x == 1 else 1"),
    ("optimism/cell", "radius(K, m, T, delta, n)", "10 * sqrt(logarithm(T, delta) / (2 * n))"),
    ("optimism/visit", "width(K, m, T, delta, G, n)", f"1 if n == 0 else ({WIDTH}) / 10"),
    ("optimism/visit", "width(K, m, T, delta, G, n)", f"0 if n == 0 else {WIDTH}"),
]


@pytest.mark.parametrize(("id", "head", "body"), DEFINED)
def test_with_another_definition_a_claim_is_refuted(instead, id, head, body):
    assert instead(defining(named(id), head, body)).verdict is Verdict.REFUTED


WRONG = [  # the claim, where a name of its file is, what stands there instead, the verdict then
    ("definition-1/independence", "observations.COINS", [(0, 1), (1, 0)], Verdict.CHECKED),
    ("lemma-6", "lemma_6.BANDIT", TallyingBandit([[1], [1]]), Verdict.UNDECIDED),
    ("discussion-unknown-memory", "discussion.TRUTH", TallyingBandit([[1, 0, 1, 1]] * 2), Verdict.CHECKED),
]


@pytest.mark.parametrize(("id", "place", "wrong", "verdict"), WRONG)
def test_a_wrong_program_or_table_changes_the_verdict(
    monkeypatch, results, instead, id, place, wrong, verdict
):
    module, _, name = f"proofs_check.paper.{place}".rpartition(".")
    assert results[id].outcome.verdict is not verdict
    monkeypatch.setattr(import_module(module), name, wrong)
    assert instead(named(id)).verdict is verdict


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


@pytest.mark.parametrize(
    "id",
    [
        pytest.param(id, marks=[pytest.mark.thorough] if id in SLOW else [])
        for id, verdict in report.expected().items()
        if verdict == "refuted" and "stated" in named(id).texts
    ],
)
def test_what_is_always_true_is_not_refuted(instead, id):
    """The search for a violation asks the statement, and not what somebody knows about it."""
    found = instead(named(id).having("stated", f"({named(id).texts['stated']}) or 0 == 0"))
    assert found.error is None
    assert found.verdict is not Verdict.REFUTED


def shown(part):
    return part is not None and part.verdict in SHOWN


def is_now(verdict):
    """The outcome was another, and is this one, without an error."""
    return (lambda o: o.verdict is not verdict), (lambda o: o.verdict is verdict and o.error is None)


CHANGES = {  # what has to be so before, and after
    "not shown": (lambda o: o.verdict in SHOWN, lambda o: o.verdict not in SHOWN),
    "not tight": (lambda o: o.tight, lambda o: o.tight is None),
    "not repaired": (lambda o: shown(o.repair), lambda o: not shown(o.repair)),
    "not refuted": (
        lambda o: o.verdict is Verdict.REFUTED,
        lambda o: o.verdict is not Verdict.REFUTED and o.witness is None,
    ),
    "part not shown": (
        lambda o: shown(o.tight) or shown(o.repair),
        lambda o: not (shown(o.tight) and shown(o.repair)),
    ),
    "refuted": is_now(Verdict.REFUTED),
    "checked": is_now(Verdict.CHECKED),
    "undecided": is_now(Verdict.UNDECIDED),
}


@pytest.mark.parametrize(("claim", "formula", "text", "then", "options"), PLANTED)
def test_what_is_planted_changes_what_is_found(results, instead, claim, formula, text, then, options):
    of = options.get("of", claim)
    assert named(claim).formula(formula).canonical != Formula(text).canonical
    before, after = CHANGES[then]
    assert before(results[of].outcome)
    found = instead(named(claim).having(formula, text), of)
    assert after(found), found.verdict
    if "witness" in options:
        assert options["witness"].items() <= found.witness.facts.items()
