"""The corners of the region under some planes over the unit cube, by cutting: no corner is guessed or listed.

The region is Q = {(h, t): h in [0, 1]^n, t <= a_i.h for i = 1..k}. With one plane its corners are the 2^n
corners of the cube, lifted. A further plane removes the corners above it and puts new ones on the edges that
it crosses. Two corners are joined by an edge exactly if no third one lies on all the facets that both lie on.
The vertical lines below the corners are edges too: their lower end, one point at infinity, counts as a corner
that lies on every wall and below every plane.

Instead of the cube it may be the part of it where some coordinates, the *chain*, do not decrease: its corners
are those of the cube that lie in it. *Walls*, inequalities a.h >= b, cut away further parts before the second
plane comes, in the same manner: under one plane the corners and edges are those of what is left of the cube,
lifted, whatever its shape.

If just n + 1 facets meet at a corner, each edge there leaves exactly one of them; otherwise pairs are tried.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from operator import mul
from typing import NamedTuple

from tallyplan.check.problem import in_units
from tallyplan.check.reading import BITS, Meter

from .accounts import hold, wide

_ENTRIES_OF_A_CORNER = 5  # that a corner counts, besides one for each coordinate

Point = tuple[int, ...]
"""(h_1, ..., h_n, t, d) as integers without common divisor: the table h/d at height t/d; 0 at infinity."""


class _Corner(NamedTuple):
    point: Point
    facets: int
    """Bits: 2i for h_i = 0 (or h_i = the one before in the chain), 2i + 1 for h_i = 1, then walls, planes."""


class _Plane(NamedTuple):
    """s*t <= a.h in integers, and its bit among the facets; for a wall, s = 0, and least <= a.h."""

    a: list[int]
    s: int
    bit: int
    least: int = 0

    @property
    def bits(self) -> int:
        """No coefficient has more bits."""
        return max(map(int.bit_length, (self.s, self.least, *self.a)))

    def room(self, point: Point) -> int:
        """Positive below the plane or inside the wall, negative above or outside."""
        height: int = sum(map(mul, self.a, point))
        return height - self.s * point[-2] - self.least * point[-1]


def corners(
    planes: Sequence[list[Fraction]],
    chain: Sequence[int],
    meter: Meter,
    walls: Sequence[tuple[Sequence[int], int]] = (),
) -> list[Point]:
    """All corners of Q; there is at least one plane, and each has n coefficients. The chain may be empty."""
    n = len(planes[0])
    meter.fit(meter.power(2, n) * (n + _ENTRIES_OF_A_CORNER))
    first = 2 * n + len(walls)
    facets = first + len(planes)
    hold(meter, wide(len(walls) + len(planes), facets))
    upright = [_Plane(list(a), 0, 1 << (2 * n + i), least) for i, (a, least) in enumerate(walls)]
    lifted = [_Plane(*in_units(plane, meter), 1 << (first + i)) for i, plane in enumerate(planes)]
    found = _over_the_cube(n, chain, lifted[0], meter)
    found.append(_Corner((*(0,) * n, -1, 0), (1 << 2 * n) - 1))
    for plane in (*upright, *lifted[1:]):
        found = _cut(found, n, plane, facets, meter)
    return [corner.point for corner in found if corner.point[-1]]


def _over_the_cube(n: int, chain: Sequence[int], plane: _Plane, meter: Meter) -> list[_Corner]:
    bits = plane.bits + n.bit_length()
    meter.spend(wide(4 * n << n, bits, bits))
    meter.fit(wide((n + _ENTRIES_OF_A_CORNER) << n, bits))
    return [
        _Corner(_reduced([*(plane.s * x for x in h), sum(map(mul, plane.a, h)), plane.s]), plane.bit | on)
        for h in product((0, 1), repeat=n)
        if all(h[i] <= h[j] for i, j in pairwise(chain))
        for on in [_walls(h, chain)]
    ]


def _walls(h: tuple[int, ...], chain: Sequence[int]) -> int:
    """The facets of the cube, or of the part where the chain does not decrease, on which h lies."""
    walls = sum(1 << (2 * i + x) for i, x in enumerate(h) if i not in chain)
    before = 0
    for i in chain:
        walls |= (h[i] == before) << 2 * i
        before = h[i]
    return walls | before << (2 * chain[-1] + 1) if chain else walls


def _cut(found: list[_Corner], n: int, plane: _Plane, facets: int, meter: Meter) -> list[_Corner]:
    """What is left below a plane, or inside a wall."""
    bits = max(max(corner.point[-2:], key=abs).bit_length() for corner in found)
    meter.spend(wide(n * len(found), bits, plane.bits))
    room = [plane.room(corner.point) for corner in found]
    kept = [
        corner if space else _Corner(corner.point, corner.facets | plane.bit)
        for corner, space in zip(found, room, strict=True)
        if space >= 0
    ]
    if len(kept) == len(found):
        return kept
    entries = n + _ENTRIES_OF_A_CORNER + facets // BITS
    for i, j in _crossed(found, room, n, facets, meter):
        meter.spend(wide(4 * n, bits, bits + plane.bits))
        meter.fit(wide((len(found) + len(kept)) * entries, 2 * bits + plane.bits))
        (above, ours), (below, theirs) = found[i], found[j]
        point = [x * room[j] - y * room[i] for x, y in zip(above, below, strict=True)]
        kept.append(_Corner(_reduced(point), ours & theirs | plane.bit))
    return kept


def _crossed(
    found: list[_Corner], room: list[int], n: int, facets: int, meter: Meter
) -> Iterator[tuple[int, int]]:
    """The edges from the corners without room to those with some."""
    incidences, bits = sum(corner.facets.bit_count() for corner in found), max(facets, len(found))
    meter.spend(wide(incidences, bits))
    meter.fit(wide(facets, len(found)))
    on: dict[int, int] = {}
    for index, corner in enumerate(found):
        for bit in _set_bits(corner.facets):
            on[bit] = on.get(bit, 0) | 1 << index
    above, below = ([i for i, space in enumerate(room) if sign * space > 0] for sign in (-1, 1))
    for i in above:
        ours = found[i].facets
        if ours.bit_count() == n + 1:
            meter.spend(wide(2 * n, bits))
            others = _across(1 << i, [on[bit] for bit in _set_bits(ours)])
            yield from ((i, j) for j in others if room[j] > 0)
            continue
        meter.spend(wide(len(below), facets))
        shared = ((j, ours & found[j].facets) for j in below)
        close = [(j, common) for j, common in shared if common.bit_count() >= n]
        meter.spend(wide(sum(common.bit_count() for _, common in close), bits))
        yield from ((i, j) for j, common in close if _only(1 << i | 1 << j, on, common))


def _across(me: int, sets: list[int]) -> Iterator[int]:
    """For each facet left out: the only other corner on all the remaining ones, if there is one."""
    after = [-1]
    for members in sets[:0:-1]:
        after.append(after[-1] & members)
    before = -1
    for members in sets:
        others = before & after.pop() & ~me
        before &= members
        if others and not others & (others - 1):
            yield others.bit_length() - 1


def _only(pair: int, on: dict[int, int], facets: int) -> bool:
    """Are these the only corners that lie on all the facets?"""
    members = -1
    for bit in _set_bits(facets):
        members &= on[bit]
        if members == pair:
            return True
    return False


def _set_bits(number: int) -> list[int]:
    bits = []
    while number:
        low = number & -number
        bits.append(low)
        number ^= low
    return bits


def _reduced(point: list[int]) -> Point:
    divisor = math.gcd(*point)
    return tuple(x // divisor for x in point)
