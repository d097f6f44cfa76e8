"""The verdicts are the recorded ones, and what comes with them keeps the contract."""

import json

import pytest

import proofs_check
from proofs_check.report import differences, expected
from proofs_check.steps import Verdict

KEYS = ["id", "verdict", "statement", "domain", "witness", "tight", "repair", "evidence"]


@pytest.mark.thorough
def test_larger_boxes_give_the_recorded_verdicts():
    assert differences(proofs_check.verify(thorough=True)) == []


def test_every_verdict_is_the_recorded_one(results):
    assert {id: str(result.outcome.verdict) for id, result in results.items()} == expected()


def test_the_recorded_verdicts_are_in_order_so_that_changes_are_easy_to_read():
    assert list(expected()) == sorted(expected())


def test_every_claim_has_a_recorded_verdict_and_nothing_else_has():
    assert {claim.id for claim in proofs_check.claims()} == set(expected())


def test_json_has_exactly_the_keys_of_the_contract(results):
    for result in results.values():
        document = json.loads(json.dumps(result.to_json()))
        assert list(document) == KEYS
        assert document["verdict"] in {"proved", "checked", "refuted", "undecided"}
        assert document["domain"]
        assert document["evidence"]["method"]
        assert document["evidence"]["cases"] > 0


def test_a_witness_comes_with_a_refutation_and_only_then(results):
    for result in results.values():
        assert (result.outcome.witness is not None) == (result.outcome.verdict is Verdict.REFUTED)


def test_every_refuted_claim_is_repaired(results):
    refuted = [r.outcome for r in results.values() if r.outcome.verdict is Verdict.REFUTED]
    assert refuted
    assert all(outcome.repair for outcome in refuted)


def test_every_claim_tells_what_is_stated_where_and_how_it_is_examined():
    for claim in proofs_check.claims():
        assert claim.statement.endswith(".")
        assert claim.where
        assert claim.method


def test_the_printed_bound_is_the_evaluated_one():
    from proofs_check.bounds import LEMMA_3, PROPOSITION_1

    statements = {claim.id: claim.statement for claim in proofs_check.claims()}
    assert str(LEMMA_3) in statements["lemma-3"]
    assert str(PROPOSITION_1) in statements["proposition-1-upper"]


def test_the_best_constants_were_found(results):
    assert results["lemma-2"].outcome.tight.statement.startswith("m <= sqrt(T) + 1")
    assert results["lemma-3"].outcome.tight.statement.startswith("(m - 1) * sqrt(T)")
    assert results["lemma-3/lower-end"].outcome.tight.statement.startswith("-(m - 1)")
    assert results["proposition-1-upper"].outcome.tight.statement.startswith("min(T - m, m * K - 1)")
    assert results["proposition-1-upper/last-step"].outcome.tight.statement.startswith("m <= K")
    assert results["proposition-1-lower/optimum"].outcome.tight.statement.startswith("OPT_T = min(T, m - 1)")
