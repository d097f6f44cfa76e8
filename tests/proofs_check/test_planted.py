"""Changes planted one at a time (most in `planted.toml`), in claims, axioms and programs: each is noticed.

A claim that is shown is shown no longer; what quotes a weakened claim falls with it; a false repair is not
called true, nor another constant the best; and a true statement in the place of a false one is not refuted.
A changed axiom is false in a small model, and so is an axiom under a changed evaluator; a changed language,
sentence or printer says something else than the record; a changed search finds no proof. Of other words of
the paper `verify` says that they differ; without a hypothesis, or with another definition, the proof falls.
"""

import random
import tomllib
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from unittest.mock import patch

import pytest
from planting import plant

import proofs_check
from proofs_check import proving, report
from proofs_check.claim import named
from proofs_check.examining import Request, examine
from proofs_check.formal import recorded
from proofs_check.formal.gallina import statements
from proofs_check.kernel.proof import rebuilt
from proofs_check.kernel.rules import free
from proofs_check.outcome import SHOWN, Verdict, plain
from proofs_check.proving import kept
from proofs_check.theory import argument, normal, search
from proofs_check.theory.models import small_model, verdict
from proofs_check.theory.schemas import LANGUAGE, SCHEMAS, TEXTS
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
ROUNDS = 30  # each of one model of every axiom
SOME = ["counterexample-3", "counterexample-3/switches", "lemma-3/lower-end", "lemma-7/step-i"]
SOME += ["lemma-8", "proposition-1-lower/optimum", "optimism/optimum", "short-horizons/gap"]
SOME += ["two-arm-theorem/monotone"]
NOT_NEEDED = {  # by the proof
    *(("proposition-1-upper", "explores"), ("theorem-2/hits", "low(q, r, x, y)")),
    *(("counterexample-3", "action"), ("counterexample-3", "another")),
}
OUTSIDE = {"lemma-7/step-i": {"u": 2, "v": 1}}  # cases that a hypothesis keeps out
QUICK = ["algorithm-1/schedule", "introduction/stochastic", "lemma-8", "theorem-2/hits"]


def planted(kind):
    return [(name, *row) for name, rows in TABLE[kind].items() for row in rows]


@pytest.mark.parametrize(("name", "right", "wrong"), planted("axioms"))
def test_a_changed_axiom_is_false_in_some_model(name, right, wrong):
    hypotheses, conclusion = TEXTS[name]
    texts = [*hypotheses, conclusion]
    place = next(number for number, text in enumerate(texts) if right in text)
    texts[place] = texts[place].replace(right, wrong, 1)
    *assumed, changed = map(LANGUAGE.read, texts)
    names, rng = sorted(free([*assumed, changed]), key=str), random.Random(name)
    assert any(verdict(assumed, changed, small_model(names, rng)) is False for _ in range(MODELS))


def a_model_contradicts_an_axiom():
    rng = random.Random(0)
    axioms = [(*said, sorted(free([*said[0], said[1]]), key=str)) for said in SCHEMAS.values()]
    return any(
        verdict(hypotheses, conclusion, small_model(names, rng)) is False
        for _ in range(ROUNDS)
        for hypotheses, conclusion, names in axioms
    )


def kept_theorem(id):
    """What the kept proof of a claim proves; None without one."""
    document = kept(id, "stated")
    return document and rebuilt(document["proof"])


same_theorem = cache(kept_theorem)  # for tests that change claims, and no program


def is_proved(claim, kept_theorem=same_theorem):
    """Whether its kept proof, or the formula that Rocq closed, is what the claim says."""
    said, found = claim.closed("stated"), kept_theorem(claim.id)
    if found is None:
        return recorded.closed_by(claim, "stated") is not None
    return found.conclusion is said.conclusion and found.hypotheses <= set(said.hypotheses)


def a_kept_proof_proves_something_else():
    afresh = [replace(named(id), setting=replace(named(id).setting)) for id in SOME]
    return not all(is_proved(claim, kept_theorem) for claim in afresh)


def a_claim_fails_in_its_own_model():
    cases = [(named(id), OUTSIDE.get(id, {})) for id in SOME]
    return any(one.closed("stated").holds({**one.model, **outside}) is False for one, outside in cases)


def the_meaning_is_not_the_recorded_one():
    record = report.recorded()
    return not all(record[id]["meaning"].startswith(plain(named(id).formally)) for id in SOME)


def the_search_finds_no_proof():
    return any(examine(named(id), Request()).outcome.verdict is not Verdict.PROVED for id in QUICK)


def a_claim_without_a_model_is_proved():
    empty = replace(named("lemma-7/step-i"), model={"u": 2, "v": 1})
    return examine(empty, Request()).outcome.verdict is Verdict.PROVED


def closes(theorem, change=lambda claim: claim):
    name = "stated" if theorem.closes == "model" else theorem.closes
    return recorded.closed_by(change(named(theorem.claim)), name) is not None


def rocq_closed_something_else():
    return not all(map(closes, recorded.closing()))


def rocq_closes_what_it_did_not():
    return any(closes(one, lambda claim: replace(claim, domain={})) for one in recorded.closing())


def rocq_closes_a_statement_without_a_model():
    known = {name: text for name, text in recorded.recorded().items() if not name.endswith("_model")}
    with patch.object(recorded, "recorded", lambda: known):
        return any(closes(one) for one in recorded.closing() if one.claim in statements())


NOTICING = {
    test.__name__.replace("_", " ").replace("rocq", "Rocq"): test
    for test in (
        *(a_model_contradicts_an_axiom, a_kept_proof_proves_something_else, a_claim_fails_in_its_own_model),
        *(the_meaning_is_not_the_recorded_one, the_search_finds_no_proof, a_claim_without_a_model_is_proved),
        *(rocq_closed_something_else, rocq_closes_what_it_did_not, rocq_closes_a_statement_without_a_model),
    )
}


@pytest.fixture
def afresh(monkeypatch):
    """Nothing that was read, found or put in order before is used again."""
    monkeypatch.setattr(proving, "kept", lambda id, name: None)
    monkeypatch.setattr(search, "EFFORTS", search.EFFORTS[:4])  # these are enough for `QUICK`
    for one in (normal.normal, normal.spelling, argument.of_the_theory):
        one.cache_clear()


@pytest.mark.parametrize("name", NOTICING)
def test_without_a_fault_nothing_is_noticed(afresh, name):
    assert not NOTICING[name]()


@pytest.mark.parametrize(("path", "line", "instead", "name"), planted("tools"))
def test_a_fault_in_a_tool_is_noticed(afresh, monkeypatch, path, line, instead, name):
    plant(monkeypatch, path, line, instead)
    assert NOTICING[name]()


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
    changed = replace(one, domain=domain)
    assert name in one.domain
    assert f"The meaning of {id} is " in differences(results, changed)
    if one.setting is not None:
        assert is_proved(one)
        assert is_proved(changed) == ((id, name) in NOT_NEEDED)


@pytest.mark.parametrize(
    ("id", "head", "right", "wrong", "then"), [(*row, "")[:5] for row in planted("definitions")]
)
def test_another_definition_is_noticed(results, instead, id, head, right, wrong, then):
    one = named(id)
    body = one.setting.define[head]
    assert right in body
    define = {**one.setting.define, head: body.replace(right, wrong)}
    changed = replace(one, setting=replace(one.setting, define=define))
    assert not then or instead(changed).verdict == then
    assert f"In {id}, {head.partition('(')[0]} is " in differences(results, changed)
    if results[id].outcome.verdict is Verdict.PROVED and head.partition("(")[0] in plain(one.formally):
        assert is_proved(one)
        assert is_proved(changed) == ((id, head) in NOT_NEEDED)


WRONG = [  # the claim, where a name of its file is, what stands there instead, the verdict then
    ("definition-1/independence", "observations.COINS", [(0, 1), (1, 0)], Verdict.CHECKED),
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


SLOW = {
    "definition-1/cyclic",
    "proposition-1-lower",
    "proposition-1-upper/last-step",
    "theorem-1",
    "theorem-2",
}


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
    found = instead(named(id).having("stated", f"({named(id).texts['stated']}) or 0 < 1"))
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
