"""The verdicts are the recorded ones, and what comes with them keeps the contract."""

import json
import re
from graphlib import TopologicalSorter

import pytest

import proofs_check
from proofs_check import report
from proofs_check.__main__ import main
from proofs_check.claim import named
from proofs_check.formal.gallina import statements
from proofs_check.outcome import SHOWN, Step, Verdict, kinds
from proofs_check.proving import kept
from proofs_check.report import RECORDED, differences, record_of, recorded

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


def test_an_unknown_claim_cannot_be_recorded(capsys):
    with pytest.raises(SystemExit) as ending:
        main(["lema-3", "--record"])
    assert ending.value.code == 2
    assert "did you mean 'lemma-3'?" in capsys.readouterr().err


def test_json_keeps_the_contract(results):
    for result in results.values():
        document = json.loads(json.dumps(result.to_json()))
        evidence = document["evidence"]
        assert list(document) == KEYS
        assert document["verdict"].partition(" (")[0] in set(Verdict)
        assert document["verdict"] not in ("proved", "refuted")
        assert document["because"].endswith(".")
        assert document["domain"]
        assert evidence["method"]
        nothing_to_check = document["verdict"] == "undecided" and not result.claim.formulas
        assert evidence["cases"] > 0 or nothing_to_check
        assert all("remark" in step or step["then"] or step["argued"] for step in evidence["steps"])


def test_a_refutation_and_nothing_else_has_a_witness_a_repair_that_is_shown_and_a_kind(results):
    found = {id: one.outcome for id, one in results.items()}
    assert {id for id in found if found[id].verdict is Verdict.REFUTED} == set(kinds()) != set()
    assert {kind for kind, _ in kinds().values()} <= {"slip", "edge", "constant", "false"}
    for id, outcome in found.items():
        assert (outcome.witness is not None) == (id in kinds())
        if id in kinds():
            assert outcome.repair.verdict in SHOWN
            assert (outcome.told, outcome.because) == (f"refuted ({kinds()[id][0]})", kinds()[id][1])


def test_what_is_proved_fails_in_no_small_case(results):
    proved = [one.claim for one in results.values() if one.outcome.verdict is Verdict.PROVED]
    for claim in proved:
        if claim.id in statements():
            continue  # its formula is in words; Rocq proves what it says in Gallina
        assert claim.closed("stated").contradicted(claim.model, tries=40) is None, claim.id
    assert len(proved) > 50


def test_every_claim_tells_what_is_stated_where_and_how_it_is_examined():
    for claim in proofs_check.claims():
        assert claim.statement.endswith(".")
        assert claim.where
        assert claim.method


def test_what_is_ours_says_so():
    for claim in proofs_check.claims():
        if claim.derive.__module__.startswith("proofs_check.ours"):
            assert re.search("not in the paper|ours", claim.statement + claim.where)


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
