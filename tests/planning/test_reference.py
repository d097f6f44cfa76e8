"""The planner in plain Python, held against listing everything and against the compiled planner."""

from fractions import Fraction

import exhaustive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import bandits, cycle, cyclic, plan, starts

from tallyplan.core.library import NoAnswerError
from tallyplan.model.graph import StateGraph
from tallyplan.model.replay import history_of, loss_of_runs, mean_of_word
from tallyplan.model.words import least_rotation
from tallyplan.planning import reference, reference_layers
from tallyplan.planning.state_graph import node_of


def planned(bandit, horizon, start):
    """(value, runs) of an optimal plan."""
    node = node_of(bandit, history_of(bandit, start))
    found = reference_layers.plan(reference.all_histories(bandit), node, horizon)
    return Fraction(found.cost, bandit.denominator), [run for run in found.runs if run[0] and run[1]]


@given(bandits())
def test_cycles_are_those_of_the_planner_with_the_same_word_and_potentials(bandit):
    found, answer = reference.minimum_mean_cycle(reference.histories(bandit)), cycle(bandit)
    mean = Fraction(found.mean, found.scale * bandit.denominator)
    assert (mean, least_rotation(found.word)) == (answer.value, answer.word)
    assert found.potentials.tolist() == answer.proof.to_json()["values"]
    assert mean == exhaustive.karp(bandit)


@given(bandits())
def test_ways_to_the_cycle_are_the_values_of_the_long_run(bandit):
    graph, answer = reference.histories(bandit), cycle(bandit)
    root = StateGraph(bandit).state_of_word(answer.word)
    found = reference.minimum_mean_cycle(graph)
    scale, phi = found.scale * bandit.denominator, found.potentials.tolist()
    home = reference.ways_home(graph.reduced(Fraction(found.mean, found.scale), phi), root)
    for state, before in enumerate(phi):
        value = answer.policy.value(StateGraph(bandit).history(state))
        assert value == Fraction(home[state] + before - phi[root], scale)


@given(bandits(), st.sampled_from([0, 1, 2, 7, 40, 10**6 + 3, 10**40 + 7]))
def test_plans_lose_what_the_planner_says(bandit, horizon):
    for start in starts(bandit):
        value, runs = planned(bandit, horizon, start)
        assert value == plan(bandit, horizon, start).value
        assert sum(len(word) * repeats for word, repeats in runs) == horizon
        assert loss_of_runs(bandit, runs, history_of(bandit, start)) == value


@given(bandits())
def test_layers_of_any_time_are_those_of_the_recursion(bandit):
    layers = reference_layers.Layers(reference.all_histories(bandit), 10**9)
    for history in starts(bandit):
        node = node_of(bandit, history_of(bandit, history))
        values = [Fraction(layers.cost((node,), steps), bandit.denominator) for steps in range(12)]
        assert values == exhaustive.optimal_values(bandit, 11, history)


@settings(max_examples=30)
@given(bandits(), st.integers(1, 9) | st.sampled_from([31, 1000]))
def test_closed_walks_are_as_good_as_those_of_the_planner(bandit, period):
    graph, best = reference.histories(bandit), cyclic(bandit, period).value * period * bandit.denominator
    least = reference.minimum_mean_cycle(graph)
    found = reference.best_closed_walk(graph, period, least, period * (bandit.denominator + 1))
    [(word, _)] = found.runs
    assert mean_of_word(bandit, word) * period * bandit.denominator == found.cost == best
    assert reference.best_closed_walk(graph, period, least, found.cost).runs == []


def test_a_graph_without_a_cycle_has_no_least_mean():
    edge = reference.Edge
    for edges in ([[edge(0, 1, 5)], []], []):
        with pytest.raises(NoAnswerError):
            reference.minimum_mean_cycle(reference.Graph(edges))
    assert reference.minimum_mean_cycle(reference.Graph([[edge(0, 0, -5)]])).mean == -5
