"""EXP3 (Auer, Cesa-Bianchi, Freund and Schapire 2002): exponential weights on importance-weighted losses.

In its form for losses, action x has a probability proportional to exp(-eta L_x), where L_x sums loss / p over
the plays of x, p being the probability with which x was drawn, and eta = sqrt(2 ln K / (T K)). Its
*traditional* regret against constant actions is at most sqrt(2 T K ln K) in expectation, whatever the
adversary; its policy regret can be linear in T as soon as m > 1.

The weights are floats: they choose the actions of a randomised learner and account for nothing. A seed
reproduces the game on machines whose exp() agrees to the last digit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from tallyplan.games.registry import learner
from tallyplan.model.rationals import ceil_div

if TYPE_CHECKING:
    from tallyplan.games.game import Game


@learner("exp3")
@dataclass(frozen=True, kw_only=True)
class Exp3:
    """EXP3, for the traditional regret."""

    def play(self, game: Game) -> None:
        """Draw, play, update."""
        game.require_single_steps()
        play_in_batches(game, 1)


def play_in_batches(game: Game, batch: int) -> None:
    """EXP3 whose every decision lasts `batch` steps; the last one as many as are left."""
    weights = Weights(game.actions, decisions=ceil_div(game.horizon, batch))
    while game.remaining:
        action, probability = weights.draw(game.rng)
        steps = min(batch, game.remaining)
        if steps == 1:
            loss = float(game.step(action))
        else:
            loss = float(sum(game.run((action,), steps).totals.values())) / steps
        weights.update(action, loss / probability)


class Weights:
    """Exponential weights over K actions, for a given number of decisions."""

    def __init__(self, actions: int, decisions: int) -> None:
        self.rate = math.sqrt(2 * math.log(actions) / (actions * max(1, decisions)))
        self.losses = [0.0] * actions

    def draw(self, rng: np.random.Generator) -> tuple[int, float]:
        """An action and the probability with which it was drawn."""
        least = min(self.losses)
        cumulated = list(accumulate(math.exp(self.rate * (least - loss)) for loss in self.losses))
        target = rng.random() * cumulated[-1]
        action = next((x for x, reached in enumerate(cumulated) if target < reached), len(cumulated) - 1)
        return action, math.exp(self.rate * (least - self.losses[action])) / cumulated[-1]

    def update(self, action: int, estimate: float) -> None:
        """Add an importance-weighted loss."""
        self.losses[action] += estimate
