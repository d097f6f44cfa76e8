"""How often an action sequence meets each cell (x, y): x is played, for the y-th time in its window.

The tally of step t is y = #{s : max(0, t-m+1) <= s <= t, a_s = a_t}. A tallying bandit's loss is a function
of these counts alone. A word that repeats is counted once: after m - 1 steps every further period meets the
same cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from tallyplan.errors import InvalidInput
from tallyplan.model.graph import Array
from tallyplan.model.rationals import ceil_div

Cell = tuple[int, int]


def tally_counts(
    word: Sequence[int] | Array, memory: int, *, repeats: int = 1, start: Sequence[int] | Array = ()
) -> Counter[Cell]:
    """How often each cell (x, y) is met while `word` is played `repeats` times after `start`.

    Parameters
    ----------
    word : at least one action.
    memory : m; only the last m - 1 actions of `start` count.

    Notes
    -----
    Time: O(m (m + len(word))), whatever the number of repeats.

    >>> sorted(tally_counts((0, 0, 1), 2, repeats=10**9).items())
    [((0, 1), 1000000000), ((0, 2), 1000000000), ((1, 1), 1000000000)]
    >>> sorted(tally_counts((0,), 3, repeats=5).items())
    [((0, 1), 1), ((0, 2), 1), ((0, 3), 3)]
    """
    actions = np.asarray(word, dtype=np.int64)
    if not actions.size:
        raise InvalidInput("the word is empty; there is nothing to count.")
    before = np.asarray(start, dtype=np.int64)[max(0, len(start) - memory + 1) :]
    if repeats * actions.size < memory:
        return _cells(before, np.tile(actions, repeats), memory)
    # Only the first m - 1 steps differ from the word repeated forever.
    settled = _settled(actions, memory)
    opening = np.resize(actions, memory - 1)
    counts = Counter({cell: repeats * times for cell, times in _cells(settled, actions, memory).items()})
    counts.update(_cells(before, opening, memory))
    counts.subtract(_cells(settled, opening, memory))
    return +counts


def period_counts(word: Sequence[int] | Array, memory: int) -> Counter[Cell]:
    """How often each cell is met in one period of `word` repeated forever: |word| N_xy in the paper's terms.

    >>> sorted(period_counts((0, 0, 1), 2).items())
    [((0, 1), 1), ((0, 2), 1), ((1, 1), 1)]
    >>> period_counts((0,), 3)
    Counter({(0, 3): 1})
    """
    actions = np.asarray(word, dtype=np.int64)
    return _cells(_settled(actions, memory), actions, memory)


def _settled(actions: Array, memory: int) -> Array:
    """The last m - 1 actions (or more) once the word has been repeated for long."""
    return np.tile(actions, ceil_div(memory - 1, actions.size))


def _cells(before: Array, actions: Array, memory: int) -> Counter[Cell]:
    """The cells of the steps of `actions`; those of `before` are only in the window."""
    kept = before[max(0, before.size - memory + 1) :]
    played = np.concatenate([kept, actions])
    tallies = np.ones(played.size, dtype=np.int64)
    for age in range(1, min(memory, played.size)):
        tallies[age:] += played[age:] == played[:-age]
    counts = np.bincount((played * memory + tallies - 1)[kept.size :])
    met = counts.nonzero()[0]
    cells = ((code // memory, code % memory + 1) for code in met.tolist())
    return Counter(dict(zip(cells, counts[met].tolist(), strict=True)))


def compositions(total: int, parts: int) -> Array:
    """All ways to write `total` as an ordered sum of `parts` numbers >= 0, in lexicographic order.

    >>> compositions(2, 2).tolist()
    [[0, 2], [1, 1], [2, 0]]
    """
    rows: Array = np.zeros((1, 0), dtype=np.int64)
    left: Array = np.array([total])
    for _ in range(parts - 1):
        repeat = left + 1
        rows, left = np.repeat(rows, repeat, axis=0), np.repeat(left, repeat)
        starts = np.repeat(np.cumsum(repeat) - repeat, repeat)
        here = np.arange(len(left)) - starts
        rows, left = np.concatenate([rows, here[:, None]], axis=1), left - here
    return np.concatenate([rows, left[:, None]], axis=1)
