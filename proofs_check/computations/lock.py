"""The lock of Counterexample 2: x_1 right after the combination b loses 0, everything else loses 1.

Action 0 is x_1, action 1 is x_2.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import count, product

from proofs_check.bayes.deterministic import Beliefs
from tallyplan.model.words import Word


def loss(combination: Word, window: Word) -> int:
    """g of a window (the last m actions or fewer, the current one last), as the paper defines it."""
    opened = len(window) == len(combination) + 1 and window[:-1] == combination and window[-1] == 0
    return 0 if opened else 1


def total_loss(combination: Word, actions: Word) -> int:
    """The sum over all steps."""
    m = len(combination) + 1
    return sum(loss(combination, actions[max(0, t - m + 1) : t + 1]) for t in range(len(actions)))


def least_expected_regret(memory: int, horizon: int, *, both_losses: bool = True) -> Fraction:
    """The least E[CPR] over all players who do not know the combination, exactly.

    With `both_losses` (full information) the player sees after each step what either action would have lost
    there; without, only his own loss.

    >>> print(least_expected_regret(2, 2), least_expected_regret(1, 5))
    1/2 0
    """

    def locked(combination: Word, recent: Word, action: int) -> tuple[int, tuple[int, ...]]:
        losses = [loss(combination, (*recent, a)) for a in (0, 1)]
        return losses[action], tuple(losses if both_losses else losses[action : action + 1])

    worlds = [partial(locked, combination) for combination in product((0, 1), repeat=memory - 1)]
    player, *known = (
        Beliefs(2, memory, [(world, 1) for world in some]).least_expected_loss(horizon)
        for some in (worlds, *([world] for world in worlds))
    )
    return (player - sum(known)) / len(worlds)


def fewest_steps(m: int) -> int:
    """The fewest steps in which some sequence plays half of the combinations, each before another action."""

    def tested(actions: Word) -> int:
        return len({actions[t - m + 1 : t] for t in range(m - 1, len(actions))})

    return next(n for n in count(1) if 2 * max(map(tested, product((0, 1), repeat=n))) >= 2 ** (m - 1))
