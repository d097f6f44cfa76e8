"""K = m - 1: potentials from every history against the planner, and errors planted in both."""

import numpy as np
import pytest

import proofs_check
import tallyplan as tp
from proofs_check.ours.one_action_less import OneLess, _edges

proofs_check.claims()


@pytest.mark.parametrize("m", [3, 4, 5])
def test_the_detour_is_what_the_best_word_of_that_length_loses(m):
    one = OneLess(m)
    for L in (2 * m - 1, 4 * m - 1):
        assert L * tp.optimal_cyclic_policy(one.bandit, period=L).value == one.detour == m - 2


@pytest.mark.parametrize("m", [3, 4])
def test_the_turning_word_loses_nothing(m):
    one = OneLess(m)
    assert tp.mean_of_word(one.bandit, one.word) == 0
    assert tp.optimal_plan(one.bandit, horizon=5 * m).value == 1


def test_the_least_losses_are_those_of_the_planner():
    """From each history, over all ways to spend t = 1 .. 2m steps."""
    one = OneLess(3)
    found = one.least
    for first in range(4):
        start = (first // 2, first % 2)
        for residue in range(3):
            plans = [tp.optimal_plan(one.bandit, horizon=t, start=start).value for t in range(residue, 10, 3)]
            assert found[first, residue].min() == min(plans)


def test_a_potential_that_is_too_high_is_noticed():
    one = OneLess(4)
    for place in np.argwhere(one.least > 0)[::911]:
        changed = OneLess(4)
        vars(changed)["least"] = one.least.copy()  # in place of the cached one
        changed.least[tuple(place)] += 1
        assert not _edges(changed).holds
