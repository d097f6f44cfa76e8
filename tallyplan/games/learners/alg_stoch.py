"""ALG_stoch: explore, estimate, then commit to an optimal plan for the estimates (Section 3 of the paper).

The paper leaves the amount of exploration open. Here n rounds of 0^m 1^m ... (K-1)^m give every cell n
samples, with n = floor((T / mK)^(2/3)), an exact integer root: exploration then costs at most (mK)^(1/3)
T^(2/3), and the estimates are off by (mK/T)^(1/3) up to logarithms, which costs the same order. For T < mK
there is no whole round, and the exploration ends with the game. K = 1 leaves nothing to learn.

The plan for the rest of the game is the exact optimum of the estimated table, from the history in which the
exploration ends. Equal estimates are planned once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from flint import fmpz

from tallyplan.errors import InvalidInput
from tallyplan.games.playing import estimated, explore, play_cyclically, play_runs
from tallyplan.games.registry import learner
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import integer, shown
from tallyplan.model.words import Word
from tallyplan.planning.horizon import optimal_plan

if TYPE_CHECKING:
    from tallyplan.games.game import Game


@learner("alg-stoch")
@dataclass(frozen=True, kw_only=True)
class AlgStoch:
    """Explore for T^(2/3) steps, then commit to a plan.

    Parameters
    ----------
    rounds : rounds of exploration, each mK steps; None means floor((T / mK)^(2/3)), at least 1.
    """

    rounds: int | None = None

    def __post_init__(self) -> None:
        if self.rounds is not None and integer(self.rounds, "rounds") < 1:
            raise InvalidInput(
                f"rounds is {shown(self.rounds)}; at least one round of exploration is needed."
            )

    def play(self, game: Game) -> None:
        """Explore, estimate, commit."""
        if game.actions == 1:
            play_cyclically(game, (0,))
            return
        rounds = self.rounds or max(1, default_rounds(game.actions * game.memory, game.horizon))
        counts = explore(game, rounds)
        if counts is not None:
            seen = estimated(counts, game.actions, game.memory)
            play_runs(game, _commitment(seen, game.remaining, game.history))


def default_rounds(cells: int, horizon: int) -> int:
    """floor((T / mK)^(2/3)).

    >>> default_rounds(9, 10**5), default_rounds(8, 8), default_rounds(9, 8)
    (497, 1, 0)
    """
    return int(fmpz(horizon**2 // cells**2).root(3))


@lru_cache(maxsize=2**12)
def _commitment(seen: TallyingBandit, steps: int, history: Word) -> tuple[tuple[Word, int], ...]:
    return optimal_plan(seen, steps, history).runs
