"""ALG_det (Algorithm 2): every action m times in a row, then an optimal plan for what is left; its regret."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from proofs_check.certified import optimum
from proofs_check.computations.every_table import EveryTable
from tallyplan.model.graph import Array
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import replay


def exploration(actions: int, memory: int) -> list[int]:
    """What ALG_det plays first: every action m times in a row."""
    return [x for x in range(actions) for _ in range(memory)]


def regret_of_alg_det(bandit: TallyingBandit, horizon: int) -> Fraction:
    """The complete policy regret of ALG_det, T >= mK, by the certified planner."""
    explored = exploration(bandit.actions, bandit.memory)
    rest = optimum(bandit, horizon - len(explored), start=explored)
    return replay(bandit, explored) + rest - optimum(bandit, horizon)


def regrets_of_alg_det(tables: EveryTable, horizons: Sequence[int]) -> dict[int, Array]:
    """Its regret on every table at once, for horizons >= mK.

    The exploration meets every cell once, so it loses the sum of the table; it ends in (K, ..., K).
    """
    explored, last = tables.actions * tables.memory, [tables.actions - 1] * (tables.memory - 1)
    optima = tables.optima(horizons)
    rests = tables.optima([T - explored for T in horizons], last)
    return {T: tables.losses.sum(axis=1) + rests[T - explored] - optima[T] for T in horizons}
