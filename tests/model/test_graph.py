"""Histories as integers, and the integer costs of all edges."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import bandits

from tallyplan import InvalidInput, TallyingBandit
from tallyplan.model.graph import StateGraph, to_networkx


def histories(bandit):
    return list(product(range(bandit.actions), repeat=bandit.memory - 1))


@given(bandits())
def test_codes_number_the_histories_in_lexicographic_order(bandit):
    graph = StateGraph(bandit)
    assert [graph.code(history) for history in histories(bandit)] == list(range(graph.states))
    assert [graph.history(code) for code in range(graph.states)] == histories(bandit)


@settings(max_examples=150)
@given(bandits(), st.data())
def test_window_costs_after_a_prefix_are_the_scaled_losses_of_their_windows(bandit, data):
    length = data.draw(st.integers(0, bandit.memory - 1))
    level = data.draw(st.integers(0, bandit.memory - 1 - length))
    prefix = tuple(data.draw(st.lists(st.integers(0, bandit.actions - 1), min_size=length, max_size=length)))
    graph = StateGraph(bandit)
    costs = graph.window_costs(prefix, level, object)
    assert 0 <= costs.min() <= costs.max() <= graph.highest_cost
    for code, middle in enumerate(product(range(bandit.actions), repeat=level)):
        for action in range(bandit.actions):
            expected = bandit.loss((*prefix, *middle, action))
            assert Fraction(int(costs[code, action]), bandit.denominator) == expected


@given(bandits())
def test_the_networkx_view_has_every_edge_with_its_loss(bandit):
    graph = to_networkx(bandit, short_histories=True)
    assert graph.number_of_nodes() == sum(bandit.actions**j for j in range(bandit.memory))
    assert graph.number_of_edges() == bandit.actions * graph.number_of_nodes()
    for history, following, action in graph.edges(keys=True):
        window = (*history, action)
        assert graph.edges[history, following, action]["loss"] == bandit.loss(window)
        assert following == window[max(0, len(window) - bandit.memory + 1) :]


def test_the_networkx_view_is_refused_for_large_graphs():
    with pytest.raises(InvalidInput, match="1000 nodes; an explicit one"):
        to_networkx(TallyingBandit([[0] * 4] * 10), limit=999)
