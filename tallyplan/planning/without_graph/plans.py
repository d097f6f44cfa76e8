"""OPT_T without the state graph: an interval from the least loss per step and the two ends of the game.

Let d be the length of the opening (`openings`), lambda a lower bound for the least loss per step. For T <=
d the opening is the whole game, and the answer is exact; so it is for a T that is a little larger
(`short_games`). For T > d, the steps after the opening lose

(a) at least (T-d) times the least loss of the table;
(b) at least (T-d) lambda - (m-1)(H - lambda), H the largest loss: m-1 further steps, which repeat the last
    m-1 actions of the opening, close the walk, and a closed walk loses lambda per step (Lemma 3's argument);
(c) with a potential Phi that proves lambda and is a sum over the arms, at least (T-d) lambda + Phi(last
    window) - Phi(window after the opening).

To (a) and (b) comes the least loss of the opening. In (c) both are taken together: the least over the counts
of the opening of its loss minus the largest Phi that a window with these counts has. The best of the three is
computed by the checker's rule `close`, for the best potential and, with three arms or more, for prices, which
bound the loss per step less well but have a smaller range. Total losses are multiples of 1/D, D the common
denominator of the table, and so the bound may be rounded up to one.

The upper end is the best of some candidate plans, all replayed.
"""

from __future__ import annotations

import math
from contextlib import suppress
from fractions import Fraction
from typing import Any

from tallyplan.answers import Plan
from tallyplan.certificates import OVER_COUNTS, Proof, closed, closing_bound
from tallyplan.model.instance import Bandit, TallyingBandit
from tallyplan.model.replay import replay_runs
from tallyplan.model.words import Word, shortest
from tallyplan.planning.effort import Effort, OutOfTimeError, limited
from tallyplan.planning.without_graph import short_games
from tallyplan.planning.without_graph.bounds.fewer_arms import without_useless_arms
from tallyplan.planning.without_graph.bounds.least_loss import least_loss
from tallyplan.planning.without_graph.bounds.prices import best_prices
from tallyplan.planning.without_graph.candidate_plans import best_candidate
from tallyplan.planning.without_graph.long_run import mean_cycle_bounds
from tallyplan.planning.without_graph.openings import Opening, in_order

Found = tuple[Fraction, tuple[tuple[Word, int], ...], dict[str, Any]]  # lower end, runs, dual


def plan_bounds(bandit: TallyingBandit, horizon: int, start: Word, effort: Effort) -> Plan:
    """An interval for OPT_T and a plan at its upper end; exact if few actions leave the window."""
    fewer = without_useless_arms(bandit, played=start)
    opening = Opening(fewer.bandit, fewer.renamed(start))
    found = _short_game(opening, horizon, effort)
    lower, runs, dual = found or _long_game(opening, horizon, bandit.denominator, effort)
    original = tuple((fewer.original(word), repeats) for word, repeats in runs)
    upper = replay_runs(bandit, original, start)
    return Plan(bandit, horizon, start, lower, upper, original, Proof(fewer.dual(dual)))


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
    return Plan(bandit, horizon, start, horizon * least, upper, runs, Proof(proof))


def _short_game(opening: Opening, horizon: int, effort: Effort) -> Found | None:
    """The optimum, if few actions leave the window and there is time."""
    if horizon <= opening.length:
        lower, counts = opening.best(horizon)
        return lower, shortest([(in_order(counts), 1)]), dict(OVER_COUNTS)
    if not short_games.fits(opening, horizon):
        return None
    effort.progress("optimal plan: trying what leaves the window")
    with suppress(OutOfTimeError), limited(effort.half().deadline):
        least, plan = short_games.best_game(opening, horizon)
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
    lower = max(totals)
    dual = closed(*proofs[totals.index(lower)])
    return _rounded_up(lower, denominator), best_candidate(opening, horizon, cycle.word), dual


def _rounded_up(value: Fraction, denominator: int) -> Fraction:
    """The next multiple of 1/denominator."""
    return Fraction(math.ceil(value * denominator), denominator)
