"""Exact Bayes and minimax regret at small sizes; the theory is in docs/constants.md.

`minimax_regret` solves the game between a learner who sees exact losses and a prior over all tables of a
grid (the checker re-evaluates both strategies), and `deterministic` and `bernoulli` hold the belief
recursions of the paper's two lower-bound constructions.

>>> from proofs_check.bayes import minimax_regret
>>> minimax_regret(actions=2, memory=2, horizon=5).value
Fraction(7, 6)
"""

from proofs_check.bayes.minimax import MinimaxRegret, minimax_regret

__all__ = ["MinimaxRegret", "minimax_regret"]
