"""ALG_det, Algorithm 2 of the paper, for deterministic feedback: see every h_x(y) once, then plan the rest.

Exploration plays 0^m 1^m ... (K-1)^m, mK steps that meet every cell once and end in the history (K-1)^(m-1).
The exact planner does the rest, from that history. The complete policy regret is at most min(T - m, mK - 1)
for K >= 2 and T >= mK, attained by h_0(m) = 0 and every other loss 1; for K = 1 it is 0. (Proposition 1
states (m + 1) K.)

The paper assumes T >= mK without saying so. In a shorter game the exploration ends with the game: the first T
actions of the same word are played, and the regret is at most T.

With noisy feedback it plays on, taking every single observation for the truth; that is ALG_stoch's job.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallyplan.games.playing import estimated, explore, play_runs
from tallyplan.games.registry import learner
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
        counts = explore(game, rounds=1)
        if counts is not None:
            seen = estimated(counts, game.actions, game.memory)
            plan = optimal_plan(seen, game.remaining, game.history)
            if not plan.exact:
                game.depart("the plan for the rest is the best one found, not proved to be optimal")
            play_runs(game, plan.runs)
