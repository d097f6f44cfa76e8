"""The exact loss of a given sequence of actions: what every policy in tallyplan is measured by."""

from __future__ import annotations

import operator
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from tallyplan.errors import InvalidInput
from tallyplan.model.instance import Bandit, TallyingBandit, require_bandit
from tallyplan.model.rationals import ceil_div, integer, shown
from tallyplan.model.words import Runs, Word, items, last


def replay(bandit: Bandit, actions: Iterable[int], start: Sequence[int] = ()) -> Fraction:
    """The total mean loss of playing `actions` after the history `start`.

    Parameters
    ----------
    actions : the actions in the order of play, each in 0 .. K-1.
    start : actions played before; they cost nothing here, but stay in the window. Only the last m - 1 count.

    >>> from tallyplan import TallyingBandit
    >>> bandit = TallyingBandit([["0", "1"], ["0", "1"]])
    >>> replay(bandit, [0, 1, 0]), replay(bandit, [0, 0, 0]), replay(bandit, [], start=[1])
    (Fraction(0, 1), Fraction(2, 1), Fraction(0, 1))

    See Also
    --------
    tallyplan.replay_runs : of a long sequence, written as runs.
    tallyplan.games.regret.regrets : every regret of a sequence.
    """
    history = history_of(bandit, start)
    checked = (checked_action(bandit, action, "an action") for action in items(actions, "actions"))
    return Fraction(sum(_costs(bandit, [checked], history)), _scale(bandit))


def _scale(bandit: Bandit) -> int:
    """What losses are multiplied by while they are added up; tallying losses become integers."""
    return bandit.denominator if isinstance(bandit, TallyingBandit) else 1


def _costs(bandit: Bandit, words: Iterable[Iterable[int]], history: Word) -> Iterator[int | Fraction]:
    """The scaled loss of each of the words, played one after the other, of actions that were checked."""
    if isinstance(bandit, TallyingBandit):
        return _costs_of_tallies(bandit, words, history)
    return _costs_of_windows(bandit, words, history)


def _costs_of_windows(bandit: Bandit, words: Iterable[Iterable[int]], history: Word) -> Iterator[Fraction]:
    for word in words:
        plays: Counter[Word] = Counter()
        for action in word:
            window = (*history, action)
            plays[window] += 1
            history = last(window, bandit.memory - 1)
        yield sum((count * bandit.loss(window) for window, count in plays.items()), Fraction(0))


def _costs_of_tallies(bandit: TallyingBandit, words: Iterable[Iterable[int]], history: Word) -> Iterator[int]:
    """The same where only tallies matter, in a time per action that does not grow with the memory."""
    table, memory, none = bandit.integers, bandit.memory, bandit.actions
    window = deque([none] * (memory - len(history)) + list(history), maxlen=memory)
    tallies = [0] * (none + 1)
    for action in history:
        tallies[action] += 1
    for word in words:
        cost = 0
        for action in word:
            tallies[window[0]] -= 1
            window.append(action)
            cost += table[action][tallies[action]]
            tallies[action] += 1
        yield cost


def replay_runs(bandit: Bandit, runs: Runs, start: Sequence[int] = ()) -> Fraction:
    """The total mean loss of `runs` after `start`; the cost follows the words, not the repeats.

    Once m - 1 steps of a run are played, every further repetition of its word costs the same.

    >>> from tallyplan import TallyingBandit
    >>> bandit = TallyingBandit([["0", "1"], ["0", "1"]])
    >>> replay_runs(bandit, [((0, 1), 10**18), ((0, 0), 1)])
    Fraction(1, 1)

    See Also
    --------
    tallyplan.replay : of a short sequence.
    tallyplan.answers.Plan : plans are runs.
    """
    return loss_of_runs(bandit, checked_runs(bandit, runs), history_of(bandit, start))


def loss_of_runs(bandit: Bandit, runs: Sequence[tuple[Word, int]], history: Word) -> Fraction:
    """The same for nonempty runs and a history of at most m - 1 actions that are known to be right."""
    words, times = [], []
    for word, repeats in runs:
        differing = min(repeats, ceil_div(bandit.memory - 1, len(word)))
        words.append(word * differing)
        times.append(1)
        if repeats > differing:  # one of the others is played, and leaves the window as all of them do
            words.append(word)
            times.append(repeats - differing)
    return Fraction(sum(map(operator.mul, times, _costs(bandit, words, history))), _scale(bandit))


def mean_of_word(bandit: Bandit, word: Sequence[int]) -> Fraction:
    """The loss per step of repeating `word` forever; the word may be shorter than the window.

    >>> from tallyplan import TallyingBandit
    >>> mean_of_word(TallyingBandit([["0", "1"], ["0", "1"]]), [0, 0, 1])
    Fraction(1, 3)

    See Also
    --------
    tallyplan.replay : from the empty history.
    tallyplan.optimal_cyclic_policy : the best word.
    """
    require_bandit(bandit)
    actions = checked_word(bandit, items(word, "word"), "an action")
    if not actions:
        raise InvalidInput("the word is empty; a cyclic policy plays at least one action.")
    settled = last(actions * ceil_div(bandit.memory - 1, len(actions)), bandit.memory - 1)
    return Fraction(sum(_costs(bandit, [actions], settled)), _scale(bandit) * len(actions))


def history_of(bandit: Bandit, start: Iterable[int]) -> Word:
    """The last m - 1 actions of `start`, each checked."""
    require_bandit(bandit)
    return last(checked_word(bandit, items(start, "start"), "start[{}]"), bandit.memory - 1)


def checked_word(bandit: Bandit, word: Iterable[object], what: str) -> Word:
    """The actions, each checked; `what` names one of them in an error, with {} for its place."""
    actions: tuple[Any, ...] = tuple(word)
    if not actions:
        return ()
    if set(map(type, actions)) == {int} and 0 <= min(actions) <= max(actions) < bandit.actions:
        return actions  # as a rule
    return tuple(checked_action(bandit, action, what.format(i)) for i, action in enumerate(actions))


def checked_action(bandit: Bandit, action: object, what: str) -> int:
    """The action as an integer in 0 .. K-1, or an error that names it."""
    if type(action) is int and 0 <= action < bandit.actions:  # as a rule, and worth a short cut
        return action
    number = integer(action, what)
    if not 0 <= number < bandit.actions:
        raise InvalidInput(f"{what} is {shown(number)}; the actions are 0 to {bandit.actions - 1} here.")
    return number


def checked_runs(bandit: Bandit, runs: Runs) -> list[tuple[Word, int]]:
    """The runs with every action and repeat count checked; empty ones are dropped."""
    result = []
    for i, run in enumerate(items(runs, "runs", "a list of (word, repeats)")):
        try:
            word, repeats = run
        except (TypeError, ValueError):
            raise InvalidInput(f"runs[{i}] is {shown(run)}; (word, repeats) is needed.") from None
        actions = checked_word(bandit, items(word, f"the word of runs[{i}]"), f"runs[{i}]")
        count = integer(repeats, f"the repeats of runs[{i}]")
        if count < 0:
            raise InvalidInput(f"the repeats of runs[{i}] are {shown(count)}; they cannot be negative.")
        if actions and count:
            result.append((actions, count))
    return result
