"""Writing long action sequences as runs (word, repeats)."""

from __future__ import annotations

from collections.abc import Iterable

from tallyplan.model.words import Word

LONGEST_PERIOD = 64  # periods looked for when a plain stretch is written as runs


class RunBuilder:
    """Collects actions and repeated words in the order of play; `finish` gives the runs.

    >>> runs = RunBuilder()
    >>> runs.extend([2, 0])
    >>> runs.repeat((1, 0), 10**9)
    >>> runs.extend([1, 1])
    >>> runs.finish()
    (((2,), 1), ((0, 1), 1000000001), ((1,), 1))
    """

    def __init__(self) -> None:
        self._before: list[int] = []  # plain actions
        self._repeated: list[
            tuple[Word, int, list[int]]
        ] = []  # a word, its repeats, the plain actions after it

    def extend(self, actions: Iterable[int]) -> None:
        """Play these actions once."""
        (self._repeated[-1][2] if self._repeated else self._before).extend(actions)

    def repeat(self, word: Word, repeats: int) -> None:
        """Play the word `repeats` times."""
        if repeats < 2:
            self.extend(word * repeats)
        else:
            self._repeated.append((_root(word), repeats * (len(word) // len(_root(word))), []))

    def finish(self) -> tuple[tuple[Word, int], ...]:
        """The runs: repeated stretches as long as they can be, the rest with what repeats written as such."""
        runs: list[tuple[Word, int]] = []
        before = self._before
        for word, repeats, after in self._repeated:
            word, repeats = _widened(before, word, repeats, after)
            runs.extend(compress(before))
            if runs and runs[-1][0] == word:
                repeats += runs.pop()[1]
            runs.append((word, repeats))
            before = after
        return (*runs, *compress(before))


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
        if repeats >= 2 and period * repeats >= 4:
            if pending:
                runs.append((tuple(pending), 1))
                pending = []
            runs.append((tuple(actions[at : at + period]), repeats))
            at += period * repeats
        else:
            pending.append(actions[at])
            at += 1
    return [*runs, (tuple(pending), 1)] if pending else runs


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


def _widened(before: list[int], word: Word, repeats: int, after: list[int]) -> tuple[Word, int]:
    """Let the repeated stretch take in what continues it on either side."""
    length = len(word)
    while before and before[-1] == word[-1]:
        before.pop()
        after.insert(0, word[-1])
        word = word[-1:] + word[:-1]
    taken = 0
    while taken < len(after) and after[taken] == word[taken % length]:
        taken += 1
    del after[: taken - taken % length]
    return word, repeats + taken // length


def _root(word: Word) -> Word:
    """The shortest word of which this one is a power."""
    length = len(word)
    for period in range(1, length // 2 + 1):
        if length % period == 0 and word[:period] * (length // period) == word:
            return word[:period]
    return word
