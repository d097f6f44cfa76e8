"""Which constants k are too small in P(|mean - p| > sqrt(k log(2/x) / n)) <= x: a fair coin shows it.

Hoeffding's bound gives k = 1/2. For a smaller k the coin exceeds x once x is small enough; the tail of n
throws is an exact binomial sum, and which numbers of heads belong to it is decided by Arb balls.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from proofs_check.balls import decimal, less
from proofs_check.witness import Witness
from tallyplan.formula import Formula

FAILURE = Fraction(1, 10**9)  # x
WIDTH = Formula("sqrt(k / n * log(2 / x))")
MOST_THROWS = 100


def too_small(constant: Fraction) -> Witness | None:
    """The fewest throws of a fair coin for which this constant fails, by exact binomial sums; or None."""
    n = next((n for n in range(1, MOST_THROWS) if failure(n, constant) > FAILURE), None)
    if n is None:
        return None
    facts = {
        "constant": constant,
        "n": n,
        "mean": Fraction(1, 2),
        "allowed failure probability": FAILURE,
        "failure probability": decimal(Formula("x"), x=failure(n, constant)),
    }
    return Witness(facts)


def failure(n: int, constant: Fraction) -> Fraction:
    """P(|mean - 1/2| > width) with this constant."""
    return tail(n, WIDTH.where(k=str(constant), n=n, x=str(FAILURE)))


def tail(n: int, width: Formula) -> Fraction:
    """P(|mean - 1/2| > width) for n throws, the threshold decided in balls."""
    beyond = (h for h in range(n // 2 + 1, n + 1) if less(width, Formula(str(Fraction(2 * h - n, 2 * n)))))
    first = next(beyond, n + 1)  # the fewest heads beyond the width
    return Fraction(2 * sum(comb(n, heads) for heads in range(first, n + 1)), 2**n)
