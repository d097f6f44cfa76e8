"""A formula that could be another without anybody noticing is printed, not checked."""

import pytest

import proofs_check
from proofs_check import claim, mutate
from proofs_check.claim import named
from proofs_check.mutate import Mutant, changes, examine, mutants_of, survivors
from tallyplan.errors import InternalError

proofs_check.claims()

# False variants that once were called proved: the claim, the formula, what it was changed to.


# What a claim quotes is what the other one shows: weaken it, and what rests on it falls.


# A best constant that is not the best: not called tight, or no longer called shown.


def test_every_integer_and_relation_is_changed():
    assert set(changes("2 * x <= 3")) == {
        *("2 * x < 3", "2 * x >= 3", "3 * x <= 3", "1 * x <= 3", "4 * x <= 3"),
        *("2 * x <= 4", "2 * x <= 2", "2 * x <= 6"),
    }
    assert any(mutant.text == mutate.ALWAYS for mutant in mutants_of(named("lemma-3")))


def test_a_consequence_is_told_from_a_falsehood():
    one, shown = named("lemma-3"), ["stated", "sharp"]

    def follows(name, text):
        return mutate.follows(one, one.having(name, text), shown)

    assert follows("bound", "(m + 2) * sqrt(T)")
    assert follows("bound", "m * sqrt(T)")  # from the sharper bound
    assert not follows("bound", "(m - 2) * sqrt(T)")
    assert not mutate.follows(one, one.having("bound", "m * sqrt(T)"), ["stated"])
    assert follows("memory", "m >= 2")
    assert not follows("memory", "m >= 0")
    assert not mutate.follows(one, one.having("sharper", "m * sqrt(T)"), ["stated"])  # no part of it


def test_a_sample_of_mutants_is_caught(results):
    claims = [named(id) for id in ("lemma-3/large-memory", "algorithm-1/schedule", "lemma-4/log-t")]
    assert [
        one.mutant.key for one in examine(claims, sample=12, known=results) if one.fate == "survives"
    ] == []


def test_nothing_is_said_of_mutants_if_the_claim_itself_is_not_as_recorded(monkeypatch):
    one = named("lemma-3/large-memory")
    monkeypatch.setitem(claim._REGISTRY, one.id, one.having("bound", "(m - 2) * L"))
    with pytest.raises(InternalError, match="before any change, lemma-3/large-memory is undecided"):
        list(examine([named(one.id)], sample=1))


def test_every_explanation_is_of_a_mutant():
    keys = {mutant.key for one in proofs_check.claims() for mutant in mutants_of(one)}
    assert set(survivors()) <= keys
    assert all(len(reason) > 20 for reason in survivors().values())


@pytest.mark.thorough
def test_every_mutant_is_caught_follows_or_is_explained(results):
    found = examine(proofs_check.claims(), known=results)
    assert [one.mutant.key for one in found if one.fate == "survives"] == []


@pytest.mark.thorough
def test_an_explanation_that_is_not_needed_is_taken_out(monkeypatch, results):
    monkeypatch.setattr(mutate, "survivors", dict)
    bench = mutate.Bench(known=results)
    for key in survivors():
        id, name, text = key.split(": ", 2)
        mutant = Mutant(named(id), name, mutate.ALWAYS if text == "left out" else text)
        assert bench.finding(mutant).fate == "survives"
