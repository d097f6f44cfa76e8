"""Closed walks through a root: numpy against compiled loops, and both against every walk there is."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallyplan import make
from tallyplan.model.graph import StateGraph
from tallyplan.model.words import expand
from tallyplan.planning.on_graph import closed_walks as closed_walks_module
from tallyplan.planning.on_graph.closed_walks import Room, Table, Tables
from tallyplan.planning.on_graph.kernels import closed_walks as loops
from tallyplan.planning.on_graph.root_search import cycles_of
from tallyplan.planning.on_graph.sweeps import DenseSweeps, no_parents

NEVER = 2**61
SIZES = [(2, 2), (2, 3), (3, 2), (2, 5), (3, 3), (5, 2)]


def graph_of(actions, memory):
    return StateGraph(make("uniform", actions=actions, memory=memory, seed=1))


@st.composite
def rooms(draw):
    """Reduced costs with many ties and some edges gone, for numpy and for compiled loops."""
    graph = graph_of(*draw(st.sampled_from(SIZES)))
    random = np.random.default_rng(draw(st.integers(0, 10**6)))
    slack = random.integers(
        0, draw(st.sampled_from([2, 5, 100])), (graph.dropped, graph.rests, graph.actions)
    )
    slack[random.random(slack.shape) < draw(st.sampled_from([0, 0.2]))] = NEVER
    return [Room(graph, slack, NEVER, compiled) for compiled in (False, True)]


def least_walk(room, root, period):
    """The least r-sum of a closed walk of so many steps, by the textbook recursion."""
    graph = room.graph
    table = {root: 0}
    for _ in range(period):
        following = {}
        for state, entry in table.items():
            for action in range(graph.actions):
                total = entry + int(room.slack[(*divmod(state, graph.rests), action)])
                to = graph.successor(state, action)
                following[to] = min(total, following.get(to, NEVER))
        table = following
    return table.get(root, NEVER)


def cost_of(room, root, word):
    total, state = 0, root
    for action in word:
        total += int(room.slack[(*divmod(state, room.graph.rests), action)])
        state = room.graph.successor(state, action)
    assert state == root
    return total


@settings(max_examples=60)
@given(rooms(), st.integers(0, 10**6), st.integers(1, 60), st.sampled_from([1, 2, 3, 7, 20, 150]))
def test_the_walk_is_the_least_of_all_whatever_code_finds_it(both, number, period, budget):
    root = number % both[0].graph.states
    least = least_walk(both[0], root, period)
    answers = []
    for room in both:
        tables = Tables(room, root, period, budget)
        assert (tables.walk is not None) == (least < budget)
        if tables.walk is not None:
            word = tuple(expand(tables.walk))
            assert len(word) == period
            assert cost_of(room, root, word) == least
            answers.append(word)
        answers.append(tables.repeat)
        for vector in (room.scratch, room.out, room.home):
            assert np.all(vector == NEVER)
    assert answers[: len(answers) // 2] == answers[len(answers) // 2 :]


@settings(max_examples=15)
@given(rooms(), st.integers(0, 10**6), st.integers(1, 300))
def test_a_walk_through_more_tables_than_are_recorded_at_once_is_the_same(both, number, period):
    root = number % both[0].graph.states
    for room in both:
        whole = Tables(room, root, period, 20).walk
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(closed_walks_module, "ENTRIES_AT_ONCE", 1)
            pieces = Tables(Room(room.graph, room.slack, NEVER, room.compiled), root, period, 20).walk
        assert (whole is None) == (pieces is None)
        if whole is not None:
            assert tuple(expand(whole)) == tuple(expand(pieces))


@settings(max_examples=40)
@given(rooms(), st.integers(0, 10**6), st.integers(1, 40))
def test_ways_home_are_exact_wherever_a_closed_walk_below_the_budget_passes(both, number, budget):
    numpy, compiled = both
    graph, root = numpy.graph, number % numpy.graph.states
    out = {root: 0}
    for _ in range(graph.states):
        for state in list(out):
            for action in range(graph.actions):
                total = out[state] + int(numpy.slack[(*divmod(state, graph.rests), action)])
                to = graph.successor(state, action)
                out[to] = min(total, out.get(to, NEVER))
    for room in both:
        room.find_ways(root, budget)
    for state in range(graph.states):
        exact = int(numpy.home[state])
        assert exact == NEVER or exact < budget
        assert compiled.home[state] >= exact
        if out.get(state, NEVER) + exact < budget:
            assert compiled.home[state] == exact


@settings(max_examples=40)
@given(rooms(), st.randoms(use_true_random=False), st.integers(1, 60), st.sampled_from([1, 2, 7, 20, 150]))
def test_roots_removed_in_one_go_are_those_removed_one_by_one(both, random, period, budget):
    """Up to the first with a closed walk below the budget."""
    numpy, graph = both[0], both[0].graph
    compiled = Room(graph, numpy.slack.copy(), NEVER, compiled=True)
    roots = random.sample(range(graph.states), graph.states)
    assert numpy.pass_roots(roots, period, budget, budget) == ([], budget, budget)
    repeats, _, least = compiled.pass_roots(roots, period, budget, budget)
    for root, repeats_at in zip(roots, repeats, strict=False):
        tables = Tables(numpy, root, period, budget)
        assert (tables.walk, tables.repeat) == (None, repeats_at)
        for state, action in product(range(graph.states), range(graph.actions)):
            if root in (state, graph.successor(state, action)):
                numpy.slack[(*divmod(state, graph.rests), action)] = NEVER
    assert np.array_equal(numpy.slack, compiled.slack)
    if len(repeats) < len(roots):
        assert least_walk(numpy, roots[len(repeats)], period) + 1 == least <= budget


@settings(max_examples=40, deadline=None)
@given(rooms(), st.randoms(use_true_random=False), st.integers(1, 60), st.sampled_from([1, 2, 7, 20, 150]))
def test_a_budget_that_is_doubled_at_once_is_the_one_that_is_doubled_step_by_step(
    both, random, period, budget
):
    graph, slack, enough = both[0].graph, both[0].slack, 160
    roots = random.sample(range(graph.states), random.randint(1, graph.states))
    at_once = Room(graph, slack.copy(), NEVER, compiled=True)
    found = at_once.pass_roots(roots, period, budget, enough)
    while True:
        step = Room(graph, slack.copy(), NEVER, compiled=True)
        repeats, _, least = step.pass_roots(roots, period, budget, budget)
        if len(repeats) < len(roots) or budget == enough:
            break
        budget = min(2 * budget + 1, enough)
    assert found == (repeats, budget, least)
    assert np.array_equal(at_once.slack, step.slack)


@pytest.mark.parametrize("subtract", [0, 700])
@pytest.mark.parametrize(("actions", "memory"), SIZES)
def test_compiled_sweeps_at_once_do_what_numpy_does(actions, memory, subtract):
    """Values and parents after each, also with negative cycles, down to the floor."""
    graph = graph_of(actions, memory)
    numpy = DenseSweeps(graph, np.int64, graph.edge_costs(np.int64) - subtract)
    first = np.random.default_rng(memory).integers(500, 3000, graph.states)
    values, parents = [first, first.copy()], [no_parents(graph), no_parents(graph)]
    changed = np.arange(graph.states)
    for count in (1, 1, 2, 4, 16):
        goes_on = numpy.relax(values[0], parents[0], -5000, count)
        changed = loops.relax_at_once(values[1], parents[1], numpy.costs, -5000, count, changed)
        assert goes_on == bool(changed.size)
        assert np.array_equal(*values)
        assert np.array_equal(*parents)


@settings(max_examples=40)
@given(rooms(), st.integers(0, 10**6))
def test_every_cycle_of_the_parent_graph_is_found_with_the_same_root(both, seed):
    graph, slack = both[0].graph, both[0].slack
    parents = np.random.default_rng(seed).integers(-1, graph.actions, graph.states).astype(np.int16)
    found = cycles_of(graph, parents, slack)
    compiled = loops.cycles_of(parents, slack, np.arange(graph.states)).tolist()
    assert sorted(found) == sorted(map(tuple, compiled))
    on_cycles = set()
    for state in range(graph.states):
        at = state
        for _ in range(graph.states):
            at = at if at < 0 or parents[at] < 0 else graph.successor(at, int(parents[at]))
            at = -1 if at < 0 or parents[at] < 0 else at
        if at >= 0:
            on_cycles.add(at)
    for cycle in found:  # each has states of its own, and together they have them all
        at, word, states = cycle.root, [], []
        while at in on_cycles:
            on_cycles.remove(at)
            states.append(at)
            word.append(int(parents[at]))
            at = graph.successor(at, word[-1])
        assert (at, len(word), min(states)) == (cycle.root, cycle.length, cycle.least)
        assert cost_of(both[0], cycle.root, word) == cycle.excess
    assert not on_cycles


@pytest.mark.parametrize("subtract", [300, 500, 700])
@pytest.mark.parametrize(("actions", "memory"), SIZES)
def test_every_negative_cycle_has_a_state_that_the_last_sweep_lowered(actions, memory, subtract):
    graph = graph_of(actions, memory)
    costs = DenseSweeps(graph, np.int64, graph.edge_costs(np.int64) - subtract).costs
    values, parents = np.zeros(graph.states, dtype=np.int64), no_parents(graph)
    changed = np.arange(graph.states)
    for sweeps in (1, 1, 2, 4, 16):
        changed = loops.relax_at_once(values, parents, costs, -NEVER, sweeps, changed)
        found, all_there_are = (
            {tuple(cycle) for cycle in loops.cycles_of(parents, costs, among).tolist()}
            for among in (changed, np.arange(graph.states))
        )
        assert found == all_there_are


def test_tables_are_equal_if_states_and_entries_are_in_whatever_order():
    def table(*pairs):
        return Table(np.array([state for state, _ in pairs]), np.array([entry for _, entry in pairs]))

    assert table((3, 1), (5, 2)).equals(table((5, 2), (3, 1)))
    assert not table((3, 1), (5, 2)).equals(table((3, 2), (5, 1)))
    assert not table((3, 1), (5, 2)).equals(table((3, 1), (4, 2)))
    assert not table((3, 1), (5, 2)).equals(table((3, 1)))
