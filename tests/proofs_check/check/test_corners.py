"""Three regions whose corners come out wrong if any facet has another's bit, or an edge is missed.

They were chosen from random regions on which changes of the code were tried.
"""

from fractions import Fraction
from math import gcd

import pytest

from proofs_check.check.corners import corners
from proofs_check.worst_case.engine import Region
from tallyplan.check.reading import Meter

REGIONS = {
    "chain-and-wall": (
        [[2, 0, 1, 1], [3, 2, 3, 0], [1, 3, 2, 1], [0, 3, 0, 3]],
        [1, 2, 3],
        [([0, 2, 1, 1], 1)],
        33,
    ),
    "chain-of-one": ([[2, 1, 2, 0], [0, 1, 1, 0], [3, 0, 3, 2]], [3], [], 19),
    "one-loss": ([[0]], [0], [], 2),
}


@pytest.mark.parametrize("name", REGIONS)
def test_the_corners_of_a_region_are_those_of_the_double_description(name):
    whole, chain, walls, count = REGIONS[name]
    planes = [[Fraction(x) for x in plane] for plane in whole]
    region = Region(len(planes[0]), chain, [(tuple(map(Fraction, a)), Fraction(b)) for a, b in walls])
    for plane in planes:
        region.cut(tuple(plane))
    points = corners(planes, chain, Meter(10**7), walls)
    assert {tuple(Fraction(x, point[-1]) for x in point[:-1]) for point in points} == {
        (*vertex.losses, vertex.height) for vertex in region.vertices()
    }
    assert len(points) == count
    assert all(point[-1] >= 1 and gcd(*point) == 1 for point in points)
