"""The gaps of fewer actions than memory: payments against the planners, and errors planted in them."""

from dataclasses import replace
from fractions import Fraction

import pytest

import proofs_check
import tallyplan as tp
from proofs_check.claim import named
from proofs_check.ours.fewer_actions import NINE, SEVEN, one_less, two_needles

proofs_check.claims()
TABLES = [*map(two_needles, range(3, 8)), *map(one_less, (3, 4, 5)), SEVEN]


@pytest.mark.parametrize("table", TABLES, ids=lambda one: f"K{len(one.rows)}m{one.memory}")
def test_the_turning_word_is_optimal_and_the_detour_is_what_the_best_word_of_a_length_pays(table):
    mean = Fraction(table.lost, table.period)
    assert tp.minimum_mean_cycle(table.bandit).value == tp.mean_of_word(table.bandit, table.word) == mean
    known = len(table.payments)
    for L in (*range(table.memory - 1, known + 2 * table.period), 1000):
        least = L * tp.optimal_cyclic_policy(table.bandit, period=L).value
        assert table.period * least - table.lost * L == table.detour(L)


@pytest.mark.parametrize("m", range(4, 12))
def test_the_detour_by_memory(m):
    assert two_needles(m).detour(100 * (m + 1) + m // 2 - 1) == m * (m - 3) - (m % 2 == 0)


@pytest.mark.parametrize("table", [two_needles(5), two_needles(6), one_less(4)])
@pytest.mark.parametrize("wrong", [{"lost": 1}, {"lost": 3}, {"word": (0, 1, 1)}])
def test_payments_at_a_wrong_rate_do_not_repeat_themselves(table, wrong):
    with pytest.raises(ValueError, match="do not repeat"):
        _ = replace(table, **wrong).payments


@pytest.mark.parametrize(
    ("table", "period", "gap"), [(SEVEN, 21, 78), (SEVEN, 29, 108), (NINE, 15, 74), (NINE, 25, 124)]
)
def test_the_two_families_at_short_lengths(table, period, gap):
    """The same formulas, by the planners."""
    least = tp.optimal_cyclic_policy(table.bandit, period=period).value
    assert (
        period**2 * least - tp.optimal_plan(table.bandit, horizon=period**2).value == gap == table.gap(period)
    )
    stated = named(f"lemma-3/memory-{'seven' if table is SEVEN else 'nine'}").formula("stated")
    assert stated.holds(T=period**2, mu=least, OPT=period**2 * least - gap, L=period)
