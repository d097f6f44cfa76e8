"""The restricted game: a few learners against all orbits. Floats propose a basis, rationals decide.

Row i holds the regrets r_i(o) of learner i, in units of 1/scale. The adversary's linear program

    maximise v   subject to   v <= sum of lambda_o r_i(o) for every i,   sum of lambda = 1,   lambda >= 0

is solved on a few orbits first; those on which the mixture of learners (the dual solution) has a larger
regret are taken in until there are none. It has an optimal basis: as many tight rows I as basic orbits O.
The square systems

    R[I, O] lambda = v,  sum lambda = 1      and      p R[I, O] = v,  sum p = 1

are then solved in rationals, and lambda >= 0, p >= 0, R lambda >= v, p R <= v are verified on all rows and
all columns. If the proposed basis fails, there is no exact answer here, and the caller is told. (Degenerate
programs make GLOP give up now and then; it is then asked again from scratch, in another way.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tallyplan.linear_program import LinearProgram, solved_exactly
from tallyplan.model.graph import Array

PROBABILITY_SCALE = 2**40  # proposed probabilities are rounded to integers over this
TOLERANCE = 1e-10  # regrets in floats that count as no larger than the value
ORBITS_PER_ROUND = 8  # that become active
FROM_SCRATCH = (
    "use_preprocessing: false",
    "use_dual_simplex: true",
    "use_dual_simplex: true use_scaling: false",
)


@dataclass(frozen=True)
class Equilibrium:
    """Optimal strategies of the restricted game, exact: value, prior over orbits, mixture of learners."""

    value: Fraction
    prior: tuple[Fraction, ...]
    mixture: tuple[Fraction, ...]


@dataclass(frozen=True)
class Proposal:
    """What the linear program's solver says, in floats, and its basis."""

    value: float
    prior: Array
    mixture: list[float]
    tight: list[int]
    basic: list[int]


class RestrictedGame:
    """Learners found so far, and the orbits that some mixture of theirs had to fear (*active*), for GLOP."""

    def __init__(self, orbits: int, scale: int) -> None:
        self.orbits, self.scale = orbits, scale
        self.rows: list[Array] = []
        self.active: list[int] = [0]
        self._start("")

    @property
    def size(self) -> int:
        """How much of the game is in the program; it only grows."""
        return len(self.rows) + len(self.active)

    def add(self, row: Array) -> bool:
        """Add a learner; False if its regrets are already there."""
        if any(np.array_equal(row, other) for other in self.rows):
            return False
        self.rows.append(row)
        self._constrain(row)
        return True

    def propose(self) -> Proposal | None:
        """The solution in floats over all orbits; None if the solver gives up, also from scratch."""
        while self._solved():
            mixture = [abs(constraint.dual_value()) for constraint in self._constraints]
            regrets = np.array(mixture) @ np.array(self.rows) / self.scale
            if not self._activate(regrets, self._value.solution_value() + TOLERANCE):
                return self._proposal(mixture)
        return None

    def _solved(self) -> bool:
        if self._program.solve():
            return True
        for parameters in FROM_SCRATCH:
            self._start(parameters)
            for row in self.rows:
                self._constrain(row)
            if self._program.solve():
                return True
        return False

    def _activate(self, regrets: Array, bound: float | Fraction) -> bool:
        """Take in the orbits with the largest regrets above a bound, if there are any."""
        worst = [int(orbit) for orbit in np.argsort(-regrets)[:ORBITS_PER_ROUND] if regrets[orbit] > bound]
        new = [orbit for orbit in worst if orbit not in self.active]
        for orbit in new:
            self.active.append(orbit)
            self._allow()
            for row, constraint in zip(self.rows, self._constraints, strict=True):
                constraint.SetCoefficient(self._prior[-1], -float(row[orbit]) / self.scale)
        return bool(new)

    def _start(self, parameters: str) -> None:
        self._program = LinearProgram(parameters)
        self._value = self._program.variable()
        self._total = self._program.row(low=1, high=1)
        self._prior: list[Any] = []
        self._constraints: list[Any] = []
        for _ in self.active:
            self._allow()
        self._program.maximise({self._value: 1.0})

    def _allow(self) -> None:
        """The probability of one more orbit."""
        self._prior.append(self._program.variable(low=0))
        self._total.SetCoefficient(self._prior[-1], 1.0)

    def _constrain(self, row: Array) -> None:
        regrets = zip(self._prior, row[self.active].tolist(), strict=True)
        terms = {probability: -regret / self.scale for probability, regret in regrets}
        self._constraints.append(self._program.row({self._value: 1.0, **terms}, high=0))

    def _proposal(self, mixture: list[float]) -> Proposal:
        prior = np.zeros(self.orbits)
        prior[self.active] = [max(p.solution_value(), 0.0) for p in self._prior]
        return Proposal(
            self._value.solution_value(),
            prior,
            mixture,
            [i for i, c in enumerate(self._constraints) if not self._program.is_basic(c)],
            [o for o, p in zip(self.active, self._prior, strict=True) if self._program.is_basic(p)],
        )

    def solve_exactly(self, proposal: Proposal) -> Equilibrium | None:
        """The equilibrium of the proposed basis, if it is one; orbits that refute it become active."""
        rows, columns = proposal.tight, proposal.basic
        if len(rows) != len(columns):
            return None
        square = [[int(self.rows[i][o]) for o in columns] for i in rows]
        prior = _equaliser(square)
        mixture = _equaliser([list(column) for column in zip(*square, strict=True)])
        if prior is None or mixture is None:
            return None
        found = Equilibrium(
            prior[-1] / self.scale,
            _placed(prior[:-1], columns, self.orbits),
            _placed(mixture[:-1], rows, len(self.rows)),
        )
        if self._holds(found):
            return found
        self._activate(np.array(self._regrets(found.mixture)), found.value)
        return None

    def rounded_mixture(self, proposal: Proposal) -> tuple[Fraction, ...]:
        """The proposed mixture as rationals that add up to one, with nothing for learners found since."""
        return rounded([*proposal.mixture, *[0.0] * (len(self.rows) - len(proposal.mixture))])

    def guaranteed(self, mixture: Sequence[Fraction]) -> Fraction:
        """The largest regret of a mixture of learners over all orbits."""
        return max(self._regrets(mixture))

    def _regrets(self, mixture: Sequence[Fraction]) -> list[Fraction]:
        used = [(p, row.tolist()) for p, row in zip(mixture, self.rows, strict=True) if p]
        return [sum(p * row[o] for p, row in used) / self.scale for o in range(self.orbits)]

    def _holds(self, found: Equilibrium) -> bool:
        used = [(o, p) for o, p in enumerate(found.prior) if p]
        expected = [sum(p * int(row[o]) for o, p in used) for row in self.rows]
        return (
            min(*found.prior, *found.mixture, Fraction(0)) >= 0
            and min(expected) >= found.value * self.scale
            and self.guaranteed(found.mixture) <= found.value
        )


def rounded(weights: Iterable[float]) -> tuple[Fraction, ...]:
    """Nonnegative weights as rationals that add up to one.

    >>> rounded([0.5, 0.25, 0.25])
    (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    """
    whole = [round(weight * PROBABILITY_SCALE) for weight in weights]
    return tuple(Fraction(number, sum(whole)) for number in whole)


def _equaliser(square: list[list[int]]) -> list[Fraction] | None:
    """x and v with square * x = v in every row and sum x = 1; the v last. None if they are not unique."""
    size = len(square)
    return solved_exactly([*([*row, -1] for row in square), [1] * size + [0]], [0] * size + [1])


def _placed(values: Sequence[Fraction], places: Sequence[int], length: int) -> tuple[Fraction, ...]:
    whole = [Fraction(0)] * length
    for place, value in zip(places, values, strict=True):
        whole[place] = value
    return tuple(whole)
