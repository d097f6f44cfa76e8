"""The bounds' formulas: their horizons, their known values, and where they fall below T."""

import math
from fractions import Fraction

import pytest

from tallyplan.games.bounds import (
    PROPOSITION_1,
    SHARPENED,
    SHARPENED_HOEFFDING,
    THEOREM_1,
    TRIVIAL,
    Setting,
    bounds_to_show,
)

DELTA = Fraction(1, 20)


def horizon(actions, memory, epochs):
    return (4 * actions * memory * (2**epochs - 1)) ** 2


@pytest.mark.parametrize(("actions", "memory"), [(1, 1), (2, 2), (3, 3), (10, 2)])
def test_epochs_are_whole_exactly_on_the_horizons_of_se_tb(actions, memory):
    unit = 4 * actions * memory
    whole = {horizon(actions, memory, S): S for S in range(1, 9)}
    for T in {*whole, *(T + 1 for T in whole), 0, 1, (5 * unit) ** 2, (2 * unit) ** 2}:
        assert Setting(actions, memory, T, DELTA).epochs == whole.get(T)


@pytest.mark.parametrize("size", [(2, 2), (3, 3), (4, 3), (1, 5)])
@pytest.mark.parametrize("epochs", [1, 5, 13])
def test_values_are_those_of_the_formulas_in_floating_point(size, epochs):
    K, m = size
    T = horizon(K, m, epochs)
    setting = Setting(K, m, T, DELTA)
    root = math.sqrt(T)
    theorem = (
        1200 * K * m * root * (math.sqrt(math.log(40 * K * m * math.log(T))) + math.log2(root / (2 * K * m)))
    )
    rest = 4 * K * m * root + (epochs - 1) * K * m * (m - 1) + (m - 1) * root
    sharp = K * m * root * math.sqrt(math.log(40 * K * m * epochs))
    assert float(THEOREM_1(setting)) == pytest.approx(theorem)
    assert float(SHARPENED(setting)) == pytest.approx(109.2548339959 * sharp + rest)
    assert float(SHARPENED_HOEFFDING(setting)) == pytest.approx(13.6568542495 * sharp + rest)
    assert TRIVIAL(setting) == T


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 2), (3, 3), (4, 3)])
def test_theorem_1_says_something_from_thirteen_epochs_on(size):
    """And the sharpened bounds much earlier."""

    def first(bound):
        settings = (Setting(*size, horizon(*size, S), DELTA) for S in range(1, 20))
        return next(s.epochs for s in settings if bound(s) < s.horizon)

    assert first(THEOREM_1) == 13
    assert first(SHARPENED_HOEFFDING) < first(SHARPENED) < 9


def test_the_sharpened_bound_is_below_the_theorem_where_both_are_proved():
    for size in ((1, 1), (2, 2), (3, 5), (10, 2)):
        for S in range(1, 15):
            setting = Setting(*size, horizon(*size, S), DELTA)
            assert SHARPENED.proved(setting)
            assert SHARPENED_HOEFFDING(setting) < SHARPENED(setting) < THEOREM_1(setting)


def test_theorem_1_is_negative_for_short_games():
    assert THEOREM_1(Setting(5, 1, 4, Fraction(1, 10))) < 0
    assert not THEOREM_1.proved(Setting(5, 1, 4, Fraction(1, 10)))


def test_every_learner_is_shown_the_trivial_bound():
    assert TRIVIAL in bounds_to_show("ucb1")
    assert PROPOSITION_1 in bounds_to_show("alg-det")
    assert all(bound.of == "se-tb" for bound in bounds_to_show("se-tb")[:2])


def test_the_bounds_are_those_that_the_claims_examine():
    import proofs_check
    from tallyplan.games.bounds import PROPOSITION_1_SHARP

    proofs_check.claims()
    from proofs_check.paper.proposition_1 import upper as proposition_1_upper
    from proofs_check.paper.theorem_1 import constants as theorem_1_constants

    assert str(THEOREM_1) == str(theorem_1_constants.STATED)
    assert str(SHARPENED) == str(theorem_1_constants.SHARP)
    assert str(SHARPENED_HOEFFDING) == str(theorem_1_constants.SHARPEST)
    assert str(PROPOSITION_1) == str(proposition_1_upper.STATED)
    assert str(PROPOSITION_1_SHARP) == str(proposition_1_upper.SHARP)
