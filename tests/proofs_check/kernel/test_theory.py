"""Every schema of the theory is true of concrete tables and plays, and every text means what is printed."""

import random

import pytest

from proofs_check.kernel.rules import free
from proofs_check.theory.evaluate import THEORY
from proofs_check.theory.models import small_model, verdict
from proofs_check.theory.schemas import LANGUAGE, SCHEMAS, SYMBOLS

MODELS = 500  # a changed axiom of planted.toml is false within 235
DETERMINED = 100  # models, at least, in which the hypotheses hold; twice as many are enough


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_holds_for_every_table_and_play(name):
    hypotheses, conclusion = SCHEMAS[name]
    rng = random.Random(name)
    names = free([*hypotheses, conclusion])
    found = []
    while len(found) < MODELS and found.count(True) < 2 * DETERMINED:
        found.append(verdict(hypotheses, conclusion, small_model(names, rng)))
    assert False not in found
    assert found.count(True) >= (DETERMINED if names else 1)


def test_every_symbol_has_a_value():
    assert set(THEORY) == {one.name for one in SYMBOLS}


@pytest.mark.parametrize("name", SCHEMAS)
def test_what_is_printed_can_be_read_back(name):
    hypotheses, conclusion = SCHEMAS[name]
    for one in (*hypotheses, conclusion):
        assert LANGUAGE.read(LANGUAGE.write(one)) is one


@pytest.mark.parametrize(
    "text", ["lambda x: sum(f(s) for s in between(1, x))", "lambda x: count(a, 2, x)", "a"]
)
def test_a_function_that_is_printed_can_be_read_back(text):
    one = LANGUAGE.function(text, 1)
    assert LANGUAGE.function(LANGUAGE.write(one), 1) is one
