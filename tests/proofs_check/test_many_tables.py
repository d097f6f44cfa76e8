"""The recursions on many tables at once, against the planners on each of them."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tallyplan as tp
from proofs_check.many_tables import (
    Tables,
    closed_walks,
    least_closed_walk,
    least_walk,
    least_walks,
    number_type,
    values,
)

SIZES = [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3)]
DENOMINATORS = [1, 7, 10**12, 10**25]  # int32, int64 and Python's integers


@st.composite
def some_tables(draw):
    K, m = draw(st.sampled_from(SIZES))
    unit = draw(st.sampled_from(DENOMINATORS))
    rows = st.lists(st.integers(0, unit) | st.sampled_from([0, unit]), min_size=K * m, max_size=K * m)
    return K, m, unit, draw(st.lists(rows, min_size=1, max_size=4))


def bandits(K, m, unit, rows):
    return [
        tp.TallyingBandit([[Fraction(x, unit) for x in row[a * m : (a + 1) * m]] for a in range(K)])
        for row in rows
    ]


def arrays(rows, steps, unit):
    return np.array(rows, dtype=number_type(steps, unit))


@given(some_tables(), st.integers(0, 12), st.data())
def test_the_least_walks_are_the_optimal_plans(tables, steps, data):
    K, m, unit, rows = tables
    start = data.draw(st.lists(st.integers(0, K - 1), max_size=m - 1))
    least = least_walk(arrays(rows, steps, unit), K, m, steps, start)
    expected = [tp.optimal_plan(bandit, steps, start).value for bandit in bandits(*tables)]
    assert [Fraction(int(x), unit) for x in least] == expected


@given(some_tables(), st.lists(st.integers(0, 9), min_size=1, max_size=4))
def test_several_horizons_in_one_pass_are_those_one_by_one(tables, horizons):
    K, m, unit, rows = tables
    table = arrays(rows, max(horizons), unit)
    found = least_walks(table, K, m, horizons)
    assert found.keys() == set(horizons)
    for T, least in found.items():
        assert least.tolist() == least_walk(table, K, m, T, ()).tolist()


@given(some_tables(), st.integers(1, 7))
def test_the_least_closed_walks_are_the_optimal_cyclic_policies(tables, longest):
    K, m, unit, rows = tables
    table = arrays(rows, longest, unit)
    found = list(closed_walks(table, K, m, longest))
    assert found[-1].tolist() == least_closed_walk(table, K, m, longest).tolist()
    for L, least in enumerate(found, start=1):
        expected = [L * tp.optimal_cyclic_policy(bandit, L).value for bandit in bandits(*tables)]
        assert [Fraction(int(x), unit) for x in least] == expected


@given(some_tables(), st.integers(0, 6))
def test_the_values_are_those_of_every_full_history(tables, steps):
    K, m, unit, rows = tables
    layers = values(arrays(rows, steps, unit), K, m)
    current = [next(layers) for _ in range(steps + 1)][-1]
    for bandit, column in zip(bandits(*tables), current.T, strict=True):
        planned = tp.optimal_values(bandit, steps)
        expected = [planned.of(history) for history in product(range(K), repeat=m - 1)]
        assert [Fraction(int(x), unit) for x in column] == expected


@pytest.mark.parametrize(("highest", "steps"), [(1, 5), (2**20, 2**10), (2**40, 2**20), (10**30, 3)])
def test_the_largest_number_of_a_recursion_fits_its_type(highest, steps):
    """A closed walk starts from (L + 1)(H + 1), and passes it by one loss at most."""
    kind = number_type(steps, highest)
    most = (steps + 1) * (highest + 1) + highest
    assert kind is object or most <= np.iinfo(kind).max
    assert np.array([most], dtype=kind)[0] == most


def test_tables_are_solved_in_pieces(monkeypatch):
    monkeypatch.setattr("proofs_check.many_tables.ENTRIES_AT_ONCE", 8)
    tables = Tables([[i, 7 - i, 3, 1] for i in range(8)], [7] * 8)
    sizes = []

    def solve(rows):
        sizes.append(len(rows))
        return least_walk(rows, 2, 2, 5, ())

    found = tables.least(solve, 5, 4, Fraction(1, 2))
    assert sizes == [2, 2, 2, 2]
    planned = [tp.optimal_plan(bandit, 5).value / 2 for bandit in bandits(2, 2, 7, tables.rows)]
    assert found == planned
