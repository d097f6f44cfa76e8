"""Changes planted one at a time (`planted.toml`), in claims, axioms, the kernel and tools: each is noticed.

A claim that is shown is shown no longer; what quotes a weakened claim falls with it; a false repair is not
called true, nor another constant the best; and a true statement in the place of a false one is not refuted.
A changed axiom is false in a small model. Another sentence, hypothesis or definition differs from the record,
and `verify` names it.
"""

import random
import tomllib
from dataclasses import replace
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
MODELS = 1500


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


@pytest.mark.parametrize(("id", "head", "right", "wrong"), planted("definitions"))
def test_another_definition_is_noticed(results, id, head, right, wrong):
    one = named(id)
    body = one.setting.define[head]
    define = {**one.setting.define, head: body.replace(right, wrong)}
    assert right in body
    changed = replace(one, setting=replace(one.setting, define=define))
    assert f"In {id}, {head.partition('(')[0]} is " in differences(results, changed)


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
def test_what_is_planted_changes_what_is_found(results, with_formula, claim, formula, text, then, options):
    of = options.get("of", claim)
    assert named(claim).formula(formula).canonical != Formula(text).canonical
    before, after = CHANGES[then]
    assert before(results[of].outcome)
    found = with_formula(claim, formula, text, of=of)
    assert after(found), found.verdict
    if "witness" in options:
        assert options["witness"].items() <= found.witness.facts.items()
