"""The greedy player: always the action that loses least right now."""

from __future__ import annotations

from collections import Counter, deque

from tallyplan.model.instance import TallyingBandit
from tallyplan.model.words import Word


def greedy_actions(bandit: TallyingBandit, history: Word, steps: int) -> Word:
    """`steps` actions after a history of at most m-1, each of least loss at its time; ties to the first.

    >>> greedy_actions(TallyingBandit([["0", "1"], ["1/2", "1"]]), (), 3)
    (0, 1, 0)
    """
    window, tallies = deque(history), Counter(history)
    played = []
    for _ in range(steps):
        if len(window) == bandit.memory:
            tallies[window.popleft()] -= 1
        action = min(range(bandit.actions), key=lambda x: bandit.losses[x][tallies[x]])
        window.append(action)
        tallies[action] += 1
        played.append(action)
    return tuple(played)
