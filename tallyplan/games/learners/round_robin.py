"""Round robin: 0, 1, ..., K-1 and again. Every arm is as fresh as it can be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyplan.games.learners.playing import play_cyclically

if TYPE_CHECKING:
    from tallyplan.games.game import Game


@dataclass(frozen=True, kw_only=True)
class RoundRobin:
    """Plays the actions in turn, whatever it sees."""

    def play(self, game: Game) -> None:
        """Play the word 0 1 ... K-1 to the end."""
        play_cyclically(game, range(game.actions))
