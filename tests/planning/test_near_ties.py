"""Losses that are almost equal: the sweeps depend on the graph, and on the gap by its logarithm alone."""

from fractions import Fraction
from itertools import combinations_with_replacement, product

import exhaustive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import plan

from tallyplan import TallyingBandit
from tallyplan.core import questions as core
from tallyplan.planning.effort import tick
from tallyplan.planning.state_graph import graph_of

HORIZON = 10**60 + 7
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


def assert_few_sweeps(actions, memory, every):
    for gap in GAPS:
        allowed = FIRST_SWEEPS + SWEEPS_PER_BIT[actions, memory] * (1 / gap).numerator.bit_length()
        for offset, levels in enumerate(three_levels(gap)):
            for rows in tables(actions, memory, levels)[offset::every]:
                assert sweeps(rows, HORIZON) <= allowed, rows


@pytest.mark.parametrize(("actions", "memory"), SIZES)
def test_some_tables_of_three_levels_take_few_sweeps(actions, memory):
    assert_few_sweeps(actions, memory, every=50 if (actions, memory) == (2, 3) else 300)


@pytest.mark.thorough
@pytest.mark.parametrize(("actions", "memory"), SIZES)
def test_all_tables_of_three_levels_take_few_sweeps(actions, memory):
    assert_few_sweeps(actions, memory, every=1)


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
        sweeps(rows, HORIZON + residue)
        <= FIRST_SWEEPS + 2 * SWEEPS_PER_BIT[size] * (1 / gap).numerator.bit_length()
    )


BILLIONTH = Fraction(1, 10**9)
HARD = [
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


@pytest.mark.parametrize("rows", HARD)
@pytest.mark.parametrize("horizon", [10**12, 10**12 + 5, 10**9 + 2])
def test_tables_whose_layers_move_differently_by_residue_are_planned_exactly(rows, horizon):
    bandit = TallyingBandit(rows)
    for start in ((), [0, 1, 1][: bandit.memory - 1]):
        answer = plan(bandit, horizon, start)
        assert sweeps(rows, horizon) <= 2000
        assert answer.value == exhaustive.optimal_value_by_squaring(bandit, horizon, start)
