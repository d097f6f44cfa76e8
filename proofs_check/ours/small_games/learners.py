"""Learners of the small games, and what they lose at every horizon.

A learner is a *tree*: "0[0[.,1[.,.]],.]" plays action 0; in brackets is what it does after a loss of 0 and
after a loss of 1, where that loss was not known before; a dot ends the tree, and from there on it plays the
best that it can if every loss that it has not seen is 1, to the end of the game. Before the first step the
actions are relabelled at random.

What it loses in T = period * n + residue steps is then at most a number for the tree plus the least loss of
the remaining steps on a table of losses 0 and 1. Once these least losses, after every history, are those of
`repeats` steps before plus a constant, they go on so forever: along each residue the loss is a line in n.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, permutations, product

import numpy as np
from flint import fmpq, fmpq_poly

from tallyplan.model.graph import Array
from tallyplan.model.words import Word, last
from tallyplan.planning.many_tables import least_walks

Rows = tuple[tuple[int, ...], ...]  # the losses of each action


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

    def horizon(self, n: int) -> int:
        """T."""
        return self.period * n + self.residue

    def tables(self) -> list[Rows]:
        """All tables, up to the order of the rows."""
        return list(combinations_with_replacement(product((0, 1), repeat=self.memory), self.actions))


def rows_of(table: str) -> Rows:
    """The losses of "01|11"."""
    return tuple(tuple(map(int, row)) for row in table.split("|"))


def orders(rows: Rows) -> list[Rows]:
    """The table with its actions in every order, each once."""
    return sorted(set(permutations(rows)))


@dataclass(frozen=True)
class Leaf:
    """Where a learner is when its tree ends; losses that it has not seen are 1 in its table."""

    table: Rows
    history: Word = ()
    steps: int = 0
    lost: int = 0


def leaf(game: Game, tree: str, table: Rows) -> Leaf:
    """What the tree plays on a table, until it ends.

    >>> leaf(Game(2, 2, 2, 0, 2, 2), "0[0[.,1[.,.]],.]", rows_of("01|10"))
    Leaf(table=((0, 1), (1, 1)), history=(1,), steps=3, lost=2)
    """
    seen = [0] * game.actions  # how many losses of each action
    history: Word = ()
    lost = steps = at = 0
    while tree[at] != ".":
        action = int(tree[at])
        tally = history.count(action)
        loss, new = table[action][tally], tally == seen[action]
        if new != (tree[at + 1] == "["):
            raise ValueError(f"{tree}: what follows place {at} does not fit what is known there.")
        at += 1
        if new:
            seen[action] += 1
            at = _branch(tree, at, loss)
        history = last((*history, action), game.memory - 1)
        lost, steps = lost + loss, steps + 1
    known = tuple((*row[:d], *[1] * (game.memory - d)) for row, d in zip(table, seen, strict=True))
    return Leaf(known, history, steps, lost)


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
def least_losses(game: Game) -> dict[Word, Array]:
    """By the last actions, at most m - 1: at [steps to go, table] the least loss, tables in numerical order.

    As far as the horizon of the first n, and until all values have repeated themselves once.
    """
    rows = list(product((0, 1), repeat=game.actions * game.memory))
    tables = np.array(rows).reshape(-1, game.actions, game.memory)
    return {
        word: least_walks(tables, range(game.horizon(game.first) + game.repeats + 1), word)
        for length in range(game.memory)
        for word in product(range(game.actions), repeat=length)
    }


def lost_after(game: Game, end: Leaf) -> list[fmpq_poly]:
    """What is lost in all after this leaf, for n from `first` on: a line for each n modulo their number."""
    values, since = least_losses(game), game.horizon(game.first) - end.steps
    row = int("".join(str(loss) for row in end.table for loss in row), 2)
    rises = {int(one[since + game.repeats][row] - one[since][row]) for one in values.values()}
    if len(rises) > 1:
        raise ValueError(f"after {end} the losses do not repeat themselves from n = {game.first} on.")
    slope = fmpq(rises.pop() * game.period, game.repeats)
    numbers = range(game.repeats // game.period)
    lost = [end.lost + int(values[end.history][since + game.period * j][row]) for j in numbers]
    return [fmpq_poly([number - slope * (game.first + j), slope]) for j, number in enumerate(lost)]


def regret(game: Game, tree: str, table: Rows) -> fmpq_poly:
    """A line in n that is nowhere below the regret of a learner, the actions relabelled at random."""
    ends = [lost_after(game, leaf(game, tree, one)) for one in orders(table)]
    best = lost_after(game, Leaf(table))
    return _highest(sum(lost) / len(ends) - least for *lost, least in zip(*ends, best, strict=True))


def optimum(game: Game, table: Rows) -> fmpq_poly:
    """A line in n that is nowhere below OPT."""
    return _highest(lost_after(game, Leaf(table)))


def _highest(lines: Iterable[fmpq_poly]) -> fmpq_poly:
    """The highest of parallel lines."""
    return max(lines, key=lambda line: line[0])
