"""A lower bound for K >= 2 arms: a potential that is a sum over the arms, so that nothing grows with m^K.

The graph of tallies keeps how often each arm occurs in the window; which arm drops out is anyone's guess.
Slopes theta_x(y) make up for that: let psi_x be the sum of m-1-i over the positions i of the window (0 the
newest) that hold x, then psi_x changes by m [x is played] - s_x, and the potentials theta_x(s_x) psi_x turn
the loss of a step that plays a, drops d and leads to the tallies s into at least

    h_a(s_a) - m theta_a(s_a) + sum over x of s_x theta_x(s_x)  -  [a != d] (up_a(s_a) + down_d(s_d + 1)),

for any *charges* with up_x(y) + down_x(y) = |theta_x(y) - theta_x(y-1)| (y-1)(m-y), which pay for the slope's
change where the tally of x goes up from y-1 to y, and down again. If this is at least v for every step and
loop, v is a lower bound (docs/certificates.md has the proof). It is a sum of functions of one tally each: its
least value over all s comes from a knapsack, and the certificate is 2 K m numbers.

The slopes and charges are proposed by a linear program (`separable_program`), then rounded and verified in
integers. A bound that is to *equal* the mean of a word would not survive that: so the equations that its
steps must satisfy are solved in rationals (`tight`), the other steps have room to spare.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from tallyplan.certificates import potential_by_slopes, proves
from tallyplan.model.instance import TallyingBandit
from tallyplan.planning.effort import Effort, OutOfTimeError
from tallyplan.planning.without_graph.bounds.active_equations import TOLERANCE, rounded, tight
from tallyplan.planning.without_graph.bounds.prices import Prices
from tallyplan.planning.without_graph.bounds.separable_program import NO_ROOM, Point, Program

MOST_ENTRIES = 1000  # of the table; a program has three variables for each
MOST_ROUNDS = 200


class SeparableProof(NamedTuple):
    """The bound and its proof: for each arm m - 1 slopes and m charges."""

    bound: Fraction
    slopes: list[list[Fraction]]
    charges: list[list[Fraction]]

    def dual(self) -> dict[str, Any]:
        """The proof as a certificate has it."""
        return potential_by_slopes(self.slopes, self.charges)


def best_separable(program: Program, prices: Prices, effort: Effort) -> SeparableProof | None:
    """The best bound found, at most the mean of the program's word; None if rounding spoils it.

    The program's bound is the mean of the word as long as the rows that are known allow it. A point proves
    its bound less what it violates the other rows by; the first such point is that of the prices.
    """
    best = _point_of(program.bandit, prices)
    with suppress(OutOfTimeError):
        for point in _solutions(program, effort):
            attained = point.bound >= float(program.mean) - TOLERANCE
            cramped = attained and program.make_room(point)
            least, added = program.add_violated(point)
            best = max(best, point._replace(bound=point.bound + least), key=lambda one: one.bound)
            if attained and least >= -TOLERANCE and point.room > NO_ROOM:
                proof = _proof_of_word(program, point)
                if proof is not None:
                    return proof
            if not (added or cramped):
                break
    return _proof_below(program.bandit, best, program.mean)


def _solutions(program: Program, effort: Effort) -> Iterator[Point]:
    """Solutions of the program, which may have got more rows each time, while there is time and work left."""
    for count in range(MOST_ROUNDS):
        point = program.solve(effort)
        if point is None:
            return
        effort.progress(
            f"slopes and charges: at most {point.bound:.6g}, round {count}, {len(program.rows)} rows"
        )
        yield point


def _point_of(bandit: TallyingBandit, prices: Prices) -> Point:
    """The slopes and charges of the prices."""
    slopes, charges = (np.array(rows, dtype=float) for rows in prices.slopes_and_charges(bandit))
    return Point(float(prices.bound), 0.0, np.concatenate([slopes, charges], axis=1))


def _proof_of_word(program: Program, point: Point) -> SeparableProof | None:
    """Solve the equations near the point; None if they cannot be solved, or rounding broke another row."""
    exact = tight(program.bandit, program.without_room, program.mean, point.numbers)
    return None if exact is None else _verified(program.bandit, program.mean, exact)


def _proof_below(bandit: TallyingBandit, point: Point, most: Fraction) -> SeparableProof | None:
    """A proof of nearly the bound of the point; None if not even four digits of it can be proved."""
    rows = [rounded(row) for row in point.numbers]
    bounds = (Fraction(math.floor(point.bound * 10**digits) - 1, 10**digits) for digits in range(9, 3, -1))
    proofs = (_verified(bandit, min(most, bound), rows) for bound in bounds)
    return next((proof for proof in proofs if proof is not None), None)


def _verified(bandit: TallyingBandit, bound: Fraction, rows: list[list[Fraction]]) -> SeparableProof | None:
    """The proof with these slopes and charges, if the checker's rule takes it."""
    cut = bandit.memory - 1
    proof = SeparableProof(bound, [row[:cut] for row in rows], [row[cut:] for row in rows])
    return proof if proves(bandit, bound, proof.dual()) else None
