"""Suprema over some of the tables, and over listed words, against grids, brute force and other classes."""

import copy
from fractions import Fraction
from functools import cache
from itertools import product
from operator import mul

import pytest

from proofs_check.worst_case import Constant, Cyclic, Listed, Optimal, worst_case
from proofs_check.worst_case.policies import Tables
from proofs_check.worst_case.where import inequalities
from tallyplan.check import check

ONE_SWITCH = tuple(word for word in product((0, 1), repeat=4) if sum(map(int.__ne__, word, word[1:])) <= 1)
CASES = {
    "rising": (Constant(2, 3, 7), Optimal(2, 3, 7), "rising"),
    "falling": (Cyclic(2, 2, 4, 2), Optimal(2, 2, 4), "falling"),
    "convex": (Cyclic(2, 3, 9, 3), Optimal(2, 3, 9), "convex"),
    "concave": (Constant(2, 3, 7), Optimal(2, 3, 7), "concave"),
    "differences": (Cyclic(2, 3, 9, 3), Optimal(2, 3, 9), "differences <= 1/3"),
    "together": (Constant(2, 3, 5), Optimal(2, 3, 5), "rising; convex; differences <= 1/3"),
    "own": (Constant(2, 2, 5), Optimal(2, 2, 5), "h(0, 1) + h(1, 2) <= 3/4; h(0, 2) >= h(1, 1) / 2"),
    "flat": (Constant(2, 2, 5), Optimal(2, 2, 5), "rising; h(0, 2) <= h(0, 1)"),
    "listed": (Listed(2, 2, 4, ONE_SWITCH), Optimal(2, 2, 4), ""),
    "listed-repeated": (Listed(2, 2, 6, ((0, 1), (0, 0, 1)), True), Optimal(2, 2, 6), "rising"),
}


@cache
def _answer(name):
    first, second, tables = CASES[name]
    return worst_case(first, second, where=tables)


def document(name):
    return copy.deepcopy(_answer(name).certificate)


@pytest.mark.parametrize("name", CASES)
def test_a_computed_supremum_is_accepted_and_no_other_value(name):
    verdict = check(document(name))
    assert verdict, verdict.reason
    for change in (Fraction(1, 7), Fraction(-1, 7)):
        false = document(name)
        false["claim"]["value"] = str(Fraction(false["claim"]["value"]) + change)
        assert check(false).status == "refused"


@pytest.mark.parametrize("name", [name for name in CASES if "listed" not in name])
def test_no_table_of_a_grid_does_better(name):
    first, second, tables = CASES[name]
    demanded = inequalities(tables, first.actions, first.memory)
    if first.memory == 3:
        grid = [row for row in product(range(3), repeat=6) if sum(row) % 2]
    else:
        grid = list(product(range(4), repeat=4))
    unit = max(max(row) for row in grid)
    allowed = [row for row in grid if all(sum(map(mul, c, row)) >= least * unit for c, least in demanded)]
    assert allowed
    given_tables = Tables(allowed, [unit] * len(allowed))
    found = zip(first.values(given_tables), second.values(given_tables), strict=True)
    assert max(a - b for a, b in found) <= _answer(name).value


SHAPES = {
    "rising": lambda h: h[0] <= h[1] <= h[2],
    "falling": lambda h: h[0] >= h[1] >= h[2],
    "convex": lambda h: 2 * h[1] <= h[0] + h[2],
    "concave": lambda h: 2 * h[1] >= h[0] + h[2],
    "differences <= 1": lambda h: abs(h[0] - h[1]) <= 1 >= abs(h[1] - h[2]),
    "h(0, 1) <= h(0, 3) / 2 + 0.5; h(1, 3) + 1 >= 2 * h(1, 1)": lambda h: 2 * h[0] <= h[2] + 1,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_shape_is_that_of_every_row(shape):
    demanded = inequalities(shape, 2, 3)
    for rows in product(product(range(3), repeat=3), repeat=2):
        table = [*rows[0], *rows[1]]
        satisfied = all(sum(map(mul, coefficients, table)) >= least for coefficients, least in demanded)
        assert satisfied == all(map(SHAPES[shape], rows))
