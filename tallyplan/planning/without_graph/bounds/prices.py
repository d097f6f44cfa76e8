"""A lower bound for any number of arms and any memory: a price per step, and one problem per arm.

Charge every step the price mu, and give each play of the arm x its loss minus mu. A sequence of plays then
loses, per step, mu plus the sum over the arms of what each does alone, against "some other arm" at no loss:

    lambda*  >=  mu + sum over x of e_x(mu),    e_x(mu) = the least mean of h_x(tally) - mu over plays of x.

One arm alone is a two-armed problem whose other arm is constant, so by the two-arm theorem for rising
slopes (docs/large-memory.md) its best word is a pause followed by a run, of period at least m. With a run
of l plays, of which the first sees c plays of the run before, the period is l + m - c and the plays cost
H(l) - H(c) + c h(c), H the prefix sums. So e_x(mu) >= e if and only if, for all 0 <= c <= l <= m,

    [H(l) - (mu + e) l]  +  [c h(c) - H(c) + e c]   >=  e m,

a sum of a function of l and one of c: *one pass with a running minimum* checks all m^2/2 words. The largest
such e is found by Dinkelbach's iteration, the best price by intersecting tangents of the concave function
above; both end exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

from tallyplan.certificates import potential_by_slopes
from tallyplan.model.instance import TallyingBandit
from tallyplan.planning.without_graph.bounds.two_arms import Slopes, charges_of, largest_rising_slopes


@dataclass(frozen=True)
class Prices:
    """The bound price + sum(excesses); `excesses[x]` is at most the least mean of h_x - price of x alone."""

    price: Fraction
    excesses: tuple[Fraction, ...]

    @property
    def bound(self) -> Fraction:
        """What is proved: no policy loses less per step."""
        return self.price + sum(self.excesses)

    def dual(self, bandit: TallyingBandit) -> dict[str, Any]:
        """The proof as a certificate has it."""
        return potential_by_slopes(*self.slopes_and_charges(bandit))

    def slopes_and_charges(self, bandit: TallyingBandit) -> tuple[list[Slopes], list[list[Fraction]]]:
        """For each arm rising slopes against the price, and their charges."""
        slopes, charges = [], []
        for row, excess in zip(bandit.losses, self.excesses, strict=True):
            ones = [Fraction(0), *(loss - self.price - excess for loss in row)]
            slopes.append(largest_rising_slopes(ones, [-excess] * len(ones)))
            charges.append(charges_of(ones, slopes[-1]))
        return slopes, charges


def best_prices(bandit: TallyingBandit) -> Prices:
    """The price with the largest bound; O(K m) operations for each of a few dozen prices.

    >>> best_prices(TallyingBandit([["0", "1"], ["0", "1"], ["0", "1"]])).bound
    Fraction(0, 1)
    >>> best_prices(TallyingBandit([["1/3", "1/2"]])).bound  # one arm: its constant word
    Fraction(1, 2)
    """
    arms = [Arm.of(row) for row in bandit.integers]
    low, high = (
        Tangent.at(arms, Fraction(0)),
        Tangent.at(arms, Fraction(bandit.denominator * (2 * len(arms[0].sums)))),
    )
    best = low
    while low.slope > 0 > high.slope:
        price = (high.level - low.level) / (low.slope - high.slope)
        best = Tangent.at(arms, price)
        if best.bound == low.level + low.slope * price:
            break
        low, high = (best, high) if best.slope >= 0 else (low, best)
    else:
        best = low if low.slope <= 0 else high
    return Prices(best.price / bandit.denominator, tuple(e / bandit.denominator for e in best.excesses))


@dataclass(frozen=True)
class Arm:
    """H(l) for 0 <= l <= m, and c h(c) - H(c) for 0 <= c <= m, in integers."""

    sums: Sequence[int]
    pauses: Sequence[int]

    @classmethod
    def of(cls, row: Sequence[int]) -> Arm:
        """From the integer losses h(1) .. h(m)."""
        sums = list(accumulate(row, initial=0))
        return cls(
            sums, [c * loss - total for c, (loss, total) in enumerate(zip([0, *row], sums, strict=True))]
        )

    def best_word(self, price: Fraction) -> tuple[Fraction, Fraction]:
        """(cost, plays) per step of a word with the least cost - price * plays; never to play is (0, 0)."""
        cost, plays = Fraction(0), Fraction(0)
        while True:
            run, seen = self._most_below(price, cost - price * plays)
            period = run + len(self.sums) - 1 - seen
            found = Fraction(self.sums[run] + self.pauses[seen], period), Fraction(run, period)
            if found[0] - price * found[1] >= cost - price * plays:
                return cost, plays
            cost, plays = found

    def _most_below(self, price: Fraction, excess: Fraction) -> tuple[int, int]:
        """(l, c) with the least slack in the inequality of the module's docstring."""
        unit = price.denominator * excess.denominator
        per_play = (price + excess).numerator * (unit // (price + excess).denominator)
        per_seen = excess.numerator * price.denominator
        best = least = seen = 0
        where = (0, 0)
        for length, (total, pause) in enumerate(zip(self.sums, self.pauses, strict=True)):
            value = unit * pause + per_seen * length
            if value < least:
                least, seen = value, length
            slack = unit * total - per_play * length + least
            if slack < best:
                best, where = slack, (length, seen)
        return where


@dataclass(frozen=True)
class Tangent:
    """The concave function mu + sum of e_x(mu) at a price: its value is level + slope * price there."""

    price: Fraction
    excesses: tuple[Fraction, ...]
    level: Fraction
    slope: Fraction

    @property
    def bound(self) -> Fraction:
        """The value at the price."""
        return self.level + self.slope * self.price

    @classmethod
    def at(cls, arms: Sequence[Arm], price: Fraction) -> Tangent:
        """Solve each arm's problem at the price."""
        words = [arm.best_word(price) for arm in arms]
        excesses = tuple(cost - price * plays for cost, plays in words)
        level = sum((cost for cost, _ in words), Fraction(0))
        return cls(price, excesses, level, 1 - sum((plays for _, plays in words), Fraction(0)))
