"""EXP3 (Auer, Cesa-Bianchi, Freund and Schapire 2002): exponential weights on importance-weighted losses.

In its form for losses, action x has a probability proportional to exp(-eta L_x), where L_x sums loss / p over
the plays of x, p being the probability with which x was drawn, and eta = sqrt(2 ln K / (T K)). Its
*traditional* regret against constant actions is at most sqrt(2 T K ln K) in expectation, whatever the
adversary; its policy regret can be linear in T as soon as m > 1.

**In batches** (Arora, Dekel and Tewari 2012), every decision is played b times in a row, and the weights get
the mean of the batch. Against a memory of m, only the first m - 1 steps of a batch still feel the batch
before, and with b = max(m, ceil(T^(1/3))) the *constant-action policy regret* is O(T^(2/3)). The complete
policy regret can still be linear: a competitor that alternates is not constant.

The weights are floats: they choose the actions of a randomised learner and account for nothing. A seed
reproduces the game on machines whose exp() agrees to the last digit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np
from flint import fmpz

from tallyplan.games.registry import learner
from tallyplan.model.rationals import ceil_div, positive_integer

if TYPE_CHECKING:
    from tallyplan.games.game import Game


@learner("batched-exp3")
@dataclass(frozen=True, kw_only=True)
class BatchedExp3:
    """EXP3 on batches of equal actions, for the constant-action policy regret.

    Parameters
    ----------
    batch : steps of a batch; None means max(m, ceil(T^(1/3))).
    """

    batch: int | None = None

    def __post_init__(self) -> None:
        if self.batch is not None:
            positive_integer(self.batch, "batch")

    def play(self, game: Game) -> None:
        """Draw, play the batch, update with its mean; the last batch has as many steps as are left."""
        below = int(fmpz(max(0, game.horizon - 1)).root(3))
        batch = self.batch or max(game.memory, below + 1)
        game.require_decisions(batch)
        weights = Weights(game.actions, decisions=ceil_div(game.horizon, batch))
        while game.remaining:
            action, probability = weights.draw(game.rng)
            steps = min(batch, game.remaining)
            if steps == 1:
                loss = float(game.step(action))
            else:
                loss = float(sum(game.run((action,), steps).totals.values())) / steps
            weights.update(action, loss / probability)


@learner("exp3")
def exp3() -> BatchedExp3:
    """EXP3, for the traditional regret."""
    return BatchedExp3(batch=1)


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
