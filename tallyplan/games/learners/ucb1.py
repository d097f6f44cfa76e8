"""UCB1 (Auer, Cesa-Bianchi and Fischer 2002), for losses: a classic of m = 1, blind to tallies.

After every action was played once, step t plays the action with the least index

    mean_x - sqrt(2 ln t / n_x),

n_x being how often x was played. For m = 1 its regret is O(log T). For m > 1 the means it tracks are averages
over tallies of its own making, and nothing is guaranteed.

The logarithm is taken to 20 binary digits and the root in integers, so that ties and near-ties fall the same
way on every machine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tallyplan.games.registry import learner

if TYPE_CHECKING:
    from tallyplan.games.game import Game

LOGARITHM_DIGITS = 20  # binary digits of ln t
INDEX_SCALE = 2**32  # an index is an integer over this


@learner("ucb1")
@dataclass(frozen=True, kw_only=True)
class UCB1:
    """UCB1, a classic of m = 1.

    Ties go to the smallest action.
    """

    def play(self, game: Game) -> None:
        """Every action once, then the least index."""
        game.require_decisions()
        actions = range(min(game.actions, game.horizon))
        totals = [game.step(x) for x in actions]
        plays = [1 for _ in actions]
        while game.remaining:
            x = _least_index(totals, plays, round(math.log(game.time + 1) * 2**LOGARITHM_DIGITS))
            totals[x] += game.step(x)
            plays[x] += 1


def _least_index(totals: list[Fraction], plays: list[int], logarithm: int) -> int:
    """The arm of least mean - sqrt(2 ln t / n), both to a multiple of 1 / INDEX_SCALE."""
    indices = [
        INDEX_SCALE * total.numerator // (total.denominator * n)
        - math.isqrt((2 * logarithm * INDEX_SCALE**2 >> LOGARITHM_DIGITS) // n)
        for total, n in zip(totals, plays, strict=True)
    ]
    return indices.index(min(indices))
