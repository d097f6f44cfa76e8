"""Successive elimination (Even-Dar, Mannor and Mansour 2006), a classic of m = 1, blind to tallies.

The actions still in the race are played in turn. After n rounds the radius is r = sqrt(ln(2KT/delta) / (2n)),
and an action leaves as soon as its mean exceeds the least one by more than 2r. For m = 1 the best action
stays with probability 1 - delta, and the regret is O(sqrt(K T log(KT/delta))). SE-TB carries the idea over to
cyclic policies.

All comparisons are exact; the radius is rounded up to a multiple of 2^-32.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tallyplan.games.confidence import failure_probability, hoeffding_radius
from tallyplan.games.playing import play_cyclically
from tallyplan.games.registry import learner

if TYPE_CHECKING:
    from tallyplan.games.game import Game


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
        play_cyclically(game, tuple(totals))
