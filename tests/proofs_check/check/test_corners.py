"""The corners that the checker finds along edges are those of the double description."""

from fractions import Fraction
from math import gcd

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check.check.corners import corners
from proofs_check.worst_case.engine import Region
from tallyplan.check.problem import in_units
from tallyplan.check.reading import Meter

KNOWN = {  # chosen from random regions: each is wrong if a facet has another's bit, or an edge is missed
    "chain-and-wall": (
        [[2, 0, 1, 1], [3, 2, 3, 0], [1, 3, 2, 1], [0, 3, 0, 3]],
        [1, 2, 3],
        [([0, 2, 1, 1], 1)],
        33,
    ),
    "chain-of-one": ([[2, 1, 2, 0], [0, 1, 1, 0], [3, 0, 3, 2]], [3], [], 19),
    "one-loss": ([[0]], [0], [], 2),
}


def check_corners(planes, chain, walls):
    planes = [tuple(map(Fraction, plane)) for plane in planes]
    walls = [(tuple(map(Fraction, a)), Fraction(least)) for a, least in walls]
    region = Region(len(planes[0]), chain, walls)
    for plane in planes:
        region.cut(plane)
    whole = [in_units([*a, least], Meter(10**7))[0] for a, least in walls]
    points = corners([list(p) for p in planes], chain, Meter(10**7), [(a, least) for *a, least in whole])
    found = {tuple(Fraction(x, point[-1]) for x in point[:-1]) for point in points}
    assert found == {(*vertex.losses, vertex.height) for vertex in region.vertices()}
    assert len(points) == len(found)
    assert all(point[-1] >= 1 and gcd(*point) == 1 for point in points)
    return len(points)


@pytest.mark.parametrize("name", KNOWN)
def test_the_corners_of_a_known_region_are_found(name):
    *region, count = KNOWN[name]
    assert check_corners(*region) == count


@st.composite
def regions(draw):
    n = draw(st.integers(1, 4))
    plane = st.lists(st.fractions(0, 3, max_denominator=3), min_size=n, max_size=n)
    small = st.fractions(-2, 2, max_denominator=3)
    walls = draw(st.lists(st.tuples(st.lists(small, min_size=n, max_size=n), small), max_size=3))
    if walls and draw(st.booleans()):  # an equation
        walls.append(([-x for x in walls[0][0]], -walls[0][1]))
    order = draw(st.permutations(range(n)))
    chain = sorted(order[: draw(st.integers(0, n))])
    return draw(st.lists(plane, min_size=1, max_size=6)), chain, walls


@settings(max_examples=120, deadline=None)
@given(regions())
def test_the_corners_of_any_region_are_found(region):
    check_corners(*region)
