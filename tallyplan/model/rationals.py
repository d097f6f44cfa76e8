"""Numbers in and out: every loss is a rational, read without rounding and printed as `p/q`.

A float is read as its shortest decimal, so that `0.1` and `"0.1"` both mean 1/10. Numbers are limited to
4000 digits: far beyond any use, and small enough that hostile input cannot exhaust the machine.
"""

from __future__ import annotations

import math
import operator
import re
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any

from tallyplan.errors import InvalidInput

MAX_DIGITS = 4000
ACCEPTED = "a number is needed: an int, Fraction, Decimal, float, or text such as 0.25, 1e-3 or 1/3"
_RATIONAL = re.compile(r"[+-]?\d+(/\d+)?", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d+))?", re.ASCII)


def rational(value: Any, what: str) -> Fraction:
    """Read one number exactly; `what` names it in the error message.

    >>> rational("1/3", "loss"), rational(0.1, "loss"), rational(Decimal("1e-3"), "loss")
    (Fraction(1, 3), Fraction(1, 10), Fraction(1, 1000))
    """
    if isinstance(value, Fraction):
        return value
    if isinstance(value, bool):
        raise InvalidInput(f"{what} is {value!r}; a number is needed, not a truth value.")
    if isinstance(value, int):
        return Fraction(int(value))
    if isinstance(value, Rational):  # integers and fractions, numpy's and sympy's too
        return Fraction(int(value.numerator), int(value.denominator))
    if (isinstance(value, float) and not math.isfinite(value)) or (
        isinstance(value, Decimal) and not value.is_finite()
    ):
        raise InvalidInput(f"{what} is {shown(value)}; a finite number is needed.")
    if isinstance(value, float):
        return Fraction(repr(float(value)))
    if isinstance(value, str):
        return _from_text(value.strip(), what)
    if isinstance(value, Decimal) or type(value).__module__ == "numpy":  # str() is the shortest decimal
        return _from_text(str(value), what)
    raise InvalidInput(f"{what} is {shown(value)}; {ACCEPTED}.")


def share(value: Any, what: str) -> Fraction:
    """Read a number that may be a percentage: 1%, 0.01 and 1/100 are the same."""
    if isinstance(value, str) and value.strip().endswith("%"):
        return rational(value.strip().removesuffix("%"), what) / 100
    return rational(value, what)


def unit_rational(value: Any, what: str) -> Fraction:
    """Read a loss: a rational in [0, 1]."""
    number = rational(value, what)
    if not 0 <= number.numerator <= number.denominator:
        given = text(value) if isinstance(value, Fraction) else shown(value)
        raise InvalidInput(f"{what} is {given}; a loss lies between 0 and 1 (`rescale` brings others there).")
    return number


def integer(value: Any, what: str) -> int:
    """An integer; not a float that happens to be whole, and not a truth value."""
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)
    except TypeError:
        raise InvalidInput(f"{what} is {shown(value)}; an integer is needed.") from None


def natural(value: Any, what: str, least: int = 0) -> int:
    """An integer of at least 0, or of at least `least`."""
    number = integer(value, what)
    if number < least:
        raise InvalidInput(f"{what} is {shown(number)}; it must be at least {least}.")
    return number


def integer_from_text(value: str, what: str) -> int:
    """An integer as people write it: 1000, 1_000, 10^15, 1e15.

    >>> integer_from_text("10^15", "T") == integer_from_text("1e15", "T") == 10**15
    True
    """
    match = re.fullmatch(r"([+-]?\d+(?:_\d+)*)(?:(\^|\*\*|e)\+?(\d+))?", value.strip(), re.ASCII)
    if match is None or len(value) > MAX_DIGITS:
        raise InvalidInput(f"{what} is {value[:60]!r}; an integer is needed.")
    number, operator, exponent = int(match.group(1)), match.group(2), int(match.group(3) or 1)
    digits = len(match.group(1))
    if (digits + exponent if operator == "e" else digits * exponent) > MAX_DIGITS:
        raise InvalidInput(f"{what} may have more than {MAX_DIGITS} digits.")
    return int(number * 10**exponent) if operator == "e" else int(number**exponent)


def positive_integer(value: Any, what: str) -> int:
    """An integer of at least 1."""
    return natural(value, what, least=1)


def ceil_div(numerator: int, denominator: int) -> int:
    """The quotient, rounded up.

    >>> ceil_div(7, 2), ceil_div(-7, 2), ceil_div(6, 2)
    (4, -3, 3)
    """
    return -(-numerator // denominator)


def text(value: Fraction | int) -> str:
    """Print a rational as `p/q` in lowest terms.

    >>> text(Fraction(3)), text(Fraction(0)), text(Fraction(2, 4))
    ('3/1', '0/1', '1/2')
    """
    return f"{digits(value.numerator)}/{digits(value.denominator)}"


def plain(value: Fraction) -> str:
    """Print a rational for people: integers without a denominator.

    >>> plain(Fraction(3)), plain(Fraction(1, 3))
    ('3', '1/3')
    """
    return digits(value.numerator) if value.denominator == 1 else text(value)


def about(number: Fraction) -> float | None:
    """A number to twelve digits, for pictures and first looks; None if it is too large for a float.

    >>> about(Fraction(1, 3)), about(Fraction(10**400))
    (0.333333333333, None)
    """
    try:
        return float(f"{float(number):.12g}")
    except OverflowError:
        return None


def digits(number: int) -> str:
    """An integer in decimal, however long; `str` alone stops at 4300 digits.

    >>> digits(-12), len(digits(10**5000))
    ('-12', 5001)
    """
    try:
        return str(number)
    except ValueError:
        return str(Decimal(number))


def _from_text(value: str, what: str) -> Fraction:
    decimal = _DECIMAL.fullmatch(value)
    if decimal is None and _RATIONAL.fullmatch(value) is None:
        raise InvalidInput(f"{what} is {shown(value)}; {ACCEPTED}.")
    exponent = (decimal.group(1) if decimal else None) or "0"
    if len(value) > MAX_DIGITS or len(exponent) > 6 or abs(int(exponent)) > MAX_DIGITS:
        raise InvalidInput(f"{what} has more than {MAX_DIGITS} digits.")
    try:
        return Fraction(value)
    except ZeroDivisionError:
        raise InvalidInput(f"{what} is {shown(value)}; its denominator is zero.") from None


def shown(value: Any) -> str:
    """A value as an error message quotes it: short, whatever it is."""
    try:
        written = repr(value)
    except ValueError:  # Python refuses to write integers of more than 4300 digits
        return "a number with thousands of digits"
    except Exception:  # a faulty __repr__
        return f"a {type(value).__name__}"
    return written if len(written) <= 60 else written[:57] + "..."
