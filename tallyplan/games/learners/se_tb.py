"""SE-TB (Algorithm 1): successive elimination of cyclic policies, without listing them.

Epoch s, for every cell (x, y): pi_sxy, a policy of A_s with the greatest N_xy, is executed for n_s periods
that are forgotten and n_s periods whose losses in the cell are averaged. Then muhat(pi) = sum N_xy(pi) *
mean_xy for all pi in A_s at once, and A_{s+1} = {pi in A_s : muhat(pi) <= least muhat + 2 C_s}: one
more inequality.

What differs from the paper's pseudocode, and why the guarantee is kept:

- means are rounded to multiples of 1/G, G = ESTIMATE_GRID, and C_s is enlarged by that rounding (`schedule`),
  so that A_s is defined by integers. On the event of Lemma 7, muhat is within the enlarged radius R_s of mu
  for all of A_s;
- where an oracle stops at its limit it gives an interval. A choice with N_xy = v under a proved bound u has
  fewer samples by the factor u/v: the step N/sqrt(v) <= sqrt(u/v) sqrt(N) of Lemma 7 enlarges the radius by
  sqrt(u/v), which the paper's constant already covers up to u/v = 64. A cell without samples that the bound
  does not exclude adds its bound. If least muhat is known up to an interval, its upper end, which belongs to
  a policy of A_s, is taken: A_{s+1} only grows;
- cells with N_xy = 0 for all of A_s have the estimate 0: no policy ever weighs them;
- steps that the pseudocode leaves open (`Schedule.rest`) repeat the last epoch's best policy, whose mu is
  within 2 R_S of the least. Below sqrt(T) = 4 K m there is no epoch, hence no information: the actions are
  played in turn.

`Elimination.guarantee` is the regret bound of the run as it was, in rationals: Lemmas 5 to 8 with R_s for C_s
and m - 1 for sqrt(T), and Lemma 3 with m - 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from tallyplan.errors import InternalError
from tallyplan.games.policy_set import PolicyAnswer, PolicySet
from tallyplan.games.registry import learner
from tallyplan.games.schedule import ESTIMATE_GRID, Schedule, failure_probability
from tallyplan.limits import require_memory
from tallyplan.model.rationals import positive_integer
from tallyplan.model.replay import Cell
from tallyplan.model.words import Word, expand

if TYPE_CHECKING:
    from tallyplan.games.game import Game, Observed

BYTES_PER_ACTION = 100  # of a policy while it is written out and its cells are counted


@dataclass(frozen=True)
class Epoch:
    """One epoch as it was played.

    Attributes
    ----------
    number : s.
    policies : A_s.
    chosen : by cell x m + y - 1, the answer for pi_sxy.
    weights : by cell, the estimated loss times G = ESTIMATE_GRID.
    best : the answer for the policy of A_s with the least estimated loss.
    reach : R_s in units of 1/(G L).
    """

    number: int
    policies: PolicySet = field(repr=False)
    chosen: tuple[PolicyAnswer, ...] = field(repr=False)
    weights: tuple[int, ...]
    best: PolicyAnswer
    reach: int

    @property
    def unit(self) -> int:
        """G L: estimated losses of policies are integers over this."""
        return ESTIMATE_GRID * self.policies.period

    @property
    def radius(self) -> Fraction:
        """R_s: estimated losses of policies are this close to the true ones, with high probability."""
        return Fraction(self.reach, self.unit)

    @property
    def estimate(self) -> Fraction:
        """The estimated loss of `best`."""
        return Fraction(self.best.value, self.unit)

    @property
    def uncertainty(self) -> Fraction:
        """How far the least estimated loss may be below that of `best`; 0 if the answer is exact."""
        return Fraction(self.best.value - self.best.bound, self.unit)

    @property
    def exact(self) -> bool:
        """Whether every question was answered exactly."""
        return self.best.exact and all(answer.exact for answer in self.chosen)

    def survivors(self) -> PolicySet:
        """A_{s+1}."""
        return self.policies.where(self.weights, self.best.value + 2 * self.reach, self.best)


@dataclass(frozen=True)
class Elimination:
    """A game of SE-TB: the schedule, and its epochs."""

    schedule: Schedule
    epochs: tuple[Epoch, ...]

    @property
    def exact(self) -> bool:
        """Whether every oracle answer of the game was exact."""
        return all(epoch.exact for epoch in self.epochs)

    @property
    def guarantee(self) -> Fraction:
        """With probability at least 1 - delta, the complete policy regret is at most this.

        For independent noise with values in [0, 1] whose mean is h.
        """
        gaps = [4 * epoch.radius + epoch.uncertainty for epoch in self.epochs[:-1]]
        last = 2 * self.epochs[-1].radius + self.epochs[-1].uncertainty if self.epochs else Fraction(0)
        return self.schedule.guarantee_with(gaps, last)


@learner("se-tb")
@dataclass(frozen=True, kw_only=True)
class SETB:
    """Algorithm 1: successive elimination of cyclic policies.

    Parameters
    ----------
    delta : the probability with which the guarantee may fail, in (0, 1).
    sharp : use the constant of Hoeffding's inequality, C_s / 8.
    short_burn_in : forget m - 1 steps instead of n_s periods; the schedule stays.
    effort : relaxations that one question about A_s may solve before it is answered by an interval.

    Raises
    ------
    InvalidInput : delta outside (0, 1), an effort below 1.
    InstanceTooLarge : in play, if the policies of sqrt(T) actions, K m in each epoch, do not fit in memory;
        before anything is played.

    Examples
    --------
    >>> from tallyplan import TallyingBandit
    >>> from tallyplan.games.game import Game
    >>> game = Game(TallyingBandit([["0", "1"], ["1/2", "1/2"]]), horizon=(16 * 7) ** 2, seed=1)
    >>> played = SETB(delta="1/20").eliminate(game)
    >>> len(played.epochs), played.exact, game.remaining
    (3, True, 0)
    """

    delta: Fraction = Fraction(1, 20)
    sharp: bool = False
    short_burn_in: bool = False
    effort: int = 2000

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", failure_probability(self.delta))
        positive_integer(self.effort, "effort")

    def play(self, game: Game) -> None:
        """Play the game to its end."""
        self.eliminate(game)

    def eliminate(self, game: Game) -> Elimination:
        """Play the game to its end, and hand back what happened in every epoch."""
        schedule = Schedule(
            game.actions, game.memory, game.horizon, self.delta, self.sharp, self.short_burn_in
        )
        epochs: list[Epoch] = []
        if schedule.epochs:
            words = schedule.cells * schedule.epochs * (3 if self.short_burn_in else 1)  # and turned parts
            needed = (BYTES_PER_ACTION + 8 * words) * schedule.period
            require_memory(needed, "actions in a policy", schedule.period)
            policies = PolicySet.of_all(game.actions, game.memory, schedule.period, self.effort)
            for number in range(1, schedule.epochs + 1):
                epochs.append(_epoch(game, schedule, number, policies))
                policies = epochs[-1].survivors()
        if game.remaining:
            word = expand(epochs[-1].best.runs) if epochs else range(game.actions)
            game.repeat(word)
        played = Elimination(schedule, tuple(epochs))
        if not played.exact:
            game.depart("a question about a policy set was answered by an interval")
        return played


@learner("se-tb-sharp")
def sharpened(*, delta: Fraction = Fraction(1, 20)) -> SETB:
    """SE-TB with the sharp Hoeffding constant and m - 1 steps of burn-in.

    >>> sharpened(delta="1/10").sharp
    True
    """
    return SETB(delta=delta, sharp=True, short_burn_in=True)


def played_epoch(
    number: int,
    policies: PolicySet,
    sample: Callable[[Cell, PolicyAnswer], int],
    reach: Callable[[Fraction, int], int],
) -> Epoch:
    """Sample every cell by a policy that meets it most often, then find the policy of least estimated loss.

    Parameters
    ----------
    sample : plays the policy and returns the estimate of the cell.
    reach : R_s, given what intervals cost: the greatest ratio of a bound to a count, and the steps of a
        period in cells that were never met.
    """
    chosen, weights = [], []
    for cell in product(range(policies.actions), range(1, policies.memory + 1)):
        chosen.append(policies.greatest_count(*cell))
        weights.append(sample(cell, chosen[-1]))
    excess = max((Fraction(one.bound, one.value) for one in chosen if one.value), default=Fraction(1))
    missed = sum(one.bound for one in chosen if not one.value)
    best = policies.least(weights)
    return Epoch(number, policies, tuple(chosen), tuple(weights), best, reach(excess, missed))


def _epoch(game: Game, schedule: Schedule, number: int, policies: PolicySet) -> Epoch:
    def sample(cell: Cell, answer: PolicyAnswer) -> int:
        seen = execute(game, schedule, number, tuple(expand(answer.runs)))
        return _estimate(schedule, number, answer, seen, cell)

    return played_epoch(number, policies, sample, partial(schedule.reach, number))


def execute(game: Game, schedule: Schedule, number: int, word: Word) -> Observed:
    """Play a policy for 2 n_s periods and return what is stored (lines 9 to 12)."""
    periods = schedule.periods(number)
    if not schedule.short_burn_in:
        game.run(word, periods)
        return game.run(word, periods)
    cut = schedule.memory - 1
    if not cut:
        return game.run(word, 2 * periods)
    game.run(word[:cut], 1)
    return game.run(word[cut:] + word[:cut], 2 * periods - 1) + game.run(word[cut:], 1)


def _estimate(schedule: Schedule, number: int, answer: PolicyAnswer, seen: Observed, cell: Cell) -> int:
    """The mean of what was stored in the cell, rounded to the grid; 0 for a cell that no policy visits."""
    stored = seen.plays[cell]
    if stored < schedule.periods(number) * answer.value or (stored and not answer.value):
        raise InternalError("a policy did not meet its cell as often as it should; please report this.")
    return round(Fraction(seen.totals[cell]) / stored * ESTIMATE_GRID) if stored else 0
