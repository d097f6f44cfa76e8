"""The JSON schemas of docs/schemas: what they refuse is what the checker refuses for its shape."""

import copy
import json
from itertools import cycle
from pathlib import Path

import pytest
from check_build import VECTORS
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from tallyplan.check import check

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"
INSTANCE, CERTIFICATE = (
    json.loads((SCHEMAS / f"{name}.schema.json").read_text()) for name in ("instance", "certificate")
)
REGISTRY = Registry().with_resources(
    (schema["$id"], Resource.from_contents(schema)) for schema in (INSTANCE, CERTIFICATE)
)
VALIDATOR = Draft202012Validator(CERTIFICATE, registry=REGISTRY)
ACCEPTED = sorted(VECTORS.rglob("accepted/*.json"))
GRAPH = VECTORS / "graph" / "accepted" / "named.json"
SMALL = [
    GRAPH,
    *[path for path in ACCEPTED if path.stat().st_size < 2000 and "graph" not in path.parts][::8],
]
OF_SHAPE = ("unknown key", "missing key", "not an object", "not a list", "is not a string", "not above 0 for")
OTHERS = (None, -1, "2", [], {})


REFUSED_FOR_THEIR_SHAPE = [
    manifest.parent / "refused" / name
    for manifest in sorted(VECTORS.rglob("manifest.json"))
    for name, expected in sorted(json.loads(manifest.read_text()).items())
    if any(words in expected["reason"] for words in OF_SHAPE)
]


@pytest.mark.parametrize("schema", [INSTANCE, CERTIFICATE], ids=lambda schema: schema["$id"])
def test_the_schemas_are_schemas(schema):
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_what_the_checker_accepts_has_the_shape(path):
    VALIDATOR.validate(json.loads(path.read_text()))


@pytest.mark.parametrize("path", REFUSED_FOR_THEIR_SHAPE, ids=lambda path: path.stem)
def test_a_wrong_shape_is_refused_by_the_schema_too(path):
    assert not VALIDATOR.is_valid(json.loads(path.read_text()))


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_what_the_schema_refuses_the_checker_refuses(path):
    """Every place of the document in turn holds something else: of five things, one after the other."""
    document = json.loads(path.read_text())
    noticed = 0
    for place, other in zip(places(document), cycle(OTHERS), strict=False):
        changed = with_other(document, place, other)
        if not VALIDATOR.is_valid(changed):
            noticed += 1
            assert check(changed, limit=10**5).status != "accepted", (place, other)
    assert noticed > 5


def places(value, at=()):
    """The ways to everything inside; of long lists, the first two."""
    inside = (
        value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    )
    for key, part in inside:
        yield (*at, key)
        yield from places(part, (*at, key))


def with_other(document, place, other):
    changed = copy.deepcopy(document)
    holder = changed
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = other
    return changed
