"""All regrets against the paper's definitions written out literally, plain logs and runs alike."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import bandits, tallying_bandits

from proofs_check import definitions
from tallyplan import InvalidInput, OnlyAnInterval, make, replay
from tallyplan.answers import Interval
from tallyplan.errors import InternalError
from tallyplan.games.regret import as_runs, complete_policy_regret, regret_of, regrets

SMALL = [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (3, 2), (2, 4)]


@settings(max_examples=40)
@given(tallying_bandits(SMALL), st.lists(st.integers(0, 11), max_size=6))
def test_every_regret_is_its_definition(bandit, digits):
    log = [digit % bandit.actions for digit in digits]
    answer = regrets(bandit, log)
    everything = list(definitions.everything(bandit, len(log)))
    constants = list(definitions.constants(bandit, len(log)))
    assert answer.horizon == len(log)
    assert answer.loss == definitions.total_loss(bandit, log)
    assert answer.optimum == definitions.optimum(bandit, len(log))
    assert answer.complete == definitions.policy_regret(bandit, log, everything)
    assert answer.constant == definitions.policy_regret(bandit, log, constants)
    assert answer.traditional == definitions.traditional_regret(bandit, log, constants)
    assert answer.traditional_complete == definitions.traditional_regret(bandit, log, everything)
    assert complete_policy_regret(bandit, log) == answer.complete


@pytest.mark.parametrize(
    ("log", "words"),
    [
        ("0,1", "an action log is a list"),
        ({"a": 1}, "an action log is a list"),
        ([0, 3], r"log\[1\] is 3; the actions are 0 to 1"),
        ([0, 0.5], r"log\[1\] is 0.5; an integer"),
        ([True], "an integer is needed"),
        ([[[0], 1], 0], r"runs\[1\] is 0; \(word, repeats\) is needed"),
        ([[[0], 1, 2]], r"runs\[0\] is .*; \(word, repeats\) is needed"),
        ([["01", 1]], r"the word of runs\[0\] is '01'; a list of actions is needed"),
        ([[[0], -1]], "cannot be negative"),
        ([[[5], 1]], "the actions are 0 to 1"),
    ],
)
def test_a_faulty_log_is_refused(log, words):
    with pytest.raises(InvalidInput, match=words):
        as_runs(make("counterexample-3"), log)


@settings(max_examples=40, deadline=None)
@given(bandits(), st.lists(st.integers(0, 11), max_size=3), st.lists(st.integers(0, 11), max_size=4))
def test_after_a_start_player_and_competitors_have_it_in_their_windows(bandit, start, log):
    start, log = ([digit % bandit.actions for digit in digits] for digits in (start, log))
    answer = regrets(bandit, log, start=start)
    every = [replay(bandit, word, start) for word in product(range(bandit.actions), repeat=len(log))]
    constants = [replay(bandit, [x] * len(log), start) for x in range(bandit.actions)]
    assert answer.loss == replay(bandit, log, start)
    assert answer.complete == answer.loss - min(every) == complete_policy_regret(bandit, log, start=start)
    assert answer.constant == answer.loss - min(constants)
    assert answer.start == tuple(start)


def test_where_the_optimum_is_an_interval_the_regret_is_one():
    answer = regrets(make("uniform", actions=5, memory=40, seed=1), [((0, 1, 2, 3, 4), 100)])
    assert not answer.exact
    complete, optimum = answer.complete_interval, answer.optimum_interval
    assert 0 <= complete.lower < complete.upper
    assert complete.upper - complete.lower == optimum.upper - optimum.lower
    with pytest.raises(OnlyAnInterval, match="only known to lie between"):
        _ = answer.complete


def test_a_regret_is_never_negative_and_no_sequence_beats_a_proved_optimum():
    between = Interval(Fraction(3), Fraction(5))
    assert regret_of(Fraction(4), between) == Interval(Fraction(0), Fraction(1))
    assert regret_of(Fraction(6), between) == Interval(Fraction(1), Fraction(3))
    with pytest.raises(InternalError, match="less than the proved optimum"):
        regret_of(Fraction(2), between)
