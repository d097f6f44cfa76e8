"""A price and an excess for each arm, next to the least of all runs that see some plays of the run before."""

from fractions import Fraction

import pytest
from check_build import priced, tallying, text
from hypothesis import given, settings
from hypothesis import strategies as st

from tallyplan.check import check


def sixths(low, high):
    return st.integers(low, high).map(lambda x: Fraction(x, 6))


rows = st.integers(1, 4).flatmap(lambda m: st.lists(sixths(0, 6), min_size=m, max_size=m))
whole_rows = st.integers(1, 3).flatmap(
    lambda m: st.lists(st.integers(0, 1).map(Fraction), min_size=m, max_size=m)
)


def accepted(document, changes):
    """Whether it is accepted with its excesses and its bound raised so much."""
    excesses = [Fraction(x) + change for x, change in zip(document["dual"]["excesses"], changes, strict=True)]
    value, price = Fraction(document["claim"]["value"]), Fraction(document["dual"]["price"])
    claim = {key: entry for key, entry in document["claim"].items() if key != "lower"}
    if (lower := price + sum(excesses)) < value:
        claim["lower"] = text(lower)
    listed = [text(x) for x in excesses]
    return bool(check(document | {"claim": claim, "dual": document["dual"] | {"excesses": listed}}))


@settings(max_examples=60)
@given(st.one_of(rows, whole_rows), st.integers(-12, 12))
def test_the_least_excess_is_accepted_and_no_larger_one(row, price):
    document = priced(tallying(row), Fraction(price, 6), [0])
    assert accepted(document, [0])
    assert not accepted(document, [Fraction(1, 6 * 24)])
    assert accepted(document, [-Fraction(1, 6 * 24)])


@pytest.mark.parametrize("memory", [1, 2, 3])
def test_never_to_play_loses_nothing_so_no_excess_is_positive(memory):
    document = priced(tallying([1] * memory), Fraction(-5), [0])
    assert document["dual"]["excesses"] == ["0/1"]
    assert not accepted(document, [1])
