"""Cones by two programs: the same rays and lines, and those of the definition."""

import sys
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check.cones import LibraryCone, PlainCone, whole_space
from proofs_check.worst_case.engine import Region

systems = st.integers(1, 4).flatmap(
    lambda n: (
        st.lists(st.lists(st.integers(-3, 3), min_size=n, max_size=n), max_size=9)
        .filter(bool)
        .map(lambda rows: (n, rows))
    )
)


def cut(cone, rows):
    for row in rows:
        cone.cut(row)
    return cone


def dot(row, vector):
    return sum(a * x for a, x in zip(row, vector, strict=True))


@settings(max_examples=300)
@given(systems)
def test_the_plain_cone_is_that_of_the_library(system):
    pytest.importorskip("ppl")
    dimension, rows = system
    library, plain = cut(LibraryCone(dimension), rows), cut(PlainCone(dimension), rows)
    assert len(library.lines()) == len(plain.lines())
    faces = [{tuple(dot(row, ray) == 0 for row in rows) for ray in cone.rays()} for cone in (library, plain)]
    assert faces[0] == faces[1]  # an extreme ray is known by the rows that it lies on
    assert len(plain.rays()) == len(library.rays()) == len(faces[0])
    if not plain.lines():
        assert sorted(plain.rays()) == sorted(library.rays())


@settings(max_examples=100)
@given(systems)
def test_rays_and_lines_are_in_the_cone_and_span_its_small_vectors(system):
    """Every small vector of the cone is outside no facet: removing its rays would change the cone."""
    dimension, rows = system
    cone = cut(PlainCone(dimension), rows)
    assert all(dot(row, ray) >= 0 for row in rows for ray in cone.rays())
    assert all(dot(row, line) == 0 for row in rows for line in cone.lines())
    dual = cut(PlainCone(dimension), [*cone.rays(), *cone.lines(), *([-x for x in r] for r in cone.lines())])
    inside = [v for v in product(range(-2, 3), repeat=dimension) if all(dot(row, v) >= 0 for row in rows)]
    normals = [*dual.rays(), *dual.lines(), *(tuple(-x for x in n) for n in dual.lines())]
    assert all(dot(normal, vector) >= 0 for normal in normals for vector in inside)


@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=5))
def test_without_the_library_a_region_has_the_same_vertices(profiles):
    pytest.importorskip("ppl")
    found = []
    for missing in (False, True):
        with pytest.MonkeyPatch.context() as patch:
            if missing:
                patch.setitem(sys.modules, "ppl", None)
            assert isinstance(whole_space(2), PlainCone) == missing
            region = Region(3, [0, 2])
            for profile in profiles:
                region.cut(tuple(Fraction(x, 3) for x in profile))
            found.append(region.vertices())
    assert found[0] == found[1]
