"""What several learners do: play a word, a plan or a rule to the end of the game, and explore.

The paper's exploration plays every action m times in a row, 0^m 1^m ... (K-1)^m. For K >= 2 one round meets
every cell (x, y) exactly once, also after an earlier round: when x comes back, the window holds m - 1 plays
of another action. (K = 1 meets the cells y < m once only; there is nothing to choose.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyplan.answers import Policy
from tallyplan.model.instance import State, TallyingBandit
from tallyplan.model.words import Runs, Word

if TYPE_CHECKING:
    from tallyplan.games.game import Game, Observed

MOST_STATES = 10**6  # remembered until one of them occurs again


def play_cyclically(game: Game, word: Sequence[int], steps: int | None = None) -> Observed:
    """Repeat `word` for some steps (to the end of the game by default); the last turn may be cut short."""
    word = tuple(word)
    turns, rest = divmod(game.remaining if steps is None else steps, len(word))
    counts = game.run(word, turns)
    return counts + game.run(word[:rest]) if rest else counts


def play_runs(game: Game, runs: Runs) -> None:
    """Play a plan."""
    for word, repeats in runs:
        game.run(word, repeats)


def play_rule(game: Game, rule: Callable[[State], int]) -> None:
    """Play a fixed rule `state -> action` to the end of the game, in bulk once a state occurs again."""
    seen: dict[State, int] = {}
    played: list[int] = []
    while game.remaining and game.state not in seen:
        if len(seen) < MOST_STATES:
            seen[game.state] = len(played)
        played.append(rule(game.state))
        game.step(played[-1])
    if game.remaining:
        play_cyclically(game, played[seen[game.state] :])


@dataclass(frozen=True)
class Follow:
    """A learner that follows a given policy step by step, for at most 10^8 steps.

    >>> from tallyplan import TallyingBandit, optimal_plan
    >>> from tallyplan.games.game import simulate
    >>> bandit = TallyingBandit([["0", "1"], ["1/2", "1"]])
    >>> simulate(bandit, Follow(optimal_plan(bandit, 99).policy), 99).loss == optimal_plan(bandit, 99).value
    True
    """

    policy: Policy

    def play(self, game: Game) -> None:
        """Ask, play."""
        game.require_decisions()
        while game.remaining:
            game.step(self.policy.at(game.state, game.remaining).action)


def exploration_word(actions: int, memory: int) -> Word:
    """0^m 1^m ... (K-1)^m.

    >>> exploration_word(2, 3)
    (0, 0, 0, 1, 1, 1)
    """
    return tuple(x for x in range(actions) for _ in range(memory))


def explore(game: Game, rounds: int) -> Observed | None:
    """Play the rounds; None if the game is too short for them and ended in the exploration."""
    word = exploration_word(game.actions, game.memory)
    if len(word) * rounds > game.remaining:
        play_cyclically(game, word)
        return None
    return game.run(word, rounds)


def estimated(counts: Observed, actions: int, memory: int) -> TallyingBandit:
    """The bandit whose losses are the means observed; every cell must have been played."""
    return TallyingBandit(
        [[counts.totals[x, y] / counts.plays[x, y] for y in range(1, memory + 1)] for x in range(actions)]
    )
