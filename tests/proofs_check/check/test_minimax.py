"""Minimax certificates: no change makes a false value accepted (near misses: tests/check/test_vectors.py)."""

import copy
import json
from fractions import Fraction
from functools import cache

import pytest
from brute_force import rehashed
from documents import mutations
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check.bayes import minimax_regret
from tallyplan.check import check
from tallyplan.errors import TallyplanError


def solved(actions, memory, horizon, grid=1, **options):
    return json.loads(json.dumps(minimax_regret(actions, memory, horizon, grid=grid, **options).certificate))


@cache
def _honest():
    return solved(2, 3, 7)


@pytest.fixture
def honest():
    return copy.deepcopy(_honest())


def test_the_honest_one_is_accepted(honest):
    verdict = check(honest)
    assert verdict.reason == (
        "Proved: the minimax regret of 7 steps, K = 2, m = 3, losses in {0, 1}, is 17/10."
    )


def test_more_tables_or_work_than_the_limit_are_undecided(honest):
    assert check(honest, limit=1000).status == "undecided"
    assert check(honest, limit=20_000).status == "undecided"
    for size in ({"actions": 10**9, "memory": 10**9}, {"grid": 10**30}, {"actions": 10**4000}):
        assert check(rehashed(honest | {"game": honest["game"] | size})).status == "undecided"


@cache
def truth(*size, grid):
    return minimax_regret(*size, grid=grid).value


@settings(max_examples=400)
@given(st.deferred(lambda: mutations([_honest(), solved(2, 2, 3), solved(3, 1, 2)])))
def test_no_mutation_makes_the_checker_accept_a_false_value(document):
    verdict = check(document, limit=10**7)
    if verdict:
        game, claim = document["game"], document["claim"]
        try:
            value = truth(*(game[name] for name in ("actions", "memory", "horizon")), grid=game["grid"])
        except TallyplanError as error:  # pragma: no cover
            raise AssertionError("accepted, though the game makes no sense") from error
        assert Fraction(claim.get("lower", claim["value"])) <= value <= Fraction(claim["value"])
