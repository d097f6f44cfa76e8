"""The belief recursion of Theorem 2: against full histories, and games that are too large."""

from fractions import Fraction

import bayes_brute as brute
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check.bayes.bernoulli import bernoulli_regret
from tallyplan.errors import InstanceTooLarge

gaps = st.sampled_from([Fraction(1, 2), Fraction(1, 3), Fraction(1, 7), Fraction(2, 9), Fraction(49, 100)])
SMALL = [(2, 1), (2, 2), (3, 1), (3, 2), (2, 3), (1, 2), (1, 1)]


@settings(max_examples=40)
@given(st.sampled_from(SMALL), st.integers(0, 5), gaps)
def test_keeping_the_full_history_does_no_better(size, T, gap):
    K, m = size
    hits = brute.most_expected_hits(K, m, T, gap)
    assert bernoulli_regret(K, m, T, gap) == gap * (brute.most_hits(K, m, T) - hits)


@pytest.mark.parametrize(("actions", "memory", "listed"), [(2, 1, 145), (2, 2, 153), (3, 2, 341), (1, 2, 9)])
def test_games_with_too_many_situations_are_refused(actions, memory, listed):
    with pytest.raises(InstanceTooLarge, match="situations within 10000000000"):
        bernoulli_regret(actions, memory, 10**15, Fraction(1, 4))
    with pytest.raises(InstanceTooLarge, match="situations within 9 steps"):
        bernoulli_regret(actions, memory, 9, Fraction(1, 4), most=listed - 1)
    assert bernoulli_regret(actions, memory, 9, Fraction(1, 4), most=listed) >= 0
