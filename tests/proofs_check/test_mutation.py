"""A formula that could be another without anybody noticing is printed, not checked."""

import pytest

import proofs_check
from proofs_check import mutate
from proofs_check.claim import named
from proofs_check.mutate import Mutant, changes, examine, mutants_of, survivors

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
