"""The laws that z3 is told about powers and logarithms hold, in balls and in rational cases."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_check.ways import laws
from proofs_check.ways.balls import precision
from tallyplan.formula import Formula, as_ball

numbers = st.fractions(Fraction(1, 50), 50, max_denominator=50)


def close(left, right, **values):
    with precision(1000):
        difference = Formula(f"({left}) - ({right})").ball(**{k: as_ball(v) for k, v in values.items()})
    return abs(difference) < 1e-20


@given(numbers, numbers, numbers)
def test_powers_of_sums(base, one, two):
    assert str(laws.power_of_sum("b", "x", "y").formula) == "implies(b > 0, b**(x + y) == b**x * b**y)"
    assert close("b**(x + y)", "b**x * b**y", b=base, x=one, y=two)


@given(st.fractions(1, 50, max_denominator=20), numbers, numbers)
def test_powers_grow(base, one, two):
    low, high = sorted((one, two))
    with precision(1000):
        assert not Formula("b**x - b**y").ball(b=as_ball(base), x=as_ball(low), y=as_ball(high)) > 0


@given(st.integers(-20, 20))
def test_log2_undoes_powers(exponent):
    assert Formula("log2(x)")(x=Fraction(2) ** exponent) == exponent


@pytest.mark.parametrize("function", ["log", "log2", "exp"])
@given(one=numbers, two=numbers)
def test_functions_grow(function, one, two):
    low, high = sorted((one, two))
    with precision(1000):
        assert not Formula(f"{function}(x) - {function}(y)").ball(x=as_ball(low), y=as_ball(high)) > 0


@given(numbers)
def test_bases_roots_and_one(x):
    assert close("log2(x) * log(2)", "log(x)", x=x)
    assert close("2 * log(sqrt(x))", "log(x)", x=x)
    assert close("log(1)", "0")
    assert str(laws.log2_as_log("x").formula) == "implies(x > 0, log2(x) * log(2) == log(x))"
    assert str(laws.log_of_root("x").formula) == "implies(x > 0, 2 * log(sqrt(x)) == log(x))"
    assert close("exp(-log(x)) * x", "1", x=x)
    assert str(laws.exp_of_minus_log("x").formula) == "implies(x > 0, exp(-log(x)) * x == 1)"


@given(numbers, numbers)
def test_the_logarithm_of_a_product(x, y):
    assert close("log(x * y)", "log(x) + log(y)", x=x, y=y)
    text = "implies(x > 0 and y > 0, log(x * y) == log(x) + log(y))"
    assert str(laws.log_of_product("x", "y").formula) == text


@given(numbers, numbers)
def test_log2_lies_below_its_tangents(x, y):
    text = "implies(x > 0 and y > 0, (log2(x) - log2(y)) * y * log(2) <= x - y)"
    assert str(laws.log2_below_tangent("x", "y").formula) == text
    with precision(1000):
        rest = Formula("(log2(x) - log2(y)) * y * log(2) - (x - y)").ball(x=as_ball(x), y=as_ball(y))
    assert not rest > 0


@given(st.fractions(2, 4, max_denominator=50))
def test_log2_lies_above_its_chord_from_2_to_4(x):
    assert str(laws.log2_above_chord("x").formula) == "implies(2 <= x and x <= 4, 2 * log2(x) >= x)"
    with precision(1000):
        assert not Formula("2 * log2(x) - x").ball(x=as_ball(x)) < 0


def test_a_claim_makes_no_laws_of_its_own():
    folder = Path(laws.__file__).parents[1]
    files = [path for name in ("paper", "ours") for path in (folder / name).rglob("*.py")]
    assert files
    assert [path.name for path in files if re.search(r"\blaw\(", path.read_text("utf-8"))] == []
