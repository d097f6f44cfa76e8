"""The verdicts are the recorded ones, and what comes with them keeps the contract."""

import json
from graphlib import TopologicalSorter

import pytest

import proofs_check
from proofs_check import report
from proofs_check.claim import named
from proofs_check.proving import kept
from proofs_check.report import RECORDED, differences, expected, record_of, recorded
from proofs_check.steps import Step, Verdict, kinds

KEYS = ["id", "verdict", "because", "statement", "meaning", "domain", "witness", "tight", "repair"]
KEYS += ["evidence", "uses", "error"]


@pytest.mark.thorough
def test_larger_boxes_give_the_recorded_verdicts():
    assert differences(proofs_check.verify(thorough=True), thorough=True) == []


def test_statement_domain_verdict_constant_and_repair_are_the_recorded_ones(results):
    assert {id: record_of(result) for id, result in results.items()} == recorded()


@pytest.mark.parametrize("name", RECORDED)
def test_verify_says_what_differs_from_the_record(results, monkeypatch, name):
    was = recorded()
    was["lemma-3"] = was["lemma-3"] | {name: {"statement": "another", "verdict": "checked"}}
    monkeypatch.setattr(report, "recorded", lambda: was)
    sentence, *_ = differences(results.values())
    assert "lemma-3" in sentence
    assert "recorded" in sentence


def test_the_recorded_verdicts_are_in_order_so_that_changes_are_easy_to_read():
    assert list(expected()) == sorted(expected())


def test_json_has_exactly_the_keys_of_the_contract(results):
    for result in results.values():
        document = json.loads(json.dumps(result.to_json()))
        assert list(document) == KEYS
        assert document["verdict"].partition(" (")[0] in set(Verdict)
        assert document["verdict"] not in ("proved", "refuted")
        assert document["because"].endswith(".")
        assert document["domain"]
        assert document["evidence"]["method"]
        nothing_to_check = document["verdict"] == "undecided" and not result.claim.formulas
        assert document["evidence"]["cases"] > 0 or nothing_to_check


def test_a_witness_comes_with_a_refutation_and_only_then(results):
    for result in results.values():
        assert (result.outcome.witness is not None) == (result.outcome.verdict is Verdict.REFUTED)


def test_every_refuted_claim_is_repaired(results):
    refuted = [r.outcome for r in results.values() if r.outcome.verdict is Verdict.REFUTED]
    assert refuted
    assert all(outcome.repair for outcome in refuted)


def test_every_refuted_claim_says_of_which_kind_in_a_sentence(results):
    refuted = {id for id, one in results.items() if one.outcome.verdict is Verdict.REFUTED}
    assert refuted == set(kinds())
    assert {kind for kind, _ in kinds().values()} <= {"slip", "edge", "constant", "false"}
    for id in refuted:
        found = results[id].outcome
        assert (found.told, found.because) == (f"refuted ({kinds()[id][0]})", kinds()[id][1])


def test_every_claim_tells_what_is_stated_where_and_how_it_is_examined():
    for claim in proofs_check.claims():
        assert claim.statement.endswith(".")
        assert claim.where
        assert claim.method


def test_every_step_tells_what_was_given_and_what_followed(results):
    for result in results.values():
        for step in result.to_json()["evidence"]["steps"]:
            assert "remark" in step or step["then"] or step["argued"]


def test_a_proof_holds_no_link_in_words(results):
    proved = [result.outcome for result in results.values() if result.outcome.verdict is Verdict.PROVED]
    assert proved
    for outcome in proved:
        assert outcome.shown["stated"] is Verdict.PROVED
        steps = [step for step in outcome.evidence.steps if isinstance(step, Step)]
        assert steps
        weak = [name for name, verdict in outcome.shown.items() if verdict is not Verdict.PROVED]
        assert weak or not any(step.is_argued for step in steps)


def test_what_a_claim_uses_exists_and_never_comes_back_to_it():
    uses = {one.id: set(one.uses) for one in proofs_check.claims()}
    assert set().union(*uses.values()) <= set(uses)
    list(TopologicalSorter(uses).static_order())  # raises if there is a cycle


def test_no_verdict_is_stronger_than_those_it_rests_on(results):
    for result in results.values():
        if result.outcome.verdict is Verdict.PROVED and "Rocq" not in result.outcome.told:
            for id, name in used(result.claim):
                assert results[id].outcome.shown[name] is Verdict.PROVED


def used(claim):
    """What the kept proof of the claim's statement takes from other claims."""
    told = (kept(claim.id, "stated") or {"told": []})["told"]
    return [
        (id, name)
        for id in claim.uses
        for name in named(id).formulas
        if kept(id, name) and any(id in premises for _, _, premises in told)
    ]


def test_the_best_constants_were_found(results):
    assert results["lemma-2"].outcome.tight.statement.startswith("m <= sqrt(T) + 1")
    assert results["lemma-3"].outcome.tight.statement.startswith("(m - 1) * sqrt(T)")
    assert results["lemma-3/lower-end"].outcome.tight.statement.startswith("-(m - 1)")
    assert results["proposition-1-upper"].outcome.tight.statement.startswith("min(T - m, m * K - 1)")
    assert results["proposition-1-lower/optimum"].outcome.tight.statement.startswith(
        "OPT(T) == min(T, m - 1)"
    )
