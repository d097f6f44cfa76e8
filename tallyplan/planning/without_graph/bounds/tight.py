"""What slopes must satisfy if they are to prove a given word optimal.

In the graph of tallies the word is a closed walk, and the costs of `tally_graph` never exceed the losses that
they stand for. If the bound is to equal the word's mean v, nothing may be lost along the walk:

- where a step raises the tally of an arm from k to k+1 (or lowers it back), psi of that arm must be at the
  end of its interval that the cost assumes: the upper end for an up-step and the lower for a down-step if
  the slope rises from k to k+1, the other way round if it falls. A word that is at neither end, or now at
  one and now at the other, needs equal slopes at k and k+1;
- every simple cycle into which the walk falls apart must have the mean v itself, as none has less.

With the signs known, all of this is linear in the slopes: a few equations, solved exactly. The search for
slopes then stays among the solutions, where the bound v can be attained and not only approached.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tallyplan.model.graph import Array
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import ceil_div
from tallyplan.model.replay import mean_of_word
from tallyplan.model.words import Word, last

Row = dict[int, int]  # coefficients by the number of the slope, x (m-1) + y - 1 for theta_x(y)
Signs = dict[tuple[int, int], int]  # by arm and level
MOST_EQUATIONS = 400  # solving more of them takes longer than it saves


@dataclass(frozen=True)
class Step:
    """A step of the word: the tallies after it, the arm played, and whether another arm dropped out."""

    tallies: Word
    arm: int
    moved: bool


@dataclass(frozen=True)
class Tight:
    """The equations `matrix @ slopes = right` (float copies), and their solution, exactly: each pivot is a
    constant plus a combination of other slopes.
    """

    matrix: Array
    right: Array
    pivots: dict[int, tuple[Fraction, dict[int, Fraction]]]

    def nearest(self, slopes: Array, unit: Array) -> Array:
        """The solution that is nearest, distances being measured in `unit`."""
        moved: Array = slopes + self.back(unit) @ (self.right - self.matrix @ slopes)
        return moved

    def back(self, unit: Array) -> Array:
        """The matrix that takes a residual to the shortest change of the slopes that removes it."""
        weighed = self.matrix * unit
        result: Array = weighed.T @ np.linalg.pinv(weighed @ self.matrix.T, rcond=1e-12)
        return result

    def exact(self, slopes: Array, grid: int) -> list[Fraction]:
        """A solution in rationals: the free slopes are rounded to multiples of 1/grid, the others follow."""
        rounded = [Fraction(round(Fraction(slope) * grid), grid) for slope in slopes.tolist()]
        for pivot, (constant, others) in self.pivots.items():
            rounded[pivot] = constant + sum(factor * rounded[j] for j, factor in others.items())
        return rounded

    def denominator(self) -> int:
        """A common denominator of the constants and factors of the solution."""
        parts = [part for constant, others in self.pivots.values() for part in (constant, *others.values())]
        return math.lcm(*(part.denominator for part in parts))


def tight(bandit: TallyingBandit, word: Word) -> Tight | None:
    """The equations for this word; None if they contradict each other, or are too many to be worth it."""
    mean = mean_of_word(bandit, word)
    walk, signs = walk_of(bandit, word)
    rows = [_equation(bandit, cycle, signs, mean) for cycle in sorted(set(_cycles(walk)), key=len)]
    width = bandit.memory - 1
    for (x, k), sign in signs.items():
        if sign == 0:
            rows.append(({x * width + k: 1, x * width + k - 1: -1}, Fraction(0)))
    return _solved(rows, bandit.actions * width) if len(rows) <= MOST_EQUATIONS else None


def walk_of(bandit: TallyingBandit, word: Word) -> tuple[list[Step], Signs]:
    """The steps of the word, repeated for ever; and for each arm and level k that it passes, whether the
    slope may rise (1) or fall (-1) from k to k+1, or neither (0).
    """
    m = bandit.memory
    window = deque(last(word * ceil_div(m, len(word)), m))
    tallies = [window.count(x) for x in range(bandit.actions)]
    psi = [sum(j for j, x in enumerate(window) if x == arm) for arm in range(bandit.actions)]
    steps: list[Step] = []
    signs: Signs = {}
    for arm in word:
        dropped = window.popleft()
        window.append(arm)
        if arm != dropped:
            _note(signs, arm, tallies[arm], psi[arm], m, up=1)
            _note(signs, dropped, tallies[dropped] - 1, psi[dropped], m, up=-1)
        tallies[dropped] -= 1
        tallies[arm] += 1
        psi = [p - s + m * (x == arm) for x, (p, s) in enumerate(zip(psi, tallies, strict=True))]
        steps.append(Step(tuple(tallies), arm, arm != dropped))
    return steps, signs


def _note(signs: Signs, x: int, k: int, psi: int, m: int, *, up: int) -> None:
    """Which sign of the slope's change from k to k+1 psi allows, together with what was noted before."""
    if k * (m - 1 - k) == 0:
        return
    high, low = 2 * psi == k * (2 * m - 1 - k), 2 * psi == k * (k + 1)
    sign = up if high else -up if low else 0
    signs[x, k] = sign if signs.get((x, k), sign) == sign else 0


def _cycles(walk: Sequence[Step]) -> Iterator[tuple[Step, ...]]:
    """Simple cycles into which a closed walk falls apart."""
    path: list[Step] = []
    depth = {walk[-1].tallies: 0}
    for step in walk:
        path.append(step)
        start = depth.get(step.tallies)
        if start is None:
            depth[step.tallies] = len(path)
            continue
        yield tuple(path[start:])
        for gone in path[start:-1]:
            del depth[gone.tallies]
        del path[start:]


def _equation(
    bandit: TallyingBandit, cycle: Sequence[Step], signs: Signs, mean: Fraction
) -> tuple[Row, Fraction]:
    """The costs of the cycle's steps add up to its length times the mean."""
    m, width = bandit.memory, bandit.memory - 1
    row: Row = {}
    right = len(cycle) * mean

    def add(x: int, y: int, factor: int) -> None:
        if 1 <= y < m and factor:
            row[x * width + y - 1] = row.get(x * width + y - 1, 0) + factor

    for step in cycle:
        tally = step.tallies[step.arm]
        right -= bandit.losses[step.arm][tally - 1]
        if tally == m:
            continue
        for x, y in enumerate(step.tallies):
            add(x, y, y)
        add(step.arm, tally, -m)
        if step.moved:
            jump = signs.get((step.arm, tally - 1), 0) * (tally - 1) * (m - tally)
            add(step.arm, tally, -jump)
            add(step.arm, tally - 1, jump)
    return row, right


def _solved(rows: Sequence[tuple[Row, Fraction]], width: int) -> Tight | None:
    """Row reduction in rationals over the columns that occur."""
    import flint

    columns = sorted({j for row, _ in rows for j in row})
    place = {j: i for i, j in enumerate(columns)}
    system = flint.fmpq_mat(len(rows), len(columns) + 1)
    matrix, right = np.zeros((len(rows), width)), np.zeros(len(rows))
    for i, (row, value) in enumerate(rows):
        for j, factor in row.items():
            system[i, place[j]] = factor
            matrix[i, j] = factor
        system[i, len(columns)] = flint.fmpq(value.numerator, value.denominator)
        right[i] = float(value)
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
    return Tight(matrix, right, pivots)


def _fraction(number: object) -> Fraction:
    return Fraction(int(number.p), int(number.q))  # type: ignore[attr-defined]
