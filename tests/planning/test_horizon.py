"""OPT_T against enumeration, the plain recursion, and min-plus powers."""

from fractions import Fraction
from itertools import product
from math import ceil

import numpy as np
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
    InstanceTooLarge,
    TallyingBandit,
    WindowBandit,
    make,
    optimal_plan,
    optimal_values,
)
from tallyplan.planning import bruteforce, reference_layers

BILLIONTH = Fraction(1, 10**9)

SMALL = [
    *((K, m, (0, 1)) for K, m in [(1, 1), (2, 1), (1, 3), (2, 2), (3, 1)]),
    *((K, m, (0, Fraction(1, 2), 1)) for K, m in [(1, 3), (2, 1), (2, 2)]),
]


@pytest.mark.parametrize(("actions", "memory", "entries"), [*SMALL, (2, 3, (0, 1)), (3, 2, (0, 1))])
def test_every_small_table_has_the_value_of_the_plain_recursion(actions, memory, entries):
    for bandit in small_tables(actions, memory, entries):
        for start in starts(bandit)[:4:3]:
            values = bruteforce.optimal_values(bandit, 40, start)
            for horizon in (0, 1, 2, 3, 5, 8, 13, 40):
                assert plan(bandit, horizon, start).value == values[horizon]


@pytest.mark.parametrize(("actions", "memory", "entries"), SMALL)
def test_every_small_table_has_the_value_of_the_best_of_all_sequences(actions, memory, entries):
    for bandit in small_tables(actions, memory, entries):
        for horizon in (1, 2, 4):
            assert plan(bandit, horizon).value == bruteforce.optimal_plan(bandit, horizon)[0]


@settings(max_examples=25)
@given(bandits())
def test_every_horizon_up_to_40_from_every_start_has_the_value_of_the_plain_recursion(bandit):
    for start in starts(bandit):
        values = bruteforce.optimal_values(bandit, 40, start)
        horizons = range(41) if start == () else range(0, 41, 7)
        assert [plan(bandit, horizon, start).value for horizon in horizons] == [values[t] for t in horizons]


@settings(max_examples=40)
@given(bandits(sizes=[(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (3, 2), (4, 2)]), st.integers(0, 30))
def test_astronomic_horizons_have_the_value_of_the_min_plus_power(bandit, remainder):
    for start in starts(bandit)[:4:3]:
        horizon = 10**15 + remainder
        expected = bruteforce.optimal_value_by_squaring(bandit, horizon, start)
        assert plan(bandit, horizon, start).value == expected


@settings(max_examples=25)
@given(st.data())
def test_losses_a_billionth_apart_have_the_value_of_the_min_plus_power(data):
    actions, memory = data.draw(st.sampled_from([(2, 2), (3, 2), (2, 3), (2, 4)]))
    near = st.builds(
        lambda base, i: Fraction(base, 4) + i * BILLIONTH,
        st.integers(1, 3),
        st.sampled_from([0, 1, 2, 1000, -1]),
    )
    rows = data.draw(
        st.lists(st.lists(near, min_size=memory, max_size=memory), min_size=actions, max_size=actions)
    )
    bandit = TallyingBandit(rows)
    for horizon in data.draw(st.lists(st.integers(10**6, 10**10), min_size=2, max_size=2)):
        for start in ((), [0] * (memory - 1)):
            expected = bruteforce.optimal_value_by_squaring(bandit, horizon, start)
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


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("actions", "memory"), [(3, 3), (4, 3), (3, 4)])
def test_plans_around_a_cycle_that_is_longer_than_a_history_have_the_plain_values(actions, memory, seed):
    """Arms that want a rest."""
    numbers = np.random.default_rng([seed, actions, memory]).integers(0, 101, (actions, memory))
    bandit = TallyingBandit([sorted(Fraction(int(i), 100) for i in row) for row in numbers])
    start = [seed % actions] * (memory - 1)
    values = bruteforce.optimal_values(bandit, 40, start)
    for horizon in range(1 + seed % 3, 41, 3):
        assert plan(bandit, horizon, start).value == values[horizon]


# -- transients as long as losses are close --------------------

NEAR_TIE = TallyingBandit([[1, Fraction(1, 2) + BILLIONTH], [1, Fraction(1, 2)]])
SWITCH = 5 * 10**8  # leaving arm 0 costs 1/2 once and saves a billionth a step


@pytest.mark.parametrize(
    "horizon", [SWITCH + i for i in (-2, -1, 0, 1, 2)] + [2 * SWITCH, 3 * SWITCH + 1, 10**15]
)
@pytest.mark.parametrize("start", [(), [0], [1]])
def test_a_near_tie_is_resolved_at_the_very_step(horizon, start):
    answer = plan(NEAR_TIE, horizon, start)
    assert answer.value == bruteforce.optimal_value_by_squaring(NEAR_TIE, horizon, start)
    assert len(answer.proof.jumps) <= 3


def test_the_near_tie_changes_arms_where_the_closed_form_says():
    stay = Fraction(1, 2) + BILLIONTH
    for horizon in (SWITCH - 1, SWITCH, SWITCH + 1, 10**9):
        expected = min(horizon * stay, 1 + (horizon - 1) * Fraction(1, 2))
        assert plan(NEAR_TIE, horizon, [0]).value == expected
    assert plan(NEAR_TIE, SWITCH - 1, [0]).runs == (((0,), SWITCH - 1),)
    assert plan(NEAR_TIE, SWITCH + 1, [0]).runs == (((1,), SWITCH + 1),)


TWO_SCALES = TallyingBandit(
    [
        [1, 1, Fraction(1, 2) + BILLIONTH],
        [1, 1, Fraction(1, 2)],
        [1, Fraction(3, 4), Fraction(1, 2) + Fraction(1, 10**5)],
    ]
)


@pytest.mark.parametrize(
    "horizon",
    [49_999, 50_000, 75_000, 75_001, 75_002, 99_999, 100_000, SWITCH - 1, SWITCH + 3, 2 * SWITCH + 1, 10**15],
)
def test_two_scales_of_near_ties_are_both_resolved(horizon):
    for start in ([2, 2], [0, 0], [1, 2]):
        expected = bruteforce.optimal_value_by_squaring(TWO_SCALES, horizon, start)
        assert plan(TWO_SCALES, horizon, start).value == expected


@pytest.mark.parametrize("horizon", [10**8 - 1, 10**8, 10**8 + 1, 10**9 + 7, 2 * 10**9 + 1, 10**15 + 3])
@pytest.mark.parametrize("length", [2, 3])
def test_a_near_tie_of_longer_cycles_is_resolved(horizon, length):
    """Two disjoint cycles of the same length, means a billionth apart; to leave one costs 1."""
    first = tuple(range(length))
    second = tuple(range(length - 1, -1, -1)) if length == 3 else (0, 2)

    def loss(window):
        for word, mean in ((first, Fraction(1, 3) + BILLIONTH), (second, Fraction(1, 3))):
            if window in {tuple(word[(i + j) % length] for j in range(len(window))) for i in range(length)}:
                return mean
        return 1

    bandit = WindowBandit.from_function(3, 3 if length == 2 else 2, loss)
    for start in (first[: bandit.memory - 1], (1, 1, 1)):
        answer = plan(bandit, horizon, start)
        assert answer.value == bruteforce.optimal_value_by_squaring(bandit, horizon, start)
        assert len(answer.proof.jumps) <= 10


def test_the_words_of_a_jump_are_chosen_inside_it_not_at_its_edge():
    """From 2, at the first layer, going to 0 or to 1 is a tie; a step later it is not, and never again."""
    cheap = {(2, 0): Fraction(1), (2, 1): Fraction(1), (0, 0): 1 + 2 * BILLIONTH, (1, 1): Fraction(1)}
    bandit = WindowBandit.from_function(3, 2, lambda window: cheap.get(window, Fraction(2)) / 2)
    answer = plan(bandit, 10**8, [2])
    assert answer.value == Fraction(10**8, 2) == bruteforce.optimal_value_by_squaring(bandit, 10**8, [2])


def test_a_game_that_just_outgrows_the_window_is_planned_on_the_graph():
    """With 18 steps after one, an action leaves the window of 18; with 17 none does, and counts suffice."""
    bandit = make("uniform", actions=2, memory=18, seed=1)
    assert "Bellman" in optimal_plan(bandit, 18, [0]).argument
    assert "Bellman" not in optimal_plan(bandit, 18).argument


def test_values_that_do_not_fit_are_refused_at_once():
    with pytest.raises(InstanceTooLarge):
        optimal_values(make("uniform", actions=3, memory=60, seed=1), 10**6)


# -- the edges of the integer types --------------------


def edges_of(limit, factor):
    """Denominators around the one at which `factor` times it passes the limit."""
    return [limit // factor - 1, limit // factor, limit // factor + 1]


@pytest.mark.parametrize("memory", [1, 2, 3])
@pytest.mark.parametrize("bits", [31, 63, 87])
def test_numbers_that_just_fit_a_type_and_just_do_not_give_exact_values(bits, memory):
    """8 m times the highest cost is what the core's type holds, and 2^40 times that at most 128 bits."""
    for denominator in edges_of(2**bits - 1, 8 * memory):
        high = [1, *[Fraction(1, denominator)] * (memory - 1)]
        low = [Fraction(denominator - 1, denominator), *[0] * (memory - 1)]
        for bandit in (TallyingBandit([high, low]), TallyingBandit([high[::-1], low[::-1]])):
            for start in ((), [0] * memory, [1] * memory):
                for horizon in (memory + 2, 10**15 + 1):
                    value = plan(bandit, horizon, start).value
                    assert value == bruteforce.optimal_value_by_squaring(bandit, horizon, start)


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
    assert value == Fraction(reference_layers.plan(bandit, start, 10**12).cost, bandit.denominator)


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
        values = bruteforce.optimal_values(bandit, 6, start)
        for horizon in range(7):
            assert plan(bandit, horizon, start).value == values[horizon]


@pytest.mark.parametrize("loss", ["0", "1", "1/3"])
@pytest.mark.parametrize(("actions", "memory"), [(1, 1), (1, 3), (2, 1), (3, 2), (2, 4)])
def test_equal_losses_add_up(actions, memory, loss):
    bandit = TallyingBandit([[loss] * memory] * actions)
    for horizon in (0, 1, memory, 10**15 + 1):
        assert plan(bandit, horizon).value == horizon * Fraction(loss)


def test_one_arm_settles_at_its_last_loss():
    bandit = TallyingBandit([["1/7", "2/7", "5/7"]])
    assert [plan(bandit, T).value for T in (1, 2, 3, 10**12)] == [
        Fraction(1, 7),
        Fraction(3, 7),
        Fraction(8, 7),
        Fraction(3, 7) + (10**12 - 2) * Fraction(5, 7),
    ]


def test_only_the_last_actions_of_the_start_count():
    bandit = TallyingBandit([["0", "1/7", "1"], ["1/2", "1/3", "1/13"]])
    long = plan(bandit, 17, [1, 0, 1, 1, 0, 0, 1])
    assert long.value == plan(bandit, 17, [0, 1]).value
    assert long.start == (0, 1)


@pytest.mark.thorough
@settings(max_examples=400)
@given(bandits(), st.integers(0, 100), st.integers(0, 60))
def test_many_instances_have_the_values_of_recursion_and_min_plus_power(bandit, remainder, horizon):
    for start in starts(bandit):
        assert plan(bandit, horizon, start).value == bruteforce.optimal_values(bandit, horizon, start)[-1]
    if bandit.actions ** (bandit.memory - 1) <= 8:
        expected = bruteforce.optimal_value_by_squaring(bandit, 10**15 + remainder)
        assert plan(bandit, 10**15 + remainder).value == expected


@settings(max_examples=30)
@given(bandits(), st.integers(0, 12))
def test_the_value_function_has_the_value_of_a_plan_from_every_full_history(bandit, horizon):
    values = optimal_values(bandit, horizon)
    for history in product(range(bandit.actions), repeat=bandit.memory - 1):
        assert values.of(history) == bruteforce.optimal_values(bandit, horizon, history)[-1]
