"""What slopes and charges must satisfy if they are to prove a given word optimal.

In the graph of tallies the word is a closed walk, and the costs of `separable` never exceed the losses that
they stand for. If the bound is to equal the word's mean v, nothing may be lost along the walk: every step of
the word costs exactly v, and so do the steps of other walks with this mean. Once it is known where slopes
rise, fall or stay, this is linear in slopes and charges: a few equations, solved exactly.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tallyplan.model.graph import Array
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import ceil_div
from tallyplan.model.words import Word, last

Row = dict[int, int]  # coefficients, by the number of the unknown
Equation = tuple[Row, Fraction]  # the row has this value
MOST_EQUATIONS = 400  # solving more of them takes longer than it saves
NO_CHANGE = 1e-9  # slopes that differ by less than this over m are meant to be equal


@dataclass(frozen=True)
class Move:
    """A step in the graph of tallies: the tallies after it, the arm played, and the arm that dropped out."""

    tallies: tuple[int, ...]
    arm: int
    dropped: int


@dataclass(frozen=True)
class Tight:
    """The solution of the equations, exactly: each pivot is a constant plus a combination of the others."""

    pivots: dict[int, tuple[Fraction, dict[int, Fraction]]]

    def exact(self, numbers: Array, grid: int) -> list[Fraction]:
        """A solution in rationals: free unknowns are rounded to multiples of 1/grid, the others follow."""
        rounded = [Fraction(round(Fraction(number) * grid), grid) for number in numbers.tolist()]
        for pivot, (constant, others) in self.pivots.items():
            rounded[pivot] = constant + sum(factor * rounded[j] for j, factor in others.items())
        return rounded

    def denominator(self) -> int:
        """A common denominator of the constants and factors of the solution."""
        parts = [part for constant, others in self.pivots.values() for part in (constant, *others.values())]
        return math.lcm(*(part.denominator for part in parts))


def tight(bandit: TallyingBandit, moves: Collection[Move], mean: Fraction, slopes: Array) -> Tight | None:
    """The equations that these moves cost the mean; None if they contradict each other, or are too many to
    be worth it.

    `slopes` are near the solution that is wanted: where they hardly change, they are not to change at all.
    The unknowns are the K(m-1) slopes, arm by arm, and then the K m charges.
    """
    width = bandit.memory - 1
    change = bandit.memory * np.diff(slopes, axis=1)
    signs = np.where(np.abs(change) < NO_CHANGE, 0, np.sign(change)).astype(int).tolist()
    rows = [_equation(bandit, move, signs, mean) for move in moves]
    passed = {(move.arm, move.tallies[move.arm] - 1) for move in moves if move.arm != move.dropped}
    for x, k in sorted(passed):
        if 1 <= k < width and signs[x][k - 1] == 0:
            rows.append(({x * width + k: 1, x * width + k - 1: -1}, Fraction(0)))
    return solved(rows) if len(rows) <= MOST_EQUATIONS else None


def moves_of(bandit: TallyingBandit, word: Word) -> list[Move]:
    """The steps of the word, repeated forever; each once.

    >>> moves_of(TallyingBandit([["0", "1"], ["0", "1"]]), (0, 1))
    [Move(tallies=(1, 1), arm=0, dropped=0), Move(tallies=(1, 1), arm=1, dropped=1)]
    """
    window = deque(last(word * ceil_div(bandit.memory, len(word)), bandit.memory))
    tallies = [window.count(x) for x in range(bandit.actions)]
    moves: dict[Move, None] = {}
    for arm in word:
        dropped = window.popleft()
        window.append(arm)
        tallies[dropped] -= 1
        tallies[arm] += 1
        moves[Move(tuple(tallies), arm, dropped)] = None
    return list(moves)


def _equation(bandit: TallyingBandit, move: Move, signs: list[list[int]], mean: Fraction) -> Equation:
    """The move costs the mean."""
    m, width = bandit.memory, bandit.memory - 1
    arm, tally = move.arm, move.tallies[move.arm]
    first_charge = bandit.actions * width
    row: Row = {}

    def add(x: int, y: int, factor: int) -> None:
        if 1 <= y < m and factor:
            row[x * width + y - 1] = row.get(x * width + y - 1, 0) + factor

    for x, y in enumerate(move.tallies):
        add(x, y, y)
    add(arm, tally, -m)
    if move.dropped != arm:
        if 1 < tally < m:
            jump = signs[arm][tally - 2] * (tally - 1) * (m - tally)
            add(arm, tally, -jump)
            add(arm, tally - 1, jump)
        row[first_charge + arm * m + tally - 1] = 1
        row[first_charge + move.dropped * m + move.tallies[move.dropped]] = -1
    return row, mean - bandit.losses[arm][tally - 1]


def solved(rows: Sequence[Equation]) -> Tight | None:
    """Row reduction in rationals over the columns that occur; None if the equations contradict each other."""
    import flint

    columns = sorted({j for row, _ in rows for j in row})
    place = {j: i for i, j in enumerate(columns)}
    system = flint.fmpq_mat(len(rows), len(columns) + 1)
    for i, (row, value) in enumerate(rows):
        for j, factor in row.items():
            system[i, place[j]] = factor
        system[i, len(columns)] = flint.fmpq(value.numerator, value.denominator)
    reduced, rank = system.rref()
    pivots: dict[int, tuple[Fraction, dict[int, Fraction]]] = {}
    for i in range(rank):
        entries = {j: _fraction(reduced[i, j]) for j in range(len(columns) + 1) if reduced[i, j] != 0}
        first = min(entries)
        if first == len(columns):
            return None
        constant = entries.pop(len(columns), Fraction(0))
        del entries[first]
        pivots[columns[first]] = (constant, {columns[j]: -factor for j, factor in entries.items()})
    return Tight(pivots)


def _fraction(number: object) -> Fraction:
    return Fraction(int(number.p), int(number.q))  # type: ignore[attr-defined]
