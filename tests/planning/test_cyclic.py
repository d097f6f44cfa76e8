"""The best word of a given period against all words, the textbook recursion, and min-plus powers."""

from fractions import Fraction
from itertools import product

import exhaustive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import (
    accepted,
    as_weighted,
    as_windows,
    bandits,
    cyclic,
    in_plain_python,
    small_tables,
    tallying_bandits,
)

from tallyplan import TallyingBandit, WindowBandit
from tallyplan.planning import cyclic as cyclic_module
from tallyplan.planning.cyclic import optimal_cyclic_policy
from tallyplan.planning.effort import OutOfTimeError

HALF = Fraction(1, 2)


def by_power(bandit, period):
    """The least entry on the diagonal of the L-th min-plus power of the loss matrix, over L."""
    keep = bandit.memory - 1
    histories = list(product(range(bandit.actions), repeat=keep))
    index = {history: i for i, history in enumerate(histories)}
    never = Fraction(10**30)
    power = [[never] * len(histories) for _ in histories]
    for history in histories:
        for action in range(bandit.actions):
            window = (*history, action)
            there = index[window[len(window) - keep :]]
            power[index[history]][there] = min(power[index[history]][there], bandit.loss(window))

    def product_of(left, right):
        columns = list(zip(*right, strict=True))
        return [[min(a + b for a, b in zip(row, column, strict=True)) for column in columns] for row in left]

    result = None
    left = period
    while left:
        if left % 2:
            result = power if result is None else product_of(result, power)
        power = product_of(power, power)
        left //= 2
    return min(result[i][i] for i in range(len(histories))) / period


@pytest.mark.parametrize(
    ("actions", "memory", "entries"),
    [
        *((K, m, (0, 1)) for K, m in [(1, 1), (2, 1), (1, 3), (2, 2), (2, 3), (3, 2)]),
        *((K, m, (0, HALF, 1)) for K, m in [(1, 2), (2, 1), (2, 2)]),
    ],
)
def test_every_small_table_has_the_mean_of_the_best_of_all_words(actions, memory, entries):
    for bandit in small_tables(actions, memory, entries):
        for period in range(1, 6):
            assert cyclic(bandit, period).value == exhaustive.optimal_cyclic_policy(bandit, period)[0]


@settings(max_examples=40)
@given(bandits())
def test_every_period_up_to_3m_plus_3_has_the_value_of_the_textbook_recursion(bandit):
    for period in range(1, 3 * bandit.memory + 4):
        assert cyclic(bandit, period).value == exhaustive.cyclic_value_by_recursion(bandit, period)


@settings(max_examples=20)
@given(bandits(sizes=[(1, 2), (2, 2), (3, 2), (2, 3)]), st.integers(0, 12))
def test_long_periods_have_the_value_of_the_min_plus_power(bandit, remainder):
    period = 10**4 + remainder
    assert cyclic(bandit, period).value == by_power(bandit, period)


@settings(max_examples=20)
@given(tallying_bandits(), st.integers(1, 40))
def test_the_same_losses_in_another_representation_have_the_same_best_word(bandit, period):
    value = cyclic(bandit, period).value
    assert cyclic(as_windows(bandit), period).value == value
    assert cyclic(as_weighted(bandit), period).value == value
    with in_plain_python():
        assert cyclic(bandit, period).value == value


@settings(max_examples=30)
@given(st.data())
def test_many_nearly_critical_cycles_have_the_value_of_the_textbook_recursion(data):
    """Losses a hair apart: many roots must go before the rest is proved."""
    actions, memory = data.draw(st.sampled_from([(2, 3), (3, 2), (3, 3), (2, 4)]))
    near = st.integers(0, 3).map(lambda i: HALF + Fraction(i, 1000))
    level = data.draw(st.lists(near, min_size=actions**memory, max_size=actions**memory))
    bandit = WindowBandit(actions, [[0] * actions**j for j in range(1, memory)] + [level])
    period = data.draw(st.integers(1, 25))
    expected = exhaustive.cyclic_value_by_recursion(bandit, period)
    assert cyclic(bandit, period).value == expected


@pytest.mark.parametrize("bits", [32, 63, 90])
def test_numbers_at_the_edge_of_a_type_give_the_exact_best_word(bits):
    for period in (3, 7):
        for denominator in (2**bits // (160 * 2 * period) + i for i in (-1, 0, 1)):
            almost = Fraction(denominator - 1, denominator)
            for rows in ([[almost, 1], [0, 1]], [[1, almost], [Fraction(1, denominator), 1]]):
                bandit = TallyingBandit(rows)
                assert cyclic(bandit, period).value == exhaustive.cyclic_value_by_recursion(bandit, period)


@settings(max_examples=40)
@given(bandits(sizes=[(2, 3), (3, 2), (3, 3), (2, 4)]), st.integers(1, 30), st.booleans())
def test_whenever_the_time_is_up_the_interval_is_proved_and_holds_the_value(bandit, period, at_once):
    """Out of time during the search for the minimum mean cycle; or after it."""
    value = cyclic(bandit, period).value

    def too_late(graph, progress):
        raise OutOfTimeError

    with pytest.MonkeyPatch.context() as patch:
        if at_once:
            patch.setattr(cyclic_module, "minimum_mean", too_late)
        answer = optimal_cyclic_policy(bandit, period, time_limit=0)
    assert answer.lower <= value <= answer.upper
    accepted(bandit, answer.certificate)
