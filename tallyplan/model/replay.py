"""The exact loss of a given sequence of actions: what every policy in tallyplan is measured by."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from fractions import Fraction

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
    return Fraction(_cost(bandit, checked, history), _scale(bandit))


def _scale(bandit: Bandit) -> int:
    """What losses are multiplied by while they are added up: so that those of tallies are integers."""
    return bandit.denominator if isinstance(bandit, TallyingBandit) else 1


def _cost(bandit: Bandit, actions: Iterable[int], history: Word) -> int | Fraction:
    """The scaled loss of actions that were checked."""
    if isinstance(bandit, TallyingBandit):
        return _cost_of_tallies(bandit, actions, history)
    plays: Counter[Word] = Counter()
    for action in actions:
        window = (*history, action)
        plays[window] += 1
        history = last(window, bandit.memory - 1)
    return sum((count * bandit.loss(window) for window, count in plays.items()), Fraction(0))


def _cost_of_tallies(bandit: TallyingBandit, actions: Iterable[int], history: Word) -> int:
    """The same where only tallies matter, in a time that does not grow with the memory."""
    table, memory, cost = bandit.integers, bandit.memory, 0
    window, tallies = deque(history), [0] * bandit.actions
    for action in history:
        tallies[action] += 1
    for action in actions:
        window.append(action)
        tallies[action] += 1
        if len(window) > memory:
            tallies[window.popleft()] -= 1
        cost += table[action][tallies[action] - 1]
    return cost


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
    total: int | Fraction = 0
    for word, repeats in runs:
        differing = min(repeats, ceil_div(bandit.memory - 1, len(word)))
        if differing:
            total += _cost(bandit, word * differing, history)
            history = last(history + word * differing, bandit.memory - 1)
        if repeats > differing:
            total += (repeats - differing) * _cost(bandit, word, history)
    return Fraction(total, _scale(bandit))


def mean_of_word(bandit: Bandit, word: Sequence[int]) -> Fraction:
    """The loss per step of repeating `word` for ever; the word may be shorter than the window.

    >>> from tallyplan import TallyingBandit
    >>> mean_of_word(TallyingBandit([["0", "1"], ["0", "1"]]), [0, 0, 1])
    Fraction(1, 3)

    See Also
    --------
    tallyplan.replay : from the empty history.
    tallyplan.optimal_cyclic_policy : the best word.
    """
    require_bandit(bandit)
    actions = tuple(checked_action(bandit, action, "an action") for action in items(word, "word"))
    if not actions:
        raise InvalidInput("the word is empty; a cyclic policy plays at least one action.")
    settled = last(actions * ceil_div(bandit.memory - 1, len(actions)), bandit.memory - 1)
    return Fraction(_cost(bandit, actions, settled), _scale(bandit) * len(actions))


def history_of(bandit: Bandit, start: Iterable[int]) -> Word:
    """The last m - 1 actions of `start`, each checked."""
    require_bandit(bandit)
    actions = tuple(
        checked_action(bandit, action, f"start[{i}]") for i, action in enumerate(items(start, "start"))
    )
    return last(actions, bandit.memory - 1)


def checked_action(bandit: Bandit, action: object, what: str) -> int:
    """The action as an integer in 0 .. K-1, or an error that names it."""
    if type(action) is int and 0 <= action < bandit.actions:  # as a rule, and worth a short cut
        return action
    number = integer(action, what)
    if not 0 <= number < bandit.actions:
        raise InvalidInput(f"{what} is {shown(number)}; the actions are 0 to {bandit.actions - 1}.")
    return number


def checked_runs(bandit: Bandit, runs: Runs) -> list[tuple[Word, int]]:
    """The runs with every action and repeat count checked; empty ones are dropped."""
    result = []
    for i, run in enumerate(items(runs, "runs", "a list of (word, repeats)")):
        try:
            word, repeats = run
        except (TypeError, ValueError):
            raise InvalidInput(f"runs[{i}] is {shown(run)}; (word, repeats) is needed.") from None
        actions = tuple(
            checked_action(bandit, action, f"runs[{i}]") for action in items(word, f"the word of runs[{i}]")
        )
        count = integer(repeats, f"the repeats of runs[{i}]")
        if count < 0:
            raise InvalidInput(f"the repeats of runs[{i}] are {shown(count)}; they cannot be negative.")
        if actions and count:
            result.append((actions, count))
    return result
