"""Games a little longer than the opening: exact, by trying what leaves the window.

A game of T steps after a history of l actions fills the window in d = m - l steps (`openings`). In the T - d
steps after that, what leaves is the history and then the first e = max(0, T - d - l) plays, in their order;
of all other plays up to then only the counts matter. So: try all K^e beginnings; for each, start from every
way to count the other d - e plays of the opening, and walk on with a table {counts in the window: least
cost}. The tables have at most C(m+K-1, K-1) entries. The work grows as K^e, which is little as long as T is
not much larger than m.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

from tallyplan.model.words import Word, compositions
from tallyplan.planning.effort import tick
from tallyplan.planning.without_graph.openings import Opening, in_order

Table = dict[Word, int]
MOST_ENTRIES = 2 * 10**6  # of all tables together; they take a few seconds


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
    found: list[tuple[int, Word]] = []
    for begin in product(range(opening.bandit.actions), repeat=_free(opening, horizon)):
        found = [min([*found, ShortGame(opening, horizon, begin).best()])]
    cost, plan = found[0]
    return Fraction(cost, opening.bandit.denominator), plan


def _free(opening: Opening, horizon: int) -> int:
    """e, the number of plays that leave the window before the end."""
    return max(0, horizon - opening.length - len(opening.start))


class ShortGame:
    """The best game with given first plays."""

    def __init__(self, opening: Opening, horizon: int, begin: Word) -> None:
        self.opening, self.begin = opening, begin
        self.actions = range(opening.bandit.actions)
        self.leaving = (opening.start + begin)[: horizon - opening.length]
        self.losses = opening.bandit.integers

    def best(self) -> tuple[int, Word]:
        """The least cost and a plan."""
        tables = [self._after_opening()]
        for dropped in self.leaving:
            tables.append(self._next(tables[-1], dropped))
        counts = min(tables[-1], key=lambda at: (tables[-1][at], at))
        return tables[-1][counts], self._plan(tables, counts)

    def _after_opening(self) -> Table:
        """Every way to count the opening: the counts in the full window, and what it cost."""
        opening, d = self.opening, self.opening.length
        costs = [opening.costs(x, d) for x in self.actions]
        before, begun = ([word.count(x) for x in self.actions] for word in (opening.start, self.begin))
        table = {}
        for rest in compositions(d - len(self.begin), len(self.actions)):
            tick()
            played = [rest[x] + begun[x] for x in self.actions]
            counts = tuple(before[x] + played[x] for x in self.actions)
            table[counts] = sum(costs[x][played[x]] for x in self.actions)
        return table

    def _next(self, table: Table, dropped: int) -> Table:
        """One step further: `dropped` leaves, any action enters."""
        found: Table = {}
        for counts, cost in table.items():
            tick()
            for x in self.actions:
                after = _moved(counts, dropped, x)
                total = cost + self.losses[x][after[x] - 1]
                found[after] = min(total, found.get(after, total))
        return found

    def _plan(self, tables: list[Table], counts: Word) -> Word:
        """Walk back through the tables."""
        later: list[int] = []
        for before, after, dropped in zip(tables[-2::-1], tables[:0:-1], reversed(self.leaving), strict=True):
            for x in self.actions:
                earlier = _moved(counts, x, dropped)
                if (
                    counts[x]
                    and earlier in before
                    and (before[earlier] + self.losses[x][counts[x] - 1] == after[counts])
                ):
                    later.append(x)
                    counts = earlier
                    break
        fixed = self.opening.start + self.begin
        rest = in_order([counts[x] - fixed.count(x) for x in self.actions])
        return self.begin + rest + tuple(reversed(later))


def _moved(counts: Word, out: int, into: int) -> Word:
    """The counts after one action left and another came."""
    changed = list(counts)
    changed[out] -= 1
    changed[into] += 1
    return tuple(changed)
