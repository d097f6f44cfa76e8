"""Linear programs: floats propose, integers decide.

GLOP solves in floats. What it says, values, multipliers or a basis, is a proposal: no answer may rest on it
before it was verified in exact arithmetic, by weak duality (any multipliers give a bound), by rounding and
proving, or by solving for the proposed basis in rationals (`solved_exactly`). So a wrong float costs
tightness or time, never truth, and a program that GLOP gives up on has no answer here.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

Item = Any  # a variable (solution_value, SetUb) or a row (dual_value, SetCoefficient, SetUb) of GLOP
Terms = Mapping[Item, float]


class LinearProgram:
    """A linear program in floats that may grow and be solved again, from where the last solution stands.

    `parameters` are those of GLOP, by name, for the next solution; `pivots` is how many were made so far.

    >>> program = LinearProgram()
    >>> x, y = program.variable(low=0), program.variable(low=0)
    >>> row = program.row({x: 1, y: 2}, high=4)
    >>> program.maximise({x: 1, y: 1})
    >>> program.solve(), x.solution_value(), row.dual_value(), program.is_basic(y)
    (True, 4.0, 1.0, False)
    """

    def __init__(self, parameters: str = "") -> None:
        from ortools.linear_solver import pywraplp

        self._solver: Any = pywraplp.Solver.CreateSolver("GLOP")
        self.parameters = parameters
        self.pivots = 0
        self._afresh = pywraplp.MPSolverParameters()
        self._afresh.SetIntegerParam(self._afresh.INCREMENTALITY, self._afresh.INCREMENTALITY_OFF)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self._solver.NumConstraints())

    def variable(self, low: float | None = None, high: float | None = None) -> Item:
        """A variable, free on the sides without a bound."""
        return self._solver.NumVar(*self._bounds(low, high), "")

    def row(self, terms: Terms | None = None, low: float | None = None, high: float | None = None) -> Item:
        """A row low <= sum of factor * variable <= high; `SetCoefficient` adds terms later."""
        row = self._solver.Constraint(*self._bounds(low, high))
        for variable, factor in (terms or {}).items():
            row.SetCoefficient(variable, float(factor))
        return row

    def maximise(self, terms: Terms) -> None:
        """Set the objective; coefficients of variables that are not named stay."""
        for variable, factor in terms.items():
            self._solver.Objective().SetCoefficient(variable, float(factor))
        self._solver.Objective().SetMaximization()

    def solve(self, seconds: float | None = None, pivots: int | None = None) -> bool:
        """Whether GLOP is sure of an optimum; if it gives up, it is asked once more from the beginning.

        The second time it has what is left of the limits. A limit in pivots is one in work: unlike a limit in
        seconds, it is reached at the same point on every machine.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        most = None if pivots is None else self.pivots + pivots
        return self._optimal(deadline, most) or self._optimal(deadline, most, self._afresh)

    def is_basic(self, item: Item) -> bool:
        """Whether a variable, or the slack of a row, is in the basis of the solution."""
        return bool(item.basis_status() == self._solver.BASIC)

    def _optimal(self, deadline: float | None, most: int | None, *how: Any) -> bool:
        """Solve until the deadline or the limit on pivots; whether that was enough."""
        limit = ""
        if deadline is not None:
            self._solver.SetTimeLimit(max(1, int(1000 * (deadline - time.monotonic()))))
        if most is not None:
            if self.pivots >= most:
                return False
            limit = f" max_number_of_iterations:{most - self.pivots}"
        self._solver.SetSolverSpecificParametersAsString(self.parameters + limit)
        status = self._solver.Solve(*how)
        self.pivots += self._solver.iterations()
        return bool(status == self._solver.OPTIMAL)

    def _bounds(self, low: float | None, high: float | None) -> tuple[float, float]:
        infinity = self._solver.infinity()
        return (-infinity if low is None else float(low)), (infinity if high is None else float(high))


def solved_exactly(
    matrix: Sequence[Sequence[Fraction | int]], right: Sequence[Fraction | int]
) -> list[Fraction] | None:
    """The solution of a square linear system in rationals; None if the matrix is singular.

    >>> solved_exactly([[0, 2], [1, 1]], [1, 1])
    [Fraction(1, 2), Fraction(1, 2)]
    >>> solved_exactly([[1, 1], [2, 2]], [1, 1])
    """
    from flint import fmpq, fmpq_mat

    def exact(number: Fraction | int) -> Any:
        return fmpq(number.numerator, number.denominator)

    size = len(right)
    left = fmpq_mat(size, size, [exact(entry) for row in matrix for entry in row])
    try:
        solution = left.solve(fmpq_mat(size, 1, [exact(entry) for entry in right]))
    except ZeroDivisionError:
        return None
    return [Fraction(int(entry.p), int(entry.q)) for entry in solution.entries()]
