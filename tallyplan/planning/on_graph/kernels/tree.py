"""Folding the tree of the next actions back to its root, for tallying bandits."""

from __future__ import annotations

from typing import Any

import numpy as np

from tallyplan.planning.compiling import compiled, part


@compiled
def fold(totals: Any, costs: Any, fixed: Any, choices: Any, word: Any) -> None:
    """The best actions, into `word`, if `totals` follow the words of that length; their cost to `totals[0]`.

    Level by level, the longest words first, in place: totals[x] = min over a of cost + totals[x K + a] for
    all words x of `level` digits. The tally of a is `fixed[level, a]` plus its tally in x; `low` holds the
    tallies in the words of the low digits.
    """
    depth, actions = fixed.shape
    half = depth // 2
    low = _word_tallies(actions, half)
    base = np.empty(actions, np.int64)
    at = np.empty(depth + 1, np.int64)  # where the choices of a level are
    at[0] = 0
    for level in range(depth):
        at[level + 1] = at[level] + actions**level
    for level in range(depth - 1, -1, -1):
        size = actions ** min(level, half)
        for block in range(actions**level // size):
            base[:] = fixed[level]
            base[0] -= max(0, half - level)  # of the leading zeros in `low`
            _count(block, level - half, base)
            for low_word in range(size):
                x = block * size + low_word
                best, choice = costs[0, base[0] + low[0, low_word]] + totals[x * actions], 0
                for a in range(1, actions):
                    candidate = costs[a, base[a] + low[a, low_word]] + totals[x * actions + a]
                    if candidate < best:
                        best, choice = candidate, a
                totals[x] = best
                choices[at[level] + x] = choice
    x = 0
    for level in range(depth):
        word[level] = choices[at[level] + x]
        x = x * actions + word[level]


@part
def _word_tallies(actions: int, digits: int) -> Any:
    """`[a, w]`: how often a occurs in the word w of so many digits."""
    tallies = np.zeros((actions, actions**digits), np.int16)
    for w in range(tallies.shape[1]):
        _count(w, digits, tallies[:, w])
    return tallies


@part
def _count(code: int, digits: int, tallies: Any) -> None:
    for _ in range(digits):
        tallies[code % tallies.size] += 1
        code //= tallies.size
