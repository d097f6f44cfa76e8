"""Inequalities between minima of lines: what `below` says holds wherever it is evaluated."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check.kernel.z3_question import unsatisfiable
from proofs_check.ours.small_games.minima import below
from proofs_check.theory.schemas import LANGUAGE
from tallyplan.formula import Formula

SMALL = st.integers(-3, 3)
LINES = st.lists(st.tuples(SMALL, SMALL, SMALL, SMALL), min_size=1, max_size=3)


def text(lines):
    parts = [f"{a} + {b} * n + {c} * i + {d} * n * i" for a, b, c, d in lines]
    return parts[0] if len(parts) == 1 else f"min({', '.join(parts)})"


@given(LINES, LINES, st.integers(0, 2), st.integers(-1, 1), st.integers(0, 6))
@settings(max_examples=40, deadline=None)
def test_a_yes_holds_at_every_value(low, high, start, offset, since):
    stated = Formula(f"{text(low)} <= {text(high)}")
    if below(text(low), text(high), since=Formula(f"n >= {since}"), start=start, offset=offset):
        for n in range(since, since + 16):
            for i in range(start, n + offset + 1):
                assert stated.holds(**{k: v for k, v in {"n": n, "i": i}.items() if k in stated.names})


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
    assert below(low, high, since=Formula("n >= 20"))
    assert unsatisfiable([LANGUAGE.read(f"n >= 20 and 0 <= i and i <= n and {low} > {high}")])
