"""The greedy oracle: knows the losses, and plays what costs least now.

With m >= T and losses that increase with the tally (rotting arms) this is optimal: the multiset of cells that
a sequence meets is {(x, 1), ..., (x, n_x)} for every arm, so that the T cheapest cells are a lower bound, and
greedy takes exactly those (Heidari, Kearns and Roth 2016). Elsewhere it can lose T - O(1): it never pays now
to gain later.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyplan.errors import InvalidInput
from tallyplan.games.playing import play_rule
from tallyplan.games.registry import learner
from tallyplan.model.instance import Bandit, State

if TYPE_CHECKING:
    from tallyplan.games.game import Game


@learner("greedy-oracle")
@dataclass(frozen=True)
class GreedyOracle:
    """Knows the losses, plays what costs least now.

    Ties go to the smallest action.
    """

    bandit: Bandit

    def play(self, game: Game) -> None:
        """Greedy to the end, in bulk once a state occurs again."""
        play_rule(game, self._cheapest)

    def _cheapest(self, state: State) -> int:
        allowed = self.bandit.allowed(state)
        if not allowed:
            raise InvalidInput(f"the arms forbid every action in their state {state}.")
        return min(allowed, key=lambda action: self.bandit.step(state, action)[0])
