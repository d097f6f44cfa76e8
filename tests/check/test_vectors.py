"""The documents of tests/vectors: proofs that must be accepted, and near misses that must not be.

What the checker charges for those that it accepts is in `charges.json`, which
`PYTHONPATH=tests python tests/check/test_vectors.py` writes anew.
"""

import json
from pathlib import Path

import pytest
from brute_force import VECTORS
from jsonschema import Draft202012Validator

from tallyplan.check import check
from tallyplan.check.__main__ import main
from tallyplan.check.certificate import _proved
from tallyplan.check.reading import Meter

SCHEMA = Path(__file__).parents[2] / "docs" / "schemas" / "instance.schema.json"
CHARGES = VECTORS / "charges.json"
FOLDERS = [VECTORS, *(VECTORS / name for name in ("arms", "minimax", "worst-case"))]
ACCEPTED = [path for folder in FOLDERS for path in sorted((folder / "accepted").glob("*.json"))]
REFUSED = {
    folder / "refused" / name: expected
    for folder in FOLDERS
    for name, expected in json.loads((folder / "manifest.json").read_text()).items()
}


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_proofs_are_accepted_as_files_and_as_objects(path, capsys):
    document = json.loads(path.read_text())
    mine = document.get("instance", document.get("graph"))
    assert check(path)
    assert check(document, instance=mine).status == "accepted"
    assert main([str(path)]) == 0
    assert capsys.readouterr().out.startswith("accepted: ")


class Counting(Meter):
    """Counts the entries of tables too."""

    entries = 0

    def fit(self, entries):
        self.entries += self.width * entries
        super().fit(entries)


def charged(path):
    """The steps, and the entries of tables, that a proof is charged for, and the bits of its numbers."""
    meter = Counting(10**9)
    _proved(path, None, meter)
    return [meter.limit - meter.steps, meter.entries, meter.bits]


def charges():
    return {str(path.relative_to(VECTORS)): charged(path) for path in ACCEPTED}


def test_what_a_proof_is_charged_for_is_as_recorded():
    """A charge that is lost, or counts another thing, shows itself here; bombs notice only the large ones."""
    assert charges() == json.loads(CHARGES.read_text())


@pytest.mark.parametrize("path", REFUSED, ids=lambda path: path.stem)
def test_near_misses_are_refused_for_the_right_reason(path, capsys):
    expected, arguments = REFUSED[path], [str(path)]
    if "instance" in expected:
        assert check(path)  # fine until the problem is given
        arguments += ["--instance", str(VECTORS / expected["instance"])]
    assert main(arguments) == 1
    output = capsys.readouterr().out
    assert output.startswith("refused: ")
    assert expected["reason"] in output
    assert output.count("\n") == 1


def test_the_manifests_list_exactly_the_refused_documents():
    assert set(REFUSED) == {path for folder in FOLDERS for path in (folder / "refused").glob("*.json")}


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("critical", "exactly 4 edges lie on cycles of the least mean weight, 1/4"),
        ("critical-ratio", "exactly 4 edges lie on cycles of the least ratio of weight to time, 1/6"),
        ("none-of-steps", "the arms forbid every play; there is no total loss of 2 steps"),
    ],
)
def test_a_verdict_says_what_was_proved(name, sentence):
    assert check(VECTORS / "arms" / "accepted" / f"{name}.json").reason == f"Proved: {sentence}."


def test_every_instance_that_is_read_has_the_shape_of_the_schema():
    schema = json.loads(SCHEMA.read_text())
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    documents = [json.loads(path.read_text()) for path in VECTORS.rglob("accepted/*.json")]
    for instance in [document["instance"] for document in documents if "instance" in document]:
        validator.validate(instance)
        assert not validator.is_valid(instance | {"memory": 0})
        assert not validator.is_valid(instance | {"remark": 1})


if __name__ == "__main__":
    rows = (f'"{name}": {counts}' for name, counts in charges().items())
    CHARGES.write_text("{\n" + ",\n".join(rows) + "\n}\n")
