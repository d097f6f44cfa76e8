"""The best constant action, known in advance: the competitor of the constant-action policy regret."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyplan.errors import InvalidInput
from tallyplan.games.registry import learner
from tallyplan.games.regret import constants
from tallyplan.model.instance import Bandit

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
        found = constants(self.bandit, game.horizon)
        if found is None:
            raise InvalidInput("the arms forbid every constant sequence.")
        game.run((found[1],), game.horizon)
