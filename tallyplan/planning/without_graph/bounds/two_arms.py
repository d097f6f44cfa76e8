"""Two arms, any memory: the best two-run word, and a potential of m-1 numbers that proves it optimal.

Let s be the number of ones in the window, A_s = h_1(s), B_s = h_0(m-s), and psi the sum of m-1-i over the
ages i of the ones (0 = newest), so that a step x adds m x - s to psi. For *slopes* theta_1 .. theta_{m-1} and
suitable g (docs/large-memory.md), Phi = theta_s psi + g(s) rises on no edge by more than its loss minus
lambda, if A_m, B_0 >= lambda, and with p_k = (A_k - lambda)/(m-k) and q_k = -(B_k - lambda)/k

    q_k <= theta_k <= p_k,
    (p_k - theta_k)(m-k) + (theta_{k-1} - q_{k-1})(k-1)  >=  |theta_k - theta_{k-1}| (k-1)(m-k).

Along a cycle Phi cancels, so then no mean is below lambda. In z_k = k(m-k) theta_k the inequalities read

    -(m-k)(B_k - lambda) <= z_k <= k(A_k - lambda),      z_k - z_{k-1} <= c_k = A_k + B_{k-1} - 2 lambda,
    (m-k-1)/(m-k+1) z_{k-1} - (k-2)/k z_k <= c_k,

a *chain*. Given that z_{k-1} lies in an interval, the z_k that go with it fill an interval again (a shadow
of a convex set), and both of its ends grow with z_{k-1}. So the feasible intervals are carried along the
chain, in exact rationals, and a solution is read off backwards: O(m) operations. If there is none for the
mean of the best two-run word, the largest lambda for which there is one is still a lower bound: bisection
comes close to it.

*Rising slopes* are z_k as large as the first line allows, with theta_k then lowered to the minimum of theta_l
over l >= k. If no word of period below m would pay (p_l >= q_k for k < l), they always prove the mean of the
best two-run word (two-arm theorem, rising slopes); so they do for each arm alone in `prices`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple

from tallyplan.certificates import potential_by_slopes, proves
from tallyplan.errors import InternalError
from tallyplan.model.instance import TallyingBandit
from tallyplan.planning.effort import tick

Slopes = tuple[Fraction, ...]
Interval = tuple[Fraction, Fraction]

HALVINGS = 35  # nearly, of the interval in which the bisection looks for lambda


def dual(levels: Levels, slopes: Slopes) -> dict[str, Any]:
    """The proof as a certificate has it: all slopes and charges are those of the second arm."""
    zeros, charges = (Fraction(0),) * levels.memory, charges_of(levels.ones, slopes)
    return potential_by_slopes([zeros[1:], slopes], [zeros, charges])


def charges_of(ones: Sequence[Fraction], slopes: Slopes) -> list[Fraction]:
    """The charges with which a play that raises the tally has nothing to spare."""
    m, theta = len(ones) - 1, (Fraction(0), *slopes)
    jumps = {k: abs(theta[k] - theta[k - 1]) * (k - 1) for k in range(2, m)}
    return [(m - k) * (jumps[k] + theta[k]) - ones[k] if k in jumps else Fraction(0) for k in range(1, m + 1)]


def best_proof(bandit: TallyingBandit, upper: Fraction) -> tuple[Fraction, Slopes]:
    """The largest bound up to `upper` that slopes prove, and the slopes: exactly `upper`, or close to it."""
    slopes = any_slopes(Levels(bandit, upper))
    return (upper, slopes) if slopes is not None else _below(bandit, upper)


class Levels:
    """The excesses A_s - lambda and B_s - lambda, s = 0 .. m; A_0 and B_m mean nothing."""

    def __init__(self, bandit: TallyingBandit, mean: Fraction) -> None:
        zero, one = bandit.losses
        self.bandit, self.mean = bandit, mean
        self.ones = [Fraction(0), *(loss - mean for loss in one)]
        self.zeros = [*(loss - mean for loss in reversed(zero)), Fraction(0)]

    @property
    def memory(self) -> int:
        """m, the top level."""
        return len(self.ones) - 1

    def proved_by(self, slopes: Slopes) -> bool:
        """Whether the slopes prove that no mean is below lambda; the checker's rule says so."""
        return proves(self.bandit, self.mean, dual(self, slopes))


def largest_rising_slopes(ones: Sequence[Fraction], zeros: Sequence[Fraction]) -> Slopes:
    """z_k as large as the first line allows, then theta_k lowered to the least theta_l with l >= k."""
    m = len(ones) - 1
    greedy: list[Fraction] = []
    for k in range(1, m):
        most = k * ones[k]
        greedy.append(most if k == 1 else min(most, greedy[-1] + ones[k] + zeros[k - 1]))
    theta = [z / (k * (m - k)) for k, z in enumerate(greedy, 1)]
    return tuple(accumulate(reversed(theta), min))[::-1]


def any_slopes(levels: Levels) -> Slopes | None:
    """Slopes that prove the bound, if there are any: the chain, solved exactly."""
    m, links = levels.memory, chain_of(levels)
    found = intervals(links)
    if found is None or levels.ones[m] < 0 or levels.zeros[0] < 0:
        return None
    chosen: list[Fraction] = []  # from the last one on
    for k in range(m - 1, 0, -1):
        tick()
        low, high = found[k - 1]
        if chosen:
            low, high = links[k].before(chosen[-1], low, high)
        scale = k * (m - k)
        chosen.append(scale * simplest(low / scale, high / scale))
    slopes = tuple(z / (k * (m - k)) for k, z in enumerate(reversed(chosen), 1))
    if not levels.proved_by(slopes):
        raise InternalError("the slopes of a two-armed bandit failed; please report this instance.")
    return slopes


class Link(NamedTuple):
    """low <= z_k <= high, z_k <= z_{k-1} + c, forward z_{k-1} - back z_k <= c; the first has bounds only."""

    low: Fraction
    high: Fraction
    c: Fraction
    forward: Fraction
    back: Fraction

    def before(self, after: Fraction, low: Fraction, high: Fraction) -> Interval:
        """The z_{k-1} of an interval that go with z_k = after."""
        if self.forward > 0:
            high = min(high, (self.c + self.back * after) / self.forward)
        return max(low, after - self.c), high

    def shadow(self, before: Interval) -> Interval | None:
        """The interval of z_k if z_{k-1} ranges over `before`."""
        low, high = max(before[0], self.low - self.c), before[1]
        for slope, bound in (
            (self.forward, self.c + self.back * self.high),  # some z_k <= high satisfies the last inequality
            (self.forward - self.back, self.c + self.back * self.c),  # and some z_k <= z_{k-1} + c
        ):
            if slope > 0:
                high = min(high, bound / slope)
            elif slope < 0:
                low = max(low, bound / slope)
            elif bound < 0:
                return None
        if low > high:
            return None
        least = max(self.low, (self.forward * low - self.c) / self.back) if self.back > 0 else self.low
        return least, min(self.high, high + self.c)


def chain_of(levels: Levels) -> list[Link]:
    """The inequalities for z_1 .. z_{m-1}."""
    m, ones, zeros = levels.memory, levels.ones, levels.zeros
    return [
        Link(
            low=-(m - k) * zeros[k],
            high=k * ones[k],
            c=ones[k] + zeros[k - 1],
            forward=Fraction(m - k - 1, m - k + 1),
            back=Fraction(max(0, k - 2), k),
        )
        for k in range(1, m)
    ]


def intervals(links: Sequence[Link]) -> list[Interval] | None:
    """For each k the z_k that extend to z_1 .. z_k, or a part of them; None if there are none."""
    found: list[Interval] = []
    for link in links:
        tick()
        here = link.shadow(found[-1]) if found else (link.low, link.high)
        if here is None or here[0] > here[1] or link.low > link.high:
            return None
        found.append(here)
    return found


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """The rational with the least denominator in [low, high].

    >>> simplest(Fraction(31, 100), Fraction(35, 100)), simplest(Fraction(-1), Fraction(1))
    (Fraction(1, 3), Fraction(0, 1))
    """
    if low == high:
        return low
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest(-high, -low)
    whole = math.ceil(low)
    if whole <= high:
        return Fraction(whole)
    return (whole - 1) + 1 / simplest(1 / (high - whole + 1), 1 / (low - whole + 1))


def _below(bandit: TallyingBandit, upper: Fraction) -> tuple[Fraction, Slopes]:
    """The best bound below `upper`, up to a billionth of the distance to the least loss."""
    least = low = min(bandit.values())
    high = upper
    for _ in range(HALVINGS):
        apart = (high - low) * Fraction(9, 20)
        middle = simplest(low + apart, high - apart)
        provable = intervals(chain_of(Levels(bandit, middle))) is not None
        low, high = (middle, high) if provable else (low, middle)
    slopes = any_slopes(Levels(bandit, low)) if low > least else None
    return (low, slopes) if slopes is not None else (least, (Fraction(0),) * (bandit.memory - 1))
