"""The slopes of two arms, next to the potential that they stand for, window by window.

The potential of a window with s ones, at positions 0 (the oldest) .. m-1 that add up to psi, is
g(s) + theta(s) psi. A step that appends an action and drops the oldest one must lose at least the bound and
what the potential rises.
"""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tallyplan.check.two_arms import TwoArmSlopes
from tallyplan.check.verdict import Budget, Refused

sixths = st.integers(0, 6).map(lambda x: Fraction(x, 6))


@st.composite
def slopes(draw):
    m = draw(st.integers(1, 4))
    rows = [draw(st.lists(sixths, min_size=m, max_size=m)) for _ in range(2)]
    theta = draw(st.lists(st.integers(-2, 2).map(lambda x: Fraction(x, 6)), min_size=m - 1, max_size=m - 1))
    A, B = [Fraction(0), *rows[1]], [*reversed(rows[0]), Fraction(0)]
    return TwoArmSlopes(m, [Fraction(0), *theta], A, B, 6, 8, Budget(10**6))


bounds = st.integers(-6, 3).map(lambda x: Fraction(x, 6))


def psi(window):
    return sum(j for j, action in enumerate(window) if action)


def slope(found, s):
    """At the ends all windows of a level are one, and the slope is that of the level beside."""
    inner = min(max(s, 1), found.m - 1)
    return found.theta[inner] if found.m > 1 else Fraction(0)


def steps(found, lower):
    """(ones before, ones after, the most that g may rise) of every step."""
    for window in product((0, 1), repeat=found.m):
        for action in (0, 1):
            after = (*window[1:], action)
            s, t = sum(window), sum(after)
            paid = found.A[t] if action else found.B[t]
            yield s, t, paid - lower + slope(found, s) * psi(window) - slope(found, t) * psi(after)


def most(found, lower):
    """The most that g may rise from one level to another."""
    rises = {}
    for s, t, rise in steps(found, lower):
        rises[s, t] = min(rise, rises.get((s, t), rise))
    return rises


def accepts(found, lower):
    try:
        found.prove(lower)
    except Refused:
        return False
    return True


@settings(max_examples=150)
@given(slopes(), bounds)
def test_slopes_are_accepted_exactly_if_some_heights_make_them_a_potential(found, lower):
    rises = most(found, lower)
    levels = all(rises[s, s] >= 0 for s in range(found.m + 1))
    between = all(rises[s, s + 1] + rises[s + 1, s] >= 0 for s in range(found.m))
    assert accepts(found, lower) == (levels and between)


@settings(max_examples=100)
@given(slopes(), bounds)
def test_the_heights_rise_as_much_as_the_steps_allow(found, lower):
    assume(accepts(found, lower))
    g, rises = found._heights(lower), most(found, lower)
    assert all(g[t] - g[s] <= rise for (s, t), rise in rises.items())
    assert all(g[k] - g[k - 1] == rises[k - 1, k] for k in range(2, found.m))
    assert g[0] == 0


@settings(max_examples=100)
@given(slopes(), bounds, st.data())
def test_the_ends_are_the_least_over_all_openings_and_windows(found, lower, data):
    m = found.m
    start = data.draw(st.lists(st.integers(0, 1), max_size=m))
    gains = [data.draw(st.lists(st.integers(0, 9), min_size=m + 1, max_size=m + 1)) for _ in range(2)]
    g = found._heights(lower)

    def potential(window):
        return g[sum(window)] + slope(found, sum(window)) * psi(window)

    free = product((0, 1), repeat=m - len(start))
    opening = min(
        Fraction(gains[0][fresh.count(0)] + gains[1][fresh.count(1)], 6) - potential((*start, *fresh))
        for fresh in free
    )
    end = min(map(potential, product((0, 1), repeat=m)))
    assert found.ends(lower, start, gains) == end + opening


def test_a_bound_that_is_met_exactly_is_proved_and_no_higher_one():
    """m = 1: two constant words, and nothing between them."""
    zero = Fraction(0)
    found = TwoArmSlopes(1, [zero], [zero, Fraction(1, 2)], [Fraction(1, 3), zero], 6, 8, Budget(10**6))
    found.prove(Fraction(1, 3))
    with pytest.raises(Refused):
        found.prove(Fraction(1, 3) + Fraction(1, 10**9))
