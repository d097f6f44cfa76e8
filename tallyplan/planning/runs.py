"""Writing long action sequences as runs (word, repeats)."""

from __future__ import annotations

from collections.abc import Iterable

from tallyplan.replay import Word

LONGEST_PERIOD = 64  # periods looked for when a plain stretch is written as runs


class RunBuilder:
    """Collects actions and repeated words in the order of play; `finish` gives the runs."""

    def __init__(self) -> None:
        self._pieces: list[tuple[Word, int]] = []
        self._plain: list[int] = []

    def extend(self, actions: Iterable[int]) -> None:
        """Play these actions once."""
        self._plain.extend(actions)

    def repeat(self, word: Word, repeats: int) -> None:
        """Play the word `repeats` times."""
        if repeats > 0:
            self._flush()
            self._pieces.append((word, repeats))

    def finish(self) -> tuple[tuple[Word, int], ...]:
        """The runs, with words in their shortest form and what repeats written as such."""
        self._flush()
        return tuple(_merged(self._pieces))

    def _flush(self) -> None:
        self._pieces.extend(compress(self._plain))
        self._plain = []


def compress(actions: list[int]) -> list[tuple[Word, int]]:
    """Write a plain sequence as runs, greedily: at each point the period that covers most, if it repeats.

    >>> compress([0, 1, 0, 1, 0, 1, 2])
    [((0, 1), 3), ((2,), 1)]
    """
    runs: list[tuple[Word, int]] = []
    pending: list[int] = []
    at = 0
    while at < len(actions):
        period, repeats = _best_period(actions, at)
        if period * repeats >= 4 and repeats >= 2:
            if pending:
                runs.append((tuple(pending), 1))
                pending = []
            runs.append((tuple(actions[at : at + period]), repeats))
            at += period * repeats
        else:
            pending.append(actions[at])
            at += 1
    if pending:
        runs.append((tuple(pending), 1))
    return runs


def _best_period(actions: list[int], at: int) -> tuple[int, int]:
    """The period from `at` on that covers most, the shortest of equals."""
    best = (1, 1)
    for period in range(1, min(LONGEST_PERIOD, (len(actions) - at) // 2) + 1):
        end = at + period
        while end < len(actions) and actions[end] == actions[end - period]:
            end += 1
        repeats = (end - at) // period
        if repeats >= 2 and period * repeats > best[0] * best[1]:
            best = (period, repeats)
    return best


def _merged(pieces: list[tuple[Word, int]]) -> list[tuple[Word, int]]:
    """Words by their primitive root; neighbours with the same word joined."""
    merged: list[tuple[Word, int]] = []
    for word, repeats in pieces:
        root = _root(word)
        count = repeats * (len(word) // len(root)) if repeats > 1 or len(root) < len(word) else repeats
        if merged and merged[-1][0] == root and (count > 1 or merged[-1][1] > 1):
            merged[-1] = (root, merged[-1][1] + count)
        else:
            merged.append((root, count))
    return merged


def _root(word: Word) -> Word:
    """The shortest word of which this one is a power, by the border trick: w occurs in ww at its period."""
    length = len(word)
    for period in range(1, length // 2 + 1):
        if length % period == 0 and word[:period] * (length // period) == word:
            return word[:period]
    return word
