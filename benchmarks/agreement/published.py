"""Figures that others have published: graphs of other libraries' tests, and examples of books and papers.

Only the numbers are taken over. A *largest* mean is asked as the least one of the negated weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Edges = Sequence[Any]  # (tail, head, weight), or (tail, head, weight, time)


@dataclass(frozen=True)
class Published:
    """A graph, and the least mean weight of a cycle as its source has it; None: it has no cycle."""

    source: str
    edges: Edges
    value: Fraction | None


def _matrix(rows: Sequence[Sequence[str]], sign: int = 1) -> Edges:
    """The edges of a matrix of weights, a dot where there is none."""
    return [
        (tail, head, sign * Fraction(entry))
        for tail, row in enumerate(rows)
        for head, entry in enumerate(row)
        if entry != "."
    ]


def _table(text: str, sign: int = 1, column: int = 2) -> Edges:
    """Lines of tail, head and one or more weights."""
    rows = [line.split() for line in text.splitlines() if line.strip()]
    return [(int(row[0]), int(row[1]), sign * Fraction(row[column])) for row in rows]


def _lemon() -> list[Published]:
    """Four lengths on the same 15 arcs."""
    arcs = """
        1 2  1  1  1  1
        2 4  5  5  5  5
        2 3  8  8  8  8
        3 2 -2  0  0  0
        3 4  4  4  4  4
        3 7 -4 -4 -4 -4
        4 1  2  2  2  2
        4 3  3  3  3  3
        4 4  3  3  0  0
        5 2  4  4  4  4
        5 6  3  3  3  3
        6 5  2  2  2  2
        6 4 -1 -1 -1 -1
        6 7  1  1  1  1
        7 7  4  4  4 -1"""
    means = (Fraction(6, 3), Fraction(5, 2), Fraction(0), Fraction(-1))
    return [
        Published(f"LEMON 1.3.1, test/min_mean_cycle_test.cc, len{i}", _table(arcs, column=1 + i), mean)
        for i, mean in enumerate(means, start=1)
    ]


def _light_graphs() -> list[Published]:
    source = "LightGraphs.jl, test/cycles/karp.jl"
    arcs = """
        1 7 1 -0.09
        2 7 1 -0.06
        3 9 1.1 -0.01
        4 2 1.2 -0.19
        4 7 1 -0.09
        5 2 1 -0.02
        5 9 1.3 -0.03
        6 2 1.2 -0.19
        6 7 1 -0.09
        7 2 1 -0.02
        7 9 1.3 -0.03
        9 11 0.4 0.39
        10 7 1 -0.09
        11 7 1 -0.06
        12 9 1.2 -0.01"""
    tricky = "1 3 1\n1 2 0\n3 4 0\n4 1 1\n4 3 0\n2 3 0\n2 2 1"
    lowered = [(tail, head, weight - 2) for tail, head, weight in _table(tricky)]
    return [
        Published(f"{source}, first weights", _table(arcs), Fraction(9, 10)),
        Published(f"{source}, second weights", _table(arcs, column=3), Fraction(-4, 100)),
        Published(f"{source}, tricky case", _table(tricky), Fraction(0)),
        Published(f"{source}, tricky case less 2", lowered, Fraction(-2)),
        Published(f"{source}, two components", _table("1 1 0\n2 2 -1"), Fraction(-1)),
    ]


def _boost() -> list[Published]:
    source = "Boost.Graph, test/cycle_ratio_tests.cpp"
    equal = "1 2 1\n2 3 0\n3 4 1\n4 2 1\n1 5 1\n5 6 1\n6 7 0\n7 5 1"
    several = "1 2 1\n2 1 0\n1 2 2\n2 1 3"
    large = """
        94 8 1, 95 8 1, 93 8 1, 93 9 1, 42 9 1, 23 13 1, 29 13 1, 95 14 1, 37 14 1, 95 19 1, 37 19 1, 94 23 1,
        60 26 1, 76 26 1, 94 29 1, 9 33 0, 80 33 1, 14 34 0, 19 34 1, 94 37 1, 94 42 1, 95 42 1, 8 60 1,
        26 60 1, 26 76 1, 106 76 1, 93 80 1, 42 80 1, 33 93 1, 60 93 1, 13 94 1, 60 94 1, 34 95 1, 60 95 1,
        94 106 1, 95 106 1, 93 106 1"""
    return [
        Published(f"{source}, two equal cycles, largest", _table(equal, -1), Fraction(-2, 3)),
        Published(f"{source}, two equal cycles, least", _table(equal), Fraction(2, 3)),
        Published(f"{source}, no cycle", _table("1 3 1\n1 2 1\n1 4 1"), None),
        Published(f"{source}, multigraph, largest", _table(several, -1), Fraction(-5, 2)),
        Published(f"{source}, multigraph, least", _table(several), Fraction(1, 2)),
        Published(f"{source}, 37 edges", _table(large.replace(",", "\n")), Fraction(2, 3)),
    ]


def _max_plus() -> list[Published]:
    """Eigenvalues of max-plus matrices: the largest cycle means."""
    spectral = (("1", "2", ".", "7"), (".", "3", "5", "."), (".", "4", ".", "3"), (".", "2", "8", "."))
    scilab = (
        ("4", "10", "5", "1", "6"),
        ("6", "7", "13", "10", "3"),
        ("7", "12", ".", ".", "16"),
        ("6", "10", "8", "5", "4"),
        ("11", "9", "18", "8", "2"),
    )
    return [
        Published(
            "Cochet-Terrasson et al., Numerical computation of spectral elements in max-plus algebra (1998)",
            _matrix(spectral, -1),
            Fraction(-11, 2),
        ),
        Published(
            "Baccelli, Cohen, Olsder, Quadrat, Synchronization and Linearity (1992), matrix (3 7; 2 4)",
            _matrix((("3", "7"), ("2", "4")), -1),
            Fraction(-9, 2),
        ),
        Published(
            "Heidergott, Olsder, van der Woude, Max Plus at Work (2006), railway matrix (2 5; 3 3)",
            _matrix((("2", "5"), ("3", "3")), -1),
            Fraction(-4),
        ),
        Published("Scilab Max-Plus Algebra Toolbox 1.02, maxplusmcm", _matrix(scilab, -1), Fraction(-17)),
    ]


PUBLISHED = (*_lemon(), *_light_graphs(), *_boost(), *_max_plus())
