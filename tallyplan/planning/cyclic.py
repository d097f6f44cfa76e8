"""The best word of length exactly L under repetition: the optimal L-cyclic policy, on the state graph.

Words of length L are the closed walks of length L on the histories (also for L < m, where a window covers
the word more than once); of an arm bandit, those that bring its arms back to where they were. The core
looks for the best of them, beginning with the minimum mean cycle and, among histories, with a first word
(`core/closed_walks.cpp` has the argument, `planning.reference` the same in plain Python); the word is
replayed here before it is returned.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import NamedTuple

from tallyplan.answers import CyclicPolicy
from tallyplan.certificates import ZERO, Dual, Potentials, Proof, removed_roots
from tallyplan.core import questions as core
from tallyplan.core.library import TooWideError
from tallyplan.core.questions import Cycle
from tallyplan.limits import Progress, require_memory, silent
from tallyplan.model.arms import ArmBandit
from tallyplan.model.instance import Bandit, TallyingBandit, require_bandit
from tallyplan.model.rationals import ceil_div, digits, positive_integer
from tallyplan.model.replay import loss_of_runs
from tallyplan.model.words import Word, last_of_runs
from tallyplan.planning import reference
from tallyplan.planning.effort import OutOfTimeError, deadline_after, limited, tick, too_late
from tallyplan.planning.state_graph import (
    called,
    explicit,
    graph_of,
    minimum_mean,
    no_play,
    opening_to,
    potentials_of,
)
from tallyplan.planning.without_graph.bounds.fewer_arms import few_arms


class Candidate(NamedTuple):
    """A word, the integer cost of one period of it, repeated forever; of arms, the state it begins in."""

    word: Word
    cost: int
    start: int = 0


def optimal_cyclic_policy(
    bandit: Bandit, period: int, *, time_limit: float | None = None, progress: Progress = silent
) -> CyclicPolicy:
    """The word of exactly `period` actions with the least loss per step when repeated forever.

    For an arm bandit, only words that bring its arms back to where they were count.

    Parameters
    ----------
    period : L >= 1; smaller than the memory is fine.
    time_limit : seconds after which the search ends with what it has proved: an interval [lower, upper].
        If not even the minimum mean cycle was found, the lower end is the smallest loss.
    progress : called with a status string, periodically.

    Returns
    -------
    CyclicPolicy, its word replayed and its potentials verified on every edge before it is returned. Without
    a time limit it is exact.

    Raises
    ------
    InvalidInput : a period that is not an integer >= 1, a negative time limit.
    InstanceTooLarge : before anything is allocated.
    NoPlay : no word of this length brings the arms back to where they were.

    Notes
    -----
    Memory: about 5 numbers for each of the K^m edges, and 16 for each of the K^(m-1) histories. Time: a few
    sweeps and a table of at most L steps for each root; the number of roots grows with the number of disjoint
    cycles whose mean is within O(m / L) of the least.

    Examples
    --------
    >>> from tallyplan import TallyingBandit
    >>> bandit = TallyingBandit([["0", "1"], ["0", "1"]])
    >>> [optimal_cyclic_policy(bandit, period).value for period in (1, 2, 3, 5)]
    [Fraction(1, 1), Fraction(0, 1), Fraction(1, 3), Fraction(1, 5)]

    See Also
    --------
    tallyplan.minimum_mean_cycle : for the best period.
    tallyplan.mean_of_word : of a word of your own.
    tallyplan.answers.CyclicPolicy : the answer.
    """
    require_bandit(bandit)
    period = positive_integer(period, "period")
    deadline = deadline_after(time_limit)
    if isinstance(bandit, TallyingBandit):
        fewer = few_arms(bandit, period=period)
        if fewer is not None:
            found = cyclic_policy_on_graph(fewer.bandit, period, deadline, progress)
            return fewer.about_all(bandit, found, word=fewer.original(found.word))
    return cyclic_policy_on_graph(bandit, period, deadline, progress)


def cyclic_policy_on_graph(
    bandit: Bandit, period: int, deadline: float | None, progress: Progress
) -> CyclicPolicy:
    """The best word of the given length, or the best known with an interval if the deadline passes.

    Raises
    ------
    NoPlay : no word of this length brings the arms back to where they were.
    TimeLimitReached : arms, of which nothing was proved in time.
    """
    require_memory(100 * period, "actions in a word", period)
    with limited(deadline):
        try:
            least = minimum_mean(bandit, progress)
        except OutOfTimeError:
            if isinstance(bandit, ArmBandit):
                raise too_late() from None
            return _answer(bandit, _constant(bandit, period), min(bandit.values()), ZERO)
        return _searched(bandit, period, least, progress)


def _searched(bandit: Bandit, period: int, least: Cycle, progress: Progress) -> CyclicPolicy:
    """The answer, as far as the search comes before the deadline."""
    best, first, found = first_word(bandit, least, period), potentials_of(bandit, least), None
    if best is not None and best.cost * least.scale == period * least.mean:
        return _answer(bandit, best, first.mean, first.dual)
    known = period * (bandit.denominator + 1) if best is None else best.cost  # more than any costs

    def told(message: str) -> None:
        progress(f"best word of length {period}: {message}")

    with suppress(OutOfTimeError):
        try:
            found = core.best_word(graph_of(bandit), least, period, known, tick, OutOfTimeError, told)
        except TooWideError:
            found = reference.best_closed_walk(explicit(bandit), period, least, known)
    if found is not None and found.runs:  # few; the answer replays the word
        best = Candidate(sum((word * repeats for word, repeats in found.runs), ()), found.cost, found.start)
    if found is None or found.last is None:
        return _answer(bandit, best, first.mean, first.dual)
    mean = Fraction(found.cost, period * bandit.denominator)
    last = Potentials(mean, found.multiplier * first.scale, found.last)
    dual = removed_roots(first, found.stages, last)
    if best is None and isinstance(bandit, ArmBandit):
        sentence = f"no word of {digits(period)} actions brings the arms back to where they were."
        claim = {"question": "cyclic", "period": period}
        raise no_play(bandit, claim, sentence, Proof(dual, called(bandit)))
    return _answer(bandit, best, mean, dual)


def _answer(bandit: Bandit, best: Candidate | None, lower: Fraction, dual: Dual) -> CyclicPolicy:
    """The best word that is known, next to a proof that none of its length loses less than `lower`."""
    if best is None:
        raise too_late()
    proof, opening = Proof(dual, called(bandit)), opening_to(bandit, best.start)
    upper = Fraction(best.cost, len(best.word) * bandit.denominator)
    return CyclicPolicy(bandit, min(lower, upper), upper, proof, best.word, opening)


def first_word(bandit: Bandit, least: Cycle, period: int) -> Candidate | None:
    """The better of the best constant word and the critical word cut to length; of arms, whole turns only."""
    turns, rest = divmod(period, len(least.word))
    if rest == 0:
        return Candidate(least.word * turns, period * least.mean // least.scale, least.start)
    if isinstance(bandit, ArmBandit):
        return None
    keep, cut = bandit.memory - 1, [(least.word, turns)] * (turns > 0) + [(least.word[:rest], 1)]
    before = last_of_runs(cut * max(1, ceil_div(keep, period)), keep)
    cost, constant = bandit.scaled(loss_of_runs(bandit, cut, before)), _constant(bandit, period)
    if cost >= constant.cost:
        return constant
    return Candidate(least.word * turns + least.word[:rest], cost)


def _constant(bandit: Bandit, period: int) -> Candidate:
    """The first action that loses least if it is played forever."""
    if isinstance(bandit, TallyingBandit):
        costs = [row[-1] for row in bandit.integers]
    else:
        costs = [bandit.scaled(bandit.loss((a,) * bandit.memory)) for a in range(bandit.actions)]
    return Candidate((costs.index(min(costs)),) * period, period * min(costs))
