"""Any number of arms, any memory: a word found by search, and the best of the lower bounds.

The bounds, weakest first: prices (`per_arm`: any K and m, at once), and slopes on the graph of tallies
(`tallies`: as long as the C(m+K-1, K-1) tallies can be listed).
"""

from __future__ import annotations

from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import mean_of_word
from tallyplan.planning.without_graph.bounds import tally_slopes as tallies
from tallyplan.planning.without_graph.bounds.prices import best_prices
from tallyplan.planning.without_graph.good_words import best_single_runs, improved
from tallyplan.planning.without_graph.interval import Effort, MeanCycleBounds, bounds


def more_arm_bounds(bandit: TallyingBandit, effort: Effort) -> MeanCycleBounds:
    """The interval between the best word and the best lower bound that were found; exact where they meet.

    >>> answer = more_arm_bounds(TallyingBandit([["0", *["1"] * 29]] * 2 + [["1/2"] * 30]), Effort())
    >>> answer.value, answer.method
    (Fraction(7, 15), 'per-arm')
    """
    word = best_single_runs(bandit, effort)
    prices = best_prices(bandit)
    lower, proof = prices.bound, prices.dual()
    if not effort.enough(lower, mean_of_word(bandit, word)):
        word = improved(bandit, word, effort)
    done = effort.out_of_time() or effort.enough(lower, mean_of_word(bandit, word))
    if tallies.fits(bandit) and not done:
        slopes = tallies.best_slopes(bandit, word, prices, effort)
        if slopes is not None and slopes.bound > lower:
            lower, proof = slopes.bound, slopes.dual()
    return bounds(bandit, word, lower, proof)
