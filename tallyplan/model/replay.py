"""The exact loss of a given sequence of actions: what every policy in tallyplan is measured by.

A tallying bandit's loss is a function of how often the sequence meets each cell (x, y): x is played, for the
y-th time in its window. The tally of step t is y = #{s : max(0, t-m+1) <= s <= t, a_s = a_t}. A word that
repeats is counted once: after m - 1 steps every further period meets the same cells.
"""

from __future__ import annotations

import operator
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from tallyplan.errors import InvalidInput
from tallyplan.model.graph import Array, np
from tallyplan.model.instance import Bandit, State, TallyingBandit, require_bandit
from tallyplan.model.rationals import ceil_div, integer, shown
from tallyplan.model.words import Runs, Word, items, last, last_of_runs

Cell = tuple[int, int]
FOREVER = 2**63  # turns; a state comes back before that


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
    word = checked_word(bandit, items(actions, "actions"), "an action")
    return loss_of_runs(bandit, [(word, 1)] if word else [], history)


def _played(bandit: Bandit, state: State, word: Iterable[int]) -> tuple[Fraction, State]:
    """What a word loses in a state, and the state after it."""
    plays: Counter[Fraction] = Counter()
    for action in word:
        loss, state = bandit.step(state, action)
        plays[loss] += 1
    return sum((count * loss for loss, count in plays.items()), Fraction(0)), state


class Turns(NamedTuple):
    """A word played again and again: the states in which it begins, until one of them comes back.

    Turn i begins in states[i], loses losses[i] and is played times[i] times. Those from `since` on come back;
    after all of them the state is `after`.
    """

    states: list[State]
    losses: list[Fraction]
    times: list[int]
    since: int
    after: State


def turns_of(bandit: Bandit, state: State, word: Word, repeats: int = FOREVER) -> Turns:
    """The turns of a word that is played `repeats` times, from a state on."""
    seen, losses = dict[State, int](), list[Fraction]()
    while state not in seen and len(seen) < repeats:
        seen[state] = len(seen)
        loss, state = _played(bandit, state, word)
        losses.append(loss)
    since = seen.get(state, len(seen))
    period, states = len(seen) - since, list(seen)
    rounds, more = divmod(repeats - since, period) if period else (0, 0)
    times = [1] * since + [rounds + (i < more) for i in range(period)]
    return Turns(states, losses, times, since, states[since + more] if period else state)


def _costs_of_tallies(bandit: TallyingBandit, words: Iterable[Iterable[int]], history: Word) -> Iterator[int]:
    """The integer costs of the words in turn; the time per action does not grow with the memory."""
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
    """The total mean loss of `runs` after `start`; the time depends on the words, not on the repeats.

    Once m - 1 steps of a run are played, every further repetition of its word costs the same; the arms of an
    arm bandit sooner or later return to a state in which the word began before.

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
    """The same for nonempty runs and a history, as `history_of` gives it, that are known to be valid."""
    state = bandit.state_after(history)
    if isinstance(bandit, TallyingBandit):
        return _loss_of_tallies(bandit, runs, state)
    return played_from(bandit, runs, state)[0]


def played_from(bandit: Bandit, runs: Sequence[tuple[Word, int]], state: State) -> tuple[Fraction, State]:
    """What nonempty runs lose from a state, and the state after them."""
    if isinstance(bandit, TallyingBandit):
        keep = bandit.memory - 1
        return _loss_of_tallies(bandit, runs, state), last((*state, *last_of_runs(runs, keep)), keep)
    total = Fraction(0)
    for word, repeats in runs:
        turns = turns_of(bandit, state, word, repeats)
        total += sum(map(operator.mul, turns.times, turns.losses), Fraction(0))
        state = turns.after
    return total, state


def _loss_of_tallies(bandit: TallyingBandit, runs: Sequence[tuple[Word, int]], history: Word) -> Fraction:
    words, times = [], []
    for word, repeats in runs:
        differing = min(repeats, ceil_div(bandit.memory - 1, len(word)))
        words.append(word * differing)
        times.append(1)
        if repeats > differing:  # one of the others is played, and leaves the window as all of them do
            words.append(word)
            times.append(repeats - differing)
    costs = _costs_of_tallies(bandit, words, history)
    return Fraction(sum(map(operator.mul, times, costs)), bandit.denominator)


def mean_of_word(bandit: Bandit, word: Sequence[int], start: Sequence[int] = ()) -> Fraction:
    """The loss per step of repeating `word` forever; the word may be shorter than the window.

    Parameters
    ----------
    start : what is played before; it matters only for an arm bandit, whose arms begin somewhere.

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
    return mean_of_actions(bandit, actions, start)


def mean_of_actions(bandit: Bandit, actions: Word, start: Sequence[int]) -> Fraction:
    """The same for a nonempty word that is known to be valid."""
    if isinstance(bandit, TallyingBandit):
        settled = last(actions * ceil_div(bandit.memory - 1, len(actions)), bandit.memory - 1)
        cost = sum(_costs_of_tallies(bandit, [actions], settled))
        return Fraction(cost, bandit.denominator * len(actions))
    state = bandit.state_after(history_of(bandit, start))
    turns = turns_of(bandit, state, actions)
    recurring = turns.losses[turns.since :]
    return sum(recurring, Fraction(0)) / (len(recurring) * len(actions))


def visits_from(
    bandit: Bandit, runs: Sequence[tuple[Word, int]], state: State
) -> tuple[Counter[tuple[State, int]], State]:
    """How often each action is played in each state, while runs are played from a state, and the state after.

    Everything that a sequence loses, or would lose by a change of one action, follows from these counts.

    >>> from tallyplan import TallyingBandit
    >>> visits_from(TallyingBandit([["0", "1"], ["0", "1"]]), [((0, 1), 10**9)], ())[0]
    Counter({((0,), 1): 1000000000, ((1,), 0): 999999999, ((), 0): 1})
    """
    counts = Counter[tuple[State, int]]()
    for word, repeats in runs:
        turns = turns_of(bandit, state, word, repeats)
        for times, here in zip(turns.times, turns.states, strict=True):
            for action in word:
                counts[here, action] += times
                _, here = bandit.step(here, action)
        state = turns.after
    return counts, state


def tally_counts(
    word: Sequence[int] | Array, memory: int, *, repeats: int = 1, start: Sequence[int] | Array = ()
) -> Counter[Cell]:
    """How often each cell (x, y) is met while `word` is played `repeats` times after `start`.

    Parameters
    ----------
    word : at least one action.
    memory : m; only the last m - 1 actions of `start` count.

    Notes
    -----
    Time: O(m (m + len(word))), whatever the number of repeats.

    >>> sorted(tally_counts((0, 0, 1), 2, repeats=10**9).items())
    [((0, 1), 1000000000), ((0, 2), 1000000000), ((1, 1), 1000000000)]
    >>> sorted(tally_counts((0,), 3, repeats=5).items())
    [((0, 1), 1), ((0, 2), 1), ((0, 3), 3)]
    """
    differing = min(repeats, ceil_div(memory - 1, len(word)))  # turns, after which all are alike
    actions = np.tile(np.asarray(word, dtype=np.int64), differing)
    counts = _cells(np.asarray(start, dtype=np.int64), actions, memory)
    for cell, times in period_counts(word, memory).items():
        counts[cell] += (repeats - differing) * times
    return +counts


def period_counts(word: Sequence[int] | Array, memory: int) -> Counter[Cell]:
    """How often each cell is met in one period of `word` repeated forever: |word| N_xy in the paper's terms.

    >>> sorted(period_counts((0, 0, 1), 2).items())
    [((0, 1), 1), ((0, 2), 1), ((1, 1), 1)]
    >>> period_counts((0,), 3)
    Counter({(0, 3): 1})
    """
    actions = np.asarray(word, dtype=np.int64)
    return _cells(np.tile(actions, ceil_div(memory - 1, actions.size)), actions, memory)


def _cells(before: Array, actions: Array, memory: int) -> Counter[Cell]:
    """The cells of the steps of `actions`; those of `before` are only in the window."""
    kept = before[max(0, before.size - memory + 1) :]
    played = np.concatenate([kept, actions])
    tallies = np.ones(played.size, dtype=np.int64)
    for age in range(1, min(memory, played.size)):
        tallies[age:] += played[age:] == played[:-age]
    counts = np.bincount((played * memory + tallies - 1)[kept.size :])
    met = counts.nonzero()[0]
    cells = ((code // memory, code % memory + 1) for code in met.tolist())
    return Counter(dict(zip(cells, counts[met].tolist(), strict=True)))


def history_of(bandit: Bandit, start: Iterable[int]) -> Word:
    """The part of `start` that matters, checked: the last m - 1 actions; of an arm bandit, all of them."""
    require_bandit(bandit)
    return bandit.remembered(checked_word(bandit, items(start, "start"), "start[{}]"))


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
