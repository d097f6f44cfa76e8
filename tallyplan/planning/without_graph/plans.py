"""OPT_T without the state graph: an interval from the least loss per step and the two ends of the game.

A game that is not much longer than its opening is solved exactly (`openings`). Of a longer one, the steps
after the opening lose the least loss per step, less what the ends can save: the checker's rule `close`
(docs/certificates.md) says how much that is, for the best potential and, with three arms or more, for prices,
which bound the loss per step less well but have a smaller range. Total losses are multiples of 1/D, D the
common denominator of the table, and so the bound may be rounded up to one.

The upper end is the best of some candidate plans: the word, or the best constant, is repeated from each of
its runs on, with or without the best opening, and with a greedy ending of several lengths.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

from tallyplan.answers import Plan
from tallyplan.certificates import OVER_COUNTS, Proof, closing_bound
from tallyplan.model.instance import Bandit, TallyingBandit
from tallyplan.model.rationals import ceil_div, text
from tallyplan.model.replay import replay_runs
from tallyplan.model.words import Word, last_of_runs, shortest
from tallyplan.planning.effort import Effort, OutOfTimeError, limited, tick
from tallyplan.planning.without_graph.bounds.fewer_arms import without_useless_arms
from tallyplan.planning.without_graph.bounds.prices import best_prices
from tallyplan.planning.without_graph.long_run import least_loss, mean_cycle_bounds
from tallyplan.planning.without_graph.openings import Opening, best_game, fits, in_order

MOST_ROTATIONS = 12  # tried of a word with many runs
Found = tuple[Fraction, tuple[tuple[Word, int], ...], dict[str, Any]]  # lower end, runs, dual


def plan_bounds(bandit: TallyingBandit, horizon: int, start: Word, effort: Effort) -> Plan:
    """An interval for OPT_T and a plan at its upper end; exact if few actions leave the window."""
    fewer = without_useless_arms(bandit, played=start)
    opening = Opening(fewer.bandit, fewer.renamed(start))
    found = _short_game(opening, horizon, effort)
    lower, runs, dual = found or _long_game(opening, horizon, bandit.denominator, effort)
    original = tuple((fewer.original(word), repeats) for word, repeats in runs)
    upper = replay_runs(bandit, original, start)
    return Plan(bandit, lower, upper, Proof(fewer.dual(dual)), horizon, start, original)


def plan_at_once(bandit: Bandit, horizon: int, start: Word) -> Plan:
    """What takes no search: no step loses less than the least loss, and an action played forever.

    >>> answer = plan_at_once(TallyingBandit([["1/3", "1/2"], ["1", "1"]]), 10**9, ())
    >>> answer.lower < answer.upper, answer.runs
    (True, (((0,), 1000000000),))
    """
    least, proof = least_loss(bandit)
    action = min(range(bandit.actions), key=lambda x: bandit.loss((x,) * bandit.memory))
    runs = (((action,), horizon),) if horizon else ()
    upper = replay_runs(bandit, runs, start)
    return Plan(bandit, horizon * least, upper, Proof(proof), horizon, start, runs)


def _short_game(opening: Opening, horizon: int, effort: Effort) -> Found | None:
    """The optimum, if few actions leave the window and there is time."""
    if horizon <= opening.length:
        lower, counts = opening.best(horizon)
        return lower, shortest([(in_order(counts), 1)]), dict(OVER_COUNTS)
    if not fits(opening, horizon):
        return None
    effort.progress("optimal plan: trying what leaves the window")
    with suppress(OutOfTimeError), limited(effort.half().deadline):
        least, plan = best_game(opening, horizon)
        return least, shortest([(plan, 1)]), dict(OVER_COUNTS)
    return None


def _long_game(opening: Opening, horizon: int, denominator: int, effort: Effort) -> Found:
    """The best lower end that a bound on the loss per step gives, and the best of some plans."""
    bandit = opening.bandit
    cycle = mean_cycle_bounds(bandit, effort.half())
    effort.progress("optimal plan: the best opening and ending")
    proofs = [(cycle.lower, cycle.proof.to_json())]
    if bandit.actions > 2:
        prices = best_prices(bandit)
        proofs.append((prices.bound, prices.dual(bandit)))
    totals = [closing_bound(bandit, opening.start, horizon, mean, proof) for mean, proof in proofs]
    mean, proof = proofs[totals.index(max(totals))]
    dual = {"rule": "close", "mean": text(mean), "proof": proof}
    lower = Fraction(math.ceil(max(totals) * denominator), denominator)  # a multiple of 1/D, as totals are
    return lower, best_candidate(opening, horizon, cycle.word), dual


# -- candidate plans --------------------


def best_candidate(opening: Opening, horizon: int, word: Word) -> tuple[tuple[Word, int], ...]:
    """The cheapest of the candidate plans."""
    bandit, start = opening.bandit, opening.start
    return shortest(min(_plans(opening, horizon, word), key=lambda plan: replay_runs(bandit, plan, start)))


def _plans(opening: Opening, horizon: int, word: Word) -> Iterator[list[tuple[Word, int]]]:
    bandit = opening.bandit
    first = in_order(opening.best(opening.length)[1])
    constant = min(range(bandit.actions), key=lambda x: bandit.losses[x][-1])
    endings = sorted({min(horizon, bandit.memory * share // 4) for share in range(5)})
    for turned in [*_rotations(word), (constant,)]:
        for begin in ((), first, first[::-1]):
            for ending in endings:
                tick()
                if len(begin) + ending <= horizon:
                    yield _plan(opening, begin, turned, horizon, ending)


def _plan(opening: Opening, begin: Word, word: Word, horizon: int, ending: int) -> list[tuple[Word, int]]:
    """`begin`, then the word over and over, then `ending` greedy actions."""
    keep = opening.bandit.memory - 1
    turns, odd = divmod(horizon - ending - len(begin), len(word))
    plan = [(begin, 1), (word, turns), (word[:odd], 1)]
    history = last_of_runs([(opening.start, 1), *plan], keep)
    return [*plan, (greedy_actions(opening.bandit, history, ending), 1)]


def greedy_actions(bandit: TallyingBandit, history: Word, steps: int) -> Word:
    """`steps` actions after a history of at most m-1, each of least loss at its time; ties to the first.

    >>> greedy_actions(TallyingBandit([["0", "1"], ["1/2", "1"]]), (), 3)
    (0, 1, 0)
    """
    window, tallies = deque(history), Counter(history)
    played = []
    for _ in range(steps):
        if len(window) == bandit.memory:
            tallies[window.popleft()] -= 1
        action = min(range(bandit.actions), key=lambda x: bandit.losses[x][tallies[x]])
        window.append(action)
        tallies[action] += 1
        played.append(action)
    return tuple(played)


def _rotations(word: Word) -> list[Word]:
    """The word begun at each of its runs, or at some of them."""
    starts = [i for i in range(len(word)) if i == 0 or word[i] != word[i - 1]]
    return [word[i:] + word[:i] for i in starts[:: ceil_div(len(starts), MOST_ROTATIONS)]]
