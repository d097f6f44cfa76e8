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
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple

from tallyplan.certificates import potential_by_slopes
from tallyplan.model.instance import TallyingBandit
from tallyplan.planning.without_graph.bounds.two_arms import Slopes, charges_of, largest_rising_slopes


class Prices(NamedTuple):
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
    rows, top = bandit.integers, 2 * bandit.denominator * (bandit.memory + 1)
    low, high = Tangent.at(rows, Fraction(0)), Tangent.at(rows, Fraction(top))
    best = low
    while low.slope > 0 > high.slope:
        price = (high.level - low.level) / (low.slope - high.slope)
        best = Tangent.at(rows, price)
        if best.level + best.slope * price == low.level + low.slope * price:
            break
        low, high = (best, high) if best.slope >= 0 else (low, best)
    else:
        best = low if low.slope <= 0 else high
    return Prices(best.price / bandit.denominator, tuple(e / bandit.denominator for e in best.excesses))


class Tangent(NamedTuple):
    """The concave function mu + sum of e_x(mu) at a price: its value is level + slope * price there."""

    price: Fraction
    excesses: tuple[Fraction, ...]
    level: Fraction
    slope: Fraction

    @classmethod
    def at(cls, rows: Sequence[Sequence[int]], price: Fraction) -> Tangent:
        """Solve each arm's problem at the price."""
        words = [best_alone(row, price) for row in rows]
        excesses = tuple(cost - price * plays for cost, plays in words)
        level = sum((cost for cost, _ in words), Fraction(0))
        return cls(price, excesses, level, 1 - sum((plays for _, plays in words), Fraction(0)))


def best_alone(row: Sequence[int], price: Fraction) -> tuple[Fraction, Fraction]:
    """(cost, plays) per step of a word with the least cost - price * plays; never to play is (0, 0).

    `row` has the integer losses h(1) .. h(m) of an arm.
    """
    sums = list(accumulate(row, initial=0))
    pauses = [c * loss - total for c, (loss, total) in enumerate(zip([0, *row], sums, strict=True))]
    cost, plays = Fraction(0), Fraction(0)
    while True:
        run, seen = _most_below(sums, pauses, price, cost - price * plays)
        period = run + len(row) - seen
        found = Fraction(sums[run] + pauses[seen], period), Fraction(run, period)
        if found[0] - price * found[1] >= cost - price * plays:
            return cost, plays
        cost, plays = found


def _most_below(sums: list[int], pauses: list[int], price: Fraction, excess: Fraction) -> tuple[int, int]:
    """(l, c) with the least slack in the inequality of the module's docstring."""
    unit = price.denominator * excess.denominator
    per_play, per_seen = int(unit * (price + excess)), int(unit * excess)
    values = [unit * pause + per_seen * c for c, pause in enumerate(pauses)]
    lowest = accumulate(values, min)
    slacks = [
        unit * total - per_play * run + low for run, (total, low) in enumerate(zip(sums, lowest, strict=True))
    ]
    run = slacks.index(min(slacks))
    return run, values.index(min(values[: run + 1]))
