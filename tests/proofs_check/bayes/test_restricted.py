"""The restricted game: floats may propose what they like, only two distributions are let through."""

from fractions import Fraction

import numpy as np
import pytest

from proofs_check.bayes.search import Proposal, RestrictedGame
from tallyplan.linear_program import LinearProgram

SKEWED = [[4, 0, 1], [0, 3, 1], [5, 5, 5]]  # the last learner is useless, the last orbit harmless


def game(rows, scale=2):
    found = RestrictedGame(len(rows[0]), scale)
    for row in rows:
        assert found.add(np.array(row))
    return found


def proposal(tight, basic):
    return Proposal(0.0, np.zeros(3), [], tight, basic)


def test_the_right_basis_is_let_through():
    skewed = game(SKEWED, 1)
    prior, mixture = skewed.solve_exactly(proposal([0, 1], [0, 1]))
    assert prior == mixture == (Fraction(3, 7), Fraction(4, 7), 0)
    assert skewed.guaranteed(mixture) == Fraction(12, 7)


@pytest.mark.parametrize(
    ("tight", "basic"),
    [
        ([0, 2], [0, 1]),  # a negative probability
        ([0, 1], [0]),  # not square
        ([], []),
    ],
)
def test_a_wrong_basis_is_not_let_through(tight, basic):
    assert game(SKEWED, 1).solve_exactly(proposal(tight, basic)) is None


def test_a_basis_without_a_unique_solution_is_not_let_through():
    assert game([[1, 1, 0], [1, 1, 5]], 1).solve_exactly(proposal([0, 1], [0, 1])) is None


def test_a_solver_that_gives_up_proposes_nothing(monkeypatch):
    played = game([[0, 2], [2, 0]])  # matching pennies, in halves
    assert played.propose().value == pytest.approx(0.5)
    monkeypatch.setattr(LinearProgram, "solve", lambda _: False)
    assert played.propose() is None
