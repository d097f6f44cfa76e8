"""Classics of m = 1, blind to tallies: UCB1 and successive elimination, for losses.

**UCB1** (Auer, Cesa-Bianchi and Fischer 2002). After every action was played once, step t plays the action
with the least index mean_x - sqrt(2 ln t / n_x), n_x being how often x was played. For m = 1 its regret is
O(log T). For m > 1 the means it tracks are averages over tallies of its own making, and nothing is
guaranteed. The logarithm is taken to 20 binary digits and the root in integers, so that ties and near-ties
fall the same way on every machine.

**Successive elimination** (Even-Dar, Mannor and Mansour 2006). The actions still in the race are played in
turn. After n rounds the radius is r = sqrt(ln(2KT/delta) / (2n)), and an action leaves as soon as its mean
exceeds the least one by more than 2r. For m = 1 the best action stays with probability 1 - delta, and the
regret is O(sqrt(K T log(KT/delta))). SE-TB carries the idea over to cyclic policies. All comparisons are
exact; the radius is rounded up to a multiple of 2^-32.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tallyplan.games.optimism import hoeffding_radius
from tallyplan.games.registry import learner
from tallyplan.games.schedule import failure_probability

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


@learner("successive-elimination")
@dataclass(frozen=True, kw_only=True)
class SuccessiveElimination:
    """Successive elimination of actions, a classic of m = 1.

    Parameters
    ----------
    delta : the probability with which the best action may be dropped (m = 1).
    """

    delta: Fraction = Fraction(1, 20)

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", failure_probability(self.delta))

    def play(self, game: Game) -> None:
        """Rounds over the actions that are left; the last one is played to the end."""
        totals = dict.fromkeys(range(game.actions), Fraction(0))
        failure = self.delta / (game.actions * max(1, game.horizon))
        rounds = 0
        while len(totals) > 1 and game.remaining >= len(totals):
            for x in totals:
                totals[x] += game.step(x)
            rounds += 1
            allowed = rounds * 2 * hoeffding_radius(rounds, failure) + min(totals.values())
            totals = {x: total for x, total in totals.items() if total <= allowed}
        game.repeat(tuple(totals))
