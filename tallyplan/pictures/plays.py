"""The steps of a sequence as pictures show them: the arm, its tally in the window, the loss of the step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import ceil_div
from tallyplan.model.replay import checked_runs, history_of
from tallyplan.model.tallies import windowed
from tallyplan.model.words import Runs, Word


@dataclass(frozen=True)
class Play:
    """One step: the number of the step, the arm, how often it is in the window, and the loss h_x(y)."""

    step: int
    arm: int
    tally: int
    loss: Fraction


@dataclass(frozen=True)
class Stretch:
    """Steps that follow each other, and how many more repetitions of the word follow them unseen.

    After the plays of the stretch every repetition has the tallies and losses of the last one.
    """

    plays: tuple[Play, ...]
    word: Word
    unseen: int

    @property
    def steps_unseen(self) -> int:
        """How many steps are left out after the plays."""
        return self.unseen * len(self.word)


def plays(bandit: Bandit, actions: Iterable[int], history: Word, first: int = 1) -> tuple[Play, ...]:
    """The steps of the actions after a history.

    >>> from tallyplan import TallyingBandit
    >>> bandit = TallyingBandit([["0", "1"], ["0", "1"]])
    >>> [(play.arm, play.tally, str(play.loss)) for play in plays(bandit, (0, 0, 1), ())]
    [(0, 1, '0'), (0, 2, '1'), (1, 1, '0')]
    """
    found = []
    for step, action in enumerate(actions, first):
        window, history = windowed(history, action, bandit.memory)
        found.append(Play(step, action, window.count(action), bandit.loss(window)))
    return tuple(found)


def plays_of_cycle(bandit: Bandit, word: Word) -> tuple[Play, ...]:
    """The steps of a word that has been repeated for ever."""
    settled = word * ceil_div(bandit.memory - 1, len(word))
    return plays(bandit, word, history_of(bandit, settled))


def repetitions_that_differ(bandit: Bandit, word: Sequence[int], repeats: int) -> int:
    """How many repetitions tell all: once m - 1 steps of them are played, each is like the one before."""
    return min(repeats, ceil_div(bandit.memory - 1, len(word)) + 1)


def stretches(bandit: Bandit, runs: Runs, start: Word = ()) -> list[Stretch]:
    """The runs as stretches: of a word that repeats, as many repetitions as differ, and one more.

    >>> from tallyplan import TallyingBandit
    >>> bandit = TallyingBandit([["0", "1"], ["0", "1"]])
    >>> [(len(one.plays), one.unseen) for one in stretches(bandit, [((0, 1), 10), ((1,), 1)])]
    [(4, 8), (1, 0)]
    """
    history, first, found = history_of(bandit, start), 1, []
    for word, repeats in checked_runs(bandit, runs):
        seen = repetitions_that_differ(bandit, word, repeats)
        unseen = repeats - seen
        played = word * seen
        found.append(Stretch(plays(bandit, played, history, first), word, unseen))
        history = history_of(bandit, history + played)
        first += repeats * len(word)
    return found
