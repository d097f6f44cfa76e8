"""Change a proof anywhere: the checker must not raise, and must not accept what is false."""

import copy
import json
import random
from fractions import Fraction
from functools import cache

import pytest
from brute_force import (
    VECTORS,
    best_cycle,
    best_of_arms,
    best_plan,
    best_ratio,
    best_word,
    rehashed,
    size,
    text,
)
from documents import about, at, mutations, places
from hypothesis import given, settings
from hypothesis import strategies as st

from tallyplan.check import check

DOCUMENTS = {
    path.stem: json.loads(path.read_text())
    for folder in ("accepted", "arms/accepted")
    for path in sorted((VECTORS / folder).glob("*.json"))
}


def is_small(document):
    """Whether brute force finds the answer."""
    if "graph" in document or "arms" in document["instance"]:
        return document["claim"].get("horizon", 0) <= 2000
    K, m = size(document["instance"])
    claim, most = document["claim"], 2000 if document["dual"].get("jumps") else 40
    return K ** (m - 1) <= 16 and claim.get("horizon", 0) <= most and K ** claim.get("period", 0) <= 3000


SMALL = {name: document for name, document in DOCUMENTS.items() if is_small(document)}


@cache
def _optimum(about, claim):
    """The true answer to the question, by brute force; None if there is none."""
    about, claim = json.loads(about), json.loads(claim)
    if "tails" in about:
        return best_ratio(about, claim)
    if "arms" in about:
        return best_of_arms(about, claim)
    if claim["question"] == "horizon":
        return best_plan(about, claim["horizon"], claim["start"])[0]
    if claim["question"] == "cyclic":
        return best_word(about, [claim["period"]])[0]
    return best_cycle(about, ())[0]


def true(document):
    claim = {key: part for key, part in document["claim"].items() if key not in ("value", "lower")}
    best = _optimum(json.dumps(document[about(document)]), json.dumps(claim))
    value = document["claim"]["value"]
    if value is None or best is None:
        return value == best
    if claim["question"] == "negative-cycle":
        return best <= Fraction(value) < 0
    return Fraction(document["claim"].get("lower", value)) <= best <= Fraction(value)


@settings(max_examples=400, deadline=None)
@given(mutations(SMALL))
def test_no_mutation_makes_the_checker_accept_a_false_claim(document):
    verdict = check(document, limit=10**6)
    assert verdict.status in ("accepted", "refused", "undecided")
    assert verdict.reason.endswith(".")
    assert not verdict or true(document)


def nudged(rng, value):
    """A rational or an integer next to this one, or another action."""
    if type(value) is int:
        return value + rng.choice([-1, 1])
    hair = Fraction(rng.choice([-1, 1]), rng.choice([10**9, 10**9, 12, 2]))
    return text(Fraction(value) + hair)


def changed(rng, document):
    """One to three numbers of the claim, the proof or the instance, each by a little; the hash follows."""
    document = copy.deepcopy(document)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        part = rng.choice(["claim", "claim", "primal", "dual", about(document)])
        numbers = [
            way
            for way in places(document[part], (part,))
            if type(value := at(document, way)) is int or (type(value) is str and "/" in value)
        ]
        if numbers:
            *way, last = rng.choice(numbers)
            at(document, way)[last] = nudged(rng, at(document, way)[last])
    return rehashed(document)


@pytest.mark.parametrize(("seed", "count"), [(1, 1500), pytest.param(2, 30_000, marks=pytest.mark.thorough)])
def test_no_small_change_of_numbers_makes_a_false_claim_accepted(seed, count):
    """Values by 10^-9, words, jumps, roots, horizons by one, instance and hash together."""
    rng, names, accepted = random.Random(seed), sorted(SMALL), 0
    for _ in range(count):
        document = changed(rng, SMALL[rng.choice(names)])
        if check(document, limit=10**7):
            accepted += 1
            assert true(document), document
    assert accepted > count / 50  # some changes leave a proof true, and then it is taken


@settings(max_examples=200, deadline=None)
@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=5)
)
def test_no_value_in_place_of_a_part_makes_the_checker_raise(junk):
    for part in ("instance", "claim", "primal", "dual", "provenance", "format", "version"):
        assert not check({**DOCUMENTS["cyclic-stages"], part: junk})
