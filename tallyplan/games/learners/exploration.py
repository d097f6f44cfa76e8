"""The paper's exploration: every action m times in a row, 0^m 1^m ... (K-1)^m.

For K >= 2 one round meets every cell (x, y) exactly once, also after an earlier round: when x comes back, the
window holds m - 1 plays of another action. (K = 1 meets the cells y < m once only; there is nothing to
choose.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallyplan.model.instance import TallyingBandit
from tallyplan.model.words import Word

if TYPE_CHECKING:
    from tallyplan.games.game import Counts, Game


def exploration_word(actions: int, memory: int) -> Word:
    """0^m 1^m ... (K-1)^m.

    >>> exploration_word(2, 3)
    (0, 0, 0, 1, 1, 1)
    """
    return tuple(x for x in range(actions) for _ in range(memory))


def explore(game: Game, rounds: int) -> Counts | None:
    """Play so many rounds; None if the game is too short for them and ended in the exploration."""
    word = exploration_word(game.actions, game.memory)
    if len(word) * rounds > game.remaining:
        full, rest = divmod(game.remaining, len(word))
        game.run(word, full)
        if rest:
            game.run(word[:rest])
        return None
    return game.run(word, rounds)


def estimated(counts: Counts, actions: int, memory: int) -> TallyingBandit:
    """The bandit whose losses are the means observed; every cell must have been played."""
    return TallyingBandit(
        [[counts.totals[x, y] / counts.plays[x, y] for y in range(1, memory + 1)] for x in range(actions)]
    )
