"""OPT_T against enumeration, the plain recursion, and min-plus powers."""

from fractions import Fraction
from itertools import product
from math import ceil

import exhaustive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import (
    as_weighted,
    as_windows,
    bandits,
    in_plain_python,
    plan,
    small_tables,
    starts,
    tallying_bandits,
)

from tallyplan import (
    TallyingBandit,
    WindowBandit,
    make,
    optimal_plan,
    optimal_values,
)

BILLIONTH = Fraction(1, 10**9)

SMALL = [
    *((K, m, (0, 1)) for K, m in [(1, 1), (2, 1), (1, 3), (2, 2), (3, 1)]),
    *((K, m, (0, Fraction(1, 2), 1)) for K, m in [(1, 3), (2, 1), (2, 2)]),
]


@pytest.mark.parametrize(("actions", "memory", "entries"), [*SMALL, (2, 3, (0, 1)), (3, 2, (0, 1))])
def test_every_small_table_has_the_value_of_the_plain_recursion(actions, memory, entries):
    for bandit in small_tables(actions, memory, entries):
        for start in starts(bandit)[:4:3]:
            values = exhaustive.optimal_values(bandit, 40, start)
            for horizon in (0, 1, 2, 3, 5, 8, 13, 40):
                assert plan(bandit, horizon, start).value == values[horizon]


@pytest.mark.parametrize(("actions", "memory", "entries"), SMALL)
def test_every_small_table_has_the_value_of_the_best_of_all_sequences(actions, memory, entries):
    for bandit in small_tables(actions, memory, entries):
        for horizon in (1, 2, 4):
            assert plan(bandit, horizon).value == exhaustive.optimal_plan(bandit, horizon)[0]


@settings(max_examples=25)
@given(bandits())
def test_every_horizon_up_to_40_from_every_start_has_the_value_of_the_plain_recursion(bandit):
    for start in starts(bandit):
        values = exhaustive.optimal_values(bandit, 40, start)
        horizons = range(41) if start == () else range(0, 41, 7)
        assert [plan(bandit, horizon, start).value for horizon in horizons] == [values[t] for t in horizons]


@settings(max_examples=40)
@given(bandits(sizes=[(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (3, 2), (4, 2)]), st.integers(0, 30))
def test_astronomic_horizons_have_the_value_of_the_min_plus_power(bandit, remainder):
    for start in starts(bandit)[:4:3]:
        horizon = 10**15 + remainder
        expected = exhaustive.optimal_value_by_squaring(bandit, horizon, start)
        assert plan(bandit, horizon, start).value == expected


@settings(max_examples=15)
@given(tallying_bandits(), st.integers(0, 60))
def test_the_same_losses_in_another_representation_have_the_same_optimum(bandit, remainder):
    for horizon in (remainder, 10**12 + remainder):
        value = plan(bandit, horizon).value
        assert plan(as_windows(bandit), horizon).value == value
        assert plan(as_weighted(bandit), horizon).value == value
        with in_plain_python():
            assert plan(bandit, horizon).value == value


# -- transients as long as losses are close --------------------

NEAR_TIE = TallyingBandit([[1, Fraction(1, 2) + BILLIONTH], [1, Fraction(1, 2)]])
SWITCH = 5 * 10**8  # leaving arm 0 costs 1/2 once and saves a billionth a step


@pytest.mark.parametrize(
    "horizon", [SWITCH + i for i in (-2, -1, 0, 1, 2)] + [2 * SWITCH, 3 * SWITCH + 1, 10**15]
)
@pytest.mark.parametrize("start", [(), [0], [1]])
def test_a_near_tie_is_resolved_at_the_very_step(horizon, start):
    answer = plan(NEAR_TIE, horizon, start)
    assert answer.value == exhaustive.optimal_value_by_squaring(NEAR_TIE, horizon, start)
    assert len(answer.proof.dual["jumps"]) <= 3


# -- the edges of the integer types --------------------


def edges_of(limit, factor):
    """Denominators around the one at which `factor` times it passes the limit."""
    return [limit // factor - 1, limit // factor, limit // factor + 1]


@settings(max_examples=40)
@given(st.data())
def test_machine_integers_and_python_integers_agree_at_the_edge(data):
    memory = data.draw(st.integers(2, 5))
    denominator = data.draw(
        st.sampled_from(
            [q for bits in (31, 63, 87) for factor in (6, 8) for q in edges_of(2**bits - 1, factor * memory)]
        )
    )
    numerator = st.one_of(
        st.sampled_from([0, 1, denominator, denominator - 1, ceil(denominator / 2)]),
        st.integers(0, denominator),
    )
    entries = st.lists(
        numerator.map(lambda i: Fraction(i, denominator)), min_size=2**memory, max_size=2**memory
    )
    bandit = WindowBandit(2, [[0] * 2**j for j in range(1, memory)] + [data.draw(entries)])
    start = (0,) * (memory - 1)
    value = plan(bandit, 10**12, start).value
    with in_plain_python():
        assert plan(bandit, 10**12, start).value == value


# -- degenerate games --------------------


@given(bandits())
def test_a_game_of_no_steps_costs_nothing(bandit):
    for start in starts(bandit):
        answer = plan(bandit, 0, start)
        assert answer.value == 0
        assert answer.runs == ()


def test_a_game_that_ends_before_the_history_is_full_is_planned_on_short_histories():
    bandit = TallyingBandit([["0", "1/7", "2/7", "3/7", "1", "1"], ["0", "1/13", "1", "1", "1", "1"]])
    for start in ((), [0], [0, 1], [1, 1, 1]):
        values = exhaustive.optimal_values(bandit, 6, start)
        for horizon in range(7):
            assert plan(bandit, horizon, start).value == values[horizon]


@pytest.mark.thorough
@settings(max_examples=400)
@given(bandits(), st.integers(0, 100), st.integers(0, 60))
def test_many_instances_have_the_values_of_recursion_and_min_plus_power(bandit, remainder, horizon):
    for start in starts(bandit):
        assert plan(bandit, horizon, start).value == exhaustive.optimal_values(bandit, horizon, start)[-1]
    if bandit.actions ** (bandit.memory - 1) <= 8:
        expected = exhaustive.optimal_value_by_squaring(bandit, 10**15 + remainder)
        assert plan(bandit, 10**15 + remainder).value == expected


@settings(max_examples=30)
@given(bandits(), st.integers(0, 12))
def test_the_value_function_has_the_value_of_a_plan_from_every_full_history(bandit, horizon):
    values = optimal_values(bandit, horizon)
    for history in product(range(bandit.actions), repeat=bandit.memory - 1):
        assert values.of(history) == exhaustive.optimal_values(bandit, horizon, history)[-1]


def test_a_game_that_just_outgrows_the_window_is_planned_on_the_graph():
    """With 18 steps after one, an action leaves the window of 18; with 17 none does, and counts suffice."""
    bandit = make("uniform", actions=2, memory=18, seed=1)
    assert "Bellman" in optimal_plan(bandit, 18, [0]).argument
    assert "Bellman" not in optimal_plan(bandit, 18).argument
