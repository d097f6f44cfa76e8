"""The Discussion's scheme for an unknown memory, and the game in which it discards the true one."""

from fractions import Fraction

import pytest

from tallyplan import TallyingBandit, make, optimal_plan
from tallyplan.games.feedback import Deterministic
from tallyplan.games.game import Game
from tallyplan.games.learners.unknown_memory import SETBUnknownMemory, _steps_in_cell
from tallyplan.model.replay import mean_of_word, period_counts
from tallyplan.model.words import expand

TRAP = TallyingBandit([[1, 1, 0, 1], [1, 1, 0, 1]], name="looks like memory three")


@pytest.fixture(scope="module")
def trapped():
    """L = 1008, a multiple of 12, long enough for the radii of the first epoch to add up to less than 1/4."""
    game = Game(TRAP, 1008**2, seed=0, feedback=Deterministic())
    return game, SETBUnknownMemory(most_memory=4, sharp=True).compare(game)


def test_the_true_memory_is_discarded_for_a_wrong_one(trapped):
    _, epochs = trapped
    radii = {memory: one.radius for memory, one in epochs[0].instantiations.items()}
    assert radii[3] + radii[4] < Fraction(1, 4)
    assert 4 in epochs[0].discarded
    assert 3 not in epochs[0].discarded
    assert epochs[-1].best == 3


def test_the_wrong_memory_believes_in_a_policy_that_costs_much_more(trapped):
    """Its estimate is 0 and the policy costs 1; the true memory knew the optimum, 1/4."""
    game, epochs = trapped
    first = epochs[0].instantiations
    assert first[3].estimate == 0
    assert first[4].estimate == Fraction(1, 4)
    assert mean_of_word(TRAP, expand(first[3].best.runs)) == 1
    assert game.remaining == 0
    assert game.loss - optimal_plan(TRAP, game.horizon).value > game.horizon // 4


@pytest.mark.parametrize(("actions", "most", "cells"), [(2, 1, 2), (2, 2, 6), (3, 2, 9), (2, 3, 12)])
def test_an_epoch_needs_a_period_of_four_plays_per_cell_of_all_memories(actions, most, cells):
    """Cells of the memories 1 .. M: K + 2K + ... + MK."""
    bandit = make("equal-arms", actions=actions, memory=most)
    for horizon, epochs in (((4 * cells) ** 2 - 1, 0), ((4 * cells) ** 2, 1)):
        assert len(SETBUnknownMemory(most_memory=most).compare(Game(bandit, horizon))) == epochs


@pytest.mark.parametrize("memory", [1, 2, 3, 5])
def test_the_steps_of_a_cell_are_those_of_the_recount(memory):
    word = (0, 1, 1, 0, 2, 2, 2, 1, 0, 0)
    met = period_counts(word, memory)
    for x in range(3):
        for y in range(1, memory + 1):
            assert sum(_steps_in_cell(word, memory, (x, y))) == met[x, y]
