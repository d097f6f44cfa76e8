"""Greedy play against a policy class: the largest difference over all loss tables, from the 0/1 tables alone.

A greedy play takes, at every step, an action whose loss is least now; ties may be broken as badly as one
likes. Its loss is no minimum of linear functions, so it is not a policy class, but it is easier still:

    The supremum over h of G(h) - B(h), G(h) the largest loss of a greedy play at h and B(h) the least loss of
    a class, is attained at a table of zeros and ones.

A play w is greedy at the tables with h_i <= h_j for certain pairs of losses: at each step, the loss of what w
plays and the losses of what it does not. Within the cube these tables form an *order polytope*, whose
vertices are 0/1 tables. On it the loss of w is linear and B is concave, so their difference is largest at a
vertex, where w is still greedy. So 2^(Km) tables are tried, with one recursion for all of them.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from proofs_check.many_tables import Tables, pieces, successors_of, table_of, tallies_of
from proofs_check.worst_case.engine import WorstCase
from proofs_check.worst_case.policies import Greedy, PolicyClass
from tallyplan.errors import InstanceTooLarge, InternalError
from tallyplan.limits import Progress, silent
from tallyplan.model.graph import Array
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import replay
from tallyplan.model.words import Word

MOST_LOSSES = 16  # so at most 2^16 tables
MOST_WORK = 10**11  # tables times windows times steps: some hours


def worst_greedy(first: Greedy, second: PolicyClass, *, progress: Progress = silent) -> WorstCase:
    """The largest loss of greedy play beyond the least loss of a class, over all tables.

    Raises
    ------
    InstanceTooLarge : Km > 16, or so long a horizon that the recursions would take hours.

    Examples
    --------
    >>> from proofs_check.worst_case import Optimal
    >>> worst_greedy(Greedy(2, 2, 6), Optimal(2, 2, 6)).value
    Fraction(5, 1)

    See Also
    --------
    proofs_check.worst_case.WorstCase : the answer.
    proofs_check.worst_case.worst_case : for policy classes.
    """
    K, m, T = first.actions, first.memory, first.horizon
    work = 2 ** (K * m) * K**m * (T + 1) if K * m <= MOST_LOSSES else MOST_WORK + 1
    if work > MOST_WORK:
        raise InstanceTooLarge(
            f"greedy play is tried on all 0/1 tables; K * m = {K * m} losses and {T} steps are too many."
        )
    rows = list(product((0, 1), repeat=K * m))
    tables = Tables(rows, [1] * len(rows))
    progress(f"greedy play on {len(rows)} tables of zeros and ones")
    arrays = pieces(tables.integers(m, times=T + 1), K**m)
    paid = [int(worst) for some in arrays for worst in _greedy_values(some, T)[0][:, 0]]
    gaps = [worst - least for worst, least in zip(paid, second.values(tables), strict=True)]
    value = max(gaps)
    row = rows[gaps.index(value)]
    bandit = table_of(row, m)
    play = worst_play(bandit, T)
    if replay(bandit, play) - second.values(Tables([row], [1]))[0] != value:
        raise InternalError("the greedy play found does not have the loss that it should.")
    runs, effort = [(play, 1)] if play else [], {"0/1 tables": len(rows)}
    return WorstCase(first, second, value, value, bandit, runs, {"tables": "0/1"}, effort)


def _greedy_values(tables: Array, steps: int) -> list[Array]:
    """The largest loss of a greedy play from each history on, by table; for one table at each time."""
    count, actions, memory = tables.shape
    lengths = [min(t, memory - 1) for t in range(steps + 1)]
    values = [np.zeros((count, actions ** lengths[-1]), dtype=tables.dtype)]
    for length in reversed(lengths[:-1]):
        paid, after = _choices(tables, length)
        allowed = paid == paid.min(axis=-1, keepdims=True)
        worst = np.where(allowed, paid + values[-1][:, after], -1).max(axis=-1)
        values = [*values, worst] if count == 1 else [worst]
    return values[::-1]


def _choices(tables: Array, length: int) -> tuple[Array, Array]:
    """What each action loses after each history of this length, by table; and the history that follows."""
    _, actions, memory = tables.shape
    paid: Array = tables[:, np.arange(actions), tallies_of(actions, length)]
    return paid, successors_of(actions, length, min(length + 1, memory - 1))


def worst_play(bandit: TallyingBandit, steps: int) -> Word:
    """A greedy play of the largest loss, forwards through the recursion."""
    table = np.array(bandit.integers)[None]
    values = _greedy_values(table, steps)
    play: list[int] = []
    code = 0
    for t in range(steps):
        choices, after = _choices(table, min(t, bandit.memory - 1))
        paid = choices[0, code].tolist()
        options = [a for a in range(bandit.actions) if paid[a] == min(paid)]
        play.append(max(options, key=lambda a: paid[a] + values[t + 1][0, after[code, a]]))
        code = int(after[code, play[-1]])
    return tuple(play)
