"""Learners of the small games, and what they lose at every horizon.

A learner is a *tree*: "0[0[.,1[.,.]],.]" plays action 0; in brackets is what he does after a loss of 0 and
after a loss of 1, where that loss was not known before; a dot ends the tree, and from there on he plays the
best that he can among the losses that he knows, to the end of the game. Before the first step the actions
are relabelled at random.

What he loses in T = period * n + residue steps is then a number for the tree plus the least loss of the
remaining steps among known losses. Value iteration computes that. Once its values, over all histories that
can still be reached, are those of `repeats` steps before plus a constant, they go on so forever: along each
residue the loss is a line in n.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, permutations, product

from tallyplan.model.words import Word, last

Rows = tuple[tuple[int, ...], ...]  # the losses of each action, or those known of them
FORBIDDEN = 10**9  # more than any play loses


@dataclass(frozen=True)
class Game:
    """Losses 0 and 1, seen without noise, and the horizons period * n + residue, n >= first.

    `repeats` is a multiple of the period: steps after which the values of every table repeat themselves.
    """

    actions: int
    memory: int
    period: int
    residue: int
    first: int
    repeats: int

    @property
    def lines(self) -> int:
        """How many lines there are along one residue: those of n modulo this number."""
        return self.repeats // self.period

    def horizon(self, n: int) -> int:
        """T."""
        return self.period * n + self.residue

    def histories(self) -> list[Word]:
        """The last actions, at most m - 1 of them."""
        lengths = range(self.memory)
        return [word for length in lengths for word in product(range(self.actions), repeat=length)]

    def tables(self) -> list[Rows]:
        """All tables, up to the order of the rows."""
        return list(combinations_with_replacement(product((0, 1), repeat=self.memory), self.actions))


@dataclass(frozen=True)
class Line:
    """A number that is at most `base` at n = `first` and grows by `slope` with every further n."""

    first: int
    base: Fraction
    slope: Fraction

    def __str__(self) -> str:
        rise = f" + {self.slope} * (n - {self.first})" if self.slope else ""
        return f"{self.base}{rise}"


def rows_of(table: str) -> Rows:
    """The losses of "01|11"."""
    return tuple(tuple(map(int, row)) for row in table.split("|"))


def written(rows: Rows) -> str:
    """The table as a text.

    >>> written(rows_of("01|11"))
    '01|11'
    """
    return "|".join("".join(map(str, row)) for row in rows)


def orders(rows: Rows) -> list[Rows]:
    """The table with its actions in every order, each once."""
    return sorted(set(permutations(rows)))


@dataclass(frozen=True)
class Leaf:
    """Where a learner has come to when his tree ends."""

    known: Rows
    history: Word
    steps: int
    lost: int


def leaf(game: Game, tree: str, table: Rows) -> Leaf:
    """What the tree plays on a table, until it ends.

    >>> leaf(Game(2, 2, 2, 0, 2, 2), "0[0[.,1[.,.]],.]", rows_of("01|10"))
    Leaf(known=((0, 1), (1,)), history=(1,), steps=3, lost=2)
    """
    known: list[tuple[int, ...]] = [()] * game.actions
    history: Word = ()
    lost = steps = 0
    at = 0
    while tree[at] != ".":
        action = int(tree[at])
        tally = history.count(action) + 1
        loss, new = table[action][tally - 1], tally > len(known[action])
        if new != (tree[at + 1] == "["):
            raise ValueError(f"{tree}: what follows place {at} does not fit what is known there.")
        at += 1
        if new:
            known[action] = (*known[action], loss)
            at = _branch(tree, at, loss)
        history = last((*history, action), game.memory - 1)
        lost, steps = lost + loss, steps + 1
    return Leaf(tuple(known), history, steps, lost)


def _branch(tree: str, opening: int, loss: int) -> int:
    """Where the branch of this loss begins; the bracket opens at `opening`."""
    if loss == 0:
        return opening + 1
    depth = 0
    for at in range(opening, len(tree)):
        depth += {"[": 1, "]": -1}.get(tree[at], 0)
        if tree[at] == "," and depth == 1:
            return at + 1
    raise ValueError(f"{tree}: a bracket is not closed.")


@cache
def least_losses(game: Game, known: Rows) -> list[dict[Word, int]]:
    """For t = 0, 1, ...: the least loss of t steps among the known losses, by history.

    As far as the horizons of n < first + 2 * lines need it.
    """
    moves = {history: list(_moves(game, known, history)) for history in game.histories()}
    values = [dict.fromkeys(moves, 0)]
    for _ in range(game.horizon(game.first + 2 * game.lines)):
        before = values[-1]
        values.append(
            {
                history: min([FORBIDDEN, *(loss + before[after] for loss, after in offered)])
                for history, offered in moves.items()
            }
        )
    return values


def _moves(game: Game, known: Rows, history: Word) -> Iterator[tuple[int, Word]]:
    """The steps whose losses are known: loss, and history after it."""
    for action in range(game.actions):
        tally = history.count(action)
        if tally < len(known[action]):
            yield known[action][tally], last((*history, action), game.memory - 1)


def _reachable(game: Game, known: Rows, history: Word) -> list[Word]:
    """The histories that plays among known losses can come to."""
    found = [history]
    for one in found:
        found += {after for _, after in _moves(game, known, one)}.difference(found)
    return found


def lost_after(game: Game, end: Leaf) -> tuple[list[int], int]:
    """What a learner loses in all who is there, at n = first, first + 1, ... (`lines` of them), and the rise.

    The rise is that of `lines` further n, forever: the values must have begun to repeat themselves.
    """
    values = least_losses(game, end.known)
    since = game.horizon(game.first) - end.steps
    here = _reachable(game, end.known, end.history)
    rises = {values[since + game.repeats][one] - values[since][one] for one in here}
    if len(rises) > 1 or values[since][end.history] >= FORBIDDEN:
        raise ValueError(f"after {end} the losses do not repeat themselves from n = {game.first} on.")
    totals = [values[since + game.period * j][end.history] for j in range(game.lines)]
    return [end.lost + total for total in totals], rises.pop()


def regret(game: Game, tree: str, table: Rows) -> Line:
    """A line that the regret of a learner on a table, the actions relabelled at random, is nowhere above."""
    ends = [lost_after(game, leaf(game, tree, one)) for one in orders(table)]
    best, best_rise = lost_after(game, known_from_the_start(table))
    regrets = [Fraction(sum(lost[j] for lost, _ in ends), len(ends)) - best[j] for j in range(game.lines)]
    return _above(game, regrets, Fraction(sum(rise for _, rise in ends), len(ends)) - best_rise)


def optimum(game: Game, table: Rows) -> Line:
    """A line that OPT is nowhere above."""
    best, rise = lost_after(game, known_from_the_start(table))
    return _above(game, list(map(Fraction, best)), Fraction(rise))


def known_from_the_start(table: Rows) -> Leaf:
    """The place of one who knows the table: he loses OPT."""
    return Leaf(table, (), 0, 0)


def _above(game: Game, numbers: list[Fraction], rise: Fraction) -> Line:
    """The line above the numbers at n = first, first + 1, ..., which rise by so much in as many n."""
    slope = rise / game.lines
    return Line(game.first, max(one - slope * j for j, one in enumerate(numbers)), slope)
