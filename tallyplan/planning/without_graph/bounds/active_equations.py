"""What slopes and charges must satisfy if they are to prove a given word optimal.

In the graph of tallies the word is a closed walk, and the costs of `separable` never exceed the losses that
they stand for. If the bound is to equal the word's mean v, nothing may be lost along the walk: every step of
the word costs exactly v, and so do the steps of other walks with this mean. Once it is known where slopes
rise, fall or stay, this is linear in slopes and charges: a few equations, solved exactly.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from tallyplan.model.graph import Array
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import ceil_div
from tallyplan.model.words import Word, last

Row = dict[int, int]  # coefficients, by the number of the unknown
Equation = tuple[Row, Fraction]  # the row has this value
MOST_EQUATIONS = 400  # solving more of them takes longer than it saves
PRECISION = 10**10  # proposals in floats are rounded to multiples of one over this
TOLERANCE = 1e-9  # rows that are violated, or exceeded, by less count as equations
NO_CHANGE = 1e-9  # slopes that differ by less than this over m are meant to be equal


class Move(NamedTuple):
    """A step in the graph of tallies: the tallies after it, the arm played, and the arm that dropped out."""

    tallies: tuple[int, ...]
    arm: int
    dropped: int


def tight(
    bandit: TallyingBandit, moves: Collection[Move], mean: Fraction, numbers: Array
) -> list[list[Fraction]] | None:
    """Slopes and charges near `numbers` with which these moves cost exactly the mean.

    Moves that cost more at these numbers are left out. None if the equations contradict each other, or are
    too many to be worth it. There is a row for each arm, of m - 1 slopes and m charges. Where slopes hardly
    change, they are not to change at all.
    """
    last_slope, width = bandit.memory - 1, numbers.shape[1]
    change = bandit.memory * np.diff(numbers[:, :last_slope], axis=1)
    signs = np.where(np.abs(change) < NO_CHANGE, 0, np.sign(change)).astype(int).tolist()
    near, rows, passed = numbers.ravel(), list[Equation](), set[tuple[int, int]]()
    for move in moves:
        row, value = _equation(bandit, move, signs, mean)
        if sum(factor * near[j] for j, factor in row.items()) - float(value) < TOLERANCE:
            rows.append((row, value))
            passed |= {(move.arm, move.tallies[move.arm] - 1)} if move.arm != move.dropped else set()
    for x, k in sorted(passed):
        if 1 <= k < last_slope and signs[x][k - 1] == 0:
            rows.append(({x * width + k: 1, x * width + k - 1: -1}, Fraction(0)))
    found = solved(rows, near) if len(rows) <= MOST_EQUATIONS else None
    return None if found is None else [found[at : at + width] for at in range(0, len(found), width)]


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
    m, width, row = bandit.memory, 2 * bandit.memory - 1, Row()
    arm, tally = move.arm, move.tallies[move.arm]

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
        row[arm * width + m - 1 + tally - 1] = 1
        row[move.dropped * width + m - 1 + move.tallies[move.dropped]] = -1
    return row, mean - bandit.losses[arm][tally - 1]


def solved(rows: Sequence[Equation], near: Array) -> list[Fraction] | None:
    """A solution in rationals; None if the equations contradict each other.

    Unknowns that they leave open are the numbers `near`, rounded; row reduction says what the others are.
    """
    import flint

    found = rounded(near)
    columns = sorted({j for row, _ in rows for j in row})
    place = {j: i for i, j in enumerate(columns)}
    system = flint.fmpq_mat(len(rows), len(columns) + 1)
    for i, (row, value) in enumerate(rows):
        for j, factor in row.items():
            system[i, place[j]] = factor
        system[i, len(columns)] = flint.fmpq(value.numerator, value.denominator)
    reduced, rank = system.rref()
    for i in range(rank):
        entries = {j: Fraction(str(reduced[i, j])) for j in range(len(columns) + 1) if reduced[i, j] != 0}
        pivot, constant = min(entries), entries.pop(len(columns), Fraction(0))
        if pivot == len(columns):
            return None
        del entries[pivot]
        others = (factor * found[columns[j]] for j, factor in entries.items())
        found[columns[pivot]] = constant - sum(others)
    return found


def rounded(numbers: Array) -> list[Fraction]:
    """The nearest multiples of 1/PRECISION."""
    return [Fraction(round(Fraction(number) * PRECISION), PRECISION) for number in numbers.ravel().tolist()]
