"""SE-TB when only an upper bound on the memory is known: the scheme of the paper's Discussion.

One instantiation of Algorithm 1 for every memory m' up to the bound, epoch by epoch in turn. An instantiation
counts tallies in windows of m' actions and believes that its cells have a mean loss. After every epoch the
one with the least estimated loss of a policy is the best, and those whose least estimate exceeds it by more
than both radii together are discarded. The rest of the game belongs to the best policy of the best one.

What the Discussion claims of this scheme does not hold as stated (so this is an experiment, not a guarantee):

- "A_s is O(2^-s T^-1/4)-optimal": the radius is 4 C_{s-1} ~ 2^(-s/2) T^(-1/4); the discarding rule here uses
  that one;
- "never discard the true m": false for a comparison of estimates. An instantiation with a wrong m' mixes
  cells of the true bandit, and what it estimates is the loss of the policies that it *sampled*, not of those
  that it ranks. K = 2, true memory 4, h_x = (1, 1, 0, 1), no noise: m' = 3 samples its cell (x, 2) with x x y
  repeated, where the true tally is 3 and the loss 0, and concludes that alternating costs 0; it costs 1. The
  true optimum is 1/4, so the true memory looks worse by 1/4 and is discarded (a test plays this game);
- the O(sqrt(T)) regret is not proved: it rests on the claim before.

Samples are attributed to the cells of m' step by step, so a game takes time proportional to T, and one of
more than 10^8 steps is refused.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from tallyplan.games.learners.se_tb import Epoch, played_epoch
from tallyplan.games.optimism import approach, cells
from tallyplan.games.policy_set import PolicyAnswer, PolicySet
from tallyplan.games.registry import learner
from tallyplan.games.schedule import ESTIMATE_GRID, Schedule, failure_probability, full_epochs
from tallyplan.model.rationals import positive_integer
from tallyplan.model.replay import Cell
from tallyplan.model.words import Word, expand

if TYPE_CHECKING:
    from tallyplan.games.game import Game


@dataclass(frozen=True)
class Comparison:
    """One epoch: by memory, what its instantiation found, and the memories that were discarded after it.

    The radius of an instantiation is what its estimate would be worth if its memory were the true one.
    """

    number: int
    instantiations: dict[int, Epoch]
    discarded: tuple[int, ...]

    @property
    def best(self) -> int:
        """The memory with the least estimate, the smallest of equals."""
        return min(self.instantiations, key=lambda memory: (self.instantiations[memory].estimate, memory))


@learner("se-tb-unknown-memory")
@dataclass(frozen=True, kw_only=True)
class SETBUnknownMemory:
    """SE-TB for every memory up to m (the Discussion's scheme); it may discard the true one.

    Parameters
    ----------
    delta : as in `SETB`.
    most_memory : the upper bound on the memory; None means the game's own memory, the tightest bound.
    sharp : use the constant of Hoeffding's inequality, C_s / 8.
    effort : as in `SETB`.

    Examples
    --------
    >>> from tallyplan import TallyingBandit
    >>> from tallyplan.games.game import Game
    >>> game = Game(TallyingBandit([["0", "1"], ["1/2", "1/2"]]), horizon=(24 * 3) ** 2, seed=1)
    >>> [len(epoch.instantiations) for epoch in SETBUnknownMemory().compare(game)], game.remaining
    ([2, 2], 0)
    """

    delta: Fraction = Fraction(1, 20)
    most_memory: int | None = None
    sharp: bool = False
    effort: int = 2000

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", failure_probability(self.delta))
        positive_integer(self.effort, "effort")
        if self.most_memory is not None:
            positive_integer(self.most_memory, "most_memory")

    def play(self, game: Game) -> None:
        """Play the game to its end."""
        self.compare(game)

    def compare(self, game: Game) -> tuple[Comparison, ...]:
        """Play the game to its end, and hand back what happened in every epoch."""
        most, period = self.most_memory or game.memory, math.isqrt(game.horizon)
        last = full_epochs(game.actions, most * (most + 1) // 2, period)
        epochs: list[Comparison] = []
        policies = {}
        if last:
            game.require_decisions()
            memories = range(1, most + 1)
            policies = {m: PolicySet.of_all(game.actions, m, period, self.effort) for m in memories}
        for number in range(1, last + 1):
            epochs.append(self._epoch(game, number, last * most, policies))
            left = epochs[-1].instantiations.items()
            policies = {m: one.survivors() for m, one in left if m not in epochs[-1].discarded}
        if game.remaining:
            best = epochs[-1].instantiations[epochs[-1].best].best if epochs else None
            game.repeat(expand(best.runs) if best else range(game.actions))
        return tuple(epochs)

    def _epoch(self, game: Game, number: int, events: int, policies: dict[int, PolicySet]) -> Comparison:
        """Let every instantiation that is left play epoch s, then compare; `events` radii may fail."""
        played = {m: self._instantiation(game, number, events, left) for m, left in policies.items()}
        best = played[Comparison(number, played, ()).best]
        discarded = (
            m for m, one in played.items() if one.estimate > best.estimate + one.radius + best.radius
        )
        return Comparison(number, played, tuple(discarded))

    def _instantiation(self, game: Game, number: int, events: int, policies: PolicySet) -> Epoch:
        schedule = Schedule(game.actions, policies.memory, game.horizon, self.delta, self.sharp)

        def sample(cell: Cell, answer: PolicyAnswer) -> int:
            return _estimate(game, 2**number, policies.memory, cell, tuple(expand(answer.runs)))

        return played_epoch(number, policies, sample, partial(schedule.reach, number, events=events))


def _estimate(game: Game, periods: int, memory: int, cell: Cell, word: Word) -> int:
    """Play a policy for 2 n_s periods; the mean of the last n_s over the steps that this memory puts in the
    cell, rounded to the grid."""
    game.run(word, periods)
    stored = [met == cell for met in cells(approach(word, memory), word, memory)]
    total, plays = Fraction(0), periods * sum(stored)
    if not plays:
        game.run(word, periods)
        return 0
    for _ in range(periods):
        for action, counts in zip(word, stored, strict=True):
            observed = game.step(action)
            if counts:
                total += observed
    return round(total / plays * ESTIMATE_GRID)
