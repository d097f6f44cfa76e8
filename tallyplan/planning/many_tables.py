"""Many tables of one size at once, values only: lambda*, OPT_T and the best closed walks, table by table.

The core sweeps the tables side by side, one in each lane of its vectors, in integers of 32 or 64 bits, whose
width it chooses by a bound. A table that this does not prove, or whose numbers may exceed 64 bits, is asked
by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice, product

import numpy as np

from tallyplan.core import many
from tallyplan.core.library import TooWideError
from tallyplan.limits import silent
from tallyplan.model.graph import Array
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.words import Word, last
from tallyplan.planning.effort import tick
from tallyplan.planning.on_graph.cycles import minimum_mean


def least_means(tables: Array) -> tuple[Array, Array]:
    """The least mean of each table, as a cost and the length that it is divided by."""
    if tables.shape[1] == 1 or tables.shape[2] == 1:  # a constant word is best
        return tables[:, :, -1].min(axis=1), np.ones(len(tables), dtype=np.int64)
    try:
        costs, lengths, proved = many.least_means(tables, tick)
    except TooWideError:
        costs, lengths, proved = (np.zeros(len(tables), dtype=kind) for kind in (object, object, bool))
    for i in np.flatnonzero(~proved.astype(bool)):
        highest = max(1, int(tables[i].max()))
        bandit = TallyingBandit([[Fraction(int(loss), highest) for loss in row] for row in tables[i]])
        mean = minimum_mean(bandit, silent)
        unit = highest // bandit.denominator  # of the table, over that of the bandit
        costs[i], lengths[i] = unit * mean.mean, mean.scale
    return costs, lengths


def least_walks(tables: Array, horizons: Sequence[int], start: Sequence[int] = ()) -> Array:
    """OPT_T after the history `start`, at most m - 1 actions: a row for each of the horizons."""
    try:
        return many.least_walks(tables, horizons, start, tick)
    except TooWideError:
        columns = []
        for table in tables:
            ends = [min(ends.values()) for ends in islice(_ends(table, tuple(start)), max(horizons) + 1)]
            columns.append([ends[horizon] for horizon in horizons])
        return np.array(columns, dtype=object).T


def closed_walks(tables: Array, longest: int) -> Array:
    """The least cost of a closed walk of 1, 2, ..., `longest` steps: a row for each length."""
    try:
        return many.closed_walks(tables, longest, tick)
    except TooWideError:
        _, actions, memory = tables.shape
        columns = []
        for table in tables:
            roots = [*product(range(actions), repeat=memory - 1)]
            walks = [[*islice(_ends(table, root), longest + 1)] for root in roots]
            pairs = [*zip(roots, walks, strict=True)]
            columns.append(
                [min(ends[t][root] for root, ends in pairs if root in ends[t]) for t in range(1, longest + 1)]
            )
        return np.array(columns, dtype=object).T


def _ends(table: Array, start: Word) -> Iterator[dict[Word, int]]:
    """After 0, 1, 2, ... steps from `start`: the least cost of a walk to each history, in any integers."""
    actions, memory = table.shape
    ends = {start: 0}
    while True:
        yield ends
        tick()
        further: dict[Word, int] = {}
        for history, paid in ends.items():
            for action in range(actions):
                to = last((*history, action), memory - 1)
                cost = paid + int(table[action, history.count(action)])
                further[to] = min(cost, further.get(to, cost))
        ends = further
