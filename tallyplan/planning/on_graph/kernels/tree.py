"""Folding the tree of the next actions back to its root, for tallying bandits."""

from __future__ import annotations

from typing import Any

import numpy as np

from tallyplan.planning.compiling import compiled


@compiled
def fold(totals: Any, costs: Any, fixed: Any, low: Any, word: Any) -> None:
    """The best actions go to `word` if `totals` follow the words of that length; their cost to `totals[0]`.

    Level by level, the longest words first, in place: totals[x] = min over a of cost + totals[x K + a] for
    all words x of `level` digits. The tally of a is `fixed[level, a]` plus its tally in x; `low` holds the
    tallies in the words of the low half of the digits, with leading zeros where x has fewer.
    """
    depth, actions = fixed.shape
    half = depth // 2
    base = np.empty(actions, np.int64)
    words = totals.size  # K^(level + 1)
    end = 0  # of the choices of the levels up to this one
    for level in range(depth):
        end += actions**level
    choices = np.empty(end, np.int32)
    for level in range(depth - 1, -1, -1):
        words //= actions
        end -= words
        size = min(words, low.shape[1])
        for block in range(words // size):
            for a in range(actions):
                base[a] = fixed[level, a]
            base[0] -= max(0, half - level)
            code = block
            for _ in range(level - half):
                base[code % actions] += 1
                code //= actions
            for low_word in range(size):
                x = block * size + low_word
                best, choice = costs[0, base[0] + low[0, low_word]] + totals[x * actions], 0
                for a in range(1, actions):
                    candidate = costs[a, base[a] + low[a, low_word]] + totals[x * actions + a]
                    if candidate < best:
                        best, choice = candidate, a
                totals[x] = best
                choices[end + x] = choice
    x = 0
    for level in range(depth):
        word[level] = choices[end + x]
        x = x * actions + word[level]
        end += words
        words *= actions
