"""What the formal proofs may not contain, and what each file must say. Needs no Rocq."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from proofs_check import claims
from proofs_check.claim import named
from proofs_check.formal import recorded as formal
from proofs_check.formal.gallina import statements
from proofs_check.formal.recorded import theorems
from proofs_check.story import story

claims()
FORMAL = Path(__file__).parents[3] / "proofs_check" / "formal"
FILES = sorted(FORMAL.glob("*.v"))


def code(path):
    """The text without comments (they are not nested more than once here)."""
    text, inner = path.read_text(), re.compile(r"\(\*(?:(?!\(\*|\*\)).)*\*\)", re.DOTALL)
    while inner.search(text):
        text = inner.sub(" ", text)
    return text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nothing_is_assumed_and_nothing_is_left_open(path):
    found = re.findall(
        r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjecture|bypass_check)\b", code(path)
    )
    assert found == []


@pytest.mark.parametrize("theorem", theorems(), ids=lambda theorem: theorem.qualified)
def test_every_headline_is_a_theorem_of_its_file(theorem):
    assert re.search(rf"\b(Theorem|Corollary|Lemma) {theorem.name}\b", code(FORMAL / theorem.file))
    assert theorem.says
    assert theorem.claim is None or named(theorem.claim)


def test_the_record_was_made_from_these_sources():
    assert json.loads(formal.RECORD.read_text())["sources"] == formal.digest(), "`make formal` writes it anew"
    assert set(formal.recorded()) == {one.qualified for one in theorems() if one.claim}


def test_a_record_of_other_sources_counts_for_nothing(monkeypatch, instead):
    monkeypatch.setattr(formal, "digest", lambda: "other")
    monkeypatch.setattr(formal, "_record", formal._record.__wrapped__)
    assert formal.recorded() == {}
    assert instead(named("lemma-7/subset")).told == "argued"


@pytest.mark.parametrize(
    "theorem", [one for one in formal.closing() if one.closes != "model"], ids=lambda one: one.qualified
)
def test_what_the_claim_says_now_is_what_was_closed(theorem):
    claim = named(theorem.claim)
    assert formal.closed_by(claim, theorem.closes) == theorem
    denied = claim.having(theorem.closes, f"not ({claim.texts[theorem.closes]})")
    assert formal.closed_by(denied, theorem.closes) is None
    for name in claim.domain:
        fewer = {one: text for one, text in claim.domain.items() if one != name}
        assert formal.closed_by(replace(claim, domain=fewer), theorem.closes) is None


def test_a_claim_that_only_rocq_proves_says_so_with_the_sources(results, instead):
    result = results["lemma-7/subset"]
    assert result.outcome.told == "proved (Rocq)"
    [told] = (" ".join(section.lines) for section in story(result) if section.name == "verdict")
    assert "recorded; recheck: make formal" in told
    assert formal.digest()[:12] in told
    empty = replace(result.claim, model={**result.claim.model, "delta": 2})
    assert instead(empty).told == "argued"


ANOTHER = {  # what somebody may change by hand, or forget, so that nothing is proved
    "the recorded statement": ("recorded", "ClosedEvents.lemma_5", lambda one: one.replace("8 * 2", "7 * 2")),
    "its model": ("recorded", "ClosedEvents.lemma_5_model", lambda one: one.replace("S = 2", "S = 1")),
    "no model": ("recorded", "ClosedEvents.lemma_5_model", lambda one: ""),
    "the theorem of another claim": ("closing", "lemma-5", lambda one: replace(one, name="lemma_7")),
    "a claim without a model": (
        "closing",
        "lemma-5",
        lambda one: replace(one, closes=one.closes.replace("model", "")),
    ),
    "a weaker hypothesis": ("statements", "lemma-5", lambda one: replace(one, given=one.given[1:])),
    "another formula": ("statements", "lemma-5", lambda one: replace(one, shows={"stated": "True"})),
    "other words": ("statements", "lemma-5", lambda one: replace(one, says={"stated": "cost(s) <= 0"})),
}


@pytest.mark.parametrize("meaning", ANOTHER)
def test_another_record_theorem_or_statement_proves_nothing(meaning, monkeypatch):
    what, name, change = ANOTHER[meaning]
    assert formal.closed_by(named("lemma-5"), "stated")
    known = getattr(formal, what)()
    of_a_claim = [change(one) if one.claim == name else one for one in known] if what == "closing" else None
    changed = of_a_claim or {**known, name: change(known[name])}
    assert changed != known
    monkeypatch.setattr(formal, what, lambda: changed)
    assert formal.closed_by(named("lemma-5"), "stated") is None


def test_a_statement_in_gallina_is_told_with_its_definitions(results):
    told = {one.name: " ".join(one.lines) for one in story(results["lemma-5"], steps=False)}
    assert results["lemma-5"].outcome.told == "proved (Rocq)"
    assert "for you to see" in told["verdict"]
    assert "losses p/D" in told["verdict"]
    assert "Theorem1.follows_algorithm1" in told["formal"]
    assert " ".join(statements()["lemma-5"].proposition("stated").split()) in told["formally"]


def test_every_definition_beneath_a_statement_is_recorded():
    for one in formal.closing():
        assert "not recorded" not in formal.beneath(formal.recorded()[one.qualified]).values()


def test_a_hole_would_be_found(tmp_path):
    planted = tmp_path / "Planted.v"
    planted.write_text("(** * Words (* and words *) Axiom *)\nLemma wrong : False. Proof. Admitted.\n")
    assert re.findall(r"\b(Admitted|Axiom)\b", code(planted)) == ["Admitted"]
