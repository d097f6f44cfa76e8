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

from collections import deque
from collections.abc import Iterator
from itertools import product

import numpy as np

from proofs_check.many_tables import Tables, table_of
from proofs_check.worst_case.engine import WorstCase
from proofs_check.worst_case.policies import Greedy, PolicyClass
from tallyplan.errors import InstanceTooLarge, InternalError
from tallyplan.limits import Progress, silent
from tallyplan.model.graph import Array
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import replay
from tallyplan.model.words import Word, last

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
    [start] = deque(_largest(tables.integers(m, times=T + 1), T), maxlen=1)
    gaps = [int(worst) - least for worst, least in zip(start[()], second.values(tables), strict=True)]
    value = max(gaps)
    row = rows[gaps.index(value)]
    bandit = table_of(row, m)
    play = worst_play(bandit, T)
    if replay(bandit, play) - second.values(Tables([row], [1]))[0] != value:
        raise InternalError("the greedy play found does not have the loss that it should.")
    runs, effort = [(play, 1)] if play else [], {"0/1 tables": len(rows)}
    return WorstCase(first, second, value, value, bandit, runs, {"tables": "0/1"}, effort)


def _largest(tables: Array, steps: int) -> Iterator[dict[Word, Array]]:
    """With 0, 1, ..., T steps to go: by history, the largest loss of a greedy play in each of the tables."""
    count, K, m = tables.shape
    values: dict[Word, Array] = {}
    for time in range(steps, -1, -1):
        histories = product(range(K), repeat=min(time, m - 1))
        if time == steps:
            values = {history: np.zeros(count, dtype=tables.dtype) for history in histories}
        else:
            values = {history: np.max(_options(tables, history, values), axis=0) for history in histories}
        yield values


def _options(tables: Array, history: Word, values: dict[Word, Array]) -> Array:
    """By action and table: its loss and what follows; -1 if it is not greedy."""
    _, K, m = tables.shape
    paid = np.array([tables[:, a, history.count(a)] for a in range(K)])
    after = np.array([values[last((*history, a), m - 1)] for a in range(K)])
    found: Array = np.where(paid == paid.min(axis=0), paid + after, -1)
    return found


def worst_play(bandit: TallyingBandit, steps: int) -> Word:
    """A greedy play of the largest loss, forwards through the recursion."""
    table = np.array(bandit.integers)[None]
    play: Word = ()
    for values in [*_largest(table, steps)][-2::-1]:
        options = _options(table, last(play, bandit.memory - 1), values)
        play = (*play, int(options[:, 0].argmax()))
    return play
