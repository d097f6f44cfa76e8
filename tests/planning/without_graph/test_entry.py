"""One entry point: which way "auto" goes, and that all ways agree."""

import pytest
from strategies import accepted, plan

import tallyplan as tp
from tallyplan.planning.mean_cycle import minimum_mean_cycle

PROVED = tp.make("congested", actions=2, memory=10, seed=1)
NOT_PROVED = tp.make("uniform", actions=2, memory=12, seed=10)
THREE = tp.make("uniform", actions=3, memory=5, seed=1)


def test_a_graph_of_usual_size_is_swept():
    for bandit in (PROVED, NOT_PROVED, THREE):
        assert swept(minimum_mean_cycle(bandit))


def test_before_a_large_graph_a_proof_without_it_is_tried():
    hard = tp.make("sparse", actions=2, memory=24, denominator=1000, seed=8)
    assert swept(minimum_mean_cycle(hard))
    assert not swept(minimum_mean_cycle(hard, gap="0.9"))
    for family in ("congested", "sparse"):
        bandit = tp.make(family, actions=2, memory=24, seed=1)
        answer = minimum_mean_cycle(bandit)
        assert not swept(answer)
        assert answer.value == cycle_value(bandit)


def test_without_room_for_the_graph_the_answer_is_an_interval():
    answer = minimum_mean_cycle(tp.make("uniform", actions=2, memory=50, denominator=1000, seed=10))
    assert not swept(answer)
    assert not answer.exact
    accepted(answer.bandit, answer.certificate)


def swept(answer):
    return "values" in answer.proof.to_json()


def cycle_value(bandit):
    return minimum_mean_cycle(bandit, method="graph").value


@pytest.mark.parametrize("method", ["auto", "graph", "two-arms", "bounds"])
def test_every_method_contains_the_same_optimum(method):
    answer = minimum_mean_cycle(NOT_PROVED, method=method)
    assert answer.lower <= cycle_value(NOT_PROVED) <= answer.upper
    assert answer.exact == (answer.lower == answer.upper)
    assert answer.proof.to_json()["rule"] == "potential"
    game = tp.optimal_plan(NOT_PROVED, 100, method=method)
    assert game.lower <= plan(NOT_PROVED, 100).value <= game.upper
    assert (game.proof.to_json()["rule"] == "recursion") == (method in ("auto", "graph"))


def test_two_arms_of_memory_29_need_no_graph_of_2_to_the_28():
    assert minimum_mean_cycle(tp.make("congested", actions=2, memory=29, seed=3)).exact


@pytest.mark.parametrize(
    ("family", "actions", "memory"), [("congested", 3, 400), ("uniform", 3, 8), ("uniform", 2, 30)]
)
def test_the_proof_is_told_in_words(family, actions, memory):
    bandit = tp.make(family, actions=actions, memory=memory, seed=3)
    answer = tp.minimum_mean_cycle(bandit, method="bounds")
    assert len(answer.proof.to_json()["slopes"]) == actions
    assert answer.argument
