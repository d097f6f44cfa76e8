"""The minimax regret of the smallest games for all horizons: losses 0 or 1, seen without noise.

Stated here. The least regret that a learner can guarantee on all tables, for two actions and memory 2
(`minimax/two-by-two-even`, `-odd`), three actions and memory 2 (`minimax/three-actions-even`, `-odd`), and
two actions and memory 3 (`minimax/memory-three-0`, `-1`, `-2`, the horizon modulo 3).

Shown. *Upper end* (`learners`): a few learners, each a finite tree of first steps and then the best play
among what is known, mixed after a random relabelling of the actions. Their regrets are lines in n along each
residue of the horizon, and what the mixture guarantees is an inequality of polynomials for every table.
*Lower end* (`beliefs`): a prior on a few tables with weights that depend on the horizon, and for every set of
tables that a learner may still hold possible a bound on what it loses from there on. The bounds satisfy the
belief recursion for all horizons, and by induction no learner loses less (docs/constants.md). The minimax
engine solves two horizons besides.
"""

from proofs_check.ours.small_games import claims

__all__ = ["claims"]
