"""Constant words, and the least entry of the table as a lower bound, for bandits of every kind.

No step loses less than the least entry. If no arm's losses rise with its tally, the least entry is some
h_x(m), and playing x forever attains it: an improving bandit is planned at sight, for all K and m.
"""

from __future__ import annotations

from fractions import Fraction

from tallyplan.answers import MeanCycle
from tallyplan.certificates import ZERO, Dual, Proof
from tallyplan.model.instance import Bandit
from tallyplan.model.replay import mean_of_word
from tallyplan.model.words import Word


def best_constant(bandit: Bandit) -> MeanCycle:
    """The best constant word, next to the least loss.

    >>> from tallyplan import TallyingBandit
    >>> best_constant(TallyingBandit([["1", "1/2", "1/3"], ["1", "1", "1/4"]])).value
    Fraction(1, 4)
    """
    action = min(range(bandit.actions), key=lambda x: bandit.loss((x,) * bandit.memory))
    return bounds(bandit, (action,), *least_loss(bandit))


def least_loss(bandit: Bandit) -> tuple[Fraction, Dual]:
    """The least entry of the table, and that it is one as a proof."""
    return min(bandit.values()), ZERO


def bounds(bandit: Bandit, word: Word, lower: Fraction, dual: Dual) -> MeanCycle:
    """The answer with this word and this proved lower end."""
    return MeanCycle(bandit, lower, mean_of_word(bandit, word), word, Proof(dual))
