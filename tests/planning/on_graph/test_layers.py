"""The layers of the recursion: the same stretches and jumps by numpy and by one call of compiled code."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import numpy_only, plan, stored_edges_only, tallying_bandits

from tallyplan import TallyingBandit, make, optimal_values
from tallyplan.limits import silent
from tallyplan.model.graph import StateGraph
from tallyplan.planning import compiling
from tallyplan.planning.on_graph import layers as layers_module
from tallyplan.planning.on_graph import sweeps as sweeps_module
from tallyplan.planning.on_graph.layers import Jump, Layers

NEAR = [Fraction(0), Fraction(1, 10**6), Fraction(1, 2), Fraction(1, 2) + Fraction(1, 10**6), Fraction(1)]
FEW = settings(max_examples=60, deadline=None)


def near_ties():
    """Tables whose layers take several jumps."""
    sizes = st.sampled_from([(2, 2), (2, 3), (2, 4), (3, 3), (1, 3), (3, 1)])
    return sizes.flatmap(
        lambda size: st.lists(
            st.lists(st.sampled_from(NEAR), min_size=size[1], max_size=size[1]),
            min_size=size[0],
            max_size=size[0],
        )
    ).map(TallyingBandit)


def pieces(bandit, steps):
    """What was found, and the last layer."""
    found = Layers(StateGraph(bandit), steps, silent)
    listed = [
        (layer(piece.base), piece.unit, piece.count, isinstance(piece, Jump) and gain(piece))
        for piece in found.pieces
    ]
    return listed, layer(found.top)


def layer(found):
    return found.time, found.offset, found.values.tolist()


def gain(jump):
    return jump.k, jump.constant, jump.by is None or jump.by.tolist()


HARD = TallyingBandit([["1/2", "1", "0.000000002", "0.500000001"], ["1/2", "1/2", "0", "0.500000001"]])


@FEW
@example(HARD, 10**12)
@example(TallyingBandit([["0", "1"], ["0", "1"]]), 1)
@given(st.one_of(near_ties(), tallying_bandits()), st.sampled_from([1, 2, 7, 64, 1000, 10**12, 10**40]))
def test_one_call_of_compiled_code_finds_the_stretches_and_jumps_of_numpy(bandit, steps):
    with numpy_only():
        expected = pieces(bandit, steps)
    with stored_edges_only():
        assert pieces(bandit, steps) == expected


@pytest.mark.parametrize("first", [1, 2, 5])
@pytest.mark.parametrize("stored", [1, 40, 10**6])
@pytest.mark.parametrize("bandit", [HARD, make("uniform", actions=3, memory=5, seed=2)], ids=["near", "far"])
def test_however_little_room_there_is_the_answer_is_the_same(monkeypatch, bandit, first, stored):
    """Few rows at first, which are added to; or too few in all, and batches take over."""
    with numpy_only():
        expected = pieces(bandit, 10**9), plan(bandit, 10**9).runs
    monkeypatch.setattr(sweeps_module, "FIRST_ROWS", first)
    monkeypatch.setattr(layers_module, "STORED_BYTES", 8 * StateGraph(bandit).states * stored)
    with stored_edges_only():
        assert (pieces(bandit, 10**9), plan(bandit, 10**9).runs) == expected


def test_large_instances_are_swept_in_units_of_an_optimal_cycle_by_any_code(monkeypatch):
    """Two arms in turn are best here, so that a unit is two sweeps, stored edges or not."""
    bandit = TallyingBandit([["1", "0", "1"], ["1", "1/7", "2/3"]])
    monkeypatch.setattr(sweeps_module, "DENSE_EDGES", 0)
    with numpy_only():
        expected = pieces(bandit, 1001)
    assert {unit for _, unit, _, _ in expected[0]} == {1, 2}  # an odd sweep comes first
    for name, pays in (("pays", True), ("layers_pay", True), ("more_pays", False)):
        monkeypatch.setattr(compiling, name, lambda edges=0, pays=pays: pays)
    assert pieces(bandit, 1001) == expected


def test_large_numbers_take_the_way_on_which_sums_cannot_overflow():
    """Layers fit 64 bits here, but not the sums of many shifts."""
    scale = 2**57
    rows = [[scale - 1, 5], [scale // 3, scale]]
    bandit = TallyingBandit([[Fraction(x, scale) for x in row] for row in rows])
    with numpy_only():
        expected = pieces(bandit, 10**6)
    with stored_edges_only():
        assert pieces(bandit, 10**6) == expected


def test_values_do_not_change_when_other_questions_use_the_room_of_their_layers():
    """The layers of an answer must not be in a workspace that was left."""
    first = make("uniform", actions=2, memory=6, seed=1)
    histories = list(product(range(2), repeat=5))
    with numpy_only():
        expected = [optimal_values(first, 1000).of(history) for history in histories]
    with stored_edges_only():
        values = optimal_values(first, 1000)
        for seed in range(2, 6):
            plan(make("uniform", actions=2, memory=6, seed=seed), 10**6)
        assert [values.of(history) for history in histories] == expected
        policies = [plan(first, 1000).policy for _ in range(2)]
        assert [policies[0].value(history, 1000) for history in histories] == expected


def test_a_workspace_is_never_in_two_hands():
    sweeps_module._SPARE.clear()
    one, other = sweeps_module.workspace(4, 8), sweeps_module.workspace(4, 8)
    assert not np.shares_memory(one, other)
    sweeps_module.leave(one)
    sweeps_module.leave(other)
    again = [sweeps_module.workspace(2, 8), sweeps_module.workspace(2, 8)]
    assert not np.shares_memory(*again)
    assert sum(np.shares_memory(one, room) for room in again) == 1


def test_a_jump_must_keep_its_gain_and_not_only_the_shape_of_the_layers():
    """One state and one action of cost 3: each sweep adds 3, whatever it starts from."""
    from tallyplan.planning.on_graph.kernels.layers import _holds

    costs, base, work = np.full((1, 1, 1), 3), np.zeros(1, dtype=np.int64), np.zeros((3, 1), dtype=np.int64)
    assert _holds(costs, base, 2, 5, 6, work)
    assert not _holds(costs, base, 2, 5, 7, work)
