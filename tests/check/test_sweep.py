"""Lists packed into one integer, and sweeps on them, against the same on plain lists."""

from fractions import Fraction
from itertools import product

import pytest
from check_build import text
from hypothesis import example, given
from hypothesis import strategies as st

from tallyplan.check.problem import read_problem
from tallyplan.check.sweep import Packing, Sweeps
from tallyplan.check.verdict import Budget

WIDTHS = (0, 1, 30, 31, 32, 62, 63, 64, 65, 127, 128, 300)


@st.composite
def lists(draw, how_many=2):
    """A packing, and lists of numbers that it holds: the largest and equal ones often."""
    bits, length = draw(st.sampled_from(WIDTHS)), draw(st.integers(1, 12))
    most = 2**bits - 1
    number = st.one_of(st.sampled_from([0, most // 2, most]), st.integers(0, most))
    drawn = [draw(st.lists(number, min_size=length, max_size=length)) for _ in range(how_many)]
    return Packing(bits, length), *drawn


@given(lists())
def test_the_smaller_numbers_are_found_in_every_place(drawn):
    packing, x, y = drawn
    assert list(packing.unpack(packing.pack(x))) == x
    assert list(packing.unpack(packing.lesser(packing.pack(x), packing.pack(y)))) == list(map(min, x, y))


@pytest.mark.parametrize("bits", WIDTHS)
@pytest.mark.parametrize(("K", "m"), [(1, 1), (3, 1), (1, 4), (5, 2), (2, 5), (3, 4)])
def test_arrivals_are_the_entries_at_the_successors(K, m, bits):
    n = K ** (m - 1)
    packing, layer = Packing(bits, n), [s % 2**bits for s in range(n)]
    found = [list(packing.unpack(values)) for values in packing.arrivals(packing.pack(layer), K)]
    assert found == [[layer[(s * K + a) % n] for s in range(n)] for a in range(K)]


@st.composite
def recursions(draw):
    """A problem, a layer and a number of sweeps; numbers of one word and of several."""
    K, m = draw(st.sampled_from([(1, 1), (1, 3), (4, 1), (4, 2), (2, 4), (3, 3)]))
    q = draw(st.sampled_from([1, 10, 2**31 - 1, 2**40 + 15, 10**30 + 57]))
    loss = st.one_of(st.sampled_from([0, 1, q - 1, q]), st.integers(0, q))
    rows = draw(st.lists(st.lists(loss, min_size=m, max_size=m), min_size=K, max_size=K))
    n = K ** (m - 1)
    layer = draw(
        st.lists(st.integers(0, draw(st.sampled_from([0, 9, 10**12, 10**40]))), min_size=n, max_size=n)
    )
    return rows, q, layer, draw(st.integers(0, 7))


def one_sweep(rows, layer):
    """By the definition, history by history."""
    K, m = len(rows), len(rows[0])
    found = []
    for s, history in enumerate(product(range(K), repeat=m - 1)):
        costs = [rows[a][history.count(a)] for a in range(K)]
        found.append(min(costs[a] + layer[(s * K + a) % len(layer)] for a in range(K)))
    return found


@given(recursions())
@example(([[2**31 - 1], [2**31 - 1]], 2**31 - 1, [0], 2))  # beyond 32 bits at the second sweep only
@example(
    ([[2**32 - 1], [1]], 2**32 - 1, [0], 1)
)  # a cost that no place of 32 bits would hold beside a free one
@example(([[2**30], [2**30 - 1]], 2**30, [0], 7))  # costs of 30 bits, and a sum of 33
@example(([[2**30, 1], [2**30, 1]], 2**30, [0, 7 * 2**30], 7))  # entries as far apart as the sweeps may raise
def test_sweeps_on_packed_lists_are_the_recursion(drawn):
    rows, q, layer, count = drawn
    losses = [[text(Fraction(loss, q)) for loss in row] for row in rows]
    _, problem = read_problem({"memory": len(rows[0]), "losses": losses}, Budget(10**9))
    scale = q // problem.denominator  # the costs are in lowest terms together
    layer = [value * scale for value in layer]
    expected = layer
    for _ in range(count):
        expected = one_sweep(rows, expected)
    found = Sweeps(problem, len(layer))([value // scale for value in layer], count)
    assert [value * scale for value in found] == expected


def test_sweeps_remember_no_places_that_are_too_narrow():
    _, problem = read_problem({"memory": 2, "losses": [["1/7", "1/1"], ["0/1", "5/7"]]}, Budget(10**9))
    sweeps, rows = Sweeps(problem, 2), [[1, 7], [0, 5]]
    for wide in (0, 10**30, 0, 2**40):
        assert sweeps([wide, 3], 2) == one_sweep(rows, one_sweep(rows, [wide, 3]))
