"""The JSON schema of instances: every instance that the checker reads has its shape."""

import json
from pathlib import Path

import pytest
from brute_force import VECTORS
from jsonschema import Draft202012Validator

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "schemas" / "instance.schema.json").read_text())
VALIDATOR = Draft202012Validator(SCHEMA)


def test_the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", sorted(VECTORS.rglob("accepted/*.json")), ids=lambda path: path.stem)
def test_what_the_checker_accepts_has_the_shape(path):
    document = json.loads(path.read_text())
    if "instance" in document:
        VALIDATOR.validate(document["instance"])
        assert not VALIDATOR.is_valid(document["instance"] | {"memory": 0})
        assert not VALIDATOR.is_valid(document["instance"] | {"remark": 1})
