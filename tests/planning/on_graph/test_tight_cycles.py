"""The cycle of tight edges: the same by the compiled search and in Python, and the one that is defined."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallyplan import TallyingBandit
from tallyplan.errors import InternalError
from tallyplan.model.graph import StateGraph
from tallyplan.planning.on_graph.sweeps import DenseSweeps
from tallyplan.planning.on_graph.tight_cycles import _first_cycle, _search

SIZES = [(1, 1), (1, 3), (2, 1), (3, 1), (2, 2), (2, 4), (3, 3), (2, 7)]


@st.composite
def questions(draw):
    """Few different costs and potentials, so that many edges are tight by chance."""
    actions, memory = draw(st.sampled_from(SIZES))
    entry = st.lists(st.integers(0, 2), min_size=memory, max_size=memory)
    rows = draw(st.lists(entry, min_size=actions, max_size=actions))
    graph = StateGraph(TallyingBandit([[f"{x}/2" for x in row] for row in rows]))
    sweeps = DenseSweeps(graph, np.int64, 2, draw(st.integers(0, 2)), compiled=True)
    potentials = np.random.default_rng(draw(st.integers(0, 999))).integers(-1, 2, graph.states)
    arrivals = graph.arrivals(potentials)[None]
    tight = sweeps.costs + arrivals == potentials.reshape(graph.dropped, graph.rests, 1)
    return sweeps, potentials, tight


def leads_on(graph, tight):
    """Which states lead on for ever, by removing those that do not until nothing changes."""
    alive = np.ones(graph.states, dtype=bool)
    for _ in range(graph.states):
        alive = (tight & graph.arrivals(alive)[None]).any(axis=2).reshape(-1)
    return alive


def defined(graph, tight):
    """From the least state that leads on for ever, by the least actions, until a state comes back."""
    alive = leads_on(graph, tight)
    state, met, word = int(alive.argmax()), [], []
    while state not in met:
        met.append(state)
        edges = tight.reshape(graph.states, graph.actions)[state]
        action = next(a for a in range(graph.actions) if edges[a] and alive[graph.successor(state, a)])
        word.append(action)
        state = graph.successor(state, action)
    return tuple(word[met.index(state) :])


@settings(max_examples=150, deadline=None)
@given(questions(), st.sampled_from([0, 1, 3, 10**6]))
def test_both_searches_find_the_cycle_that_is_defined_or_say_that_there_is_none(question, patience):
    sweeps, potentials, tight = question
    has_tight = tight.any(axis=2).reshape(-1)
    outcomes = set()
    for costs in (None, sweeps.compiled_costs()):
        try:
            outcomes.add(_search(sweeps, costs, potentials, has_tight, patience))
        except InternalError:
            outcomes.add("none")
    if not leads_on(sweeps.graph, tight).any():
        assert outcomes <= {"none", ()}
    else:
        assert outcomes <= {defined(sweeps.graph, tight), ()}
    assert () not in outcomes or patience < 10**6


@pytest.mark.parametrize("patience", [0, 1, 2])
def test_a_search_ends_once_more_states_are_given_up_than_there_is_patience_for(patience):
    """Every edge that leaves a state with last action 1 is tight, and none else: walks end in 0."""
    graph = StateGraph(TallyingBandit([["1"] * 4, ["1"] * 4]))
    sweeps = DenseSweeps(graph, np.int64, compiled=True)
    potentials = np.array([0, 1] * 4)
    word, given_up = _first_cycle(sweeps, potentials, potentials > 0, patience)
    assert word == ()
    assert given_up > patience
    assert _search(sweeps, sweeps.compiled_costs(), potentials, potentials > 0, patience) == ()
