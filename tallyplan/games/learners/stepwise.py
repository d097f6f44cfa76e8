"""Learners that are asked step by step: of a function `act(observations) -> action`, and of a policy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from tallyplan.answers import Policy

if TYPE_CHECKING:
    from tallyplan.games.game import Game


class Observation(NamedTuple):
    """One step: the action, its tally (this play included) or the state of its arm, and the observed loss."""

    action: int
    tally: int
    loss: Fraction


class Observations(list[Observation]):
    """All steps so far, oldest first, and what the player knows from the start.

    Attributes
    ----------
    actions, memory, horizon : K, m (0 for arms that are automata) and T.
    rng : a seeded generator, for learners that toss coins.
    """

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.actions, self.memory, self.horizon = game.sizes
        self.rng = game.rng


Act = Callable[[Observations], int]


@dataclass(frozen=True)
class Stepwise:
    """The learner of a function `act(observations) -> action`, asked once for every step.

    >>> from tallyplan import TallyingBandit
    >>> from tallyplan.games.game import simulate
    >>> alternate = Stepwise(lambda observations: len(observations) % 2)
    >>> simulate(TallyingBandit([["0", "1"], ["0", "1"]]), alternate, horizon=100).loss
    Fraction(0, 1)
    """

    act: Act

    def play(self, game: Game) -> None:
        """Ask, play, append what was seen."""
        game.require_decisions()
        seen = Observations(game)
        for _ in range(game.horizon):
            action = self.act(seen)
            tally = game.tally_of(action)
            seen.append(Observation(action, tally, game.step(action)))


@dataclass(frozen=True)
class Follow:
    """A learner that follows a given policy step by step, for at most 10^8 steps.

    >>> from tallyplan import TallyingBandit, optimal_plan
    >>> from tallyplan.games.game import simulate
    >>> bandit = TallyingBandit([["0", "1"], ["1/2", "1"]])
    >>> simulate(bandit, Follow(optimal_plan(bandit, 99).policy), 99).loss == optimal_plan(bandit, 99).value
    True
    """

    policy: Policy

    def play(self, game: Game) -> None:
        """Ask, play."""
        game.require_decisions()
        while game.remaining:
            game.step(self.policy.at(game.state, game.remaining).action)
