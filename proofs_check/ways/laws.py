"""Facts of analysis that z3 does not know: powers, logarithms and roots, at the arguments that a step names.

`tests/proofs_check/test_laws.py` evaluates each of them in balls.
"""

from __future__ import annotations

from proofs_check.steps import Fact
from tallyplan.formula import Formula


def law(words: str, text: str) -> Fact:
    """A fact of analysis, for all values of its variables."""
    return Fact(Formula(Formula(text).canonical), f"law: {words}")


def power_of_sum(base: str, one: str, two: str) -> Fact:
    """b^(x + y) = b^x b^y, for b > 0.

    >>> print(power_of_sum("2", "s", "1"))
    implies(2 > 0, 2**(s + 1) == 2**s * 2**1)
    """
    return law(
        "powers of a sum",
        f"implies({base} > 0, ({base})**({one} + {two}) == ({base})**({one}) * ({base})**({two}))",
    )


def power_at(exponent: str, value: int) -> Fact:
    """2^x where x is a number.

    >>> print(power_at("S", 3))
    implies(S == 3, 2**S == 8)
    """
    return law("a power of 2", f"implies({exponent} == {value}, 2**({exponent}) == {2**value})")


def power_grows(base: str, low: str, high: str) -> Fact:
    """b^x <= b^y for x <= y, b >= 1."""
    return law(
        "powers grow",
        f"implies({base} >= 1 and {low} <= {high}, ({base})**({low}) <= ({base})**({high}))",
    )


def log2_of_power(value: str, exponent: str) -> Fact:
    """log2(x) = y exactly if x = 2^y, for x > 0."""
    return law(
        "log2 undoes powers",
        f"implies({value} > 0, (log2({value}) == {exponent}) == ({value} == 2**({exponent})))",
    )


def grows(function: str, low: str, high: str) -> Fact:
    """log, log2 and exp are increasing; log and log2 where they are defined.

    >>> print(grows("log", "x", "y"))
    implies(0 < x and x <= y, log(x) <= log(y))
    """
    defined = f"0 < {low} and " if function.startswith("log") else ""
    return law(
        f"{function} grows", f"implies({defined}{low} <= {high}, {function}({low}) <= {function}({high}))"
    )


def log2_as_log(value: str) -> Fact:
    """log2(x) = log(x) / log(2), for x > 0."""
    return law("the base of a logarithm", f"implies({value} > 0, log2({value}) * log(2) == log({value}))")


def log_of_root(value: str) -> Fact:
    """log(sqrt(x)) = log(x) / 2, for x > 0."""
    return law("the logarithm of a root", f"implies({value} > 0, 2 * log(sqrt({value})) == log({value}))")


def log_of_product(one: str, two: str) -> Fact:
    """log(x y) = log(x) + log(y), for x, y > 0."""
    return law(
        "the logarithm of a product",
        f"implies({one} > 0 and {two} > 0, log(({one}) * ({two})) == log({one}) + log({two}))",
    )


def log_of_one() -> Fact:
    """log(1) = 0."""
    return law("log(1) = 0", "log(1) == 0")


def exp_of_minus_log(value: str) -> Fact:
    """exp(-log(x)) = 1 / x, for x > 0."""
    return law("exp undoes log", f"implies({value} > 0, exp(-log({value})) * ({value}) == 1)")


def log2_below_tangent(value: str, at: str) -> Fact:
    """log2 lies below its tangents: log2(x) <= log2(y) + (x - y) / (y log(2)), for x, y > 0."""
    return law(
        "log2 is concave",
        f"implies({value} > 0 and {at} > 0, "
        f"(log2({value}) - log2({at})) * ({at}) * log(2) <= {value} - ({at}))",
    )


def log2_above_chord(value: str) -> Fact:
    """log2 lies above its chord from 2 to 4: log2(x) >= x / 2, for 2 <= x <= 4."""
    return law("log2 is concave", f"implies(2 <= {value} and {value} <= 4, 2 * log2({value}) >= {value})")
