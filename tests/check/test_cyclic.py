"""The ways home of a stage, which only save entries: next to all walks, and to tables without them."""

from fractions import Fraction
from itertools import product

from check_build import text
from hypothesis import given, settings
from hypothesis import strategies as st

from tallyplan.check.cyclic import _Stage, _Walks, _Weighing
from tallyplan.check.problem import read_problem
from tallyplan.check.verdict import Budget


@st.composite
def walks(draw):
    """Losses in tenths, a root, those removed before it, a period, and a budget that many walks just meet.

    Potentials are 0, so the losses are the reduced costs, and the budget is the period times the value.
    """
    K, m = draw(st.sampled_from([(2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (4, 1)]))
    rows = draw(st.lists(st.lists(st.integers(0, 4), min_size=m, max_size=m), min_size=K, max_size=K))
    n = K ** (m - 1)
    root, *removed = draw(st.permutations(range(n)))[: draw(st.integers(1, 1 + n // 3))]
    return rows, root, set(removed), draw(st.integers(1, 6)), draw(st.integers(1, 9))


def walks_of(rows, removed, period, room):
    losses = [[text(Fraction(loss, 10)) for loss in row] for row in rows]
    budget = Budget(10**9)
    _, problem = read_problem({"memory": len(rows[0]), "losses": losses}, budget)
    phi = [0] * len(rows) ** (len(rows[0]) - 1)
    value = Fraction(room, 10 * period)
    return _Walks(problem, _Weighing(Fraction(0), 1, phi), removed, value, period, budget), problem


def least_ways(rows, root, removed):
    """From each history the least loss of a walk to the root past none removed, by relaxing n times."""
    K, m = len(rows), len(rows[0])
    histories = list(product(range(K), repeat=m - 1))
    least = {root: 0}
    for _ in histories:
        for s, history in enumerate(histories):
            for a in range(K):
                then = (s * K + a) % len(histories)
                if s not in removed and then in least:
                    cost = rows[a][history.count(a)] + least[then]
                    least[s] = min(cost, least.get(s, cost))
    return least


@settings(max_examples=100)
@given(walks())
def test_the_ways_home_are_the_least_ones_below_the_budget(drawn):
    rows, root, removed, period, room = drawn
    found, problem = walks_of(rows, removed, period, room)
    unit = Fraction(10, problem.denominator)  # the losses are in lowest terms together
    home = {s: distance * unit for s, distance in found._ways_home(root).items()}
    assert home == {s: cost for s, cost in least_ways(rows, root, removed).items() if cost < room}


@settings(max_examples=100)
@given(walks())
def test_a_stage_finds_the_same_closed_walk_whether_it_looks_at_the_ways_home_or_not(drawn):
    rows, root, removed, period, room = drawn
    with_home, without = (
        walks_of(rows, removed, period, room)[0].last_table(_Stage(root, 0, home, None)).get(root)
        for home in (True, False)
    )
    assert with_home == without
