"""Column generation for the minimax game: learners are found one by one until neither player can do better.

- The *restricted game* has all orbits but only the learners found so far: an upper bound, with a mixture of
  learners that guarantees it.
- The learner's *best response* to a prior is a lower bound, and a new learner.

The prior that the restricted game proposes is mixed with a good older one before it is asked about: that
leaves no table without weight, so that the response is sensible everywhere, and it keeps the proposals from
jumping about. When floats find nothing new, the restricted game is solved in rationals and its prior is
answered exactly. If the response is as large as the value, both bounds meet and the value is proved;
otherwise the response is a new learner. There are finitely many, so this ends.

Floats propose a basis of the restricted game, rationals decide. Row i of R holds the regrets r_i(o) of
learner i, in units of 1/scale. The adversary's linear program

    maximise v   subject to   v <= sum of lambda_o r_i(o) for every i,   sum of lambda = 1,   lambda >= 0

has an optimal basis: as many tight rows I as basic orbits O. The square systems

    R[I, O] lambda = v,  sum lambda = 1      and      p R[I, O] = v,  sum p = 1

are solved in rationals. If lambda >= 0 and p >= 0, the bounds that they guarantee are computed exactly, over
all learners and all orbits.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from proofs_check.bayes.states import Graph, Policy, best_response, exact_response, losses, optima
from tallyplan.limits import Progress
from tallyplan.linear_program import LinearProgram, solved_exactly
from tallyplan.model.graph import Array

PROBABILITY_SCALE = 2**40  # proposed probabilities are rounded to integers over this
SHARES_OF_OLDER_PRIOR = (0.1, 1e-6)  # how much of the older prior goes into a question
NEARLY_EQUAL = 1e-9  # bounds this close in floats are compared in rationals


class Strategies(NamedTuple):
    """Lower and upper bound, the prior over orbits of the first, the mixture of learners of the second."""

    lower: Fraction
    upper: Fraction
    prior: tuple[Fraction, ...]
    mixture: tuple[Fraction, ...]


class Proposal(NamedTuple):
    """What the linear program's solver says, in floats, and its basis: tight learners, basic orbits."""

    value: float
    prior: Array
    mixture: list[float]
    tight: list[int]
    basic: list[int]


class RestrictedGame:
    """The learners found so far against all orbits, for GLOP."""

    def __init__(self, orbits: int, scale: int) -> None:
        self.orbits, self.scale = orbits, scale
        self.rows: list[Array] = []
        self._constraints: list[Any] = []
        self._program = LinearProgram()
        self._value = self._program.variable()
        self._prior = [self._program.variable(low=0) for _ in range(orbits)]
        self._program.row(dict.fromkeys(self._prior, 1.0), low=1, high=1)
        self._program.maximise({self._value: 1.0})

    def add(self, row: Array) -> bool:
        """Add a learner; False if its regrets are already there."""
        if any(np.array_equal(row, other) for other in self.rows):
            return False
        self.rows.append(row)
        terms = {p: -regret / self.scale for p, regret in zip(self._prior, row.tolist(), strict=True)}
        self._constraints.append(self._program.row({self._value: 1.0, **terms}, high=0))
        return True

    def propose(self) -> Proposal | None:
        """The solution in floats; None if the solver gives up."""
        if not self._program.solve():
            return None
        return Proposal(
            self._value.solution_value(),
            np.array([max(p.solution_value(), 0.0) for p in self._prior]),
            [abs(constraint.dual_value()) for constraint in self._constraints],
            [i for i, c in enumerate(self._constraints) if not self._program.is_basic(c)],
            [o for o, p in enumerate(self._prior) if self._program.is_basic(p)],
        )

    def solve_exactly(self, proposal: Proposal) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]] | None:
        """The prior and the mixture of the proposed basis, if they are distributions."""
        rows, columns = proposal.tight, proposal.basic
        if len(rows) != len(columns):
            return None
        square = [[int(self.rows[i][o]) for o in columns] for i in rows]
        prior = _equaliser(square)
        mixture = _equaliser([list(column) for column in zip(*square, strict=True)])
        if prior is None or mixture is None or min(*prior[:-1], *mixture[:-1]) < 0:
            return None
        return _placed(prior[:-1], columns, self.orbits), _placed(mixture[:-1], rows, len(self.rows))

    def guaranteed(self, mixture: Sequence[Fraction]) -> Fraction:
        """The largest regret of a mixture of learners over all orbits; those found since have no part."""
        used = [(p, row.tolist()) for p, row in zip(mixture, self.rows, strict=False) if p]
        return max(sum((p * row[o] for p, row in used), Fraction(0)) for o in range(self.orbits)) / self.scale


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
    at = dict(zip(places, values, strict=True))
    return tuple(at.get(place, Fraction(0)) for place in range(length))


class LearnerSearch:
    """The state of a search: the learners found, and the best prior so far."""

    def __init__(self, graph: Graph, horizon: int) -> None:
        self.graph, self.horizon = graph, horizon
        self.least = optima(graph, horizon)
        self.game = RestrictedGame(len(graph.orbits), graph.scale)
        self.learners: list[Policy] = []
        self.lower, self.upper = -float("inf"), float("inf")
        self.best = self.centre = np.full(len(graph.orbits), 1 / len(graph.orbits))
        self._meet(best_response(graph, self.centre, horizon)[1])
        self.proposal = Proposal(0.0, self.centre, [1.0], [], [])

    def run(self, time_limit: float | None, progress: Progress) -> Strategies:
        """Search until the bounds meet; they are an interval if nothing new is found or the time is up."""
        deadline = time.monotonic() + (float("inf") if time_limit is None else time_limit)
        found, known = None, 0
        while found is None and len(self.learners) > known and time.monotonic() <= deadline:
            known = len(self.learners)
            self._look()
            bounds = f"[{max(self.lower, 0):.6f}, {self.upper:.6f}]"
            progress(f"T = {self.horizon}: {len(self.learners)} learners, regret about {bounds}")
            if len(self.learners) == known or self.upper - self.lower <= NEARLY_EQUAL:
                found = self._settled()
        return found or self._interval()

    def _look(self) -> None:
        """One round in floats."""
        for caution in SHARES_OF_OLDER_PRIOR if self._propose() else ():
            asked = (1 - caution) * self.proposal.prior + caution * self.centre
            response, policy = best_response(self.graph, asked, self.horizon)
            self._meet(policy)
            lower = (float(response) - float(self.least @ asked)) / self.graph.scale
            if lower > self.lower:
                self.lower, self.best, self.centre = lower, asked, (asked + self.centre) / 2

    def _settled(self) -> Strategies | None:
        """Both strategies in rationals, if the bounds meet; otherwise there may be a new learner."""
        both = self.game.solve_exactly(self.proposal) if self._propose() else None
        found = None if both is None else self._bounded(*both)
        return found if found is not None and found.lower == found.upper else None

    def _interval(self) -> Strategies:
        """Certified bounds from the best strategies so far, rounded to rationals first."""
        self._propose()
        return self._bounded(rounded(self.best.tolist()), rounded(self.proposal.mixture))

    def _bounded(self, prior: tuple[Fraction, ...], mixture: tuple[Fraction, ...]) -> Strategies:
        """The strategies with what they guarantee, exactly; the best response to the prior is met."""
        upper = self.game.guaranteed(mixture)
        loss, policy = exact_response(self.graph, prior, self.horizon)
        expected = sum((p * int(best) for p, best in zip(prior, self.least, strict=True) if p), Fraction(0))
        self._meet(policy)
        return Strategies(loss - expected / self.graph.scale, upper, prior, mixture)

    def _propose(self) -> bool:
        """Ask the solver; if it gives up, the last proposal stays."""
        proposal = self.game.propose()
        if proposal is not None:
            self.proposal, self.upper = proposal, proposal.value
        return proposal is not None

    def _meet(self, policy: Policy) -> None:
        if self.game.add(losses(self.graph, policy, self.horizon) - self.least):
            self.learners.append(policy)
