"""Inequalities between minima of lines, for all lengths: no solver, polynomials in one variable.

A *line* is A + B i, where A and B are polynomials in n. `below` decides whether the least of some lines is at
most the least of others, for all integers n >= since and start <= i <= n + offset. For every line of the
others one of the first must be below

- at each of the first and of the last EDGE values of i, and
- at both ends of the values between them: what is affine in i and nonnegative at both ends is nonnegative
  between them. Two of the first lines will do as well if a mean of them is below at both ends. With the
  differences f, g of the one at the ends and p, q of the other, f >= 0, q >= 0 and f q >= g p say that the
  mean with weights -p and f is (or, where p >= 0 or g >= 0, the one or the other line itself).

At each of these places the differences are polynomials in n. One is nonnegative from N on if all its
coefficients at n = N + x are, and otherwise it is evaluated up to where its leading term decides.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product

from flint import fmpq, fmpq_poly

from tallyplan.formula import Formula

EDGE = 5
N = fmpq_poly([0, 1])
Line = tuple[fmpq_poly, fmpq_poly]
Place = tuple[int, list[fmpq_poly]]  # values of i at which one line must be below, for n from there on


def quotient(formula: Formula) -> tuple[fmpq_poly, fmpq_poly]:
    """A rational function of n as a quotient of polynomials.

    >>> quotient(Formula("1 - 1 / (n + 1)"))
    (x, x + 1)
    """
    import sympy

    n = sympy.Symbol("n")
    parts = sympy.fraction(sympy.cancel(formula.sympy(n=n)))
    terms = [sympy.Poly(part, n).all_coeffs()[::-1] for part in parts]
    over, under = (fmpq_poly([fmpq(int(c.p), int(c.q)) for c in some]) for some in terms)
    return over, under


@cache
def polynomial(text: str) -> fmpq_poly:
    """A polynomial in n."""
    over, under = quotient(Formula(text))
    return over / under[0]


def places(since: int, start: int, offset: int) -> list[Place]:
    """Where lines are compared for n >= since and start <= i <= n + offset."""
    first = [(max(since, i - offset), [fmpq_poly([i])]) for i in range(start, start + EDGE)]
    last = [(max(since, start + back - offset), [N + (offset - back)]) for back in range(EDGE)]
    between = [fmpq_poly([start + EDGE]), N + (offset - EDGE)]
    return [*first, *last, (max(since, start + 2 * EDGE - offset), between)]


def below(low: Sequence[Line], high: Sequence[Line], where: Iterable[Place]) -> bool:
    """Whether a line of `low`, or a mean of two, is below every line of `high` at every place.

    >>> three, rises = (fmpq_poly([3]), fmpq_poly([])), (fmpq_poly([]), fmpq_poly([1]))
    >>> below([rises, three], [three], places(2, 0, 0)), below([three], [rises], places(2, 0, 0))
    (True, False)
    """
    return all(
        _one_or_two(([a - c + (b - d) * i for i in at] for c, d in low), since)
        for since, at in where
        for a, b in high
    )


def _one_or_two(differences: Iterable[list[fmpq_poly]], since: int) -> bool:
    """Whether one of the lines, or a mean of two, has nonnegative differences at both ends."""
    firsts, lasts = [], []
    for ends in differences:
        good = [nonnegative(one, since) for one in ends]
        if all(good):
            return True
        if good[0]:
            firsts.append(ends)
        if good[-1]:
            lasts.append(ends)
    return any(nonnegative(f * q - g * p, since) for (f, g), (p, q) in product(firsts, lasts))


def nonnegative(polynomial: fmpq_poly, since: int) -> bool:
    """Whether it is at least 0 at all integers from there on."""
    return _from_zero_on(tuple(polynomial(N + since).numer().coeffs()))


@cache
def _from_zero_on(coefficients: Sequence[int]) -> bool:
    if all(one >= 0 for one in coefficients):
        return True
    if coefficients[-1] < 0:
        return False
    largest = max(abs(int(one)) for one in coefficients)
    polynomial = fmpq_poly(list(coefficients))
    return all(polynomial(x) >= 0 for x in range(largest // int(coefficients[-1]) + 3))
