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


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        ([((), (2,)), ((0, 1), ())], [((3, 1), (1,)), ((1, 2), ())], "min(2 * i, n) > min(i + 3, n + 1) + n"),
        (  # a mean of the two, and neither alone
            [((), (0, 2)), ((0, 0, 2), (0, -2))],
            [((0, 0, 1), ())],
            "min(2 * n * i, 2 * n * (n - i)) > n * n",
        ),
        ([((), (1,)), ((3,), ())], [((), (1,)), ((4,), ())], "min(i, 3) > min(1 + min(i - 1, 3), 4)"),
    ],
)
def test_z3_says_the_same(low, high, text):
    assert below(lines(low), lines(high), places(20, 0, 0))
    assert unsatisfiable([LANGUAGE.read(f"n >= 20 and 0 <= i and i <= n and {text}")])
