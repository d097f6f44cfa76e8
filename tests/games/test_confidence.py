"""Confidence radii: rounded up, hardly above the formula, and for probabilities only."""

import math
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tallyplan.games.optimism import anytime_radius, hoeffding_radius

GRID = 2**32


@given(st.integers(1, 10**6), st.fractions(Fraction(1, 10**6), Fraction(1, 2)))
def test_a_radius_is_a_multiple_of_the_grid_hardly_above_the_formula(plays, failure):
    p = float(failure)
    hoeffding = math.sqrt(math.log(2 / p) / (2 * plays))
    anytime = math.sqrt((1 + 1 / plays) * math.log(math.sqrt(plays + 1) / p) / (2 * plays))
    for radius, formula in (
        (hoeffding_radius(plays, failure), hoeffding),
        (anytime_radius(plays, failure), anytime),
    ):
        assert (radius * GRID).denominator == 1
        assert -1e-12 * formula < float(radius) - formula < 2 / GRID + 1e-12 * formula
