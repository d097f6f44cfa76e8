"""Batched EXP3 (Arora, Dekel and Tewari 2012): EXP3 whose every decision is played b times in a row.

EXP3 gets the mean of the batch. Against a memory of m, only the first m - 1 steps of a batch still feel the
batch before, and with b = max(m, ceil(T^(1/3))) the *constant-action policy regret* is O(T^(2/3)). The
complete policy regret can still be linear: a competitor that alternates is not constant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import fmpz

from tallyplan.errors import InvalidInput
from tallyplan.games.learners.exp3 import play_in_batches
from tallyplan.games.registry import learner
from tallyplan.model.rationals import integer, shown

if TYPE_CHECKING:
    from tallyplan.games.game import Game


@learner("batched-exp3")
@dataclass(frozen=True, kw_only=True)
class BatchedExp3:
    """EXP3 on batches of equal actions, for the constant-action policy regret.

    Parameters
    ----------
    batch : steps of a batch; None means max(m, ceil(T^(1/3))).
    """

    batch: int | None = None

    def __post_init__(self) -> None:
        if self.batch is not None and integer(self.batch, "batch") < 1:
            raise InvalidInput(f"batch is {shown(self.batch)}; a batch has at least one step.")

    def play(self, game: Game) -> None:
        """Draw, play the batch, update with its mean."""
        below = int(fmpz(max(0, game.horizon - 1)).root(3))
        batch = self.batch or max(game.memory, below + 1)
        game.require_batches(batch)
        play_in_batches(game, batch)
