"""The layers of the recursion in the core: those of the reference, in little memory, by few sweeps.

The sweeps depend on the graph, and on the gap between losses that are almost equal by its logarithm alone.
"""

from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, islice, product

import exhaustive
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import accepted, in_plain_python, plan, starts, tallying_bandits

from tallyplan import InstanceTooLarge, TallyingBandit, make, optimal_plan
from tallyplan.core import library
from tallyplan.core import questions as core
from tallyplan.model.graph import StateGraph, node_of
from tallyplan.model.replay import history_of, loss_of_runs
from tallyplan.planning import reference, reference_layers
from tallyplan.planning.effort import tick
from tallyplan.planning.state_graph import graph_of

NEAR = [Fraction(0), Fraction(1, 10**6), Fraction(1, 2), Fraction(1, 2) + Fraction(1, 10**6), Fraction(1)]
BILLIONTH = Fraction(1, 10**9)
HARD_TABLES = [
    # V_{t+4} - V_t is constant in t along each residue of t mod 4, and differs between the residues
    [
        ["1/2", "1", 2 * BILLIONTH, Fraction(1, 2) + BILLIONTH],
        ["1/2", "1/2", "0", Fraction(1, 2) + BILLIONTH],
    ],
    # a period of 12, from cycles of the lengths 3 and 4
    [["1", "0", BILLIONTH, "1"], ["0", "1", BILLIONTH, BILLIONTH]],
    # five jumps
    [["1", "1", "0"], ["1", "0", "1"], [BILLIONTH, Fraction(1, 2) + BILLIONTH, BILLIONTH]],
]
HARD = TallyingBandit(HARD_TABLES[0])


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


@example(HARD, 10**12)
@example(TallyingBandit([["0", "1"], ["0", "1"]]), 1)
@given(st.one_of(near_ties(), tallying_bandits()), st.sampled_from([1, 2, 7, 64, 1000, 10**12, 10**24]))
def test_layers_of_any_time_cost_what_the_reference_says(bandit, steps):
    layers = core.Layers(graph_of(bandit), steps, tick)
    expected = reference_layers.Layers(reference.histories(bandit, short=True), steps)
    times = {jump.time + i for jump in expected.jumps for i in (-1, 0, 1, jump.period)}
    for time in sorted({0, steps // 2, steps, *times}):
        if 0 <= time <= steps:
            for start in starts(bandit):
                history = history_of(bandit, start)
                node = node_of(bandit, history)
                assert layers.cost(history, time) == expected.cost((node,), time)


def by_numpy(bandit, dtype):
    """V_0, V_1, ... over all full histories, a sweep at a time."""
    graph = StateGraph(bandit)
    costs, values = graph.window_costs((), bandit.memory - 1, dtype), np.zeros(graph.states, dtype)
    heads = np.arange(costs.size).reshape(costs.shape) % graph.states
    while True:
        yield values
        values = (costs + values[heads]).min(axis=1)


LARGE = [(2, 14), (3, 9), (5, 7), (17, 4), (90, 3)]  # vectors rotate above 4,096 states


@pytest.mark.parametrize("bits", [10, 40, 90])
@pytest.mark.parametrize(("actions", "memory"), LARGE)
def test_vectors_that_rotate_are_those_of_plain_sweeps(monkeypatch, actions, memory, bits):
    """By every variant, in 32, 64 and 128 bits, after whole turns of the digits and within them."""
    draw = np.random.default_rng(bits)
    entries = draw.integers(0, 1000, (actions, memory)).astype(object) * 2 ** (bits - 10)
    bandit = TallyingBandit([[Fraction(int(x) + 1, 2**bits) for x in row] for row in entries])
    graph = StateGraph(bandit)
    states = [0, 1, graph.states // 3, graph.states - 1]

    def history_of(state):
        return tuple(map(int, np.unravel_index(state, (actions,) * (memory - 1))))

    best = library.variants().index(library.library().tp_variant().decode())
    several = (1, memory - 1, 2 * memory + memory // 2)
    layers_by_numpy = list(islice(by_numpy(bandit, object if bits == 90 else np.int64), several[-1] + 1))
    for steps in several:
        expected = [layers_by_numpy[steps][state] for state in states]
        for variant in library.variants()[: best + 1]:
            chosen = partial(library.function, variant=variant)
            monkeypatch.setattr(core, "function", chosen)
            layers = core.Layers(graph_of(bandit), steps, tick)
            assert [layers.cost(history_of(state), steps) for state in states] == expected
            monkeypatch.undo()


def test_two_threads_find_what_one_finds(monkeypatch):
    bandit = make("uniform", actions=2, memory=21, denominator=1000, seed=1)
    found = []
    for threads in (1, 2, 3):
        monkeypatch.setattr(core, "available_cores", lambda: threads)  # noqa: B023, called at once
        found.append(core.plan(graph_of(bandit), (), 100, tick))
    assert found[0] == found[1] == found[2]
    assert Fraction(found[0].cost, bandit.denominator) == loss_of_runs(bandit, found[0].runs, ())


@pytest.fixture
def little_memory(monkeypatch):
    """Room for some sixty vectors over 2^14 states."""
    monkeypatch.setattr(core, "available_memory", lambda: 64 * 2**16)


@pytest.mark.parametrize(("family", "seed"), [("congested", 1), ("uniform", 2)])
def test_however_little_room_there_is_the_plan_is_optimal(little_memory, family, seed):
    """Few layers are stored, and those between them computed again."""
    bandit = make(family, actions=2, memory=15, seed=seed)
    for horizon in (400, 10**9):
        large = graph_of(bandit)._replace(states=2**30)  # so that memory is asked for
        found = core.plan(large, (0,), horizon, tick)
        assert Fraction(found.cost, bandit.denominator) == loss_of_runs(bandit, found.runs, (0,))
        expected = optimal_plan(bandit, horizon, [0], method="graph")
        accepted(bandit, expected.certificate)
        assert found.cost == expected.value * bandit.denominator


def test_memory_that_does_not_suffice_is_refused(monkeypatch):
    monkeypatch.setattr(core, "available_memory", lambda: 2**20)
    with pytest.raises(InstanceTooLarge, match="would need about"):
        core.plan(graph_of(make("uniform", actions=2, memory=20, seed=1)), (), 10**6, tick)


def test_sums_of_many_shifts_may_exceed_64_bits():
    scale = 2**57
    rows = [[scale - 1, 5], [scale // 3, scale]]
    bandit = TallyingBandit([[Fraction(x, scale) for x in row] for row in rows])
    assert plan(bandit, 10**6).value == Fraction(
        reference_layers.plan(reference.histories(bandit, short=True), 0, 10**6).cost, scale
    )


@pytest.mark.parametrize("residue", range(4))  # of the period of the hard table
def test_horizons_beyond_the_counters_of_the_core_are_planned_exactly(residue):
    horizon = 10**60 + residue
    for bandit in (HARD, make("uniform", actions=2, memory=4, seed=2), make("counterexample-3")):
        assert plan(bandit, horizon).value == exhaustive.optimal_value_by_squaring(bandit, horizon, ())


# -- few sweeps --------------------

FAR = 10**24 + 7
GAPS = [Fraction(1, 10**3), Fraction(1, 10**9), Fraction(1, 10**18)]
SIZES = [(2, 3), (2, 4), (3, 3)]
FIRST_SWEEPS = 200
SWEEPS_PER_BIT = {(2, 3): 15, (2, 4): 60, (3, 3): 40}  # per binary digit of the gap


def sweeps(rows, horizon):
    """How many the core makes."""
    return core.plan(graph_of(TallyingBandit(rows)), (), horizon, tick).sweeps


def three_levels(gap):
    """Losses far apart in scale, from zero and around the middle."""
    half, tenth = Fraction(1, 2), Fraction(1, 10)
    return [
        (Fraction(0), gap, Fraction(1)),
        (half, half + gap, Fraction(1)),
        (gap**2, gap, Fraction(1)),
        (half - 2 * gap, half + gap, half + tenth),
    ]


def tables(actions, memory, levels):
    """All tables with these entries, up to the order of the arms."""
    return list(combinations_with_replacement(product(levels, repeat=memory), actions))


@pytest.mark.parametrize(("actions", "memory"), SIZES)
@pytest.mark.parametrize("every", [50, pytest.param(1, marks=pytest.mark.thorough)])
def test_tables_of_three_levels_take_few_sweeps(actions, memory, every):
    every *= 1 if every == 1 or (actions, memory) == (2, 3) else 6
    for gap in GAPS:
        allowed = FIRST_SWEEPS + SWEEPS_PER_BIT[actions, memory] * (1 / gap).numerator.bit_length()
        for offset, levels in enumerate(three_levels(gap)):
            for rows in tables(actions, memory, levels)[offset::every]:
                assert sweeps(rows, FAR) <= allowed, rows


def ties_of_ties(gap):
    """Entries that agree in their first, or in their first two, orders of magnitude."""
    orders = st.tuples(st.integers(0, 2), st.integers(-1, 1), st.integers(-1, 1))
    return orders.map(
        lambda i: min(Fraction(1), max(Fraction(0), i[0] / Fraction(2) + i[1] * gap + i[2] * gap**2))
    )


@settings(max_examples=150)
@given(st.sampled_from(SIZES), st.sampled_from(GAPS), st.integers(0, 11), st.data())
def test_ties_of_ties_take_few_sweeps_with_any_residue_of_the_horizon(size, gap, residue, data):
    actions, memory = size
    row = st.lists(ties_of_ties(gap), min_size=memory, max_size=memory)
    rows = data.draw(st.lists(row, min_size=actions, max_size=actions))
    assert (
        sweeps(rows, FAR + residue)
        <= FIRST_SWEEPS + 2 * SWEEPS_PER_BIT[size] * (1 / gap).numerator.bit_length()
    )


@pytest.mark.parametrize("rows", HARD_TABLES)
@pytest.mark.parametrize("horizon", [10**12, 10**12 + 5, 10**9 + 2])
def test_tables_whose_layers_move_differently_by_residue_are_planned_exactly(rows, horizon):
    bandit = TallyingBandit(rows)
    for start in ((), [0, 1, 1][: bandit.memory - 1]):
        answer = plan(bandit, horizon, start)
        assert sweeps(rows, horizon) <= 2000
        assert answer.value == exhaustive.optimal_value_by_squaring(bandit, horizon, start)
        with in_plain_python():
            assert plan(bandit, horizon, start).value == answer.value
