"""Many games of one learner: seeds S, S+1, ..., each a game that `seed` alone reproduces, and what they lost.

The summary is exact: a mean is a rational, and a quantile is one of the values (the nearest rank: the least
of them that is at least as large as a share q of all). Games run in several processes if there are many; the
answer does not depend on how many.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any

from tallyplan.answers import Interval
from tallyplan.errors import InvalidInput
from tallyplan.formula import as_ball
from tallyplan.games.bounds import Bound, Judgement, Setting, binomial_tail, judge
from tallyplan.games.feedback import feedback_named
from tallyplan.games.game import Played, simulate
from tallyplan.games.registry import DEFAULT_DELTA, find
from tallyplan.games.regret import optimum_of, regret_of
from tallyplan.limits import Progress, available_cores, silent
from tallyplan.model.display import SmallTable, card, displayable
from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import positive_integer
from tallyplan.model.replay import played_from
from tallyplan.model.words import Runs, cut
from tallyplan.planning.effort import deadline_after, limited
from tallyplan.workers import ALONE, can_be_sent, processes

GAMES_PER_TASK = 50  # games that a process plays before it returns their outcomes
LONGEST_DRAWN = 10**300  # steps of a game in a picture, which is drawn with floats
QUANTILES = tuple(Fraction(q, 100) for q in (5, 25, 50, 75, 95))


@dataclass(frozen=True)
class Setup:
    """How a game is played: the learner, the horizon, the seed, the feedback, delta.

    Attributes
    ----------
    algorithm : a learner by name, `module:name` included, or the learner itself: a class, an object with a
        method `play`, or a function `act(observations) -> action`.
    feedback : None means the learner's default.

    >>> Setup("alg-det", horizon=100).delta
    Fraction(1, 20)
    """

    algorithm: Any
    horizon: int
    seed: int = 0
    feedback: str | None = None
    delta: Fraction = DEFAULT_DELTA

    @property
    def name(self) -> str:
        """The learner's name; module:name if it has no other."""
        return find(self.algorithm).name

    @property
    def feedback_name(self) -> str:
        """The feedback that is played with."""
        return self.feedback or find(self.algorithm).feedback

    def play(self, bandit: Bandit, *, progress: Progress = silent) -> Played:
        """Play it.

        >>> from tallyplan import TallyingBandit
        >>> Setup("round-robin", 10**6).play(TallyingBandit([["0", "1"], ["0", "1"]])).loss
        Fraction(0, 1)
        """
        entry = find(self.algorithm)
        how: dict[str, Any] = {"feedback": feedback_named(self.feedback_name), "progress": progress}
        with entry.running():
            return simulate(bandit, entry.build(bandit, self.delta), self.horizon, seed=self.seed, **how)


@displayable
@dataclass(frozen=True)
class Summary:
    """What the games of several seeds lost, in the order of the seeds.

    Attributes
    ----------
    setup : of the game of the first seed.
    losses : the total mean loss of every game.
    optimum : OPT_T, or an interval that contains it.
    departures : where the learner could not keep to its algorithm, in one of the games or in all.
    times, curves : for every game the loss of its first t steps, t in `times`; `optima` holds OPT_t.
    gap : the most that the learner's plans may lose beyond the best ones, in any of the games.

    >>> import tallyplan as tp
    >>> found = play_repeatedly(tp.make("counterexample-3"), Setup("best-constant", horizon=4), repeats=2)
    >>> found.losses, found.optimum.upper
    ((Fraction(3, 1), Fraction(3, 1)), Fraction(0, 1))
    """

    bandit: Bandit = field(repr=False)
    setup: Setup
    losses: tuple[Fraction, ...] = field(repr=False)
    optimum: Interval
    departures: tuple[str, ...] = ()
    times: tuple[int, ...] = field(default=(), repr=False)
    curves: tuple[tuple[Fraction, ...], ...] = field(default=(), repr=False)
    optima: tuple[Interval, ...] = field(default=(), repr=False)
    gap: Fraction = Fraction(0)

    @property
    def setting(self) -> Setting:
        """What a theorem's bound on these games depends on."""
        return Setting(
            self.bandit.actions,
            self.bandit.memory,
            self.setup.horizon,
            self.setup.delta,
            type(self.bandit).__name__,
            self.setup.feedback_name,
            self.setup.name,
            self.departures,
            self.gap,
        )

    @property
    def regrets(self) -> list[Interval]:
        """The complete policy regret of every game."""
        return [regret_of(loss, self.optimum) for loss in self.losses]

    @property
    def mean_loss(self) -> Fraction:
        """The mean loss of a game."""
        return sum(self.losses, Fraction(0)) / len(self.losses)

    @property
    def mean_regret(self) -> Interval:
        """The mean complete policy regret."""
        return regret_of(self.mean_loss, self.optimum)

    def shown(self) -> SmallTable:
        """What notebooks and terminals show."""
        losses = sorted(self.losses)
        entries: dict[str, Any] = {"games": len(losses), "optimum": self.optimum, "mean loss": self.mean_loss}
        entries |= {"mean regret": self.mean_regret, "least regret": regret_of(losses[0], self.optimum)}
        entries |= {"largest regret": regret_of(losses[-1], self.optimum)}
        return card(f"{self.setup.name}, {self.setup.horizon} steps", entries)

    def judged(self, bound: Bound) -> Judgement:
        """The bound, held against these games; an error if it is proved and yet exceeded too often."""
        return judge(bound, self.setting, [regret.lower for regret in self.regrets])

    def regrets_at(self, index: int) -> list[Interval]:
        """The regret of every game at `times[index]`: the loss so far, minus OPT_t."""
        return [regret_of(curve[index], self.optima[index]) for curve in self.curves]


def quantile(values: Sequence[Fraction], share: Fraction) -> Fraction:
    """The least value that is at least as large as a share of all values.

    >>> [quantile([Fraction(3), Fraction(1), Fraction(2)], Fraction(q, 100)) for q in (5, 50, 95)]
    [Fraction(1, 1), Fraction(2, 1), Fraction(3, 1)]
    """
    return sorted(values)[max(1, math.ceil(share * len(values))) - 1]


def median_confidence(values: Sequence[Fraction]) -> tuple[Fraction, Fraction] | None:
    """An interval that contains the median of the distribution with probability at least 19/20.

    If values are drawn independently, from whatever distribution, the k-th smallest of n exceeds the median
    only if fewer than k of them do not: with probability at most P(B <= k - 1), B binomial (n, 1/2). So take
    the k-th smallest and the k-th largest, for the largest k with 2 P(B <= k - 1) <= 1/20, by balls. None if
    there are fewer than six values.

    >>> median_confidence([Fraction(v) for v in (5, 1, 4, 2, 3, 6)])
    (Fraction(1, 1), Fraction(6, 1))
    >>> median_confidence([Fraction(1)] * 5)
    """
    count, ordered, half = len(values), sorted(values), Fraction(1, 2)

    def too_likely(k: int) -> bool:
        return not binomial_tail(count, half, count - k + 1) <= as_ball(Fraction(1, 40))

    k = bisect_left(range(1, count // 2 + 1), True, key=too_likely)
    return (ordered[k - 1], ordered[count - k]) if k else None


def play_repeatedly(
    bandit: Bandit,
    setup: Setup,
    repeats: int,
    *,
    times: Sequence[int] = (),
    jobs: int | None = 1,
    time_limit: float | None = None,
    progress: Progress = silent,
) -> Summary:
    """Play the seeds setup.seed, setup.seed + 1, ..., `repeats` of them.

    >>> from tallyplan import TallyingBandit
    >>> def alternate(observations):
    ...     return len(observations) % 2
    >>> bandit = TallyingBandit([["0", "1"], ["0", "1"]])
    >>> play_repeatedly(bandit, Setup(alternate, horizon=50), repeats=3).mean_regret.value
    Fraction(0, 1)

    Parameters
    ----------
    times : increasing; also record the losses of the first t steps for these t.
    time_limit : seconds for all of it; OPT_T, which has half of them, may then be an interval.
    jobs : processes; None for this one alone for two seconds, and then one for each core. A learner that no
        other process can import plays in this one.

    Raises
    ------
    InvalidInput : what the learner or the game refuses; a number of repeats or jobs below 1.
    TimeLimitReached : the time limit was reached in one of the games.
    TallyplanError : a process that played some of the games was killed.
    """
    repeats = positive_integer(repeats, "repeats")
    alone = ALONE if jobs is None else 0
    most = min(available_cores(), repeats) if can_be_sent(setup) else 1
    jobs = most if jobs is None else min(positive_integer(jobs, "jobs"), most)
    deadline = deadline_after(time_limit)
    with limited(deadline_after(None if time_limit is None else time_limit / 2)):
        optimum = optimum_of(bandit, setup.horizon, progress=progress)
        optima = [optimum_of(bandit, t, progress=progress) for t in times]
    seeds = range(setup.seed, setup.seed + repeats)
    tasks = _batches(seeds, 1 if jobs == 1 else GAMES_PER_TASK)
    told = progress if jobs == 1 else silent  # other processes report nothing
    games: list[Outcome] = []
    with processes(jobs, alone) as executor:
        for played in executor.map(partial(_play, bandit, setup, tuple(times), told, deadline), tasks):
            games.extend(played)
            progress(f"{setup.name}: {len(games)} of {repeats} games of {setup.horizon} steps")
    return summarised(bandit, setup, games, optimum, times, optima)


Outcome = tuple[Fraction, tuple[Fraction, ...], Sequence[str], Fraction]
"""Of a game: its loss, the losses at some times, the departures, the gap."""


def summarised(
    bandit: Bandit,
    setup: Setup,
    games: Sequence[Outcome],
    optimum: Interval,
    times: Sequence[int],
    optima: Sequence[Interval],
) -> Summary:
    """The summary of games, of which `setup` is the first."""
    losses, curves, departures, gaps = zip(*games, strict=True)
    reasons = tuple(dict.fromkeys(reason for game in departures for reason in game))
    return Summary(bandit, setup, losses, optimum, reasons, tuple(times), curves, tuple(optima), max(gaps))


def losses_at(bandit: Bandit, runs: Runs, times: Sequence[int]) -> tuple[Fraction, ...]:
    """The loss of the first t steps of `runs`, for increasing t.

    >>> from tallyplan import TallyingBandit
    >>> bandit = TallyingBandit([["0", "1"], ["0", "1"]])
    >>> losses_at(bandit, [((0,), 10**9), ((1, 0), 5)], [1, 2, 10**9, 10**9 + 10])
    (Fraction(0, 1), Fraction(1, 1), Fraction(999999999, 1), Fraction(999999999, 1))
    """
    found, total, state = [], Fraction(0), bandit.state_after(())
    for piece in cut(runs, times):
        loss, state = played_from(bandit, piece, state)
        total += loss
        found.append(total)
    return tuple(found)


def spread_times(horizon: int, count: int = 40) -> tuple[int, ...]:
    """About `count` times from 1 to the horizon, evenly spread on a logarithmic axis.

    >>> spread_times(1000, 4)
    (1, 10, 100, 1000)
    """
    if horizon < 1:
        raise InvalidInput("a game without steps has no regret to draw; the horizon must be at least 1.")
    if horizon > LONGEST_DRAWN:
        raise InvalidInput("a picture is for at most 10^300 steps.")
    digits = math.log10(horizon)
    points = {round(10 ** (digits * i / (count - 1))) for i in range(count - 1)}
    return tuple(sorted({t for t in points if 1 <= t < horizon} | {horizon}))


def _batches(seeds: range, most: int) -> Iterator[range]:
    """The seeds in pieces; the first and the last are short, since a game may take long."""
    size = 1
    while seeds:
        yield seeds[:size]
        seeds = seeds[size:]
        size = min(most, 2 * size, 1 + len(seeds) // 8)


def _play(
    bandit: Bandit,
    setup: Setup,
    times: tuple[int, ...],
    progress: Progress,
    deadline: float | None,
    seeds: range,
) -> list[Outcome]:
    """The outcomes of some games; what a process does."""
    found: list[Outcome] = []
    with limited(deadline):
        for seed in seeds:
            played = replace(setup, seed=seed).play(bandit, progress=progress)
            losses = losses_at(bandit, played.runs, times)
            found.append((played.loss, losses, played.departures, played.gap))
    return found
