"""The best constant action, known in advance: the competitor of the constant-action policy regret."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyplan.games.registry import learner
from tallyplan.model.instance import Bandit
from tallyplan.model.replay import replay_runs

if TYPE_CHECKING:
    from tallyplan.games.game import Game


@learner("best-constant")
@dataclass(frozen=True)
class BestConstant:
    """Knows the losses, plays the best constant action.

    Ties go to the smallest action.
    """

    bandit: Bandit

    def play(self, game: Game) -> None:
        """Play that action to the end."""
        losses = [replay_runs(self.bandit, [((x,), game.horizon)]) for x in range(game.actions)]
        game.run((losses.index(min(losses)),), game.horizon)
