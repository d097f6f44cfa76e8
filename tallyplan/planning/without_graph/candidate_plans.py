"""Good plans without the state graph: a word over and over, with an opening and an ending.

The word, or the best constant, is repeated from each of its runs on, with or without the best opening, and
with a greedy ending of several lengths; the cheapest of these plans is taken.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from itertools import groupby

from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import ceil_div
from tallyplan.model.replay import replay_runs
from tallyplan.model.words import Word, last_of_runs, shortest
from tallyplan.planning.effort import tick
from tallyplan.planning.without_graph.openings import Opening, in_order

MOST_ROTATIONS = 12  # tried of a word with many runs


def best_candidate(opening: Opening, horizon: int, word: Word) -> tuple[tuple[Word, int], ...]:
    """The cheapest of the candidate plans."""
    bandit, start = opening.bandit, opening.start
    plans = _plans(opening, horizon, word)
    return shortest(min(plans, key=lambda plan: replay_runs(bandit, plan, start)))


def _plans(opening: Opening, horizon: int, word: Word) -> Iterator[list[tuple[Word, int]]]:
    bandit = opening.bandit
    first = in_order(opening.best(opening.length)[1])
    constant = min(range(bandit.actions), key=lambda x: bandit.losses[x][-1])
    endings = sorted({min(horizon, bandit.memory * share // 4) for share in range(5)})
    for turned in [*_rotations(word), (constant,)]:
        for begin in ((), first, first[::-1]):
            for ending in endings:
                tick()
                if len(begin) + ending <= horizon:
                    yield _plan(opening, begin, turned, horizon, ending)


def _plan(opening: Opening, begin: Word, word: Word, horizon: int, ending: int) -> list[tuple[Word, int]]:
    """`begin`, then the word over and over, then `ending` greedy actions."""
    keep = opening.bandit.memory - 1
    turns, odd = divmod(horizon - ending - len(begin), len(word))
    plan = [(begin, 1), (word, turns), (word[:odd], 1)]
    history = last_of_runs([(opening.start, 1), *plan], keep)
    return [*plan, (greedy_actions(opening.bandit, history, ending), 1)]


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


def _rotations(word: Word) -> list[Word]:
    """The word begun at each of its runs, or at some of them."""
    starts, at = [], 0
    for _, run in groupby(word):
        starts.append(at)
        at += len(list(run))
    return [word[i:] + word[:i] for i in starts[:: ceil_div(len(starts), MOST_ROTATIONS)]]
