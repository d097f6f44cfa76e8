"""The optimistic planner plays exactly the epochs that its theorem is about, and keeps within its bound."""

from fractions import Fraction
from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tallying_bandits

from tallyplan import TallyingBandit, make, minimum_mean_cycle, replay_runs
from tallyplan.games.bounds import OPTIMISM, Setting, bounds_of
from tallyplan.games.confidence import hoeffding_radius
from tallyplan.games.feedback import Bernoulli, Deterministic
from tallyplan.games.game import Game, simulate
from tallyplan.games.learners import optimistic_planner
from tallyplan.games.learners.optimistic_planner import (
    OptimisticPlanner,
    grid_for,
    optimistic,
    play_epoch,
    rotated,
)
from tallyplan.games.regret import complete_policy_regret
from tallyplan.model.replay import replay
from tallyplan.model.words import expand

DELTA = Fraction(1, 20)


class LetterByLetter:
    """The epochs once more, one letter at a time, from the definition of tallies; for exact observations."""

    def __init__(self):
        self.epochs = 0

    def play(self, game):
        m, cells = game.memory, game.actions * game.memory
        failure, grid = DELTA / (cells * game.horizon), grid_for(game.horizon)
        played, seen = [], game.run((0,), 0)
        while game.remaining:
            self.epochs += 1
            table = optimistic(seen, game.actions, m, failure, grid)
            word = rotated(table, minimum_mean_cycle(table).word)
            letters = list(word * (m + 1))[len(word) * (m + 1) - (m - 1) :]
            met, start = {}, dict(seen.plays)
            at = -len(letters)
            while game.remaining:
                action = letters[at] if at < 0 else word[at % len(word)]
                at += 1
                played.append(action)
                cell = (action, played[-m:].count(action))
                seen = seen + game.run((action,))
                met[cell] = met.get(cell, 0) + 1
                if met[cell] == max(1, start.get(cell, 0)):
                    break


@settings(max_examples=25, deadline=None)
@given(bandit=tallying_bandits(), horizon=st.integers(1, 120))
def test_in_bulk_it_plays_the_same_letters(bandit, horizon):
    slow, quick = (
        simulate(bandit, learner, horizon, feedback=Deterministic())
        for learner in (LetterByLetter(), OptimisticPlanner(delta=DELTA))
    )
    assert expand(quick.runs) == expand(slow.runs)


@settings(max_examples=60, deadline=None)
@given(bandit=tallying_bandits(), data=st.data())
def test_no_beginning_of_a_rotated_word_is_above_its_mean(bandit, data):
    word = tuple(data.draw(st.lists(st.integers(0, bandit.actions - 1), min_size=1, max_size=7)))
    turned = rotated(bandit, word)
    assert any(turned == word[i:] + word[:i] for i in range(len(word)))
    past = turned * bandit.memory
    mean = replay(bandit, turned, start=past) / len(word)
    for n in range(1, len(word) + 1):
        assert replay(bandit, turned[:n], start=past) <= n * mean


def test_a_lower_bound_is_below_and_hardly_below_where_it_should_be():
    bandit, failure = TallyingBandit([["9/10", "1/2"], ["1", "1/3"]]), Fraction(1, 100)
    for horizon in (10**6, 10**12, 10**24):
        grid = grid_for(horizon)
        assert grid >= 4 * horizon > grid // 4
        game = Game(bandit, 10**6, feedback=Deterministic())
        table = optimistic(game.run((0, 0, 1), 10**5), 2, 2, failure, grid).losses
        radius = hoeffding_radius(10**5, failure, 2**300)  # the true radius, for all that matters here
        for x, y in ((0, 0), (0, 1), (1, 0)):
            assert 0 <= bandit.losses[x][y] - radius - table[x][y] < Fraction(1, horizon)
        assert table[1][1] == 0


def test_an_epoch_ends_in_the_middle_of_a_word():
    game = Game(make("uniform", actions=2, memory=2), 100)
    seen = game.run((0, 1, 0, 0, 1), 1)  # 0 1 | 0 1 | 0 1 | 0 2 | 1 1
    assert dict(seen.plays) == {(0, 1): 2, (0, 2): 1, (1, 1): 2}
    play_epoch(game, (0, 0, 1), seen.plays)  # approach 1: (1, 2) is new
    assert game.time == 6
    play_epoch(game, (1, 0, 0), seen.plays)  # approach 0, then 1 0: (0, 1) is met twice more
    assert expand(game.runs)[6:] == [0, 1, 0]


@pytest.mark.parametrize(("actions", "memory"), [(2, 2), (3, 2), (1, 3), (2, 4), (4, 1)])
def test_regret_and_epochs_keep_within_their_bounds(actions, memory, monkeypatch):
    plans = []

    def counted(bandit):
        plans.append(bandit)
        return minimum_mean_cycle(bandit)

    monkeypatch.setattr(optimistic_planner, "minimum_mean_cycle", counted)
    cells = actions * memory
    for seed, horizon in enumerate((1, 7, 50, 3000, 10**5, 10**12)):
        bandit = make("uniform", actions=actions, memory=memory, seed=seed)
        plans.clear()
        played = simulate(bandit, OptimisticPlanner(delta=DELTA), horizon, seed=seed, feedback=Bernoulli())
        setting = Setting(
            actions, memory, horizon, DELTA, "TallyingBandit", "bernoulli", "optimistic-planner"
        )
        assert not OPTIMISM.failing(setting)
        assert not OPTIMISM.exceeded_by(complete_policy_regret(bandit, played.runs), setting)
        assert len(plans) <= cells * log2(2 * max(horizon, cells) / cells) + 1
        assert len(plans) >= min(horizon, 3)


def test_the_bound_says_something_from_604_steps_on():
    sizes = {T: Setting(2, 2, T, DELTA) for T in (603, 604)}
    assert [OPTIMISM.says_something(one) for one in sizes.values()] == [False, True]
    assert [bound.name for bound in bounds_of("optimistic-planner")] == ["Optimism"]
    assert OPTIMISM.failing(Setting(2, 2, 0, DELTA, "TallyingBandit", "beta", "optimistic-planner")) == (
        "it needs T >= 1; the nearest T is 1"
    )


@pytest.mark.parametrize("seed", range(4))
def test_it_ends_in_an_optimal_cycle(seed):
    bandit = make("uniform", actions=3, memory=3, seed=seed)
    played = simulate(bandit, OptimisticPlanner(), 10**9, seed=seed)
    assert complete_policy_regret(bandit, played.runs) < 10**6  # 1/1000 of a step's loss
    word, repeats = max(played.runs, key=lambda run: len(run[0]) * run[1])
    mean = replay_runs(bandit, [(word, 10**6)]) / (10**6 * len(word))
    assert mean < minimum_mean_cycle(bandit).value + Fraction(1, 1000)
    assert repeats * len(word) > 10**8
