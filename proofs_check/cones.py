"""Polyhedral cones {x: a.x >= 0 for every row a so far} in exact integers: their extreme rays and lines.

Vertices of a polytope and facets of a hull are both questions about cones. The Parma Polyhedra Library
answers them if it is installed (pplpy; it is GPL, so it is no requirement). Otherwise `PlainCone` does, by
the double description method in Python and numpy: right in the same way, only slower. It shares nothing with
the checker, whose corners are found along the edges of the region; this keeps rays alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = tuple[int, ...]
BITS_SET = np.array([byte.bit_count() for byte in range(256)], dtype=np.uint16)
ADVICE = (
    "the polyhedra are computed in Python, which is slower than with the package pplpy (pip install pplpy)"
)


def has_library() -> bool:
    """Whether pplpy is installed."""
    return find_spec("ppl") is not None


def whole_space(dimension: int) -> LibraryCone | PlainCone:
    """The cone without any rows yet: all x; what it is cut by remains.

    >>> quadrant = whole_space(2)
    >>> quadrant.cut((1, 0))
    >>> quadrant.cut((0, 1))
    >>> sorted(quadrant.rays()), quadrant.lines()
    ([(0, 1), (1, 0)], [])
    """
    return LibraryCone(dimension) if has_library() else PlainCone(dimension)


class LibraryCone:
    """A cone of the Parma Polyhedra Library."""

    def __init__(self, dimension: int) -> None:
        import ppl

        self._ppl: Any = ppl
        self._dimension = dimension
        self._polyhedron = ppl.C_Polyhedron(dimension, "universe")

    def cut(self, row: Sequence[int]) -> None:
        """Keep the x with row.x >= 0."""
        self._polyhedron.add_constraint(self._ppl.Linear_Expression(list(row), 0) >= 0)

    def rays(self) -> list[Vector]:
        """One vector of each extreme ray, modulo the lines, without a common divisor."""
        return [self._vector(one) for one in self._polyhedron.minimized_generators() if one.is_ray()]

    def lines(self) -> list[Vector]:
        """A basis of the largest linear space in the cone."""
        return [self._vector(one) for one in self._polyhedron.minimized_generators() if one.is_line()]

    def _vector(self, generator: Any) -> Vector:
        coefficients = [int(x) for x in generator.coefficients()]
        return (*coefficients, *[0] * (self._dimension - len(coefficients)))


class PlainCone:
    """The double description method.

    With every ray goes the set of rows that it makes 0, as bits. A row that is not 0 on some line turns that
    line into a ray. Otherwise it removes the rays on its negative side and puts a new ray between each pair
    of neighbours on different sides; two rays are neighbours if no third one lies on all the rows that both
    lie on, for which they must share at least (dimension of the cone) - 2 rows.
    """

    def __init__(self, dimension: int) -> None:
        self._lines = [tuple(int(i == j) for j in range(dimension)) for i in range(dimension)]
        self._rays: list[Vector] = []
        self._zeros = np.zeros((0, 0), dtype=np.uint8)  # rays, rows: packed into bytes
        self._rows = 0
        self._dimension = dimension

    def rays(self) -> list[Vector]:
        """One vector of each extreme ray."""
        return list(self._rays)

    def lines(self) -> list[Vector]:
        """A basis of the largest linear space in the cone."""
        return list(self._lines)

    def cut(self, row: Sequence[int]) -> None:
        """Keep the x with row.x >= 0."""
        leaving = next((line for line in self._lines if dot(row, line)), None)
        if leaving is not None:
            self._turn_into_ray(row, leaving)
        else:
            self._separate(row)
        self._rows += 1

    def _turn_into_ray(self, row: Sequence[int], line: Vector) -> None:
        ray = line if dot(row, line) > 0 else tuple(-x for x in line)
        self._lines = [_projected(other, ray, row) for other in self._lines if other is not line]
        self._rays = [_projected(other, ray, row) for other in self._rays] + [ray]
        every = np.packbits(np.ones((1, self._rows), dtype=np.uint8), axis=1)
        self._zeros = np.vstack([self._zeros, every])
        on = np.ones(len(self._rays), dtype=bool)
        on[-1] = False
        self._record(on)

    def _separate(self, row: Sequence[int]) -> None:
        values = [dot(row, ray) for ray in self._rays]
        signs = np.array([(value > 0) - (value < 0) for value in values], dtype=np.int8)
        pairs = self._neighbours(np.flatnonzero(signs > 0), np.flatnonzero(signs < 0))
        fresh = [_between(self._rays[i], values[i], self._rays[j], values[j]) for i, j in pairs]
        shared = [self._zeros[i] & self._zeros[j] for i, j in pairs]
        kept = np.flatnonzero(signs >= 0)
        self._rays = [self._rays[i] for i in kept] + fresh
        self._zeros = np.vstack([self._zeros[kept], *shared])
        self._record(np.concatenate([signs[kept] == 0, np.ones(len(fresh), dtype=bool)]))

    def _neighbours(self, above: NDArray[Any], below: NDArray[Any]) -> list[tuple[int, int]]:
        needed = self._dimension - len(self._lines) - 2
        found = []
        for i in above:
            common = self._zeros[i] & self._zeros[below]
            close = np.flatnonzero(BITS_SET[common].sum(axis=1) >= needed)
            for at in close:
                lies_on_all = ((self._zeros & common[at]) == common[at]).all(axis=1)
                if np.count_nonzero(lies_on_all) == 2:
                    found.append((int(i), int(below[at])))
        return found

    def _record(self, on: NDArray[np.bool_]) -> None:
        """Which of the rays lie on the newest row."""
        byte, bit = divmod(self._rows, 8)
        if byte == self._zeros.shape[1]:
            self._zeros = np.hstack([self._zeros, np.zeros((len(self._zeros), 1), dtype=np.uint8)])
        self._zeros[:, byte] |= on.astype(np.uint8) << (7 - bit)


def dot(row: Sequence[int], vector: Sequence[int]) -> int:
    """The product row.x."""
    return sum(map(int.__mul__, row, vector))


def _projected(vector: Vector, ray: Vector, row: Sequence[int]) -> Vector:
    """The vector moved along the ray onto row.x = 0; the ray is on its positive side."""
    height, unit = dot(row, vector), dot(row, ray)
    return _reduced([unit * x - height * y for x, y in zip(vector, ray, strict=True)]) if height else vector


def _between(above: Vector, height: int, below: Vector, depth: int) -> Vector:
    """Where the edge between two rays meets the row; height > 0 > depth are their values on it."""
    return _reduced([height * y - depth * x for x, y in zip(above, below, strict=True)])


def _reduced(vector: Sequence[int]) -> Vector:
    divisor = gcd(*vector)
    return tuple(x // divisor for x in vector)
