"""The gaps of fewer actions than memory: potentials against the planner, and errors planted in both."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
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
    L = table.first
    least = L * tp.optimal_cyclic_policy(table.bandit, period=L).value
    assert table.period * least - table.lost * L == table.detour


@pytest.mark.parametrize("m", range(4, 14))
def test_the_detour_by_memory(m):
    assert two_needles(m).detour == m * (m - 3) - (m % 2 == 0)


def test_the_least_losses_are_those_of_the_planner():
    """From each history, over all ways to spend t = 1 .. 3m steps."""
    one = one_less(3)
    for first, residue in product(range(4), range(3)):
        plans = [
            tp.optimal_plan(one.bandit, horizon=t, start=(first // 2, first % 2)).value
            for t in range(residue, 10, 3)
        ]
        assert one.through[first, residue].min() == 3 * min(plans)


@pytest.mark.parametrize("table", [two_needles(5), two_needles(6), one_less(4)])
def test_a_potential_that_is_too_high_is_noticed(table):
    assert table.holds(table.through, table.pays)
    for place in np.argwhere((table.through > 0) & (table.through < 10**6))[::211]:
        higher = table.through.copy()
        higher[tuple(place)] += 1
        assert not table.holds(higher, table.pays)
    dearer = replace(table, lost=table.lost + 1)
    assert not dearer.holds(table.through, dearer.pays)
    assert table.everywhere or not dearer.holds(table.around, dearer.pays_more, table.starts)
    assert not dearer.bounded


@pytest.mark.parametrize(
    ("table", "period", "gap"), [(SEVEN, 21, 78), (SEVEN, 29, 108), (NINE, 15, 74), (NINE, 25, 124)]
)
def test_the_two_families_at_short_lengths(table, period, gap):
    """Before L = m^3, where the claims begin: the same formulas, by the planners."""
    least = tp.optimal_cyclic_policy(table.bandit, period=period).value
    assert (
        period**2 * least - tp.optimal_plan(table.bandit, horizon=period**2).value == gap == table.gap(period)
    )
    stated = named(f"lemma-3/memory-{'seven' if table is SEVEN else 'nine'}").formula("stated")
    assert stated.holds(T=period**2, mu=least, OPT=period**2 * least - gap, L=period)
