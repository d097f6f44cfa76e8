"""Change a proof anywhere: the checker must not raise, and must not accept what is false."""

import copy
import json
from contextlib import suppress
from fractions import Fraction

from check_build import (
    GENERAL,
    VECTORS,
    best_plan,
    best_word,
    histories,
    long_weighted,
    rehashed,
    total,
    weighted,
    windowed,
)
from documents import mutated, places
from hypothesis import given, settings
from hypothesis import strategies as st

from tallyplan.check import check
from tallyplan.check.problem import read_problem
from tallyplan.check.replay import total_of_runs
from tallyplan.check.verdict import Budget

SMALL = sorted(p for p in (VECTORS / "accepted").glob("*.json") if "jump" not in p.stem)
DOCUMENTS = {path.stem: json.loads(path.read_text()) for path in SMALL}


@st.composite
def mutations(draw):
    document = copy.deepcopy(DOCUMENTS[draw(st.sampled_from(sorted(DOCUMENTS)))])
    for _ in range(draw(st.integers(1, 2))):
        part = draw(st.sampled_from(["claim", "primal", "dual", "instance"]))
        paths = list(places(document[part], (part,)))
        *way, last = draw(st.sampled_from(paths or [(part,)]))
        place = document
        for step in way:
            place = place[step]
        place[last] = mutated(draw, place[last])
    return document


def optimum(document):
    """The true answer to the question, by brute force."""
    instance, claim = document["instance"], document["claim"]
    if claim["question"] == "horizon":
        return best_plan(instance, claim["horizon"], claim["start"])[0]
    if claim["question"] == "cyclic":
        return best_word(instance, [claim["period"]])[0]
    return best_word(instance, range(1, len(histories(instance)) + 1))[0]


@settings(max_examples=400, deadline=None)
@given(mutations())
def test_no_mutation_makes_the_checker_accept_a_false_claim(document):
    with suppress(TypeError, AttributeError, ValueError):  # no longer an object: the old hash will do
        document = rehashed(document)
    verdict = check(document, limit=10**6)
    assert verdict.status in ("accepted", "refused", "undecided")
    assert verdict.reason.endswith(".")
    if verdict:
        claim = document["claim"]
        best = optimum(document)
        assert Fraction(claim.get("lower", claim["value"])) <= best <= Fraction(claim["value"])
        assert "lower" in claim or Fraction(claim["value"]) == best


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([GENERAL, weighted(), long_weighted(), windowed()]),
    st.lists(st.integers(0, 1), max_size=4),
    st.lists(st.tuples(st.lists(st.integers(0, 1), min_size=1, max_size=5), st.integers(1, 9)), max_size=4),
)
def test_counting_repeats_once_gives_the_total_of_playing_them_all(instance, start, runs):
    _, problem = read_problem(instance, Budget(10**9))
    played = [a for word, repeats in runs for a in word * repeats]
    counted = total_of_runs(problem, start, runs, Budget(10**9))
    assert Fraction(counted, problem.denominator) == total(instance, start, played)


def test_floats_are_refused_wherever_they_are():
    document = copy.deepcopy(DOCUMENTS["horizon"])
    document["provenance"]["note"] = [{"seconds": 1.5}]
    assert "1.5" in check(document).reason


@settings(max_examples=200, deadline=None)
@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=5)
)
def test_no_value_in_place_of_a_part_makes_the_checker_raise(junk):
    for part in ("instance", "claim", "primal", "dual", "provenance", "format", "version"):
        assert not check({**DOCUMENTS["cyclic-stages"], part: junk})
