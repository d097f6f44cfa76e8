"""OPT_T without the state graph: an interval from the least loss per step and the two ends of the game.

Let d be the length of the opening (`opening`), lambda a lower bound for the least loss per step. For T <= d
the opening is the whole game, and the answer is exact; so it is for a T that is a little larger (`direct`).
For T > d, the steps after the opening lose

(a) at least (T-d) times the least loss of the table;
(b) at least (T-d) lambda - (m-1)(H - lambda), H the largest loss: m-1 further steps, which repeat the last
    m-1 actions of the opening, close the walk, and a closed walk loses lambda a step (Lemma 3's argument);
(c) for two arms with slopes for lambda, at least (T-d) lambda + Phi(last window) - Phi(window after the
    opening), the potential of `two_arms`.

To (a) and (b) comes the least loss of the opening. In (c) both are taken together: the least over the counts
of the opening of its loss minus the largest Phi that a window with these counts has. Total losses are
multiples of 1/D, D the common denominator of the table, and so the bound may be rounded up to one.

The upper end is the best of some plans, all replayed: the best word (or the best constant) repeated from each
of its runs on, with or without the best opening, and a greedy ending of several lengths.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import Any

from tallyplan.answers import document
from tallyplan.errors import InternalError, OnlyAnInterval
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import text
from tallyplan.model.replay import replay_runs
from tallyplan.model.words import RunBuilder, Word
from tallyplan.planning.without_graph import short_games as direct
from tallyplan.planning.without_graph.bounds.fewer_arms import without_useless_arms
from tallyplan.planning.without_graph.bounds.two_arms import Levels
from tallyplan.planning.without_graph.greedy import greedy_actions
from tallyplan.planning.without_graph.interval import Dual, Effort, MeanCycleBounds, in_words
from tallyplan.planning.without_graph.long_run import mean_cycle_bounds
from tallyplan.planning.without_graph.openings import Opening, in_order

Runs = tuple[tuple[Word, int], ...]

ROTATIONS = 12  # of a word with many runs that are tried


@dataclass(frozen=True)
class PlanBounds:
    """The answer to `optimal_plan` where there is no room for the state graph.

    Attributes
    ----------
    lower : no plan loses less.
    upper : the loss of `runs`, replayed.
    value : OPT_T, if `exact`; asking for it otherwise raises OnlyAnInterval.
    runs : a plan as ((word, repeats), ...).
    proof : the certificate's dual, which proves `lower`.
    certificate : the document that `tallyplan.check` verifies.
    """

    bandit: TallyingBandit = field(repr=False)
    horizon: int
    start: Word
    lower: Fraction
    upper: Fraction
    runs: Runs
    proof: Dual = field(repr=False, compare=False)

    @property
    def exact(self) -> bool:
        """Whether the ends meet."""
        return self.lower == self.upper

    @property
    def value(self) -> Fraction:
        """OPT_T."""
        if not self.exact:
            raise OnlyAnInterval(
                f"the least total loss is only known to lie between {text(self.lower)} and "
                f"{text(self.upper)}; ask for lower and upper."
            )
        return self.upper

    @property
    def argument(self) -> str:
        """The proof of `lower` in words."""
        return in_words(self.proof)

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """Built on first use; its size is that of the plan's runs and of the proof."""
        claim = {"question": "horizon", "horizon": self.horizon, "start": list(self.start)}
        return document(
            self.bandit,
            claim=claim | ({} if self.exact else {"lower": text(self.lower)}),
            value=self.upper,
            primal={"runs": [[list(word), repeats] for word, repeats in self.runs]},
            dual=dict(self.proof),
        )


def plan_bounds(bandit: TallyingBandit, horizon: int, start: Word, effort: Effort) -> PlanBounds:
    """An interval for OPT_T and a plan at its upper end; exact if the window hardly overflows."""
    fewer = without_useless_arms(bandit, played=start)
    opening = Opening(fewer.bandit, fewer.renamed(start))
    proof: dict[str, Any]
    if horizon <= opening.length:
        lower, counts = opening.best(horizon)
        runs, proof = _written([(in_order(counts), 1)]), {"method": "counts"}
    elif direct.fits(opening, horizon):
        effort.progress("optimal plan: trying what leaves the window")
        lower, actions = direct.best_game(opening, horizon)
        runs, proof = _written([(actions, 1)]), {"method": "direct"}
    else:
        cycle = mean_cycle_bounds(fewer.bandit, effort)
        effort.progress("optimal plan: the best opening and ending")
        lower = _rounded_up(_lower_end(opening, horizon, cycle), bandit.denominator)
        runs = _best_plan(opening, horizon, cycle.word)
        proof = {"method": "mean-cycle", "mean": text(cycle.lower), "proof": dict(cycle.proof)}
    original = tuple((fewer.original(word), repeats) for word, repeats in runs)
    upper = replay_runs(bandit, original, start)
    if lower > upper:
        raise InternalError("a lower bound exceeds the loss of a plan; please report this instance.")
    return PlanBounds(bandit, horizon, start, lower, upper, original, fewer.dual(proof))


def _lower_end(opening: Opening, horizon: int, cycle: MeanCycleBounds) -> Fraction:
    """The best of (a), (b) and (c)."""
    bandit, rest = opening.bandit, horizon - opening.length
    values = bandit.values()
    first, _ = opening.best(opening.length)
    by_closing = rest * cycle.lower - (bandit.memory - 1) * (max(values) - cycle.lower)
    lower = first + max(rest * min(values), by_closing)
    if cycle.proof["method"] != "two-arms":
        return lower
    slopes = [Fraction(slope) for slope in cycle.proof["slopes"]]
    potential = Potential(Levels(bandit, cycle.lower), slopes)
    return max(lower, rest * cycle.lower + potential.least() + potential.of_opening(opening))


def _rounded_up(value: Fraction, denominator: int) -> Fraction:
    """The next multiple of 1/denominator."""
    return Fraction(-(-value * denominator // 1), denominator)


@dataclass(frozen=True)
class Potential:
    """Phi = theta_s psi + g(s) on windows with s ones, see `two_arms`."""

    levels: Levels
    slopes: Sequence[Fraction]

    @cached_property
    def theta(self) -> list[Fraction]:
        """theta_0 .. theta_m: the slopes, the first and the last twice; zeros if m = 1."""
        slopes = list(self.slopes) or [Fraction(0)]
        return [slopes[0], *self.slopes, slopes[-1]]

    @cached_property
    def g(self) -> list[Fraction]:
        """g(0) .. g(m)."""
        m, theta = self.levels.memory, self.theta
        g = [Fraction(0)] * min(2, m + 1)
        for k in range(2, m):
            step = theta[k] - theta[k - 1]
            psi = (k - 1) * (2 * m - k) // 2 if step > 0 else k * (k - 1) // 2
            g.append(g[-1] + self.levels.ones[k] - (m - k) * theta[k] - step * psi)
        return [*g, g[-1]] if m > 1 else g

    def least(self) -> Fraction:
        """The least Phi of a window."""
        m = self.levels.memory
        return min(
            self.theta[s] * psi + self.g[s]
            for s in range(m + 1)
            for psi in (s * (s - 1) // 2, s * (2 * m - s - 1) // 2)
        )

    def of_opening(self, opening: Opening) -> Fraction:
        """The least over the counts of an opening of its loss minus the largest Phi of its windows."""
        d, old, start = opening.length, len(opening.start), opening.start
        denominator = opening.bandit.denominator
        zeros, ones = opening.costs(0, d), opening.costs(1, d)
        before = sum(position for position, action in enumerate(start) if action == 1)
        found = []
        for c in range(d + 1):
            s = start.count(1) + c
            lowest = before + c * old + c * (c - 1) // 2
            psi = (lowest, lowest + c * (d - c))
            largest = max(self.theta[s] * position for position in psi) + self.g[s]
            found.append(Fraction(zeros[d - c] + ones[c], denominator) - largest)
        return min(found)


def _best_plan(opening: Opening, horizon: int, word: Word) -> Runs:
    """The cheapest of the candidate plans."""
    bandit, start = opening.bandit, opening.start
    plans = _plans(opening, horizon, word)
    return _written(min(plans, key=lambda plan: replay_runs(bandit, plan, start)))


def _plans(opening: Opening, horizon: int, word: Word) -> Iterator[list[tuple[Word, int]]]:
    bandit = opening.bandit
    first = in_order(opening.best(opening.length)[1])
    constant = min(range(bandit.actions), key=lambda x: bandit.losses[x][-1])
    endings = sorted({min(horizon, bandit.memory * share // 4) for share in range(5)})
    for turned in [*_rotations(word), (constant,)]:
        for begin in ((), first, first[::-1]):
            for ending in endings:
                if len(begin) + ending <= horizon:
                    yield _plan(opening, begin, turned, horizon, ending)


def _plan(opening: Opening, begin: Word, word: Word, horizon: int, ending: int) -> list[tuple[Word, int]]:
    """`begin`, then the word over and over, then `ending` greedy actions."""
    keep = opening.bandit.memory - 1
    turns, odd = divmod(horizon - ending - len(begin), len(word))
    middle = word * min(turns, -(-keep // len(word))) + word[:odd]
    history = (*opening.start, *begin, *middle)
    last = greedy_actions(opening.bandit, history[max(0, len(history) - keep) :], ending)
    return [(begin, 1), (word, turns), (word[:odd], 1), (last, 1)]


def _rotations(word: Word) -> list[Word]:
    """The word begun at each of its runs, or at some of them."""
    starts, at = [], 0
    for _, run in groupby(word):
        starts.append(at)
        at += len(list(run))
    return [word[i:] + word[:i] for i in starts[:: -(-len(starts) // ROTATIONS)]]


def _written(plan: Sequence[tuple[Word, int]]) -> Runs:
    """The plan in its shortest form."""
    runs = RunBuilder()
    for word, repeats in plan:
        if word:
            runs.repeat(word, repeats)
    return runs.finish()
