"""The recursions behind the claims against trying everything, in the tests' own words."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from proofs_check.bayes.bernoulli import bernoulli_regret
from proofs_check.computations.lock import least_expected_regret, total_loss


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
