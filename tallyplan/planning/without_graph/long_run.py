"""The least loss per step without the state graph: leave out arms, then the method for what is left.

least loss     a constant word attains the least entry of the table (`constant`)
two arms       the best two-run word, and slopes that prove it (`two_arms`)
more arms      words found by search, and bounds arm by arm (`more_arms`)
"""

from __future__ import annotations

from tallyplan.model.instance import TallyingBandit
from tallyplan.planning.without_graph.bounds.fewer_arms import without_useless_arms
from tallyplan.planning.without_graph.bounds.least_loss import best_constant
from tallyplan.planning.without_graph.bounds.two_arms import two_arm_bounds
from tallyplan.planning.without_graph.interval import Effort, MeanCycleBounds, bounds
from tallyplan.planning.without_graph.more_arms import more_arm_bounds


def mean_cycle_bounds(bandit: TallyingBandit, effort: Effort) -> MeanCycleBounds:
    """The interval for any table, exact where a method can make it so."""
    fewer = without_useless_arms(bandit)
    answer = best_constant(fewer.bandit)
    if not effort.enough(answer.lower, answer.upper):
        method = two_arm_bounds if fewer.bandit.actions == 2 else more_arm_bounds
        answer = method(fewer.bandit, effort)
    return bounds(bandit, fewer.original(answer.word), answer.lower, fewer.dual(answer.proof))


def is_quick(bandit: TallyingBandit) -> bool:
    """Whether `mean_cycle_bounds` takes no search: a constant word is optimal, or two arms matter."""
    fewer = without_useless_arms(bandit).bandit
    return fewer.actions <= 2 or best_constant(fewer).exact
