"""Three and more arms: the best single-run word, and the least loss as a lower bound."""

from __future__ import annotations

from tallyplan.instance import TallyingBandit
from tallyplan.planning.large.constant import best_constant, least_loss
from tallyplan.planning.large.interval import Effort, MeanCycleBounds, bounds
from tallyplan.planning.single_run import best_single_run_word

SMALL = 500  # K m up to which the knapsack over run lengths takes seconds at most


def more_arm_bounds(bandit: TallyingBandit, effort: Effort) -> MeanCycleBounds:
    """An interval for any table."""
    if bandit.actions * bandit.memory > SMALL:
        return best_constant(bandit)
    effort.progress("more arms: the best single-run word")
    _, word = best_single_run_word(bandit)
    lower, proof = least_loss(bandit)
    return bounds(bandit, word, lower, proof)
