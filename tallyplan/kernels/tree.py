"""Folding the tree of the next actions back to its root, for tallying bandits."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tallyplan.kernels.rotation import tally_of


@njit(cache=True, nogil=True)
def fold(totals: Any, costs: Any, fixed: Any, tally: Any, digits: int, choices: Any) -> None:
    """One level, in place: totals[x] = min over a of cost + totals[x K + a], x the words of `digits` actions.

    The tally of a is `fixed[a]` plus its tally in x; `tally[a, w]` counts a in words of a chunk of
    digits, leading zeros included.
    """
    actions, word = tally.shape
    chunk, size = 0, 1
    while size < word:
        size *= actions
        chunk += 1
    low_digits = min(digits, chunk)
    size = actions**low_digits
    base = np.empty(actions, np.int64)
    for high in range(choices.size // size):
        for a in range(actions):
            base[a] = fixed[a] + tally_of(a, high, digits - low_digits, tally, word, chunk)
        base[0] -= chunk - low_digits
        for low in range(size):
            x = high * size + low
            best, choice = costs[0, base[0] + tally[0, low]] + totals[x * actions], 0
            for a in range(1, actions):
                candidate = costs[a, base[a] + tally[a, low]] + totals[x * actions + a]
                if candidate < best:
                    best, choice = candidate, a
            totals[x] = best
            choices[x] = choice
