"""Compiled sweeps over the implicit graph against numpy sweeps over stored edges."""

from fractions import Fraction

import numpy as np
import pytest
from strategies import compiled_code_only, cycle, cyclic, numpy_only, plan, stored_edges_only

from tallyplan import TallyingBandit, make
from tallyplan.model.graph import INT32_LIMIT, INT64_LIMIT, StateGraph, integer_type
from tallyplan.planning.on_graph import sweeps as sweeps_module
from tallyplan.planning.on_graph.kernels import relaxation, rotation
from tallyplan.planning.on_graph.sweeps import (
    NO_PARENT,
    DenseSweeps,
    TallySweeps,
    follow,
    states_of,
)
from tallyplan.planning.on_graph.trees import best_word

# Compiled sweeps are for m >= 3 and K >= 2. Sizes with one and several blocks, tiles and groups of digits.
SIZES = [
    (2, 3),
    (2, 4),
    (2, 11),
    (2, 12),
    (2, 14),
    (2, 16),
    (3, 3),
    (3, 7),
    (3, 8),
    (3, 10),
    (5, 3),
    (5, 6),
    (5, 7),
    (10, 3),
    (10, 4),
    (10, 6),
    (33, 4),
    (40, 3),
]
DEEP = -(10**9)  # a floor that nothing reaches


def random_bandit(actions, memory, denominator=1000, seed=0):
    numbers = np.random.default_rng([seed, actions, memory]).integers(0, denominator + 1, (actions, memory))
    return TallyingBandit([[Fraction(int(i), denominator) for i in row] for row in numbers])


def three_kinds(actions, memory, kind, **reduction):
    """Without stored edges; with stored edges, by numpy; the same, compiled."""
    graph = StateGraph(random_bandit(actions, memory))
    return (
        TallySweeps(graph, kind, **reduction),
        DenseSweeps(graph, kind, **reduction),
        DenseSweeps(graph, kind, **reduction, compiled=True),
    )


def test_the_sizes_cover_one_and_several_blocks_and_groups_of_digits():
    blocks = [K ** (m - 2) // relaxation.block_tallies(K, m - 2)[0].shape[1] for K, m in SIZES]
    groups = [len(rotation.digit_groups(K, m - 1)) - 1 for K, m in SIZES]
    assert {1, 2, 3} <= set(groups)
    assert 1 in blocks
    assert max(blocks) > 3


@pytest.mark.parametrize("kind", [np.int32, np.int64])
@pytest.mark.parametrize(("actions", "memory"), SIZES)
def test_compiled_and_numpy_bellman_steps_agree(actions, memory, kind):
    """Any number of steps: less than a turn of m - 1, a turn, and more; ties and wide spans."""
    compiled, dense, loops = three_kinds(actions, memory, kind, multiplier=3, subtract=700)
    random = np.random.default_rng(actions)
    few = actions**memory > 10**5
    for steps in (1, 2, memory - 1, 2 * memory - 1) if few else range(2 * memory + 1):
        for span in (1, 5000):
            values = random.integers(-span, span + 1, actions ** (memory - 1)).astype(kind)
            before = values.copy()
            expected, expected_shift = dense.power(values, steps)
            for sweeps in (compiled, loops):
                given = values.astype(sweeps.kind)
                new, shift = sweeps.power(given, steps)
                if steps:
                    assert shift == expected_shift
                    assert np.array_equal(new, expected)
                    assert new[0] == 0
                assert new.dtype == sweeps.kind
                assert np.array_equal(given, before)


@pytest.mark.parametrize("threads", [2, 3, 7])
@pytest.mark.parametrize(("actions", "memory"), [(2, 3), (2, 14), (3, 9), (10, 5)])
def test_threads_share_out_the_work_without_changing_it(actions, memory, threads):
    graph = StateGraph(random_bandit(actions, memory))
    values = np.random.default_rng(0).integers(0, 5000, graph.states)
    alone, shift = TallySweeps(graph, np.int64).power(values, memory + 1)
    together, shift_together = TallySweeps(graph, np.int64, threads=threads).power(values, memory + 1)
    assert shift == shift_together
    assert np.array_equal(alone, together)


@pytest.mark.parametrize("floor", [DEEP, 500])
@pytest.mark.parametrize(("actions", "memory"), SIZES)
def test_one_compiled_relaxation_lies_between_one_and_many_simultaneous_ones(actions, memory, floor):
    """In place, a state may see what the same sweep lowered, but nothing goes below the fixed point."""
    compiled, dense, loops = three_kinds(actions, memory, np.int64)
    values = np.random.default_rng(memory).integers(500, 3000, actions ** (memory - 1))
    fixed = values.copy()
    parents = np.full(values.size, NO_PARENT, dtype=np.int16)
    while dense.relax(fixed, parents, floor, 5):
        pass
    once = values.copy()
    dense.relax(once, parents, floor, 1)
    for sweeps in (compiled, loops):
        in_place = values.copy()
        sweeps.relax(in_place, parents, floor, 1)
        assert np.all(in_place <= once)
        assert np.all(fixed <= in_place)
        while sweeps.relax(in_place, parents, floor, 5):
            pass
        assert np.array_equal(in_place, fixed)


@pytest.mark.parametrize(("actions", "memory"), SIZES)
def test_a_floor_stops_the_descent_along_negative_cycles(actions, memory):
    """All costs negative: every value ends on the floor, with a parent, in both codes."""
    for sweeps in three_kinds(actions, memory, np.int64, subtract=1500):
        values = np.zeros(sweeps.graph.states, dtype=np.int64)
        parents = np.full(values.size, NO_PARENT, dtype=np.int16)
        while sweeps.relax(values, parents, -9000, 3):
            pass
        assert np.all(values == -9000)
        assert np.all(parents >= 0)
        state = sweeps.parent_cycle(parents)
        word = follow(sweeps.graph, parents, state)
        assert sweeps.graph.walk(state, word) == state


@pytest.mark.parametrize(("actions", "memory"), SIZES)
def test_parent_actions_explain_the_values(actions, memory):
    for sweeps in three_kinds(actions, memory, np.int64):
        values = np.random.default_rng(7).integers(0, 3000, actions ** (memory - 1))
        before = values.copy()
        parents = np.full(values.size, NO_PARENT, dtype=np.int16)
        while sweeps.relax(values, parents, DEEP, 3):
            pass
        lowered = values < before
        assert np.array_equal(lowered, parents != NO_PARENT)
        graph = sweeps.graph
        for state in map(int, np.flatnonzero(lowered)[:50]):
            action = int(parents[state])
            assert values[state] == graph.cost(state, action) + values[graph.successor(state, action)]


@pytest.mark.parametrize(("actions", "memory"), [(2, 3), (2, 8), (3, 5), (5, 4), (10, 3)])
def test_all_searches_find_the_same_parent_cycle_exactly_when_there_is_one(actions, memory):
    kinds = three_kinds(actions, memory, np.int64)
    states = actions ** (memory - 1)
    random = np.random.default_rng(3)
    found = set()
    for missing in [*range(10), *[9] * 20]:
        parents = random.integers(0, actions, states).astype(np.int16)
        parents[random.integers(0, 10, states) < missing] = NO_PARENT
        answers = [sweeps.parent_cycle(parents) for sweeps in kinds]
        reachable_for_ever = set(range(states))
        for _ in range(states):
            reachable_for_ever = {
                s
                for s in reachable_for_ever
                if parents[s] >= 0 and (s * actions + parents[s]) % states in reachable_for_ever
            }
        found.add(bool(reachable_for_ever))
        assert len(set(answers)) == 1
        assert (answers[0] >= 0) == bool(reachable_for_ever)
        if answers[0] >= 0:
            cycle = states_of(kinds[0].graph, parents, answers[0])
            assert answers[0] == min(cycle)
            at = min(reachable_for_ever)
            for _ in range(states):
                at = kinds[0].graph.successor(at, int(parents[at]))
            assert at in cycle
    assert found == {True, False}


@pytest.mark.parametrize(("actions", "memory"), [(2, 6), (3, 4), (4, 3), (1, 4), (3, 1)])
def test_the_best_word_attains_as_many_bellman_steps(actions, memory):
    graph = StateGraph(random_bandit(actions, memory))
    dense = DenseSweeps(graph, np.int64)
    values = np.random.default_rng(1).integers(0, 2000, graph.states)
    for depth in range(memory):
        new, shift = dense.power(values, depth)
        for state in range(graph.states):
            with numpy_only():
                cost, word = best_word(graph, values, graph.history(state), depth)
            with compiled_code_only():
                assert best_word(graph, values, graph.history(state), depth) == (cost, word)
            assert len(word) == depth
            assert depth == 0 or cost == new[state] + shift
            total = 0
            for action in word:
                total += graph.cost(state, action)
                state = graph.successor(state, action)
            assert cost == total + values[state]


@pytest.mark.parametrize(("actions", "memory"), [(2, 6), (3, 4), (4, 3), (2, 3), (5, 3)])
def test_layers_and_the_way_down_through_them_agree(actions, memory):
    """The vectors are those of single steps, and the word down to them attains as many steps."""
    kinds = three_kinds(actions, memory, np.int64)
    graph = kinds[0].graph
    values = np.random.default_rng(2).integers(0, 2000, graph.states)
    for steps in (1, 2, memory, 2 * memory + 1):
        rows, shifts = kinds[0].layers(values, 1, steps)
        for other, other_shifts in [sweeps.layers(values, 1, steps) for sweeps in kinds[1:]]:
            assert other_shifts == shifts
            assert np.array_equal(other, rows)
        best, total = kinds[0].power(values, steps)
        for sweeps in kinds:
            for start in range(graph.states):
                cost, state = 0, start
                for action in sweeps.descend(values, steps, start):
                    cost += graph.cost(state, action)
                    state = graph.successor(state, action)
                assert cost + values[state] == best[start] + total
                assert sweeps.through(rows, start) == kinds[0].through(rows, start)


@pytest.mark.parametrize(("actions", "memory"), [(2, 6), (3, 4), (4, 3)])
def test_the_way_down_by_trees_is_the_one_through_stored_layers(actions, memory, monkeypatch):
    """The first of equal actions with both: few levels, so that many are equal."""
    dense = DenseSweeps(StateGraph(random_bandit(actions, memory, denominator=2)), np.int64)
    values = np.random.default_rng(3).integers(0, 3, dense.graph.states)
    for steps in (1, memory - 1, memory, 2 * memory + 1):
        stored = [dense.descend(values, steps, state) for state in range(dense.graph.states)]
        with monkeypatch.context() as patch:
            patch.setattr(sweeps_module, "DENSE_EDGES", 0)
            assert [dense.descend(values, steps, state) for state in range(dense.graph.states)] == stored


@pytest.mark.parametrize(("actions", "memory"), [(1, 1), (1, 4), (4, 1), (3, 2), (2, 7), (4, 4)])
def test_compiled_edge_costs_are_those_of_the_windows(actions, memory):
    graph = StateGraph(random_bandit(actions, memory))
    loops, dense = (DenseSweeps(graph, np.int64, 3, 100, compiled=way) for way in (True, False))
    assert np.array_equal(loops.costs, dense.costs)


@pytest.mark.parametrize(("actions", "memory"), [(1, 1), (2, 1), (3, 1), (1, 3), (2, 2), (3, 2), (4, 3)])
def test_loops_over_stored_edges_serve_the_smallest_memories(actions, memory):
    """With few levels, so that many actions are equal, of which both take the first."""
    graph = StateGraph(random_bandit(actions, memory, denominator=3))
    start, found = np.random.default_rng(5).integers(0, 4, graph.states), []
    for compiled, alone in ((False, numpy_only), (True, compiled_code_only)):
        with alone():
            sweeps = DenseSweeps(graph, np.int64, subtract=2, compiled=compiled)
            values, parents = start.copy(), np.full(graph.states, NO_PARENT, dtype=np.int16)
            while sweeps.relax(values, parents, -90, 3):
                pass
            rows, shifts = sweeps.layers(start, 1, 2 * memory + 1)
            words = [sweeps.through(rows, state) for state in range(graph.states)]
            power, shift = sweeps.power(start, memory)
            found.append((values.tolist(), rows.tolist(), shifts, words, power.tolist(), shift))
    assert found[0] == found[1]


@pytest.mark.parametrize(("actions", "memory"), [(2, 9), (2, 14), (3, 6), (5, 4), (10, 3)])
def test_all_three_questions_have_the_same_answers_in_compiled_and_numpy_code(actions, memory):
    bandit = random_bandit(actions, memory, denominator=97, seed=1)
    period = 2 * memory + 1
    with compiled_code_only():
        compiled = cycle(bandit)
        plans = [plan(bandit, T).value for T in (memory, 10**6 + 1)]
        word = cyclic(bandit, period).value if actions**memory < 5000 else None
    with numpy_only():
        dense = cycle(bandit)
        assert [plan(bandit, T).value for T in (memory, 10**6 + 1)] == plans
        if word is not None:
            assert cyclic(bandit, period).value == word
    with stored_edges_only():
        loops = cycle(bandit)
        assert [plan(bandit, T).value for T in (memory, 10**6 + 1)] == plans
        if word is not None:
            assert cyclic(bandit, period).value == word
    assert compiled.value == dense.value == loops.value
    # The greatest potentials below zero are unique, whoever computes them.
    for answer in (compiled, loops):
        assert np.array_equal(
            answer.proof.potentials.astype(object) * dense.proof.scale,
            dense.proof.potentials.astype(object) * answer.proof.scale,
        )


@pytest.mark.parametrize(("actions", "memory"), [(2, 16), pytest.param(3, 12, marks=pytest.mark.thorough)])
def test_instances_large_enough_for_compiled_code_agree_with_numpy(actions, memory):
    bandit = random_bandit(actions, memory, denominator=50, seed=2)
    value, mean = plan(bandit, 25).value, cycle(bandit).value
    with numpy_only():
        assert plan(bandit, 25).value == value
        assert cycle(bandit).value == mean


@pytest.mark.parametrize(
    ("limit", "below", "above"), [(INT32_LIMIT, np.int32, np.int64), (INT64_LIMIT, np.int64, object)]
)
def test_the_integer_type_changes_exactly_at_its_limit(limit, below, above):
    assert integer_type(limit) is below
    assert integer_type(limit + 1) is above
    if below is not object:
        assert limit == np.iinfo(below).max


@pytest.mark.parametrize(("actions", "memory", "seed"), [(3, 8, 0), (3, 8, 2), (2, 12, 1), (4, 6, 0)])
def test_long_cycles_are_planned_in_units_longer_than_the_memory(actions, memory, seed):
    """Increasing losses have optimal cycles longer than m - 1, which are planned in several trees a unit."""
    bandit = make("congested", actions=actions, memory=memory, seed=seed)
    assert len(cycle(bandit).word) > memory - 1
    for horizon in (3 * memory, 997, 10**15 + 3):
        with numpy_only():
            expected = plan(bandit, horizon).value
        with compiled_code_only():
            assert plan(bandit, horizon).value == expected
