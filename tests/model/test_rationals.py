"""Numbers are read without rounding, and what is not a number is refused by name."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from tallyplan import InvalidInput
from tallyplan.model.rationals import MAX_DIGITS, rational, share, text, unit_rational

NUMBERS: dict[Fraction, list[object]] = {
    Fraction(0): [0, -0.0],
    Fraction(1): ["1.", np.int64(1)],
    Fraction(1, 2): [".5", " 2/4 "],
    Fraction(1, 3): ["1/3"],
    Fraction(1, 4): [np.float16(0.25)],
    Fraction(1, 7): ["+1/7"],
    Fraction(2, 7): [Fraction(2, 7), sympy.Rational(2, 7)],
    Fraction(1, 10): ["0.1", 0.1, np.float32(0.1), np.float64(0.1), Decimal("0.1")],
    Fraction(1, 1000): ["1e-3", Decimal("1E-3")],
    Fraction(1, 10**9): [1e-9],
}


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_means_what_is_written(number):
    assert all(rational(value, "loss") == number for value in NUMBERS[number])


def test_a_share_may_be_a_percentage():
    assert {share(value, "share") for value in ("1%", " 1% ", "0.01", "1/100", 0.01)} == {Fraction(1, 100)}


NO_NUMBERS: list[object] = ["one", "1/0", "0/0", "1/-2", "1_0", "0x1", "nan", "inf", "-inf", "1/2/3", "٣"]
NO_NUMBERS += ["1e99999999999", "1e-5000", "", "1 / 2"]
NO_NUMBERS += [True, False, np.True_, None, 1j, b"1", [1], {}, "9" * (MAX_DIGITS + 1)]
NO_NUMBERS += [float("nan"), float("inf"), float("-inf"), np.float64("nan"), np.float32("inf")]
NO_NUMBERS += [Decimal("nan"), Decimal("sNaN"), Decimal("-inf"), Decimal("1E-5000")]


@pytest.mark.parametrize("value", NO_NUMBERS)
def test_what_is_not_a_number_is_refused_by_name(value):
    with pytest.raises(InvalidInput, match=r"losses\[3\]\[1\]"):
        rational(value, "losses[3][1]")


@pytest.mark.parametrize(
    "value", [-1, 2, "-1/10", "11/10", 1.0000001, "-1e-9", 10**5000, -(10**5000)], ids=type
)
def test_a_loss_outside_the_unit_interval_is_refused_by_name(value):
    with pytest.raises(InvalidInput, match=r"losses\[0\]\[0\]"):
        unit_rational(value, "losses[0][0]")


@given(st.fractions())
def test_printing_and_reading_give_back_the_number(number):
    assert rational(text(number), "loss") == number


@given(st.floats(0, 1))
def test_a_float_is_its_shortest_decimal(number):
    assert rational(number, "loss") == rational(repr(number), "loss")
    assert float(rational(number, "loss")) == number
