"""Any number of arms without the state graph: against the graph, against all edges, and wrong proofs."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import accepted, cycle, tallying_bandits, without_graph

import tallyplan as tp
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import mean_of_word
from tallyplan.planning.effort import Effort
from tallyplan.planning.single_run import best_single_run_word
from tallyplan.planning.without_graph import good_words
from tallyplan.planning.without_graph.bounds.prices import best_prices
from tallyplan.planning.without_graph.bounds.separable import _point_of, _proof_below, best_separable
from tallyplan.planning.without_graph.bounds.separable_program import Program
from tallyplan.planning.without_graph.good_words import Guide
from tallyplan.planning.without_graph.long_run import more_arm_bounds

FAMILIES = [
    *("uniform", "congested", "decreasing", "rotting", "improving"),
    *("single-peaked", "sparse", "near-tie", "equal-arms"),
]
SIZES = [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1), (2, 4), (3, 2), (3, 3), (4, 2), (4, 3), (3, 4), (5, 2)]
LOOSE = Effort(gap=Fraction(1, 50))


def all_bounds(bandit, effort=LOOSE):
    """The answer of the method for many arms, through the checker; also where two arms are left."""
    answer = more_arm_bounds(bandit, effort)
    assert mean_of_word(bandit, answer.word) == answer.upper
    accepted(bandit, answer.certificate)
    return answer


def slopes_for(bandit, word, effort=LOOSE):
    return best_separable(Program(bandit, word), best_prices(bandit), effort)


# -- intervals against the truth --------------------


@settings(max_examples=60)
@given(tallying_bandits(sizes=SIZES))
def test_the_interval_contains_the_optimum(bandit):
    answer, value = all_bounds(bandit), cycle(bandit).value
    assert answer.lower <= value <= answer.upper


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("actions", "memory"), [(3, 5), (4, 4), (5, 3)])
def test_the_interval_contains_the_optimum_in_every_family(family, actions, memory):
    for seed in range(6):
        bandit = tp.make(family, actions=actions, memory=memory, seed=seed)
        answer, value = without_graph(bandit), cycle(bandit).value
        assert answer.lower <= value <= answer.upper
        if answer.exact:
            assert answer.value == value


@pytest.mark.parametrize(("actions", "memory"), [(3, 200), (10, 50)])
def test_large_sizes_give_a_certified_interval(actions, memory):
    bandit = tp.make("congested", actions=actions, memory=memory, seed=3)
    answer = all_bounds(bandit, Effort(gap=Fraction(1, 10)))
    assert 0 < answer.lower <= answer.upper
    assert answer.upper - answer.lower < answer.upper / 10


# -- prices --------------------


def excess(row, price):
    """The least mean of loss minus price of one arm alone, on its graph: the other arm is free of charge."""
    shift = max(Fraction(0), price) + 1
    scale = 2 + 2 * shift
    arm = [(loss - price + shift) / scale for loss in row]
    return cycle(TallyingBandit([arm, [shift / scale] * len(row)])).value * scale - shift


@settings(max_examples=40)
@given(tallying_bandits(sizes=[(1, 2), (2, 3), (3, 4), (2, 6)], denominators=[1, 2, 3, 7]))
def test_the_excesses_are_the_optima_of_the_arms_alone(bandit):
    prices = best_prices(bandit)
    assert prices.excesses == tuple(excess(row, prices.price) for row in bandit.losses)


# -- slopes and charges --------------------


def window_potential(slopes, charges):
    """Phi of docs/large-memory.md on windows: what the slopes and the charges stand for."""
    m = len(charges[0])
    theta = [[row[0], *row, row[-1]] if row else [0, 0] for row in slopes]
    g = []
    for row in theta:
        levels = [0, 0]
        for k in range(1, m - 1):
            ends = [(row[k + 1] - row[k]) * Fraction(k * factor, 2) for factor in (k + 1, 2 * m - 1 - k)]
            levels.append(levels[-1] - min(ends))
        g.append([*levels, levels[-1]])

    def value(window):
        total = Fraction(0)
        for x, row in enumerate(theta):
            y, psi = window.count(x), sum(j for j, a in enumerate(window) if a == x)
            total += row[y] * psi + g[x][y] - sum(charges[x][:y])
        return total

    return value


@pytest.mark.parametrize("family", ["uniform", "congested", "single-peaked"])
@pytest.mark.parametrize(("actions", "memory"), [(2, 6), (3, 4), (3, 2), (4, 3), (3, 1)])
def test_the_inequalities_imply_those_on_every_edge_of_the_state_graph(family, actions, memory):
    bandit = tp.make(family, actions=actions, memory=memory, seed=7)
    _, word = best_single_run_word(bandit)
    found = slopes_for(bandit, word)
    value = window_potential(found.slopes, found.charges)
    for steps in product(range(actions), repeat=memory + 1):
        excess_loss = bandit.loss(steps[1:]) - found.bound
        assert value(steps[1:]) - value(steps[:-1]) <= excess_loss


@pytest.mark.parametrize(
    ("family", "actions", "memory", "seed"),
    [
        ("uniform", 3, 4, 1),
        ("uniform", 4, 4, 0),
        ("single-peaked", 3, 6, 0),
        ("single-peaked", 4, 4, 1),
        ("sparse", 4, 4, 1),
        ("sparse", 3, 6, 0),
    ],
)
def test_slopes_and_charges_prove_a_word_optimal_where_prices_do_not(family, actions, memory, seed):
    bandit = tp.make(family, actions=actions, memory=memory, seed=seed)
    best = cycle(bandit)
    assert slopes_for(bandit, best.word, Effort()).bound == best.value > best_prices(bandit).bound


# -- words --------------------


DRIFTING = TallyingBandit(
    [[Fraction(n, 1000) for n in row] for row in [(77, 23, 29), (3, 34, 45), (10, 82, 83)]]
)


def test_a_word_that_is_no_single_run_is_found_and_then_proved():
    assert all_bounds(DRIFTING, Effort()).value == Fraction(59, 4000)
    answer = all_bounds(tp.make("uniform", actions=3, memory=3, seed=3), Effort())
    assert answer.upper == Fraction(319, 1000) > answer.lower > Fraction(315, 1000)


# -- wrong proofs --------------------


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("actions", "memory"), [(2, 2), (2, 9), (3, 9), (4, 5)])
def test_the_search_for_slopes_begins_where_the_prices_are(family, actions, memory):
    """Nine digits of their bound are proved without a program, but for the rounding."""
    bandit = tp.make(family, actions=actions, memory=memory, seed=2)
    prices = best_prices(bandit)
    found = _proof_below(bandit, _point_of(bandit, prices), Fraction(1))
    assert 0 <= prices.bound - found.bound <= Fraction(2, 10**9)
    assert (found.bound * 10**9).denominator == 1


@pytest.mark.parametrize(
    ("family", "actions", "memory"), [("uniform", 3, 5), ("congested", 2, 7), ("rotting", 4, 2)]
)
def test_the_search_follows_the_potential_of_the_proof(family, actions, memory):
    bandit = tp.make(family, actions=actions, memory=memory, seed=3)
    proof = slopes_for(bandit, best_single_run_word(bandit)[1])
    value = window_potential(proof.slopes, proof.charges)
    guide = Guide.of(bandit, proof)
    windows = list(product(range(actions), repeat=memory))
    potential = guide.potential(np.array(windows))
    unit = Fraction(int(guide.excess.max())) / max(loss - proof.bound for loss in bandit.values())
    assert all(
        abs(value(window) - found / unit) < Fraction(1, 10**9)
        for window, found in zip(windows, potential.tolist(), strict=True)
    )
    after, spent, (tails, arms, _, heads) = guide.step(np.array(windows), potential)
    assert (spent - guide.potential(after)).min() >= -(2**20)
    names = dict(zip(windows, good_words._names(np.array(windows)).tolist(), strict=True))
    following = [names[(*window[1:], arm)] for window in windows for arm in range(actions)]
    assert heads.tolist() == following
    assert tails.tolist() == [names[window] for window in windows for _ in range(actions)]
    assert arms.tolist() == [*range(actions)] * len(windows)
