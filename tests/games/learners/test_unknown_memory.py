"""Unknown memories. Optimism: the true one stays, the bound holds, the charges are what they say; and the
Discussion's scheme, with the game in which it discards the true one."""

from collections import deque
from fractions import Fraction

import pytest

from tallyplan import InvalidInput, TallyingBandit, make, optimal_plan, replay
from tallyplan.games.bounds import UNKNOWN_MEMORY, Setting
from tallyplan.games.feedback import Deterministic
from tallyplan.games.game import Game
from tallyplan.games.learners import optimistic_unknown_memory as module
from tallyplan.games.learners.optimistic_unknown_memory import (
    Candidate,
    OptimisticUnknownMemory,
    allowance,
)
from tallyplan.games.learners.unknown_memory import SETBUnknownMemory
from tallyplan.model.replay import mean_of_word
from tallyplan.model.words import expand

TRAP = TallyingBandit([[1, 1, 0, 1], [1, 1, 0, 1]], name="looks like memory three")
BANDITS = [
    TRAP,
    make("counterexample-3"),
    TallyingBandit([["1/2"], ["1/4"]]),
    make("uniform", actions=3, memory=2, seed=4),
]


def played(bandit, horizon, most, **options):
    game = Game(bandit, horizon, **options)
    return game, OptimisticUnknownMemory(most_memory=most).compare(game)


@pytest.mark.parametrize("bandit", BANDITS)
@pytest.mark.parametrize("seed", [1, *(pytest.param(s, marks=pytest.mark.thorough) for s in range(2, 22))])
def test_the_true_memory_stays(bandit, seed):
    _, candidates = played(bandit, 1500, bandit.memory + 2, seed=seed)
    assert not candidates[bandit.memory - 1].dropped


@pytest.mark.parametrize(
    "bandit", [make("counterexample-3"), TallyingBandit([[1], [0]]), TallyingBandit([[1, 0], [1, 1]])]
)
def test_the_bound_holds_where_it_is_nontrivial(bandit):
    """The worst that could be played exceeds it, and the learner does not."""
    horizon, most = 4000, 2
    game, _ = played(bandit, horizon, most)
    best = optimal_plan(bandit, horizon).value
    setting = Setting(bandit.actions, most, horizon, Fraction(1, 20))
    worst = max(replay(bandit, [action] * horizon) for action in range(bandit.actions))
    assert UNKNOWN_MEMORY.exceeded_by(worst - best, setting)
    assert not UNKNOWN_MEMORY.exceeded_by(game.loss - best, setting)


def test_the_charges_account_for_every_step():
    """Without noise, what is lost is what was promised and what was charged."""
    game, candidates = played(TRAP, 800, 4, feedback=Deterministic())
    assert sum(one.steps for one in candidates) == 800
    assert all((one.steps > 0) == (one.epochs > 0) for one in candidates)
    assert sum(sum(one.seen.plays.values()) for one in candidates) == 800
    assert sum(sum(one.seen.totals.values()) for one in candidates) == game.loss
    charges = sum(one.charge for one in candidates)
    least = optimal_plan(TRAP, 4 * 10**6).value / (4 * 10**6)
    assert game.loss - charges <= 800 * (least + Fraction(1, 1000))  # no promise is above lambda*


def test_a_memory_that_breaks_its_promise_is_dropped_and_the_last_one_stays(monkeypatch):
    monkeypatch.setattr(module, "allowance", lambda *sizes: Fraction(0))
    game, candidates = played(TRAP, 300, 4, feedback=Deterministic())
    assert game.remaining == 0
    assert sum(one.dropped for one in candidates) == 3


def test_a_charge_that_is_just_allowed_breaks_no_promise():
    game = Game(TRAP, 100)
    one = Candidate(2, game, Fraction(1, 20), deque(), game.run((0,), 0), steps=30, epochs=4)
    one.charge = allowance(2, 2, 30, 4, 100, Fraction(1, 20))
    assert not one.breaks_its_promise()
    one.charge += Fraction(1, 10**9)
    assert one.breaks_its_promise()


def test_the_trap_of_the_other_scheme_costs_little():
    """se-tb-unknown-memory ends on memory 3 and loses 1 per step, three quarters above the optimum."""
    game, _ = played(TRAP, 20_000, 4, feedback=Deterministic())
    assert game.loss - optimal_plan(TRAP, 20_000).value < 20_000 / 10


@pytest.mark.parametrize("most", [0, -1, 1.5, True])
def test_a_faulty_bound_on_the_memory_is_named(most):
    with pytest.raises(InvalidInput, match="most_memory"):
        OptimisticUnknownMemory(most_memory=most)


# -- the scheme of the Discussion --------------------


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
