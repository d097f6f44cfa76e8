"""The game: exact accounts, bulk runs equal steps, seeds reproduce, and bad learners hear what they did."""

import re
from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import bandits, tallying_bandits

from proofs_check import definitions
from tallyplan import InvalidInput, TallyingBandit, replay, replay_runs
from tallyplan.games.feedback import (
    DRAWS_PER_CHUNK,
    Bernoulli,
    Beta,
    Deterministic,
    Sampled,
    _chunks,
    feedback_named,
)
from tallyplan.games.game import Game, simulate
from tallyplan.games.learners.stepwise import Stepwise
from tallyplan.model.replay import period_counts, tally_counts
from tallyplan.model.words import expand

PLAIN = TallyingBandit([["1/3", "1/2"], ["1", "0"]])

runs_of_digits = st.lists(
    st.tuples(st.lists(st.integers(0, 11), min_size=1, max_size=6), st.integers(0, 9)), max_size=5
)


def on(bandit, runs):
    """The runs with actions of the bandit."""
    return [(tuple(action % bandit.actions for action in word), repeats) for word, repeats in runs]


def length(runs):
    return sum(len(word) * repeats for word, repeats in runs)


@given(bandits(), runs_of_digits)
def test_a_game_in_bulk_and_the_same_game_in_steps_agree(bandit, runs):
    runs = on(bandit, runs)
    bulk, steps = (Game(bandit, length(runs), feedback=Deterministic()) for _ in range(2))
    for word, repeats in runs:
        counts = bulk.run(word, repeats)
        plays, totals = Counter(), defaultdict(Fraction)
        for action in word * repeats:
            cell = (action, steps.tally_of(action))
            plays[cell] += 1
            totals[cell] += steps.step(action)
        assert (counts.plays, counts.totals) == (dict(plays), dict(totals))
        assert (bulk.time, bulk.history, bulk.loss) == (steps.time, steps.history, steps.loss)
        assert bulk.remaining == length(runs) - bulk.time
    assert bulk.loss == replay_runs(bandit, bulk.runs) == replay(bandit, expand(runs))
    assert expand(bulk.runs) == expand(steps.runs) == expand(runs)


@given(tallying_bandits(), runs_of_digits)
def test_the_counts_of_a_run_are_those_of_the_definition(bandit, runs):
    actions = expand(on(bandit, runs))
    game, counts = Game(bandit, length(runs)), Counter()
    for word, repeats in on(bandit, runs):
        counts.update(game.run(word, repeats).plays)
    cells = Counter((actions[t], definitions.tally(actions, t, bandit.memory)) for t in range(len(actions)))
    assert counts == cells
    assert game.loss == definitions.total_loss(bandit, actions)


@given(st.lists(st.integers(0, 2), min_size=1, max_size=7), st.integers(1, 6), st.integers(0, 20))
def test_tallies_of_a_repeated_word(word, memory, repeats):
    actions = word * repeats
    cells = Counter((actions[t], definitions.tally(actions, t, memory)) for t in range(len(actions)))
    assert tally_counts(word, memory, repeats=repeats) == cells
    assert period_counts(word, memory) == definitions.period_counts(word, memory, n=memory)


COINS = Sampled(lambda mean, plays, rng: (rng.random(plays) < float(mean)).astype(int))


@pytest.mark.parametrize("feedback", [Bernoulli(), Beta(), Beta(30), COINS])
def test_observations_average_to_the_mean_in_steps_and_in_bulk(feedback):
    bandit = TallyingBandit([["1/7", "1/2"], ["9/10", "0"]])
    steps, bulk = (Game(bandit, 40_000, seed=seed, feedback=feedback) for seed in (1, 2))
    counts = bulk.run((0, 0, 1, 1), 10_000)
    totals = defaultdict(Fraction)
    for t in range(8_000):
        action = t // 2 % 2
        cell = (action, steps.tally_of(action))
        seen = steps.step(action)
        assert 0 <= seen <= 1
        totals[cell] += seen
    for x, y in ((0, 1), (0, 2), (1, 1), (1, 2)):
        mean = bandit.losses[x][y - 1]
        assert counts.plays[x, y] == 10_000
        assert abs(counts.mean((x, y)) - mean) < Fraction(1, 40)  # five standard deviations
        assert abs(totals[x, y] / 2_000 - mean) < Fraction(1, 18)
    assert counts.totals[1, 2] == 0


def test_single_bernoulli_draws_are_exact_for_denominators_of_any_size():
    for denominator in (3, 2**63, 2**63 + 1, 10**40):
        rng = np.random.default_rng(0)
        draws = [Bernoulli().one(Fraction(denominator // 3, denominator), rng) for _ in range(3000)]
        assert 850 < sum(draws) < 1150


@pytest.mark.parametrize("concentration", ["2", "1e-400"])
def test_beta_of_a_loss_beyond_all_doubles_is_a_number(concentration):
    beta, rng, tiny = Beta(concentration), np.random.default_rng(1), Fraction(1, 10**400)
    assert beta.total(tiny, 100, rng) == 0
    assert beta.total(1 - tiny, 100, rng) == 100
    assert 0 <= beta.one(Fraction(1, 2), rng) <= 1


def test_beta_rounds_at_random_so_that_the_mean_stays():
    """A mean of a quarter of the grid's step: rounding down would give 0, to the nearest as well."""
    total = Beta(10**12).total(Fraction(1, 2**34), 4000, np.random.default_rng(2))
    assert 850 < total * 2**32 < 1150


class Plays:
    """A learner of one call."""

    def __init__(self, play):
        self.play = play


REFUSED = {
    "stopped after 4 of 5 steps": lambda: simulate(PLAIN, Plays(lambda game: game.run((0,), 4)), 5),
    "plays 10 more steps after step 0; the game has 5": lambda: Game(PLAIN, 5).run((0, 1), 5),
    "action of step 1 is 2; the actions are 0 to 1": lambda: simulate(PLAIN, Stepwise(lambda seen: 2), 5),
    "action of step 4 is -1": lambda: simulate(PLAIN, Stepwise(lambda seen: -(len(seen) // 3)), 5),
    "action of step 1 is 0.0; an integer is needed": lambda: Game(PLAIN, 5).step(0.0),
    "horizon is -1": lambda: Game(PLAIN, -1),
    "horizon is 1.0": lambda: Game(PLAIN, 1.0),
    "the seed is -1": lambda: Game(PLAIN, 5, seed=-1),
    "the seed is 'x'": lambda: Game(PLAIN, 5, seed="x"),
    "no feedback 'gauss'": lambda: feedback_named("gauss"),
    "is 0; it must be positive and at most": lambda: Beta(0),
    "is '1e400'; it must be positive and at most": lambda: Beta("1e400"),
    "a loss lies between 0 and 1": lambda: Game(PLAIN, 3, feedback=Sampled(lambda *_: [2])).step(0),
    "asked for 1 observations and gave 2": lambda: Game(PLAIN, 3, feedback=Sampled(lambda *_: [0, 0])).step(
        0
    ),
}


@pytest.mark.parametrize("words", REFUSED)
def test_whoever_breaks_the_rules_hears_a_sentence(words):
    with pytest.raises(InvalidInput, match=re.escape(words)):
        REFUSED[words]()


FAULTY_RUNS = {
    "an action of a run is 2; the actions are 0 to 1": ((0, 2), 1),
    "an action of a run is -1": ((0, -1), 1),
    "an action of a run is 0.5": ((0, 0.5), 1),
    "an integer is needed": ((True, False), 1),
    "at least one action": ((), 1),
    "cannot be negative": ((0,), -1),
    "the repeats of a run is 1.5; an integer is needed": ((0,), 1.5),
    "the game has": ((0,), 2**80),
    "at most 2^62": ((0,), 2**63),
    "draws every play": ((0, 1, 1), 10**11),
    "gave 0": ((0,), 1),
}


@pytest.mark.parametrize("words", FAULTY_RUNS)
def test_a_faulty_run_is_refused_and_nothing_is_played(words):
    feedback = {"draws every play": Beta(), "gave 0": Sampled(lambda mean, plays, rng: [])}.get(words)
    game = Game(PLAIN, 2**70, feedback=feedback)
    with pytest.raises(InvalidInput, match=re.escape(words)):
        game.run(*FAULTY_RUNS[words])
    assert (game.time, game.loss, game.runs, game.history) == (0, 0, (), ())


def test_words_of_any_integers_are_logged_as_plain_ones():
    game = Game(PLAIN, 12)
    for word in (np.array([0, 1, 1]), [0, 1, 1], (np.int64(0), np.int8(1), 1), range(2)):
        game.run(word)
    assert game.runs == (((0, 1, 1), 3), ((0, 1), 1))
    assert {type(action) for word, _ in game.runs for action in word} == {int}


@pytest.mark.parametrize("extra", [-1, 0, 1])
def test_many_draws_come_in_parts_that_are_all_of_them(extra):
    parts = list(_chunks(2 * DRAWS_PER_CHUNK + extra, "this"))
    assert sum(parts) == 2 * DRAWS_PER_CHUNK + extra
    assert max(parts) == DRAWS_PER_CHUNK
