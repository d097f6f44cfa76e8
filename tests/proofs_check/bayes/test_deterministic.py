"""The belief recursion with exact losses: closed forms of Proposition 1, and every learner listed."""

from fractions import Fraction

import bayes_brute as brute
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check import definitions
from proofs_check.bayes import deterministic as module
from proofs_check.bayes.constructions import needle_prior
from proofs_check.bayes.deterministic import bayes_regret, pure_regret
from tallyplan import TallyingBandit
from tallyplan.errors import InstanceTooLarge, InvalidInput
from tallyplan.model.replay import replay

BOX = [(K, m) for K in range(1, 5) for m in range(1, 4)] + [(2, 4), (2, 5), (3, 4), (5, 2)]


@pytest.mark.parametrize(("K", "m"), BOX)
def test_the_needle_costs_half_the_search(K, m):
    for T in (m * K, m * K + 1, m * K + m):
        prior = needle_prior(K, m)
        assert bayes_regret(prior, T).value == Fraction(m * (K - 1), 2)
        assert pure_regret(prior, T) == m * (K - 1)


@pytest.mark.parametrize(("K", "m", "T"), [(3, 2, 7), (2, 3, 6), (4, 1, 5), (1, 3, 4), (3, 2, 0)])
def test_the_learner_attains_the_value_when_it_plays(K, m, T):
    prior = needle_prior(K, m)
    answer = bayes_regret(prior, T)
    total = Fraction(0)
    for table, probability in prior:
        actions, loss = answer.play(table)
        assert len(actions) == T
        assert replay(table, actions) == loss
        total += probability * (loss - definitions.optimum(table, T) if T else 0)
    assert total == answer.value


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
    answer = bayes_regret(prior, T)
    assert answer.value == min(means)
    assert pure_regret(prior, T) == min(max(vector) for vector in vectors)
    played = sum(p * (answer.play(table)[1] - definitions.optimum(table, T)) for table, p in prior)
    assert played == answer.value


def test_bad_priors_are_refused_in_a_sentence():
    one, other = TallyingBandit([[0]]), TallyingBandit([[0], [1]])
    with pytest.raises(InvalidInput, match="at least one table"):
        bayes_regret([], 3)
    with pytest.raises(InvalidInput, match="of one size"):
        bayes_regret([(one, Fraction(1, 2)), (other, Fraction(1, 2))], 3)
    with pytest.raises(InvalidInput, match="add up to 1"):
        bayes_regret([(one, Fraction(1, 2))], 3)
    with pytest.raises(InvalidInput, match="horizon"):
        bayes_regret([(one, Fraction(1))], -1)


def test_games_with_too_many_beliefs_are_refused(monkeypatch):
    prior = needle_prior(3, 2)
    with pytest.raises(InstanceTooLarge, match="beliefs within 10000000000"):
        bayes_regret(prior, 10**15)
    listed = sum(map(len, bayes_regret(prior, 6).policy))
    monkeypatch.setattr(module, "MOST_BELIEFS", listed)
    assert bayes_regret(prior, 6).value == 2
    monkeypatch.setattr(module, "MOST_BELIEFS", listed - 1)
    with pytest.raises(InstanceTooLarge, match="beliefs within 6 steps"):
        bayes_regret(prior, 6)
