"""The belief recursion with exact losses: closed forms of Proposition 1, and every learner listed."""

from dataclasses import replace
from fractions import Fraction

import bayes_brute as brute
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check import definitions
from proofs_check.bayes.deterministic import beliefs, least_expected_loss, needle_prior, pure_regret
from tallyplan import TallyingBandit
from tallyplan.errors import InstanceTooLarge, InvalidInput

BOX = [(K, m) for K in range(1, 5) for m in range(1, 4)] + [(2, 4), (2, 5), (3, 4), (5, 2)]


@pytest.mark.parametrize(("K", "m"), BOX)
def test_the_needle_costs_half_the_search(K, m):
    for T in (m * K, m * K + 1, m * K + m):
        prior = needle_prior(K, m)
        assert least_expected_loss(prior, T) == m - 1 + Fraction(m * (K - 1), 2)  # the optimum is m - 1
        assert pure_regret(prior, T) == m * (K - 1)


@st.composite
def priors(draw):
    K, m = draw(st.sampled_from([(2, 1), (2, 2), (1, 3), (3, 1), (2, 3)]))
    loss = st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1)])
    table = st.lists(st.lists(loss, min_size=m, max_size=m), min_size=K, max_size=K)
    tables = draw(st.lists(table, min_size=1, max_size=5))
    weights = draw(st.lists(st.integers(0, 4), min_size=len(tables), max_size=len(tables)))
    weights[0] += 1
    return [(TallyingBandit(h), Fraction(w, sum(weights))) for h, w in zip(tables, weights, strict=True)]


@settings(max_examples=60)
@given(priors(), st.integers(0, 4))
def test_no_listed_learner_does_better_and_one_does_as_well(prior, T):
    vectors = brute.regret_vectors([table for table, _ in prior], T)
    chances = [p for _, p in prior]
    means = [sum(p * r for p, r in zip(chances, vector, strict=True)) for vector in vectors]
    optima = sum(p * definitions.optimum(table, T) for table, p in prior)
    assert least_expected_loss(prior, T) - optima == min(means)
    assert pure_regret(prior, T) == min(max(vector) for vector in vectors)


ONE, OTHER, HALF = TallyingBandit([[0]]), TallyingBandit([[0], [1]]), Fraction(1, 2)


@pytest.mark.parametrize(
    ("prior", "horizon", "words"),
    [
        ([], 3, "at least one table"),
        ([(ONE, HALF), (OTHER, HALF)], 3, "of one size"),
        ([(ONE, HALF)], 3, "add up to 1"),
        ([(ONE, 3 * HALF), (ONE, -HALF)], 3, "at least 0"),
        ([(ONE, Fraction(1))], -1, "horizon"),
    ],
)
def test_bad_priors_are_refused_in_a_sentence(prior, horizon, words):
    with pytest.raises(InvalidInput, match=words):
        least_expected_loss(prior, horizon)


def test_games_with_too_many_beliefs_are_refused():
    prior, listed = needle_prior(3, 2), 76
    with pytest.raises(InstanceTooLarge, match="beliefs within 10000000000"):
        least_expected_loss(prior, 10**15)
    assert replace(beliefs(prior), most=listed).least_expected_loss(6) == 3
    with pytest.raises(InstanceTooLarge, match="beliefs within 6 steps"):
        replace(beliefs(prior), most=listed - 1).least_expected_loss(6)
