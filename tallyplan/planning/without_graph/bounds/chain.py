"""Systems of inequalities along a chain: which z_1, ..., z_n satisfy them?

    low_k <= z_k <= high_k                                         1 <= k <= n
    z_k <= z_{k-1} + c_k    and    forward_k z_{k-1} - back_k z_k <= c_k     2 <= k <= n,

with forward, back >= 0. Given that z_{k-1} lies in an interval, the z_k that go with it fill an interval
again (a shadow of a convex set), and both of its ends grow with z_{k-1}. So the feasible intervals are
carried along the chain exactly, and a solution is read off backwards: O(n) operations, in rationals a proof,
in floats a guess.

Ends are often tight (an optimal word leaves no slack), so they are kept exactly. Only an end whose rational
has grown to thousands of bits along the way is moved inwards to a multiple of 2^-64, if there is room: that
may lose a solution, but never admits a false one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from tallyplan.planning.effort import tick

Number = TypeVar("Number", Fraction, float)
Interval = tuple[Number, Number]

SHORT_DENOMINATOR = 2**64  # of an end that was moved
LONG_DENOMINATOR = 2000  # bits of a denominator beyond which an end is moved inwards


@dataclass(frozen=True)
class Link(Generic[Number]):
    """What ties z_k to z_{k-1}, and the bounds of z_k; the first link of a chain has only bounds."""

    low: Number
    high: Number
    c: Number
    forward: Number
    back: Number


def intervals(
    links: Sequence[Link[Number]], tidy: Callable[[Interval[Number]], Interval[Number]]
) -> list[Interval[Number]] | None:
    """For each k the z_k that extend to z_1 .. z_k, or a part of them if `tidy` shrinks; None if none do."""
    found: list[Interval[Number]] = []
    for link in links:
        tick()
        here = (link.low, link.high) if not found else _next(found[-1], link)
        if here is None or here[0] > here[1]:
            return None
        found.append(tidy(here))
    return found


def solution(
    links: Sequence[Link[Number]],
    found: Sequence[Interval[Number]],
    choose: Callable[[int, Number, Number], Number],
) -> list[Number]:
    """One solution, chosen backwards: `choose(k, low, high)` picks the k-th number, counted from 0."""
    last = len(links) - 1
    chosen = [choose(last, *found[last])]
    for k in range(last, 0, -1):
        tick()
        link, after, (low, high) = links[k], chosen[-1], found[k - 1]
        low = max(low, after - link.c)
        if link.forward > 0:
            high = min(high, (link.c + link.back * after) / link.forward)
        chosen.append(choose(k - 1, low, high))
    return chosen[::-1]


def _next(before: Interval[Number], link: Link[Number]) -> Interval[Number] | None:
    """The interval of z_k if z_{k-1} ranges over `before`."""
    if link.low > link.high:
        return None
    low, high = max(before[0], link.low - link.c), before[1]
    for slope, bound in (
        (link.forward, link.c + link.back * link.high),  # some z_k <= high_k satisfies the second inequality
        (link.forward - link.back, link.c + link.back * link.c),  # and some z_k <= z_{k-1} + c_k
    ):
        if slope > 0:
            high = min(high, bound / slope)
        elif slope < 0:
            low = max(low, bound / slope)
        elif bound < 0:
            return None
    if low > high:
        return None
    least = max(link.low, (link.forward * low - link.c) / link.back) if link.back > 0 else link.low
    return least, min(link.high, high + link.c)


def on_grid(interval: Interval[Fraction]) -> Interval[Fraction]:
    """The interval with ends of long denominators moved inwards to multiples of 1/2^64, if there is room."""
    low, high = interval
    tidy_low, tidy_high = low, high
    if low.denominator.bit_length() > LONG_DENOMINATOR:
        tidy_low = Fraction(math.ceil(low * SHORT_DENOMINATOR), SHORT_DENOMINATOR)
    if high.denominator.bit_length() > LONG_DENOMINATOR:
        tidy_high = Fraction(math.floor(high * SHORT_DENOMINATOR), SHORT_DENOMINATOR)
    return (tidy_low, tidy_high) if tidy_low <= tidy_high else interval


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
