"""Inequalities between minima of lines, for all lengths: no solver, polynomials in one variable.

`below` decides *low <= high* for all integers n >= N and start <= i <= n + offset, where both sides are built
from i, n and integers by sums, products, quotients and minima, and nothing is of degree two in i. Each side
is then a minimum of *lines* A + B i, A and B quotients of polynomials in n. For every line of `high` a line
of `low` must be below

- at each of the first and of the last EDGE values of i, and
- at both ends of the values between them: what is affine in i and nonnegative at both ends is nonnegative
  between them. Two lines of `low` will do as well if a mean of them is below at both ends. With the
  differences f, g of the one at the ends and p, q of the other, f >= 0, q >= 0 and f q >= g p say that the
  mean with weights -p and f is (or, where p >= 0 or g >= 0, the one or the other line itself).

At each of these places the differences are functions of n alone. A quotient is nonnegative if the product of
its two parts is, and its denominator has no zero; a polynomial is nonnegative from N on if all its
coefficients at n = N + x are, and otherwise it is evaluated up to where its leading term decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product

from flint import fmpz_poly

from tallyplan.formula import Formula, Reading

EDGE = 5
N = fmpz_poly([0, 1])


@dataclass(frozen=True, eq=False)
class Quotient:
    """A quotient of two polynomials in n."""

    over: fmpz_poly
    under: fmpz_poly = field(default_factory=lambda: fmpz_poly([1]))

    def __add__(self, other: Quotient) -> Quotient:
        if self.under == other.under:
            return Quotient(self.over + other.over, self.under)
        return Quotient(self.over * other.under + other.over * self.under, self.under * other.under)

    def __sub__(self, other: Quotient) -> Quotient:
        return self + Quotient(-other.over, other.under)

    def __mul__(self, other: Quotient) -> Quotient:
        return Quotient(self.over * other.over, self.under * other.under)

    def nonnegative(self, since: int) -> bool:
        """Whether it is defined and at least 0 at all integers from there on."""
        defined = _nonnegative(self.under - 1, since) or _nonnegative(-self.under - 1, since)
        return defined and _nonnegative(self.over * self.under, since)


@dataclass(frozen=True, eq=False)
class Minimum:
    """The least of some lines A + B i."""

    lines: tuple[tuple[Quotient, Quotient], ...]

    def __add__(self, other: Minimum) -> Minimum:
        return Minimum(tuple((a + c, b + d) for (a, b), (c, d) in product(self.lines, other.lines)))

    def __sub__(self, other: Minimum) -> Minimum:
        return self + other * _number(-1)

    def __neg__(self) -> Minimum:
        return self * _number(-1)

    def __mul__(self, other: Minimum) -> Minimum:
        (a, b), (c, d) = self.line, other.line
        if (b * d).over.degree() >= 0:
            raise ValueError("only lines in i are compared here.")
        return Minimum(((a * c, a * d + b * c),))

    def __truediv__(self, other: Minimum) -> Minimum:
        c, d = other.line
        if d.over.degree() >= 0:
            raise ValueError("nothing is divided by i here.")
        inverse = Quotient(c.under, c.over)
        a, b = self.line
        return Minimum(((a * inverse, b * inverse),))

    @property
    def line(self) -> tuple[Quotient, Quotient]:
        """The only line; products and quotients of minima are not taken."""
        if len(self.lines) > 1:
            raise ValueError("a minimum is neither multiplied nor divided here.")
        return self.lines[0]


@dataclass(frozen=True)
class Range:
    """start <= i <= n + offset, for n >= since."""

    since: int
    start: int
    offset: int

    def places(self) -> Iterable[tuple[int, list[fmpz_poly]]]:
        """Values of i at which one line must be below, and the n from which on they are in question."""
        for i in range(self.start, self.start + EDGE):
            yield max(self.since, i - self.offset), [fmpz_poly([i])]
        for back in range(EDGE):
            yield max(self.since, self.start + back - self.offset), [N + (self.offset - back)]
        between = [fmpz_poly([self.start + EDGE]), N + (self.offset - EDGE)]
        yield max(self.since, self.start + 2 * EDGE - self.offset), between


def below(
    low: Formula | str, high: Formula | str, *, since: Formula, start: int = 0, offset: int = 0
) -> bool:
    """Is low <= high for all integers n with `since` and, if i occurs, start <= i <= n + offset?

    >>> below("min(i, 3)", "min(1 + min(i - 1, 3), 4)", since=Formula("n >= 2"), start=1)
    True
    >>> below("min(i, 4)", "min(1 + min(i - 1, 3), 3)", since=Formula("n >= 2"), start=1)
    False
    >>> below("1 / (n + 1)", "1 / n", since=Formula("n >= 1"))
    True
    """
    first = next((n for n in range(1000) if since.holds(n=n)), None)
    if first is None:
        raise ValueError(f"no n below 1000 satisfies {since}.")
    sides = [Formula(str(one)) for one in (low, high)]
    lower, upper = (one.read(_READING, {"i": _I, "n": _N}) for one in sides)
    moving = any("i" in one.names for one in sides)
    places = Range(first, start, offset).places() if moving else [(first, [fmpz_poly([])])]
    return _below(lower, upper, places)


def _below(low: Minimum, high: Minimum, places: Iterable[tuple[int, list[fmpz_poly]]]) -> bool:
    """Whether a line of `low`, or a mean of two, is below every line of `high` at every place."""
    return all(
        _one_or_two(([a - c + (b - d) * Quotient(i) for i in at] for c, d in low.lines), since)
        for since, at in places
        for a, b in high.lines
    )


def _one_or_two(differences: Iterable[list[Quotient]], since: int) -> bool:
    """Whether one of the lines, or a mean of two, has nonnegative differences at both ends."""
    firsts, lasts = [], []
    for ends in differences:
        good = [one.nonnegative(since) for one in ends]
        if all(good):
            return True
        if good[0]:
            firsts.append(ends)
        if good[-1]:
            lasts.append(ends)
    return any((f * q - g * p).nonnegative(since) for (f, g), (p, q) in product(firsts, lasts))


def _nonnegative(polynomial: fmpz_poly, since: int) -> bool:
    """Whether it is at least 0 at all integers from there on."""
    return _from_zero_on(tuple(polynomial(N + since).coeffs()))


@cache
def _from_zero_on(coefficients: Sequence[int]) -> bool:
    if all(one >= 0 for one in coefficients):
        return True
    if coefficients[-1] < 0:
        return False
    largest = max(abs(int(one)) for one in coefficients)
    polynomial = fmpz_poly(list(coefficients))
    return all(polynomial(x) >= 0 for x in range(largest // int(coefficients[-1]) + 3))


def _number(value: int) -> Minimum:
    return Minimum(((Quotient(fmpz_poly([value])), Quotient(fmpz_poly([]))),))


def _power(base: Minimum, exponent: Minimum) -> Minimum:
    (power, slope), found = exponent.line, _number(1)
    if (
        slope.over.degree() >= 0
        or power.over.degree() > 0
        or power.under != fmpz_poly([1])
        or power.over[0] < 0
    ):
        raise ValueError("an exponent is a number 0, 1, 2, ... here.")
    for _ in range(int(power.over[0])):
        found = found * base
    return found


def _least(*several: Minimum) -> Minimum:
    return Minimum(tuple(line for one in several for line in one.lines))


def _divided(one: Minimum, other: Minimum) -> Minimum:
    return one / other


_READING = Reading(_number, _power, {"min": _least}, _divided)
_I = Minimum(((Quotient(fmpz_poly([])), Quotient(fmpz_poly([1]))),))
_N = Minimum(((Quotient(N), Quotient(fmpz_poly([]))),))
