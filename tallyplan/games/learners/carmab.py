"""CARMAB-style: optimism on the minimum mean cycle, without a rotated start.

Awasthi, Bhatia, Gollapudi and Kollias, *Congested bandits: optimal routing via short-term resets*, ICML 2022.
Its congested bandit is a tallying bandit with m = Delta + 1, and rewards for losses. What it does: in epochs;
optimistic rewards for every pair of an arm and a count, with a confidence radius of the order
sqrt(log(K m T / delta) / n); the best cycle of the known deterministic graph under them (Karp's algorithm);
this policy is executed until the visits of some pair have doubled. Its regret is stated up to a constant that
is not given: c Delta^2 K log(T / (Delta K)) + c sqrt(K Delta T log(Delta K T / delta)).

**What is ours.** The radius is Hoeffding's, sqrt(ln(2KmT/delta) / (2n)), and a pair that was never seen has
the loss 0. Estimates are rounded as those of the optimistic planner. The policy goes to its cycle on a
shortest way, enters it where that leads, and stays on it if it is there already; ties between cycles are
broken by our planner. The epoch stops at once, in the middle of the cycle too.

So it is the optimistic planner but for the start. An epoch may be cut where its word has lost up to m - 1
more than the mean, and costs 2 (m - 1) instead of m - 1: with probability 1 - delta the regret is at most
(2 + sqrt 2) sqrt(KmT ln(2KmT/delta)) + (m - 1)(2 Km log2(2 max(T, Km)/(Km)) + 3)
(`tallyplan verify optimism/carmab`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tallyplan.games.optimism import NOT_EXACT, Radii, approach, optimistic, play_epoch, rooms
from tallyplan.games.registry import learner
from tallyplan.games.schedule import failure_probability
from tallyplan.model.words import Word, last
from tallyplan.planning.mean_cycle import minimum_mean_cycle

if TYPE_CHECKING:
    from tallyplan.games.game import Game


@learner("carmab")
@dataclass(frozen=True, kw_only=True)
class CARMAB:
    """CARMAB-style (after Awasthi et al. 2022): the optimistic planner without a rotated start.

    Parameters
    ----------
    delta : the probability with which some estimate may fail to be optimistic.
    """

    delta: Fraction = Fraction(1, 20)

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", failure_probability(self.delta))

    def play(self, game: Game) -> None:
        """Plan optimistically, go to the cycle and round it until a count has doubled, and again."""
        radii = Radii.of(game, self.delta)
        seen = game.run((0,), 0)
        while game.remaining:
            plan = minimum_mean_cycle(optimistic(seen, game.actions, game.memory, radii))
            if not plan.exact:
                game.depart(NOT_EXACT)
            start, word = onto(plan.word, game.history, game.memory)
            seen = seen + play_epoch(game, start, word, rooms(game, seen))


def onto(word: Word, history: Word, memory: int) -> tuple[Word, Word]:
    """The fewest letters after which the history is on the cycle, and the word as it goes on from there.

    >>> onto((0, 1, 1), (1, 0), 3), onto((0, 1, 1), (0, 0), 3), onto((0, 1), (), 3)
    (((), (1, 1, 0)), ((1,), (1, 0, 1)), ((0, 1), (0, 1)))
    """
    turns = [word[begin:] + word[:begin] for begin in range(len(word))]
    for letters in range(memory):
        for turn in turns:
            before = approach(turn, memory)
            start = before[memory - 1 - letters :]
            if last((*history, *start), memory - 1) == before:
                return start, turn
    raise AssertionError("m - 1 letters lead onto every cycle.")
