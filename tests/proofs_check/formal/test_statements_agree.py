"""Where a claim is not printed for Rocq: both say the same, at random parameters."""

import ast
from dataclasses import replace

import mutants
import pytest

import proofs_check
from proofs_check.formal import recorded
from proofs_check.formal import theorems as formal
from tallyplan.formula import Formula

CLAIMS = {claim.id: claim for claim in proofs_check.claims()}
PROVED = sorted({one.claim for one in recorded.theorems() if one.claim and one.compared})
UNSEEN = {  # the bound is not rational where it is evaluated
    "theorem-1/domain: stated: loss - OPT < bound",
    "theorem-1/domain: stated: loss + OPT <= bound",
}


@pytest.fixture(scope="module")
def compared(compiled):
    """All comparisons by claim, with the values in Rocq."""
    found = formal.compared(compiled)
    return {id: [one for one in found if one.comparison.claim == id] for id in CLAIMS}


def test_every_headline_names_a_claim_or_is_ours():
    assert {one.claim for one in recorded.theorems()} - {None} <= set(CLAIMS)
    assert {one.claim for one in formal.comparisons()} <= set(CLAIMS)


@pytest.mark.parametrize("id", PROVED)
def test_all_that_a_proved_claim_prints_is_compared(id):
    claim = CLAIMS[id]
    assert formal.not_compared(claim) == set()
    more = replace(claim, assuming=(*claim.assuming, "the moon is full"))
    assert formal.not_compared(more) == {"the moon is full"}
    if claim.assuming:
        assert formal.not_compared(replace(claim, assuming=())) == set(claim.assuming)


@pytest.mark.parametrize("id", PROVED)
def test_a_hypothesis_in_words_is_a_premise_of_the_theorem(id):
    stated = [one for one in recorded.theorems() if one.claim == id and one.file.endswith("Statements.v")]
    text = "".join((recorded.FOLDER / one.file).read_text() for one in stated)
    assert stated
    assert all(premise in text for premise in formal.premises(id).values())


def test_formulas_and_functions_agree(compared):
    assert [id for id, found in compared.items() for one in found if not one.agrees(CLAIMS[id])] == []


def changes(text):
    """The texts that differ from a formula in one number, one relation or one operator."""
    tree = ast.parse(text, mode="eval")
    for node in ast.walk(tree):
        for field, value in mutants.changes(node) if not isinstance(node, ast.UnaryOp) else ():
            before = getattr(node, field)
            setattr(node, field, value)
            yield Formula(ast.unparse(tree)).canonical
            setattr(node, field, before)


def printed(claim):
    """The names of the formulas that the claim prints, those inside them included."""
    names, known = {*claim.domain, *(n for n in claim.formulas if f"{{{n}}}" in claim.words)}, set()
    while names - known:
        known |= names
        names |= {one for name in names for one in Formula(claim.texts[name]).names if one in claim.texts}
    return names


@pytest.mark.parametrize("id", PROVED)
def test_a_changed_statement_is_noticed(id, compared):
    """Every number, relation and operator in it is changed, and every hypothesis left out."""
    claim = CLAIMS[id]
    changed = [
        (name, text)
        for name in printed(claim)
        for text in [*changes(claim.texts[name]), *(["0 == 0"] if name in claim.domain else [])]
    ]
    unseen = [
        f"{id}: {name}: {text}"
        for name, text in changed
        if all(found.agrees(claim.having(name, text)) for found in compared[id])
    ]
    assert changed
    assert set(unseen) <= UNSEEN


@pytest.mark.parametrize("id", PROVED)
def test_a_missing_hypothesis_is_noticed(id, compared):
    claim = CLAIMS[id]
    for name in (one for one in claim.domain if f"{{{one}}}" not in claim.words):
        fewer = {one: text for one, text in claim.domain.items() if one != name}
        assert not all(one.agrees(replace(claim, domain=fewer)) for one in compared[id])


def test_every_theorem_rests_on_its_axioms_alone(compiled):
    """Closed under the global context, unless the headline lists the axioms."""
    for allowed in {one.axioms for one in recorded.theorems()}:
        chosen = [one for one in recorded.theorems() if one.axioms == allowed]
        assert set(formal.axioms_of(chosen, compiled)) <= set(allowed)
