"""Two arms without the state graph: against the graph, against all edges, against a linear program."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import cycle, tallying_bandits, without_graph

import tallyplan as tp
from tallyplan.linear_program import LinearProgram
from tallyplan.planning.single_run import best_single_run_word
from tallyplan.planning.without_graph.bounds.two_arms import (
    Levels,
    any_slopes,
    best_proof,
    largest_rising_slopes,
)

TWO_ARMS = [(2, 1), (2, 2), (2, 3), (2, 4), (2, 5), (2, 6)]
FAMILIES = [
    *("uniform", "congested", "decreasing", "rotting", "improving"),
    *("single-peaked", "sparse", "near-tie", "equal-arms"),
]


def random_family(name, actions, memory, seed):
    return tp.make(name, actions=actions, memory=memory, seed=seed)


# -- the best two-run word --------------------


# -- the potential --------------------


def edges_hold(levels, slopes):
    """Whether Phi rises on no edge by more than its loss minus lambda: all 2^(m+1) pairs of windows."""
    m, theta, g = levels.memory, [*slopes[:1], *slopes, *slopes[-1:]] or [Fraction(0)] * 2, [Fraction(0)] * 2
    for k in range(2, m):
        step = theta[k] - theta[k - 1]
        psi = (k - 1) * (2 * m - k) // 2 if step > 0 else k * (k - 1) // 2
        g.append(g[-1] + levels.ones[k] - (m - k) * theta[k] - step * psi)
    g.append(g[-1])

    def value(window):
        s = sum(window)
        return theta[s] * sum(j * x for j, x in enumerate(window)) + g[s]

    for steps in product((0, 1), repeat=m + 1):
        s = sum(steps[1:])
        excess = levels.ones[s] if steps[-1] else levels.zeros[s]
        if value(steps[1:]) - value(steps[:-1]) > excess:
            return False
    return True


@settings(max_examples=120)
@given(tallying_bandits(sizes=TWO_ARMS, denominators=[1, 2, 3, 7, 10**9]), st.data())
def test_the_inequalities_hold_exactly_if_every_edge_does(bandit, data):
    m = bandit.memory
    mean = best_single_run_word(bandit)[0] - data.draw(st.fractions(-1, 1, max_denominator=5)) / 10
    levels = Levels(bandit, mean)
    slopes = list(any_slopes(levels) or [Fraction(0)] * (m - 1))
    if slopes and data.draw(st.booleans()):
        slopes[data.draw(st.integers(0, m - 2))] += data.draw(st.fractions(-1, 1, max_denominator=20))
    assert levels.proved_by(tuple(slopes)) == edges_hold(levels, slopes)


@pytest.mark.parametrize("memory", [8, 10])
@pytest.mark.parametrize("family", ["uniform", "single-peaked", "congested"])
def test_the_slopes_that_are_found_hold_on_every_edge(family, memory):
    bandit = random_family(family, 2, memory, 5)
    lower, slopes = best_proof(bandit, best_single_run_word(bandit)[0])
    assert edges_hold(Levels(bandit, lower), slopes)
    assert not edges_hold(Levels(bandit, lower + Fraction(1, 100)), slopes)


@given(tallying_bandits(sizes=[(2, m) for m in range(1, 13)]))
def test_rising_slopes_exist_where_theorem_2_says_so(bandit):
    m, mean = bandit.memory, best_single_run_word(bandit)[0]
    levels = Levels(bandit, mean)
    p = [levels.ones[k] / (m - k) for k in range(m)]
    q = [-levels.zeros[k] / k if k else 0 for k in range(m)]
    slopes = largest_rising_slopes(levels.ones, levels.zeros)
    assert list(slopes) == sorted(slopes)
    if all(p[high] >= q[low] for high in range(1, m) for low in range(1, high)):
        assert levels.proved_by(slopes)
    if levels.proved_by(slopes):
        assert any_slopes(levels) is not None


# -- the bounds --------------------


@settings(max_examples=60)
@given(tallying_bandits(sizes=[(2, m) for m in range(1, 10)]))
def test_the_interval_contains_the_optimum(bandit):
    answer, value = without_graph(bandit), cycle(bandit).value
    assert answer.lower <= value <= answer.upper
    assert answer.upper == value  # the two-arm theorem, m <= 17


@pytest.mark.parametrize("memory", [30, 80])
@pytest.mark.parametrize("family", ["congested", "decreasing", "improving", "rotting"])
def test_monotone_tables_are_exact(family, memory):
    for seed in range(5):
        assert without_graph(random_family(family, 2, memory, seed)).exact


@pytest.mark.parametrize(("memory", "seed"), [(12, 10), (20, 4), (30, 9), (30, 12), (40, 11)])
def test_the_bound_is_the_optimum_of_the_linear_program(memory, seed):
    bandit = random_family("uniform", 2, memory, seed)
    lower, _ = best_proof(bandit, best_single_run_word(bandit)[0])
    assert abs(float(lower) - linear_program(bandit)) < 1e-6


def linear_program(bandit):
    """The largest lambda for which there are slopes, in floats: the theorem as it is stated."""
    program = LinearProgram()
    m, zero, one = bandit.memory, bandit.losses[0], bandit.losses[1]
    bound = program.variable(-1, 1)
    theta = [program.variable(-10, 10) for _ in range(m)]
    up = {k: ({bound: -1, theta[k]: k - m}, float(one[k - 1])) for k in range(1, m)}
    down = {k: ({bound: -1, theta[k]: k}, float(zero[m - k - 1])) for k in range(1, m)}
    for terms, constant in [
        *up.values(),
        *down.values(),
        ({bound: -1}, min(float(one[-1]), float(zero[-1]))),
    ]:
        program.row(terms, low=-constant)
    for k, sign in product(range(2, m), (1, -1)):
        apart = sign * (k - 1) * (m - k)
        terms = {bound: -2, theta[k]: k - m - apart, theta[k - 1]: k - 1 + apart}
        program.row(terms, low=-up[k][1] - down[k - 1][1])
    program.maximise({bound: 1})
    assert program.solve()
    best_word, _ = best_single_run_word(bandit)
    return min(bound.solution_value(), float(best_word))
