"""Hidden among finitely many instances: the least expected loss of a player who does not know which it is.

Deterministic feedback, uniform prior. After each step the player keeps the instances that agree with the loss
he saw. The recursion over (last m - 1 actions, instances left, steps left) is exact; a randomised player is a
mixture of deterministic ones, so it does no better.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from tallyplan.model.instance import TallyingBandit


def least_expected_loss(instances: Sequence[TallyingBandit], horizon: int) -> Fraction:
    """The Bayes loss of T steps from the empty history.

    >>> easy, hard = TallyingBandit([[0], [1]]), TallyingBandit([[1], [0]])
    >>> least_expected_loss([easy, hard], 5)
    Fraction(1, 2)
    """
    keep, actions = instances[0].memory - 1, range(instances[0].actions)

    @cache
    def total(history: tuple[int, ...], left: tuple[int, ...], steps: int) -> Fraction:
        """The least sum of the losses over the instances that are left."""
        return min(after(history, left, steps, a) for a in actions) if steps else Fraction(0)

    def after(history: tuple[int, ...], left: tuple[int, ...], steps: int, action: int) -> Fraction:
        played = (*history, action)
        seen: dict[Fraction, list[int]] = defaultdict(list)
        for i in left:
            seen[instances[i].loss(played)].append(i)
        further = played[max(0, len(played) - keep) :]
        return sum(
            (loss * len(agree) + total(further, tuple(agree), steps - 1) for loss, agree in seen.items()),
            Fraction(0),
        )

    return total((), tuple(range(len(instances))), horizon) / len(instances)
