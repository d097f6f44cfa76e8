"""An optimistic planner: UCRL's idea on the tally table.

A tallying bandit is a known deterministic graph with K m unknown means. Keep for every cell (x, y) the mean
of what was observed and subtract the radius sqrt(ln(2KmT/delta) / (2n)): with probability 1 - delta this is
below h_x(y) for all cells and times. Plan on the optimistic table, play its minimum mean cycle until the
count of some cell doubles, and plan again (Auer, Jaksch and Ortner 2010). A cell never seen counts as free.

There are at most K m (log2 T + 2) epochs, each one exact plan over K^(m-1) histories and one bulk run, so
that the horizon costs nothing. No regret bound is claimed here; UCRL's analysis applies with the diameter m -
1.

The optimistic losses are rounded down to multiples of 2^-16, which keeps them optimistic and the plans quick.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tallyplan.games.confidence import failure_probability, hoeffding_radius
from tallyplan.games.playing import play_cyclically
from tallyplan.games.registry import learner
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import ceil_div
from tallyplan.model.tallies import Cell, period_counts
from tallyplan.model.words import Word
from tallyplan.planning.mean_cycle import minimum_mean_cycle

if TYPE_CHECKING:
    from tallyplan.games.game import Game, Observed

LOSS_GRID = 2**16


@learner("optimistic-planner")
@dataclass(frozen=True, kw_only=True)
class OptimisticPlanner:
    """Re-plan on optimistic estimates whenever a count has doubled (UCRL on the tally table).

    Parameters
    ----------
    delta : the probability with which some estimate may fail to be optimistic.
    """

    delta: Fraction = Fraction(1, 20)

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", failure_probability(self.delta))

    def play(self, game: Game) -> None:
        """Plan optimistically, play until a count doubles, and again."""
        failure = self.delta / (game.actions * game.memory * max(1, game.horizon))
        seen = game.run((0,), 0)
        while game.remaining:
            word = minimum_mean_cycle(optimistic(seen, game.actions, game.memory, failure)).word
            turns = _turns_until_doubled(seen, word, game.memory)
            seen = seen + play_cyclically(game, word, min(game.remaining, turns * len(word)))


def optimistic(seen: Observed, actions: int, memory: int, failure: Fraction) -> TallyingBandit:
    """The table of lower confidence bounds."""

    def lower(cell: Cell) -> Fraction:
        plays = seen.plays[cell]
        if plays == 0:
            return Fraction(0)
        bound = seen.totals[cell] / plays - hoeffding_radius(plays, failure)
        return max(Fraction(0), Fraction(int(bound * LOSS_GRID // 1), LOSS_GRID))

    return TallyingBandit([[lower((x, y)) for y in range(1, memory + 1)] for x in range(actions)])


def _turns_until_doubled(seen: Observed, word: Word, memory: int) -> int:
    """Periods of the word after which some cell of it has been played twice as often as before."""
    met = period_counts(word, memory)
    return min(ceil_div(max(1, seen.plays[cell]), times) for cell, times in met.items())
