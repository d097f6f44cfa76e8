"""The opening of a game, and games a little longer: exact, by counting what stays in the window.

After `start`, a history of l < m actions in which x occurs a_x times, nothing leaves the window for d = m -
l steps. Playing x c_x times among them costs h_x(a_x + 1) + ... + h_x(a_x + c_x), whatever the order. So the
least loss of T <= d steps is a knapsack over counts: exact for every memory, in O(K T^2) operations.

In the T - d steps after that, what leaves is the history and then the first e = max(0, T - d - l) plays, in
their order; of all other plays up to then only the counts matter. So: try all K^e beginnings; for each, start
from every way to count the other d - e plays of the opening, and walk on with a table {counts in the window:
least cost}. The tables have at most C(m+K-1, K-1) entries. The work grows as K^e, which is little as long as
T is not much larger than m.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, product
from math import comb

import numpy as np

from tallyplan.model.graph import Array, StateGraph, integer_type
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.words import Word, compositions
from tallyplan.planning.effort import tick

Game = tuple[int, Word, Word]  # its cost, the counts of the opening but for its beginning, the plays after it
MOST_ENTRIES = 2 * 10**6  # of all tables together; they take a few seconds


@dataclass(frozen=True)
class Opening:
    """The first steps after a history: what they cost by counts."""

    bandit: TallyingBandit
    start: Word

    @property
    def length(self) -> int:
        """d, the steps until the window is full."""
        return self.bandit.memory - len(self.start)

    def costs(self, action: int, steps: int) -> list[int]:
        """`[c]`: the integer cost of playing `action` c times, c = 0 .. steps <= d."""
        before = self.start.count(action)
        row = self.bandit.losses[action][before : before + steps]
        return list(accumulate(map(self.bandit.scaled, row), initial=0))

    def best(self, steps: int) -> tuple[Fraction, Word]:
        """The least loss of `steps` <= d steps, and how often each action is played in them.

        >>> Opening(TallyingBandit([["0", "1", "1"], ["1/2", "1/2", "1"]]), ()).best(3)
        (Fraction(1, 1), (1, 2))
        """
        kind = integer_type(steps * StateGraph(self.bandit).highest_cost)
        costs: list[Array] = [np.array(self.costs(x, steps), dtype=kind) for x in range(self.bandit.actions)]
        totals, tables = costs[0], []
        for row in costs[1:]:
            tables.append(totals)
            totals = _least_sums(totals, row)
        left, counts = steps, []
        for row, table in zip(reversed(costs[1:]), reversed(tables), strict=True):
            counts.append(int((row[: left + 1] + table[left::-1]).argmin()))
            left -= counts[-1]
        value = Fraction(int(totals[steps]), self.bandit.denominator)
        return value, (left, *reversed(counts))


def _least_sums(first: Array, second: Array) -> Array:
    """`[t]`: the least first[t - c] + second[c]."""
    sums: Array = np.empty_like(first)
    for t in range(len(first)):
        tick()
        sums[t] = (first[t::-1] + second[: t + 1]).min()
    return sums


def in_order(counts: Sequence[int]) -> Word:
    """A word with these counts."""
    return tuple(x for x, count in enumerate(counts) for _ in range(count))


def fits(opening: Opening, horizon: int) -> bool:
    """Whether the search is a matter of seconds."""
    K, d = opening.bandit.actions, opening.length
    free = _free(opening, horizon)
    if free > d:
        return False
    work: int = K**free * comb(d - free + K - 1, K - 1) * (horizon - d + 1) * K
    return work <= MOST_ENTRIES


def best_game(opening: Opening, horizon: int) -> tuple[Fraction, Word]:
    """The least loss of `horizon` steps, at least as many as the opening has, and a plan.

    >>> from tallyplan.model.instance import TallyingBandit
    >>> best_game(Opening(TallyingBandit([["0", "1"], ["0", "1"]]), ()), 4)
    (Fraction(0, 1), (0, 1, 0, 1))
    """
    begins = product(range(opening.bandit.actions), repeat=_free(opening, horizon))
    cost, plan = min(_best_after(opening, horizon, begin) for begin in begins)
    return Fraction(cost, opening.bandit.denominator), plan


def _free(opening: Opening, horizon: int) -> int:
    """e, the number of plays that leave the window before the end."""
    return max(0, horizon - opening.length - len(opening.start))


def _best_after(opening: Opening, horizon: int, begin: Word) -> tuple[int, Word]:
    """The least cost of a game with these first plays, and its plan."""
    arms, losses = range(opening.bandit.actions), opening.bandit.integers
    table = _openings(opening, begin)
    for dropped in (opening.start + begin)[: horizon - opening.length]:
        following: dict[Word, Game] = {}
        for counts, (cost, rest, later) in table.items():
            tick()
            for x in arms:
                after = tuple(count - (y == dropped) + (y == x) for y, count in enumerate(counts))
                game = cost + losses[x][after[x] - 1], rest, (*later, x)
                following[after] = min(game, following.get(after, game))
        table = following
    cost, rest, later = min(table.values())
    return cost, begin + in_order(rest) + later


def _openings(opening: Opening, begin: Word) -> dict[Word, Game]:
    """Every way to count the opening, by the counts in the full window."""
    arms, d, table = range(opening.bandit.actions), opening.length, dict[Word, Game]()
    costs = [opening.costs(x, d) for x in arms]
    for rest in compositions(d - len(begin), len(arms)):
        tick()
        played = [rest[x] + begin.count(x) for x in arms]
        counts = tuple(opening.start.count(x) + played[x] for x in arms)
        table[counts] = sum(costs[x][played[x]] for x in arms), rest, ()
    return table
