"""Round robin: 0, 1, ..., K-1 and again. Every arm is as fresh as it can be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyplan.games.playing import play_cyclically
from tallyplan.games.registry import learner

if TYPE_CHECKING:
    from tallyplan.games.game import Game


@learner("round-robin")
@dataclass(frozen=True, kw_only=True)
class RoundRobin:
    """All actions in turn, whatever is seen."""

    def play(self, game: Game) -> None:
        """Play the word 0 1 ... K-1 to the end."""
        play_cyclically(game, range(game.actions))
