"""What is called a sentence of the paper is one: with its hypotheses and quantifiers, and none left out."""

import re

import pytest

import proofs_check
from proofs_check.claim import named
from proofs_check.steps import Verdict

proofs_check.claims()

# Sentences of the paper, and the hypotheses and quantifiers that belong to them.
SAID = {
    "proposition-1-lower": "K is larger than some numerical constant",
    "counterexample-2": "there is a constant c > 0 such that, for all m and T from some size on",
    "counterexample-2/steps": "Omega(2^m) timesteps",
    "counterexample-3/switches": "Theta(T) switches",
    "definition-1/rested": "a special case of the rested bandit",
    "introduction/oblivious": "the policy regret equals the traditional regret",
    "introduction/restricted": "CPR bounds that are sublinear in T and depend exponentially on m",
    "theorem-2": "There exist a tallying bandit problem and a constant c > 0",
    "theorem-2/near-optimal": "nearly minimax optimal",
}


@pytest.mark.parametrize("id", SAID)
def test_a_sentence_is_quoted_with_its_hypotheses(id):
    assert SAID[id] in named(id).statement


def test_what_is_ours_says_so():
    ours = {one.id for one in proofs_check.claims() if one.derive.__module__.startswith("proofs_check.ours")}
    marked = {
        one.id
        for one in proofs_check.claims()
        if re.search("not in the paper|ours", one.statement + one.where)
    }
    assert ours <= marked
    assert {
        *("theorem-1/domain", "theorem-1/sharpened", "theorem-1/vacuous"),
        *("theorem-2/repaired", "theorem-2/all-horizons"),
        *("lemma-3/lower-end", "lemma-3/attained"),
    } <= marked


def test_small_parameters_do_not_refute_what_is_said_of_large_ones(results):
    lower = results["proposition-1-lower"].outcome
    assert lower.verdict is Verdict.REFUTED
    assert [lower.witness.facts[name] for name in "KmT"] == [128, 1000, 1000]
    lock = results["counterexample-2"].outcome
    assert lock.verdict is Verdict.REFUTED
    assert lock.witness.facts == {"m": 2, "T": 1, "regret": 0}


def test_at_memory_two_a_rest_changes_the_next_tally(results):
    facts = results["definition-1/rested"].outcome.witness.facts
    assert facts["m"] == 2
