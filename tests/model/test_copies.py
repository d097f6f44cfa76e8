"""Instances and answers are values: they pickle, copy, compare and hash."""

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from strategies import bandits

import tallyplan as tp
from tallyplan.games.game import simulate
from tallyplan.games.registry import find
from tallyplan.games.regret import regrets
from tallyplan.games.trials import Setup, play_repeatedly
from tallyplan.model.instance import from_json

SMALL = tp.make("uniform", actions=2, memory=3, seed=1)
LARGE = tp.make("uniform", actions=2, memory=30, seed=9)  # planned without the graph: an interval
PEAKED = tp.make("single-peaked", actions=2, memory=10, seed=1)

VALUES: dict[str, Callable[[], Any]] = {
    "plan": lambda: tp.optimal_plan(SMALL, 10**6, [0]),
    "interval for a plan": lambda: tp.optimal_plan(LARGE, 10**4, method="bounds"),
    "cycle": lambda: tp.minimum_mean_cycle(SMALL),
    "interval for a cycle": lambda: tp.minimum_mean_cycle(LARGE, method="two-arms"),
    "cyclic policy": lambda: tp.optimal_cyclic_policy(SMALL, 7),
    "interval for a cyclic policy": lambda: tp.optimal_cyclic_policy(PEAKED, 1009, time_limit=0),
    "policy of a horizon": lambda: tp.optimal_plan(SMALL, 10**6).policy,
    "policy of the long run": lambda: tp.minimum_mean_cycle(SMALL).policy,
    "single-run word": lambda: tp.best_single_run_word(SMALL),
    "verdict": lambda: tp.check(tp.minimum_mean_cycle(SMALL).certificate),
    "regrets": lambda: regrets(SMALL, [0, 1, 1], start=[0]),
    "game": lambda: simulate(SMALL, find("round-robin").build(SMALL, None), 50),
    "summary": lambda: play_repeatedly(SMALL, Setup("round-robin", 50), 2),
}


@pytest.mark.parametrize("kind", VALUES)
def test_answers_pickle_copy_compare_and_hash(kind):
    value = VALUES[kind]()
    if hasattr(value, "certificate"):
        assert value.certificate  # also when it has been built
    for other in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value), VALUES[kind]()):
        assert other == value
        assert hash(other) == hash(value)
        assert type(other) is type(value)
        if hasattr(value, "certificate"):
            assert json.dumps(other.certificate) == json.dumps(value.certificate)


@given(bandits())
def test_instances_pickle_copy_compare_hash_and_come_back_from_json(bandit):
    document = bandit.to_json()
    again = from_json(json.loads(json.dumps(document)))
    assert from_json({key: part for key, part in document.items() if key != "memory"}) == bandit
    for other in (again, pickle.loads(pickle.dumps(bandit)), copy.copy(bandit), copy.deepcopy(bandit)):
        assert other == bandit
        assert type(other) is type(bandit)
        assert (hash(other), other.name, other.sha256()) == (hash(bandit), bandit.name, bandit.sha256())
        assert other.to_json() == document
    certificate = tp.minimum_mean_cycle(bandit).certificate
    assert tp.check(certificate, instance=bandit)
    assert tp.check(certificate, instance=document)
    other = tp.TallyingBandit([["1/97"] * (bandit.memory + 1)] * bandit.actions)
    assert tp.check(certificate, instance=other).status == "refused"
