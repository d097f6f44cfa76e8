"""The exact loss of sequences, words and runs."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import bandits

from tallyplan import InvalidInput, TallyingBandit
from tallyplan.model.replay import checked_runs, mean_of_word, played_from, replay, replay_runs
from tallyplan.model.words import expand

BANDIT = TallyingBandit([["0", "1/7", "1"], ["1/2", "1/3", "1/13"]])


def step_by_step(bandit, actions, start):
    """The definition: each step costs the loss of the last m actions, itself included."""
    played = list(start)
    total = Fraction(0)
    for action in actions:
        played.append(action)
        total += bandit.loss(tuple(played[-bandit.memory :]))
    return total


@st.composite
def games(draw):
    bandit = draw(bandits())
    action = st.integers(0, bandit.actions - 1)
    return bandit, draw(st.lists(action, max_size=20)), draw(st.lists(action, max_size=6))


@settings(max_examples=150)
@given(games())
def test_replaying_follows_the_definition(game):
    bandit, actions, start = game
    assert replay(bandit, actions, start) == step_by_step(bandit, actions, start)


@settings(max_examples=150)
@given(games(), st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 12)), max_size=5))
def test_runs_cost_what_their_expansion_costs(game, cuts):
    bandit, actions, start = game
    runs = [(actions[first : first + length], repeats) for first, length, repeats in cuts]
    assert replay_runs(bandit, runs, start) == step_by_step(bandit, expand(runs), start)
    after = played_from(bandit, checked_runs(bandit, runs), bandit.state_after(start))[1]
    assert after == bandit.state_after([*start, *expand(runs)])


@settings(max_examples=100)
@given(games(), st.integers(10**12, 10**12 + 3))
def test_astronomic_runs_add_the_mean_of_their_word(game, repeats):
    bandit, word, start = game
    if word:
        less = replay_runs(bandit, [(word, 20)], start)
        more = replay_runs(bandit, [(word, repeats)], start)
        assert more - less == (repeats - 20) * len(word) * mean_of_word(bandit, word)


@given(games(), st.integers(1, 4))
def test_the_mean_of_a_word_is_that_of_its_powers_and_rotations(game, power):
    bandit, word, _ = game
    if word:
        mean = mean_of_word(bandit, word)
        assert mean_of_word(bandit, word * power) == mean
        assert mean_of_word(bandit, word[1:] + word[:1]) == mean


@pytest.mark.parametrize("bad", [2, -1, 0.0, True, "0", None, pytest.param(10**5000, id="huge")])
def test_unknown_actions_are_refused(bad):
    with pytest.raises(InvalidInput):
        replay(BANDIT, [0, bad])
    with pytest.raises(InvalidInput, match=r"start\[1\]"):
        replay(BANDIT, [0], [0, bad])
    with pytest.raises(InvalidInput, match=r"runs\[0\]"):
        replay_runs(BANDIT, [([bad], 2)])
    for word in ([bad], []):
        with pytest.raises(InvalidInput):
            mean_of_word(BANDIT, word)
