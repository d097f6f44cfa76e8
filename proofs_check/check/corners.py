"""The corners of the region under some planes over the unit cube, by cutting: no corner is guessed or listed.

The region is Q = {(h, t): h in [0, 1]^n, t <= a_i.h for i = 1..k}. With one plane its corners are the 2^n
corners of the cube, lifted, and its edges those of the cube. A further plane removes the corners above it and
puts new ones on the edges that it crosses. On the new facet two corners are joined by an edge exactly if no
third one lies on all the facets that they share.

Instead of the cube it may be the part of it where some coordinates, the *chain*, do not decrease: its corners
are those of the cube that lie in it, and its edges change one other coordinate, or the chain in any way.
*Walls*, inequalities a.h >= b, cut away further parts before the second plane comes, in the same manner:
under one plane the corners and edges are those of what is left of the cube, lifted, whatever its shape.

If just n + 1 facets meet at a corner, each edge there leaves exactly one of them; otherwise pairs are tried.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise, product
from operator import mul

from tallyplan.check.problem import in_units
from tallyplan.check.reading import BITS, Meter

from .accounts import hold, wide

_ENTRIES_OF_A_CORNER = 5  # that a corner and its neighbours count, besides one for each coordinate

Point = tuple[int, ...]
"""(h_1, ..., h_n, t, d) as integers without common divisor, d >= 1: the table h/d at the height t/d."""


@dataclass(eq=False, slots=True)
class _Corner:
    point: Point
    facets: int
    """Bits: 2i for h_i = 0 (or h_i = the one before in the chain), 2i + 1 for h_i = 1, then walls, planes."""
    below: bool
    """Whether the vertical line below it is an edge: it lies over a corner of the tables themselves."""
    near: "set[_Corner]" = field(default_factory=set)

    def join(self, other: "_Corner") -> None:
        self.near.add(other)
        other.near.add(self)


@dataclass(frozen=True)
class _Plane:
    """s*t <= a.h in integers, and its bit among the facets; for a wall, s = 0, and least <= a.h."""

    a: list[int]
    s: int
    bit: int
    least: int = 0

    @property
    def bits(self) -> int:
        """No coefficient has more bits."""
        return max(map(int.bit_length, (self.s, self.least, *self.a)))

    def lift(self, h: Sequence[int], divisor: int = 1) -> Point:
        """The point of the plane above the table h/divisor."""
        return _reduced([*(self.s * x for x in h), sum(map(mul, self.a, h)), self.s * divisor])

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
    for plane in (*upright, *lifted[1:]):
        found = _cut(found, n, plane, first, facets, meter)
    return [corner.point for corner in found]


def _over_the_cube(n: int, chain: Sequence[int], plane: _Plane, meter: Meter) -> list[_Corner]:
    bits = plane.bits + n.bit_length()
    meter.spend(wide(4 * n << n, bits, bits))
    meter.fit(wide((n + _ENTRIES_OF_A_CORNER) << n, bits))
    found: dict[tuple[int, ...], _Corner] = {}
    for h in product((0, 1), repeat=n):
        if all(h[i] <= h[j] for i, j in pairwise(chain)):
            corner = _Corner(plane.lift(h), plane.bit | _walls(h, chain), True)
            for other in _one_step_away(h, chain):
                if other in found:
                    corner.join(found[other])
            found[h] = corner
    return list(found.values())


def _walls(h: tuple[int, ...], chain: Sequence[int]) -> int:
    """The facets of the cube, or of the part where the chain does not decrease, on which h lies."""
    walls = sum(1 << (2 * i + x) for i, x in enumerate(h) if i not in chain)
    before = 0
    for i in chain:
        walls |= (h[i] == before) << 2 * i
        before = h[i]
    return walls | before << (2 * chain[-1] + 1) if chain else walls


def _one_step_away(h: tuple[int, ...], chain: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for i in range(len(h)):
        if i not in chain:
            yield (*h[:i], 1 - h[i], *h[i + 1 :])
    for zeros in range(len(chain) + 1):
        changed = list(h)
        for place, i in enumerate(chain):
            changed[i] = int(place >= zeros)
        if tuple(changed) != h:
            yield tuple(changed)


def _cut(found: list[_Corner], n: int, plane: _Plane, walls: int, facets: int, meter: Meter) -> list[_Corner]:
    """What is left below a plane, or inside a wall; so many of all the facets are walls."""
    if not found:
        return []
    bits = _bits(found)
    meter.spend(wide(n * len(found), bits, plane.bits))
    room = {corner: plane.room(corner.point) for corner in found}
    above = [corner for corner in found if room[corner] < 0]
    kept = [corner for corner in found if room[corner] >= 0]
    facet = [corner for corner in kept if room[corner] == 0]
    for corner in facet:
        corner.facets |= plane.bit
    meter.spend(sum(len(corner.near) for corner in above))
    most = len(above) + sum(room[other] > 0 for corner in above for other in corner.near)
    meter.spend(wide(4 * n * most, bits, bits + plane.bits))
    entries = n + _ENTRIES_OF_A_CORNER + facets // BITS
    meter.fit(wide((len(found) + most) * entries, 2 * bits + plane.bits))
    fresh = []
    for corner in above:
        fresh += _crossings(corner, room, plane)
        if corner.below and plane.s:
            fresh.append(_lowered(corner, walls, plane))
    for corner in above:
        for neighbour in corner.near:
            neighbour.near.discard(corner)
    _join_facet(facet + fresh, n, facets, meter)
    return kept + fresh


def _crossings(corner: _Corner, room: dict[_Corner, int], plane: _Plane) -> list[_Corner]:
    """New corners, where the plane crosses the edges from a corner above it to those below."""
    fresh = []
    for other in corner.near:
        here, there = -room[corner], room[other]
        if there > 0:
            point = [x * there + y * here for x, y in zip(corner.point, other.point, strict=True)]
            fresh.append(_Corner(_reduced(point), corner.facets & other.facets | plane.bit, not plane.s))
            fresh[-1].join(other)
    return fresh


def _lowered(corner: _Corner, walls: int, plane: _Plane) -> _Corner:
    """Over a corner of the tables the vertical line is an edge too."""
    upright = corner.facets & ((1 << walls) - 1)
    return _Corner(plane.lift(corner.point[:-2], corner.point[-1]), upright | plane.bit, True)


def _join_facet(facet: list[_Corner], n: int, facets: int, meter: Meter) -> None:
    """Join the corners of the new facet that share an edge."""
    on: dict[int, int] = {}
    incidences, bits = sum(corner.facets.bit_count() for corner in facet), max(facets, len(facet))
    meter.spend(wide(incidences, bits))
    for index, corner in enumerate(facet):
        for bit in _set_bits(corner.facets):
            on[bit] = on.get(bit, 0) | 1 << index
    crowded = []
    for index, corner in enumerate(facet):
        if corner.facets.bit_count() > n + 1:
            crowded.append((index, corner))
            continue
        meter.spend(wide(2 * n, bits))
        for other in _across(1 << index, [on[bit] for bit in _set_bits(corner.facets)]):
            corner.join(facet[other])
    _join_crowded(crowded, on, n, (facets, bits), meter)


def _join_crowded(
    crowded: list[tuple[int, _Corner]], on: dict[int, int], n: int, bits: tuple[int, int], meter: Meter
) -> None:
    """Pairs that share n facets or more are joined if no other corner lies on all of these.

    Sets of facets have the first number of bits, sets of corners at most the second.
    """
    for i, (me, corner) in enumerate(crowded):
        facets = corner.facets
        meter.spend(wide(i, bits[0]))
        shared = [(you, other, facets & other.facets) for you, other in crowded[:i]]
        close = [entry for entry in shared if entry[2].bit_count() >= n]
        meter.spend(wide(sum(entry[2].bit_count() for entry in close), bits[1]))
        for you, other, common in close:
            if _only(1 << me | 1 << you, on, common):
                corner.join(other)


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


def _bits(found: list[_Corner]) -> int:
    return max(max(corner.point[-2:], key=abs).bit_length() for corner in found)
