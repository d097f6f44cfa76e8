"""What the formal proofs may not contain, and what each file must say. Needs no Rocq."""

import json
import re
from pathlib import Path

import pytest

from proofs_check.ways import formal
from proofs_check.ways.formal import theorems

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


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_opens_with_what_it_says_in_words(path):
    assert re.match(r"\(\*\* \* \S.{200,}?\*\)", path.read_text(), re.DOTALL)


@pytest.mark.parametrize("theorem", theorems(), ids=lambda theorem: theorem.qualified)
def test_every_headline_is_a_theorem_of_its_file(theorem):
    assert re.search(rf"\b(Theorem|Corollary|Lemma) {theorem.name}\b", code(FORMAL / theorem.file))
    assert theorem.says


def test_the_record_was_made_from_these_sources():
    assert json.loads(formal.RECORD.read_text())["sources"] == formal.digest(), "`make formal` writes it anew"
    assert set(formal.recorded()) == {one.qualified for one in theorems() if one.claim}


def test_a_record_of_other_sources_counts_for_nothing(monkeypatch):
    monkeypatch.setattr(formal, "digest", lambda: "other")
    assert formal.recorded.__wrapped__() == {}


def test_a_hole_would_be_found(tmp_path):
    planted = tmp_path / "Planted.v"
    planted.write_text("(** * Words (* and words *) Axiom *)\nLemma wrong : False. Proof. Admitted.\n")
    assert re.findall(r"\b(Admitted|Axiom)\b", code(planted)) == ["Admitted"]
