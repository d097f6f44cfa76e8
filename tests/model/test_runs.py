"""Sequences written as runs say exactly what was played."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tallyplan.model.runs import RunBuilder, compress
from tallyplan.model.words import expand

words = st.lists(st.integers(0, 2), min_size=1, max_size=6).map(tuple)
repetitive = st.lists(st.tuples(words, st.integers(1, 6)), max_size=6)


@settings(max_examples=300)
@given(repetitive)
def test_compressing_loses_nothing(pieces):
    actions = expand(pieces)
    assert expand(compress(actions)) == actions


@settings(max_examples=300)
@given(st.lists(st.tuples(words, st.integers(0, 5), st.booleans()), max_size=8))
def test_the_builder_plays_what_it_was_given(pieces):
    builder, actions = RunBuilder(), []
    for word, repeats, plainly in pieces:
        if plainly:
            builder.extend(word * repeats)
        else:
            builder.repeat(word, repeats)
        actions.extend(word * repeats)
    runs = builder.finish()
    assert expand(runs) == actions
    assert all(word and repeats >= 1 for word, repeats in runs)


def test_astronomic_repeats_are_merged_with_their_neighbours():
    builder = RunBuilder()
    builder.extend((0, 1, 0, 1))
    builder.repeat((0, 1, 0, 1), 10**15)
    assert builder.finish() == (((0, 1), 2 * 10**15 + 2),)


def test_a_periodic_stretch_becomes_one_run():
    assert compress([0, 1, 2] * 50) == [((0, 1, 2), 50)]
    assert compress([]) == []
