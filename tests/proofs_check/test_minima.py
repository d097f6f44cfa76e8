"""Inequalities between minima of lines: what `below` says holds wherever it is evaluated."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check.ways.for_all import for_all
from proofs_check.ways.minima import below
from tallyplan.formula import Formula

SMALL = st.integers(-3, 3)
LINES = st.lists(st.tuples(SMALL, SMALL, SMALL, SMALL), min_size=1, max_size=3)


def text(lines):
    parts = [f"{a} + {b} * n + {c} * i + {d} * n * i" for a, b, c, d in lines]
    return parts[0] if len(parts) == 1 else f"min({', '.join(parts)})"


@given(LINES, LINES, st.integers(0, 2), st.integers(-1, 1), st.integers(0, 6))
@settings(max_examples=40, deadline=None)
def test_a_yes_holds_at_every_value(low, high, start, offset, since):
    step = below(text(low), text(high), since=Formula(f"n >= {since}"), start=start, offset=offset)
    if step.holds:
        for n in range(since, since + 16):
            for i in range(start, n + offset + 1):
                assert step.then.holds(n=n, i=i)


@pytest.mark.parametrize(
    ("low", "high"),
    [
        ("min(2 * i, n)", "min(i + 3, n + 1) + n"),
        ("min(n * i, n * (n - i))", "n * n / 2"),  # a mean of the two, and neither alone
        ("min(i, 3)", "min(1 + min(i - 1, 3), 4)"),
        ("1 / (n + 1)", "1 / n"),
    ],
)
def test_z3_says_the_same(low, high):
    step = below(low, high, since=Formula("n >= 20"))
    assert step.holds
    assert for_all("n i integer", given=["n >= 20", "0 <= i", "i <= n"], then=f"{low} <= {high}").holds


@pytest.mark.parametrize(
    ("low", "high"),
    [
        ("n * i", "n"),
        ("n - 20", "10"),
        ("n", "n * n / 30"),
        ("0", "1 / (n - 5)"),
        ("i + 1", "n"),
        ("min(i, n - i)", "10"),  # one line is below at the first end, the other at the last, none between
    ],
)
def test_a_no_where_it_fails(low, high):
    assert below(low, high, since=Formula("n >= 1")).holds is False


def test_what_it_cannot_read_is_an_error():
    for text in ("i * i", "2 * min(i, n)", "1 / i", "2**n", "2**i", "n**(1 / 2)", "n**(-1)"):
        with pytest.raises(ValueError, match="here"):
            below(text, "n", since=Formula("n >= 1"))
    with pytest.raises(ValueError, match="no n below"):
        below("n", "n", since=Formula("n < 0"))


def test_a_late_zero_is_found():
    """(n - 50)^2 - 1 is negative at n = 50 only."""
    assert below("1", "(n - 50)**2", since=Formula("n >= 1")).holds is False
    assert below("1", "(n - 50)**2", since=Formula("n >= 51")).holds is True
