"""Classics of m = 1, blind to tallies: UCB1, successive elimination and EXP3, for losses.

**UCB1** (Auer, Cesa-Bianchi and Fischer 2002). After every action was played once, step t plays the action
with the least index mean_x - sqrt(2 ln t / n_x), n_x being how often x was played. For m = 1 its regret is
O(log T). For m > 1 the means it tracks are averages over tallies of its own making, and nothing is
guaranteed. The logarithm is taken to 20 binary digits and the root in integers, so that ties and near-ties
fall the same way on every machine.

**Successive elimination** (Even-Dar, Mannor and Mansour 2006). The actions still in the race are played in
turn. After n rounds the radius is r = sqrt(ln(2KT/delta) / (2n)), and an action leaves as soon as its mean
exceeds the least one by more than 2r. For m = 1 the best action stays with probability 1 - delta, and the
regret is O(sqrt(K T log(KT/delta))). SE-TB carries the idea over to cyclic policies. All comparisons are
exact; the radius is rounded up to a multiple of 2^-32.

**EXP3** (Auer, Cesa-Bianchi, Freund and Schapire 2002) has exponential weights on importance-weighted losses.
Action x has a probability proportional to exp(-eta L_x), where L_x sums loss / p over
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
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np
from flint import fmpz

from tallyplan.games.optimism import hoeffding_radius
from tallyplan.games.registry import learner
from tallyplan.games.schedule import failure_probability
from tallyplan.model.rationals import ceil_div, positive_integer

if TYPE_CHECKING:
    from tallyplan.games.game import Game

LOGARITHM_DIGITS = 20  # binary digits of ln t
INDEX_SCALE = 2**32  # an index is an integer over this


@learner("ucb1")
@dataclass(frozen=True, kw_only=True)
class UCB1:
    """UCB1, a classic of m = 1.

    Ties go to the smallest action.
    """

    def play(self, game: Game) -> None:
        """Every action once, then the least index."""
        game.require_decisions()
        actions = range(min(game.actions, game.horizon))
        totals = [game.step(x) for x in actions]
        plays = [1 for _ in actions]
        while game.remaining:
            x = _least_index(totals, plays, round(math.log(game.time + 1) * 2**LOGARITHM_DIGITS))
            totals[x] += game.step(x)
            plays[x] += 1


def _least_index(totals: list[Fraction], plays: list[int], logarithm: int) -> int:
    """The arm of least mean - sqrt(2 ln t / n), both to a multiple of 1 / INDEX_SCALE."""
    indices = [
        INDEX_SCALE * total.numerator // (total.denominator * n)
        - math.isqrt((2 * logarithm * INDEX_SCALE**2 >> LOGARITHM_DIGITS) // n)
        for total, n in zip(totals, plays, strict=True)
    ]
    return indices.index(min(indices))


@learner("successive-elimination")
@dataclass(frozen=True, kw_only=True)
class SuccessiveElimination:
    """Successive elimination of actions, a classic of m = 1.

    Parameters
    ----------
    delta : the probability with which the best action may be dropped (m = 1).
    """

    delta: Fraction = Fraction(1, 20)

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", failure_probability(self.delta))

    def play(self, game: Game) -> None:
        """Rounds over the actions that are left; the last one is played to the end."""
        totals = dict.fromkeys(range(game.actions), Fraction(0))
        failure = self.delta / (game.actions * max(1, game.horizon))
        rounds = 0
        while len(totals) > 1 and game.remaining >= len(totals):
            for x in totals:
                totals[x] += game.step(x)
            rounds += 1
            allowed = rounds * 2 * hoeffding_radius(rounds, failure) + min(totals.values())
            totals = {x: total for x, total in totals.items() if total <= allowed}
        game.repeat(tuple(totals))


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
