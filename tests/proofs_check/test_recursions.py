"""The recursions behind the claims against trying everything, in the tests' own words."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check import definitions
from proofs_check.bayes.bernoulli import bernoulli_regret
from proofs_check.computations.alg_det import exploration, regrets_of_alg_det
from proofs_check.computations.every_table import EveryTable
from proofs_check.computations.lock import least_expected_regret, total_loss

SIZES = [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (3, 2)]


@st.composite
def rows(draw):
    K, m = draw(st.sampled_from(SIZES))
    tables = EveryTable(K, m, levels=draw(st.integers(1, 2)))
    return tables, draw(st.integers(0, len(tables.losses) - 1))


@settings(max_examples=40)
@given(rows(), st.integers(1, 6))
def test_all_tables_at_once_have_the_optima_of_one_at_a_time(case, horizon):
    tables, row = case
    value = Fraction(int(tables.optima([horizon])[horizon][row]), tables.levels)
    assert value == definitions.optimum(tables.bandit(row), horizon)


@settings(max_examples=40)
@given(rows(), st.integers(1, 5))
def test_all_tables_at_once_have_the_cyclic_minima_of_one_at_a_time(case, period):
    tables, row = case
    if tables.memory <= period + 1:
        value = Fraction(int(tables.least_period_losses(period)[period][row]), tables.levels * period)
        assert value == definitions.least_mu(tables.bandit(row), period)


@pytest.mark.parametrize("size", [(1, 2), (2, 1), (2, 2), (3, 1)])
def test_the_regret_of_alg_det_is_that_of_trying_every_continuation(size):
    tables = EveryTable(*size)
    explored = tuple(exploration(*size))
    horizons = range(len(explored), len(explored) + 3)
    regrets = regrets_of_alg_det(tables, horizons)
    for T in horizons:
        for row in range(len(tables.losses)):
            bandit = tables.bandit(row)
            rests = product(range(size[0]), repeat=T - len(explored))
            loss = min(definitions.total_loss(bandit, explored + rest) for rest in rests)
            assert regrets[T][row] == loss - definitions.optimum(bandit, T)


def strategies(horizon, answers, actions):
    """All maps from what was seen to an action, one at a time."""
    situations = [seen for t in range(horizon) for seen in product(answers, repeat=t)]
    for choice in product(range(actions), repeat=len(situations)):
        yield dict(zip(situations, choice, strict=True))


def combination_loss(strategy, b, horizon, both_losses):
    played, seen = [], []
    for _ in range(horizon):
        action = strategy[tuple(seen)]
        losses = [total_loss(b, (*played, a)) - total_loss(b, tuple(played)) for a in (0, 1)]
        played.append(action)
        seen.append(losses[0] if both_losses else losses[action])  # x_2 always loses 1, so x_1 tells all
    return total_loss(b, tuple(played))


@pytest.mark.parametrize(("m", "T"), [(1, 2), (2, 1), (2, 2), (2, 3), (3, 3)])
@pytest.mark.parametrize("both_losses", [False, True])
def test_the_lock_is_opened_no_sooner_by_any_strategy(m, T, both_losses):
    combinations = list(product((0, 1), repeat=m - 1))
    optimum = sum(min(total_loss(b, a) for a in product((0, 1), repeat=T)) for b in combinations)
    least = min(
        sum(combination_loss(strategy, b, T, both_losses) for b in combinations)
        for strategy in strategies(T, (0, 1), 2)
    )
    expected = Fraction(least - optimum, len(combinations))
    assert least_expected_regret(m, T, both_losses=both_losses) == expected


@pytest.mark.parametrize(("arms", "horizon"), [(2, 1), (2, 2), (2, 3), (3, 2)])
def test_the_most_hits_are_those_of_the_best_strategy(arms, horizon):
    eps = Fraction(1, 4)
    best = Fraction(0)
    for strategy in strategies(horizon, (0, 1), arms):
        hits = Fraction(0)
        for hidden in range(arms):
            for losses in product((0, 1), repeat=horizon):
                plays = [strategy[losses[:t]] for t in range(horizon)]
                means = [Fraction(1, 2) - eps * (arm == hidden) for arm in plays]
                chance = np.prod([p if x else 1 - p for p, x in zip(means, losses, strict=True)])
                hits += plays.count(hidden) * chance / arms
        best = max(best, hits)
    assert horizon - bernoulli_regret(arms, 1, horizon, eps) / eps == best
