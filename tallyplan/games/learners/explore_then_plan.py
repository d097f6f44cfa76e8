"""ALG_det and ALG_stoch: explore, then play an optimal plan for what was seen.

Exploration plays 0^m 1^m ... (K-1)^m, mK steps that meet every cell once and end in the history (K-1)^(m-1).
The exact planner does the rest, from that history. In a game that is too short for it the exploration ends
with the game: the first T actions of the same word are played.

**ALG_det** (Algorithm 2 of the paper) is for deterministic feedback, where one round shows every h_x(y). The
complete policy regret is at most min(T - m, mK - 1) for K >= 2 and T >= mK, attained by h_0(m) = 0 and every
other loss 1; for K = 1 it is 0. (Proposition 1 states (m + 1) K, and assumes T >= mK without saying so.) With
noisy feedback it plays on, taking every single observation for the truth.

**ALG_stoch** (Section 3) is for noisy feedback. The paper leaves the amount of exploration open. Here n
rounds give every cell n samples, with n = floor((T / mK)^(2/3)), an exact integer root: exploration costs at
most (mK)^(1/3) T^(2/3), and the estimates are off by (mK/T)^(1/3) up to logarithms, which costs the same
order. K = 1 leaves nothing to learn. Equal estimates are planned once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from flint import fmpz

from tallyplan.games.registry import learner
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import positive_integer
from tallyplan.model.words import Runs, Word
from tallyplan.planning.horizon import optimal_plan

if TYPE_CHECKING:
    from tallyplan.games.game import Game


@learner("alg-det", feedback="deterministic")
@dataclass(frozen=True, kw_only=True)
class AlgDet:
    """Algorithm 2: see every loss once, then plan the rest (deterministic feedback).

    >>> from tallyplan import make
    >>> from tallyplan.games.feedback import Deterministic
    >>> from tallyplan.games.game import simulate
    >>> needle = make("proposition-1-lower", actions=2, memory=3, best=0)
    >>> simulate(needle, AlgDet(), 10**9, feedback=Deterministic()).loss  # the optimum is 2
    Fraction(7, 1)
    """

    def play(self, game: Game) -> None:
        """Explore, plan, play the plan."""
        if not _explore_then_plan(game, rounds=1):
            game.depart("the plan for the rest is the best one found, not proved to be optimal")


@learner("alg-stoch")
@dataclass(frozen=True, kw_only=True)
class AlgStoch:
    """Explore for T^(2/3) steps, then commit to a plan.

    Parameters
    ----------
    rounds : rounds of exploration, each mK steps; None means floor((T / mK)^(2/3)), at least 1.
    """

    rounds: int | None = None

    def __post_init__(self) -> None:
        if self.rounds is not None:
            positive_integer(self.rounds, "rounds")

    def play(self, game: Game) -> None:
        """Explore, estimate, commit."""
        if game.actions == 1:
            game.repeat((0,))
        else:
            rounds = self.rounds or max(1, default_rounds(game.actions * game.memory, game.horizon))
            _explore_then_plan(game, rounds)


def default_rounds(cells: int, horizon: int) -> int:
    """floor((T / mK)^(2/3)).

    >>> default_rounds(9, 10**5), default_rounds(8, 8), default_rounds(9, 8)
    (497, 1, 0)
    """
    return int(fmpz(horizon**2 // cells**2).root(3))


def _explore_then_plan(game: Game, rounds: int) -> bool:
    """Whether the plan that follows the rounds is known to be optimal for what they showed."""
    seen = game.explore(rounds)
    if seen is None:
        return True
    runs, exact = _plan(seen.estimate(), game.remaining, game.history)
    for word, repeats in runs:
        game.run(word, repeats)
    return exact


@lru_cache(maxsize=2**12)
def _plan(estimate: TallyingBandit, steps: int, history: Word) -> tuple[Runs, bool]:
    plan = optimal_plan(estimate, steps, history)
    return plan.runs, plan.exact
