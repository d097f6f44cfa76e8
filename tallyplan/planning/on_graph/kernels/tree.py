"""Folding the tree of the next actions back to its root, for tallying bandits."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def fold(totals: Any, costs: Any, fixed: Any, low: Any, high: Any, choices: Any) -> None:
    """One level, in place: totals[x] = min over a of cost + totals[x K + a], for all words x of some length.

    The tally of a is `fixed[a]` plus its tally in x; `low` and `high` hold the tallies in the words of
    the low and the high digits of x.
    """
    actions, size = low.shape
    base = np.empty(actions, np.int64)
    for block in range(high.shape[1]):
        for a in range(actions):
            base[a] = fixed[a] + high[a, block]
        for word in range(size):
            x = block * size + word
            best, choice = costs[0, base[0] + low[0, word]] + totals[x * actions], 0
            for a in range(1, actions):
                candidate = costs[a, base[a] + low[a, word]] + totals[x * actions + a]
                if candidate < best:
                    best, choice = candidate, a
            totals[x] = best
            choices[x] = choice
