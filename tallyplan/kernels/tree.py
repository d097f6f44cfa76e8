"""Folding the tree of the next actions back to its root, for tallying bandits."""

from __future__ import annotations

from typing import Any

from numba import njit


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
    for x in range(choices.size):
        best, choice = totals[x * actions], -1
        for a in range(actions):
            count, code, left = fixed[a], x, digits
            while left > 0:
                count += tally[a, code % word]
                if a == 0 and left < chunk:
                    count -= chunk - left
                code //= word
                left -= chunk
            candidate = costs[a, count] + totals[x * actions + a]
            if choice < 0 or candidate < best:
                best, choice = candidate, a
        totals[x] = best
        choices[x] = choice
