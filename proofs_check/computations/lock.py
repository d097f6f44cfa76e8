"""The lock of Counterexample 2: x_1 right after the combination b loses 0, everything else loses 1.

The least expected regret of a player who does not know b, by a recursion over (last m - 1 actions,
combinations left, steps left), in integers. Action 0 is x_1, action 1 is x_2.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

from tallyplan.model.words import Word, last


def loss(combination: Word, window: Word) -> int:
    """g of a window (the last m actions or fewer, the current one last), as the paper defines it."""
    opened = len(window) == len(combination) + 1 and window[:-1] == combination and window[-1] == 0
    return 0 if opened else 1


def total_loss(combination: Word, actions: Word) -> int:
    """The sum over all steps."""
    m = len(combination) + 1
    return sum(loss(combination, actions[max(0, t - m + 1) : t + 1]) for t in range(len(actions)))


def least_expected_regret(memory: int, horizon: int, *, both_losses: bool = True) -> Fraction:
    """The least E[CPR] over all players, exactly.

    With `both_losses` (full information) the player sees after each step what either action would have lost
    there; without, only his own loss.

    >>> print(least_expected_regret(2, 2), least_expected_regret(1, 5))
    1/2 0
    """
    combinations = list(product((0, 1), repeat=memory - 1))
    keep = memory - 1

    def moved(history: Word, action: int) -> Word:
        return last((*history, action), keep)

    @cache
    def known(b: Word, history: Word, steps: int) -> int:
        """The least loss of the steps left once b is known."""
        if not steps:
            return 0
        return min(loss(b, (*history, a)) + known(b, moved(history, a), steps - 1) for a in (0, 1))

    @cache
    def searching(left: frozenset[Word], history: Word, steps: int) -> int:
        """The least sum of the losses over the combinations left; none of them has shown itself."""
        if not steps or not left:
            return 0
        hit = left & {history} if len(history) == keep else frozenset()
        totals = []
        for a in (0, 1):
            shown = hit if a == 0 or both_losses else frozenset()
            unlocked = sum(loss(b, (*history, a)) + known(b, moved(history, a), steps - 1) for b in shown)
            rest = left - shown
            totals.append(unlocked + len(rest) + searching(rest, moved(history, a), steps - 1))
        return min(totals)

    player = searching(frozenset(combinations), (), horizon)
    competitors = sum(known(b, (), horizon) for b in combinations)
    return Fraction(player - competitors, len(combinations))
