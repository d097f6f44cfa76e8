"""The documents of tests/vectors: proofs that must be accepted, and near misses that must not be."""

import json

import pytest
from check_build import VECTORS, accepted, refused

from tallyplan.check import check
from tallyplan.check.__main__ import main

ACCEPTED = sorted((VECTORS / "accepted").glob("*.json"))
MANIFEST = json.loads((VECTORS / "manifest.json").read_text())


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_proofs_are_accepted_as_files_and_as_objects(path, capsys):
    document = json.loads(path.read_text())
    assert check(path)
    assert check(document)
    assert check(document, instance=document["instance"]).status == "accepted"
    assert main([str(path)]) == 0
    assert capsys.readouterr().out.startswith("accepted: ")


@pytest.mark.parametrize("name", sorted(MANIFEST))
def test_near_misses_are_refused_for_the_right_reason(name, capsys):
    expected, path = MANIFEST[name], VECTORS / "refused" / name
    instance = VECTORS / expected["instance"] if "instance" in expected else None
    verdict = check(path, instance=instance)
    assert verdict.status == "refused"
    assert not verdict
    assert expected["reason"] in verdict.reason
    arguments = [str(path)] + (["--instance", str(instance)] if instance else [])
    assert main(arguments) == 1
    output = capsys.readouterr().out
    assert output.startswith("refused: ")
    assert output.count("\n") == 1


def test_the_manifest_lists_exactly_the_refused_documents():
    assert set(MANIFEST) == {path.name for path in (VECTORS / "refused").glob("*.json")}


@pytest.mark.thorough
def test_the_documents_are_those_of_the_brute_force_builder():
    docs = accepted()
    assert {path.stem: json.loads(path.read_text()) for path in ACCEPTED} == docs
    for name, (doc, *_) in refused(docs).items():
        body = (VECTORS / "refused" / f"{name}.json").read_text()
        assert body == doc if isinstance(doc, str) else json.loads(body) == doc


@pytest.mark.parametrize("name", sorted(name for name in MANIFEST if "instance" in MANIFEST[name]))
def test_a_proof_about_another_problem_is_fine_until_the_problem_is_given(name):
    assert check(VECTORS / "refused" / name)
