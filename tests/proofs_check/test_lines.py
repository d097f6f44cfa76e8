"""Inequalities between minima of lines: what `below` says holds wherever it is evaluated."""

import pytest
from flint import fmpq_poly
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check.kernel.z3_question import unsatisfiable
from proofs_check.ours.small_games.lines import below, places
from proofs_check.theory.schemas import LANGUAGE

SMALL = st.integers(-3, 3)
LINES = st.lists(st.tuples(st.tuples(SMALL, SMALL), st.tuples(SMALL, SMALL)), min_size=1, max_size=3)


def lines(some):
    return [(fmpq_poly(list(a)), fmpq_poly(list(b))) for a, b in some]


def least(some, n, i):
    return min(a(n) + b(n) * i for a, b in lines(some))


@given(LINES, LINES, st.integers(0, 2), st.integers(-1, 1), st.integers(0, 6))
@settings(max_examples=40, deadline=None)
def test_a_yes_holds_at_every_value(low, high, start, offset, since):
    if below(lines(low), lines(high), places(since, start, offset)):
        for n in range(since, since + 16):
            for i in range(start, n + offset + 1):
                assert least(low, n, i) <= least(high, n, i)


@pytest.mark.parametrize(("since", "start", "offset"), [(0, 0, 0), (3, 1, -1), (2, 2, 1)])
def test_the_places_are_all_that_are_meant(since, start, offset):
    for n in range(since, since + 20):
        ends = [[int(i(n)) for i in at] for begin, at in places(since, start, offset) if begin <= n]
        met = {i for some in ends for i in range(some[0], some[-1] + 1)}
        assert met == set(range(start, n + offset + 1))


def test_a_mean_of_two_lines_is_enough_and_z3_says_the_same():
    low, high = [((), (0, 2)), ((0, 0, 2), (0, -2))], [((0, 0, 1), ())]
    assert below(lines(low), lines(high), places(20, 0, 0))
    assert not any(below(lines([one]), lines(high), places(20, 0, 0)) for one in low)
    larger = "min(2 * n * i, 2 * n * (n - i)) > n * n"
    assert unsatisfiable([LANGUAGE.read(f"n >= 20 and 0 <= i and i <= n and {larger}")])
