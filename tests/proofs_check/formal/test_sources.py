"""What the formal proofs may not contain, and what each file must say. Needs no Rocq."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from proofs_check import claims
from proofs_check.claim import named
from proofs_check.formal import recorded as formal
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


@pytest.mark.parametrize("theorem", formal.closing(), ids=lambda one: one.qualified)
def test_what_the_claim_says_now_is_what_was_closed(theorem):
    def closed_by(one):
        return formal.closed_by(one.id, theorem.closes, one.closed(theorem.closes))

    claim = named(theorem.claim)
    assert closed_by(claim) == theorem
    assert closed_by(claim.having(theorem.closes, f"not ({claim.texts[theorem.closes]})")) is None
    for name in claim.domain:
        fewer = {one: text for one, text in claim.domain.items() if one != name}
        assert closed_by(replace(claim, domain=fewer)) is None


def test_a_claim_that_only_rocq_proves_says_so_with_the_sources(results, instead):
    result = results["lemma-7/subset"]
    assert result.outcome.told == "proved (Rocq)"
    [told] = (" ".join(section.lines) for section in story(result) if section.name == "verdict")
    assert "recorded; recheck: make formal" in told
    assert formal.digest()[:12] in told
    empty = replace(result.claim, model={**result.claim.model, "delta": 2})
    assert instead(empty).told == "argued"


def test_a_hole_would_be_found(tmp_path):
    planted = tmp_path / "Planted.v"
    planted.write_text("(** * Words (* and words *) Axiom *)\nLemma wrong : False. Proof. Admitted.\n")
    assert re.findall(r"\b(Admitted|Axiom)\b", code(planted)) == ["Admitted"]
