"""Optimism for every memory up to M: the true one stays, the bound holds, the charges are what they say."""

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
    _Playing,
    allowance,
)

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
    one = Candidate(2, game.run((0,), 0), steps=30, epochs=4)
    one.charge = allowance(2, 2, 30, 4, 100, Fraction(1, 20))
    playing = _Playing(game, Fraction(1, 20), 4)
    assert not playing._breaks_its_promise(one)
    one.charge += Fraction(1, 10**9)
    assert playing._breaks_its_promise(one)


def test_the_trap_of_the_other_scheme_costs_little():
    """se-tb-unknown-memory ends on memory 3 and loses 1 per step, three quarters above the optimum."""
    game, _ = played(TRAP, 20_000, 4, feedback=Deterministic())
    assert game.loss - optimal_plan(TRAP, 20_000).value < 20_000 / 10


@pytest.mark.parametrize("most", [0, -1, 1.5, True])
def test_a_faulty_bound_on_the_memory_is_named(most):
    with pytest.raises(InvalidInput, match="most_memory"):
        OptimisticUnknownMemory(most_memory=most)
