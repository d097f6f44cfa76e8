"""Players to compare with, who ignore what they observe: all actions in turn, and two who know the losses.

**Round robin** keeps every arm as fresh as it can be. The **best constant** action is the competitor of the
constant-action policy regret. The **greedy oracle** plays what costs least now. With m >= T and losses that
increase with the tally (rotting arms) this is optimal: the cells that a sequence meets are (x, 1), ...,
(x, n_x) for every arm, so that the T cheapest cells are a lower bound, and greedy takes exactly those
(Heidari, Kearns and Roth 2016). Elsewhere it can lose T - O(1): it never pays now to gain later.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyplan.errors import InvalidInput
from tallyplan.games.registry import learner
from tallyplan.games.regret import constants
from tallyplan.model.instance import Bandit, State

if TYPE_CHECKING:
    from tallyplan.games.game import Game

MOST_STATES = 10**6  # remembered until one of them occurs again


@learner("round-robin")
@dataclass(frozen=True, kw_only=True)
class RoundRobin:
    """All actions in turn, whatever is seen."""

    def play(self, game: Game) -> None:
        """Play the word 0 1 ... K-1 to the end."""
        game.repeat(range(game.actions))


@learner("best-constant")
@dataclass(frozen=True)
class BestConstant:
    """Knows the losses, plays the best constant action.

    Ties go to the smallest action.
    """

    bandit: Bandit

    def play(self, game: Game) -> None:
        """Play that action to the end."""
        found = constants(self.bandit, game.horizon)
        if found is None:
            raise InvalidInput("the arms forbid every constant sequence.")
        game.run((found[1],), game.horizon)


@learner("greedy-oracle")
@dataclass(frozen=True)
class GreedyOracle:
    """Knows the losses, plays what costs least now.

    Ties go to the smallest action.
    """

    bandit: Bandit

    def play(self, game: Game) -> None:
        """Greedy to the end, in bulk once a state occurs again."""
        seen: dict[State, int] = {}
        played: list[int] = []
        while game.remaining and game.state not in seen:
            if len(seen) < MOST_STATES:
                seen[game.state] = len(played)
            played.append(self._cheapest(game.state))
            game.step(played[-1])
        if game.remaining:
            game.repeat(played[seen[game.state] :])

    def _cheapest(self, state: State) -> int:
        allowed = self.bandit.allowed(state)
        if not allowed:
            raise InvalidInput(f"the arms forbid every action in their state {state}.")
        return min(allowed, key=lambda action: self.bandit.step(state, action)[0])
