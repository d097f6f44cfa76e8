"""Many games: each is that of its own seed, summaries are exact, and curves are prefixes of the losses."""

import statistics
from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import bandits, plan

from tallyplan import InvalidInput, make, replay
from tallyplan.games.bounds import PROPOSITION_1
from tallyplan.games.trials import (
    QUANTILES,
    Setup,
    losses_at,
    median_confidence,
    play_repeatedly,
    quantile,
    spread_times,
)
from tallyplan.model.words import expand

BANDIT = make("uniform", actions=2, memory=3)


def test_repeat_i_is_the_game_of_seed_s_plus_i():
    trial = Setup("exp3", 60, seed=11)
    summary = play_repeatedly(BANDIT, trial, 4)
    single = [replace(trial, seed=seed).play(BANDIT).loss for seed in range(11, 15)]
    assert list(summary.losses) == single
    assert len(set(single)) > 1
    optimum = plan(BANDIT, 60).value
    assert summary.optimum.value == optimum
    assert summary.mean_regret.value == sum(single) / 4 - optimum
    assert [regret.value for regret in summary.regrets] == [loss - optimum for loss in single]


def test_the_number_of_processes_changes_nothing():
    trial = Setup("alg-stoch", 500, feedback="beta")
    assert play_repeatedly(BANDIT, trial, 60, jobs=2) == play_repeatedly(BANDIT, trial, 60)


def test_an_error_in_a_process_reaches_the_caller():
    with pytest.raises(InvalidInput, match="no learner"):
        play_repeatedly(BANDIT, Setup("nobody", 5), 2, jobs=2)


def test_what_the_learner_could_not_do_ends_what_is_proved():
    """A plan that is only the best found is no optimal plan, and Proposition 1 is about optimal plans."""
    large = make("uniform", actions=3, memory=20, seed=1)
    summary = play_repeatedly(large, Setup("alg-det", 3000), 1)
    assert summary.departures == ("the plan for the rest is the best one found, not proved to be optimal",)
    assert "could not keep to its algorithm" in summary.judged(PROPOSITION_1).fails
    assert summary.judged(PROPOSITION_1).exceeded == 0


runs_of_digits = st.lists(
    st.tuples(st.lists(st.integers(0, 11), min_size=1, max_size=6), st.integers(1, 9)), min_size=1, max_size=5
)


@given(bandits(), runs_of_digits, st.data())
def test_losses_at_are_those_of_the_first_steps(bandit, runs, data):
    runs = [(tuple(digit % bandit.actions for digit in word), repeats) for word, repeats in runs]
    actions = expand(runs)
    times = sorted(data.draw(st.sets(st.integers(1, len(actions)))))
    assert losses_at(bandit, runs, times) == tuple(replay(bandit, actions[:t]) for t in times)


def test_regrets_over_time_are_never_negative_and_end_in_the_regret():
    times = spread_times(300, 12)
    summary = play_repeatedly(BANDIT, Setup("ucb1", 300), 3, times=times)
    for i, t in enumerate(times):
        assert min(regret.value for regret in summary.regrets_at(i)) >= 0
        assert summary.optima[i].value == plan(BANDIT, t).value
    assert summary.regrets_at(len(times) - 1) == summary.regrets


@settings(max_examples=40)
@given(st.lists(st.integers(0, 20), min_size=1, max_size=30), st.sampled_from(QUANTILES))
def test_a_quantile_is_the_least_value_that_covers_its_share(values, share):
    found = quantile(values, share)
    assert sum(value <= found for value in values) >= share * len(values)
    assert sum(value < found for value in values) < share * len(values)
    if len(values) % 2:
        assert quantile(values, Fraction(1, 2)) == statistics.median(values)


def test_times_are_spread_over_decades():
    assert spread_times(1) == (1,)
    times = spread_times(10**12)
    assert (times[0], times[-1]) == (1, 10**12)
    assert list(times) == sorted(set(times))
    for horizon, words in ((0, "without steps"), (10**301, "at most 10")):
        with pytest.raises(InvalidInput, match=words):
            spread_times(horizon)


# -- confidence --------------------


def test_the_order_statistics_of_a_median_are_the_innermost_that_binomials_allow():
    for count in [*range(1, 150), 1001]:
        ends = median_confidence([Fraction(i) for i in range(1, count + 1)])
        k = 0 if ends is None else int(ends[0])
        assert ends in (None, (k, count + 1 - k))
        below = [sum(comb(count, i) for i in range(order)) for order in (k, k + 1)]
        assert 40 * below[0] <= 2**count < 40 * below[1]
