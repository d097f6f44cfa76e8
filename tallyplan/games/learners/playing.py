"""How learners play what they have decided: a word to the end of the game, a plan, a rule of the history."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tallyplan.model.words import Runs, Word

if TYPE_CHECKING:
    from tallyplan.games.game import Counts, Game

MOST_HISTORIES = 10**6  # histories remembered while a rule is watched for coming back


def play_cyclically(game: Game, word: Sequence[int], steps: int | None = None) -> Counts:
    """Repeat `word` for so many steps (to the end of the game by default), breaking it off where they end."""
    word = tuple(word)
    turns, rest = divmod(game.remaining if steps is None else steps, len(word))
    counts = game.run(word, turns)
    return counts + game.run(word[:rest]) if rest else counts


def play_runs(game: Game, runs: Runs) -> None:
    """Play a plan."""
    for word, repeats in runs:
        game.run(word, repeats)


def play_rule(game: Game, rule: Callable[[Word], int]) -> None:
    """Play a fixed rule `history -> action` to the end of the game, in bulk once a history comes back."""
    seen: dict[Word, int] = {}
    played: list[int] = []
    while game.remaining and game.history not in seen:
        if len(seen) < MOST_HISTORIES:
            seen[game.history] = len(played)
        played.append(rule(game.history))
        game.step(played[-1])
    if game.remaining:
        play_cyclically(game, played[seen[game.history] :])
