"""What the formal proofs may not contain, and what each file must say. Needs no Rocq."""

import re
from pathlib import Path

import pytest

FORMAL = Path(__file__).parents[3] / "proofs_check" / "formal"
FILES = sorted(FORMAL.glob("*.v"))
HEADLINES = [
    line.split(maxsplit=2)
    for line in (FORMAL / "headline.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


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


@pytest.mark.parametrize(("file", "name", "words"), HEADLINES, ids=lambda value: value)
def test_every_headline_is_a_theorem_of_its_file(file, name, words):
    assert re.search(rf"\b(Theorem|Corollary|Lemma) {name}\b", code(FORMAL / f"{file}.v"))
    assert words


def test_a_hole_would_be_found(tmp_path):
    planted = tmp_path / "Planted.v"
    planted.write_text("(** * Words (* and words *) Axiom *)\nLemma wrong : False. Proof. Admitted.\n")
    assert re.findall(r"\b(Admitted|Axiom)\b", code(planted)) == ["Admitted"]
