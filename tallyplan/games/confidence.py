"""Confidence radii as rationals, rounded so that what they guarantee still holds.

Hoeffding: the mean of n independent observations in [0, 1] is within sqrt(ln(2/p) / (2n)) of its expectation,
except with probability p. Laplace's method: except with probability p, the mean of the first n is within
sqrt((1 + 1/n) ln(sqrt(n + 1)/p) / (2n)) of it for all n at once. Logarithm and root are Arb balls; a radius
is rounded up to a multiple of 2^-32 (or of a finer grid), and from there on everything is compared exactly.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from flint import arb, ctx, fmpq

from tallyplan.errors import InvalidInput
from tallyplan.model.rationals import share, shown

RADIUS_GRID = 2**32
SPARE_BITS = 64  # of the balls, beyond those of the grid


@lru_cache(maxsize=4096)
def hoeffding_radius(plays: int, failure: Fraction, grid: int = RADIUS_GRID) -> Fraction:
    """The radius that `plays` observations leave, except with probability `failure`, rounded up.

    A multiple of 1 / grid, at least the true radius and less than 2 / grid above it.

    >>> round(float(hoeffding_radius(100, Fraction(1, 20))), 9)
    0.135810152
    """
    with ctx.workprec(grid.bit_length() + SPARE_BITS):
        ball = (arb(fmpq(2 * failure.denominator, failure.numerator)).log() / (2 * plays)).sqrt()
        return rounded_up(ball, grid)


@lru_cache(maxsize=4096)
def anytime_radius(plays: int, failure: Fraction, grid: int = RADIUS_GRID) -> Fraction:
    """The radius that holds for all numbers of plays at once, except with probability `failure`, rounded up.

    A multiple of 1 / grid, at least the true radius and less than 2 / grid above it.

    >>> round(float(anytime_radius(100, Fraction(1, 20))), 9)
    0.163650931
    """
    with ctx.workprec(grid.bit_length() + SPARE_BITS):
        log = (arb(plays + 1).sqrt() * arb(fmpq(failure.denominator, failure.numerator))).log()
        return rounded_up((log * (plays + 1) / 2).sqrt() / plays, grid)


def rounded_up(ball: arb, grid: int = RADIUS_GRID) -> Fraction:
    """A multiple of 1 / grid that is not below the number in the ball, and hardly above it.

    >>> rounded_up(arb(2).sqrt()) ** 2 > 2
    True
    """
    multiple = (ball * grid).upper().ceil().unique_fmpz()
    assert multiple is not None  # the upper end of a ball is one number
    return Fraction(int(multiple), grid)


def failure_probability(delta: object) -> Fraction:
    """A delta as an exact rational strictly between 0 and 1."""
    number = share(delta, "delta")
    if not 0 < number < 1:
        raise InvalidInput(f"delta is {shown(delta)}; it must lie strictly between 0 and 1.")
    return number
