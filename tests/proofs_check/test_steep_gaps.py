"""The steep gaps of two actions: potentials against the planner, and errors planted in both."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import proofs_check
import tallyplan as tp
from proofs_check.claim import named
from proofs_check.ours.steep_gaps import AROUND, NINE, SEVEN, THROUGH, _holds_on_every_edge, two_needles

proofs_check.claims()


@pytest.mark.parametrize("m", range(3, 9))
def test_the_turning_word_is_optimal(m):
    needles = two_needles(m)
    assert tp.minimum_mean_cycle(needles.bandit).value == tp.mean_of_word(needles.bandit, needles.word)
    assert tp.mean_of_word(needles.bandit, needles.word) == Fraction(2, m + 1)


@pytest.mark.parametrize("m", range(3, 9))
def test_the_detour_is_what_the_best_word_of_that_length_pays(m):
    needles = two_needles(m)
    L = needles.first_length
    least = L * tp.optimal_cyclic_policy(needles.bandit, period=L).value
    assert (m + 1) * least - 2 * L == needles.detour


@pytest.mark.parametrize("m", range(4, 14))
def test_the_detour_by_memory(m):
    assert two_needles(m).detour == m * (m - 3) - (m % 2 == 0)


@pytest.mark.parametrize("m", [5, 6])
def test_a_potential_that_is_too_high_is_noticed(m):
    needles = two_needles(m)
    costs, potentials = needles.costs(THROUGH), needles.by_residue
    assert _holds_on_every_edge(potentials, costs, [])
    for place in np.argwhere(potentials > 0)[::7]:
        higher = potentials.copy()
        higher[tuple(place)] += 1
        assert not _holds_on_every_edge(higher, costs, [])
    assert not _holds_on_every_edge(potentials, costs - 1, [])


@pytest.mark.parametrize("m", [5, 6])
def test_elsewhere_a_larger_rate_has_no_potentials(m):
    needles = two_needles(m)
    dearer = replace(AROUND, rate="m**2 * (m + 1)")
    assert _holds_on_every_edge(needles.elsewhere, needles.costs(AROUND), needles.turning)
    assert not _holds_on_every_edge(needles.elsewhere, needles.costs(dearer), needles.turning)


@pytest.mark.parametrize(
    ("table", "period", "gap"), [(SEVEN, 21, 78), (SEVEN, 29, 108), (NINE, 15, 74), (NINE, 25, 124)]
)
def test_the_two_families_at_short_lengths(table, period, gap):
    """Before L = m^3, where the claims begin: the same formulas, by the planners."""
    least = tp.optimal_cyclic_policy(table.bandit, period=period).value
    assert period**2 * least - tp.optimal_plan(table.bandit, horizon=period**2).value == gap
    stated = named(f"lemma-3/memory-{'seven' if table is SEVEN else 'nine'}").formula("stated")
    assert stated.holds(T=period**2, mu=least, OPT=period**2 * least - gap, L=period)
