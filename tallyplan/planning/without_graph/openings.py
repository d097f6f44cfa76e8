"""The opening of a game, and games a little longer: exact, by counting what stays in the window.

After `start`, a history of l < m actions, nothing leaves the window for d = m - l steps, so that only the
counts of the plays matter: the least loss of T <= d steps is a knapsack. In the T - d steps after that, what
leaves is the history and then the first e = max(0, T - d - l) plays, in their order. So all K^e beginnings
are tried, for each with a table {counts in the window: least cost}, which has at most C(m+K-1, K-1) entries;
docs/certificates.md says more, `recursion` over counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, product
from math import comb
from typing import NamedTuple

from tallyplan.model.instance import TallyingBandit
from tallyplan.model.words import Word, compositions
from tallyplan.planning.effort import tick
from tallyplan.planning.single_run import knapsack

Game = tuple[int, Word, Word]  # its cost, the counts of the opening but for its beginning, the plays after it
MOST_ENTRIES = 2 * 10**6  # of all tables together; they take a few seconds


class Opening(NamedTuple):
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
        cost, counts = knapsack([self.costs(x, steps) for x in range(self.bandit.actions)], steps)
        return Fraction(cost, self.bandit.denominator), counts


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
