"""A regret next to the paper's bounds; square roots are compared by squares and written by integer roots."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from tallyplan.formula import Formula

BOUNDS = tuple(map(Formula, ("m * K / 128", "m * (K - 1) / 2", "m * K - 1")))


@dataclass(frozen=True)
class Comparison:
    """value <relation> bound, the bound being this formula in K and m."""

    formula: str
    bound: Fraction
    relation: str

    def __str__(self) -> str:
        return f"{self.relation} {self.formula} = {self.bound}"


def comparisons(value: Fraction, *, actions: int, memory: int) -> list[Comparison]:
    """A regret next to mK/128, m(K-1)/2 and mK-1.

    >>> [str(one) for one in comparisons(Fraction(2), actions=3, memory=2)]
    ['> m * K / 128 = 3/64', '= m * (K - 1) / 2 = 2', '< m * K - 1 = 5']
    """
    bounds = [(formula, Fraction(formula(K=actions, m=memory))) for formula in BOUNDS]
    return [Comparison(str(f), bound, _relation(value, bound)) for f, bound in bounds]


def root_share(value: Fraction, *, actions: int, memory: int, horizon: int, digits: int = 4) -> str | None:
    """c with value = c sqrt(mKT): its first digits, cut off and not rounded; None if T = 0.

    >>> root_share(Fraction(1), actions=2, memory=2, horizon=2)  # 1 / sqrt(8)
    '0.3535'
    """
    if horizon == 0:
        return None
    square = value**2 / (memory * actions * horizon)
    cut = math.isqrt(math.floor(square * 10 ** (2 * digits)))
    return f"{cut // 10**digits}.{cut % 10**digits:0{digits}d}"


def _relation(value: Fraction, bound: Fraction) -> str:
    return "=" if value == bound else "<" if value < bound else ">"
