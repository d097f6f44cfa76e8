"""Sequences written as runs say exactly what was played, and text is read back as it was written."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallyplan.errors import InvalidInput
from tallyplan.model.words import (
    compress,
    cut,
    expand,
    last,
    last_of_runs,
    least_rotation,
    length,
    read,
    shortest,
    written,
)

words = st.lists(st.integers(0, 2), min_size=1, max_size=6).map(tuple)
repetitive = st.lists(st.tuples(words, st.integers(1, 6)), max_size=6)


@settings(max_examples=300)
@given(repetitive)
def test_compressing_loses_nothing(pieces):
    actions = expand(pieces)
    assert expand(compress(actions)) == actions


@settings(max_examples=300)
@given(st.lists(st.tuples(words, st.integers(0, 5)), max_size=8))
def test_the_shortest_form_plays_the_same(pieces):
    runs = shortest(pieces)
    assert expand(runs) == expand(pieces)
    assert all(word and repeats >= 1 for word, repeats in runs)


@given(repetitive, st.lists(st.integers(0, 60), max_size=4).map(sorted))
def test_the_pieces_of_a_cut_are_the_sequence_between_the_times(runs, times):
    actions = expand(runs)
    pieces = [expand(piece) for piece in cut(runs, times)]
    assert pieces == [actions[a:b] for a, b in pairwise([0, *times])]


@given(repetitive, st.integers(0, 30))
def test_the_last_actions_of_runs_are_those_of_the_sequence(runs, count):
    assert last_of_runs(runs, count) == last(expand(runs), count)
    assert list(last(expand(runs), count)) == expand(runs)[max(0, length(runs) - count) :]


@given(st.integers(1, 12), st.data())
def test_what_is_written_is_read_back(actions, data):
    letters = st.integers(0, actions - 1)
    word = st.lists(letters, min_size=1, max_size=4).map(tuple)
    runs = tuple(data.draw(st.lists(st.tuples(word, st.integers(1, 10**20)), max_size=4)))
    assert read(written(runs, actions), actions, "the word") == runs


@pytest.mark.parametrize(
    ("given", "actions", "complaint"),
    [
        ("01^3", 2, "two readings"),
        ("1,2^3", 12, "two readings"),
        ("01", 11, "with commas"),
        ("012", 2, "the action '2'"),
        ("0,10", 10, "the action '10'"),
        ("0,,1", 2, "the action ''"),
        ("(01", 2, "not a word"),
        ("0^", 2, "not a word"),
        ("01... (70 actions)", 2, "the action '.'"),
        ("0^0", 2, "plays nothing"),
        ("()^2", 2, "plays nothing"),
        ("-1", 2, "the action '-'"),
        ("٣", 5, "the action"),
    ],
)
def test_a_word_that_is_none_or_has_two_readings_is_an_error(given, actions, complaint):
    with pytest.raises(InvalidInput, match=re.escape(complaint)):
        read(given, actions, "the word")


@given(st.lists(st.integers(0, 2), min_size=1, max_size=12))
def test_the_least_rotation_is_the_least_of_all(word):
    rotations = [tuple(word[i:] + word[:i]) for i in range(len(word))]
    assert least_rotation(tuple(word)) == min(rotations)
