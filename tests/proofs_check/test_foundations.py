"""Formulas, closed walks and literal definitions agree with each other and with the replay."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_check import definitions, exact
from proofs_check.claim import claim, registered
from proofs_check.forever import Affine, losses_forever
from proofs_check.formula import Formula
from tallyplan.errors import InvalidInput
from tallyplan.instance import TallyingBandit
from tallyplan.sequences import mean_of_word, replay

losses = st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 2), Fraction(1, 3)])


@st.composite
def tables(draw, most=3):
    actions, memory = draw(st.integers(1, most)), draw(st.integers(1, most))
    return TallyingBandit([[draw(losses) for _ in range(memory)] for _ in range(actions)])


@st.composite
def tables_and_words(draw):
    bandit = draw(tables())
    return bandit, tuple(draw(st.lists(st.integers(0, bandit.actions - 1), min_size=1, max_size=6)))


@given(tables_and_words())
def test_the_literal_loss_is_the_replayed_loss(case):
    bandit, word = case
    assert definitions.total_loss(bandit, word) == replay(bandit, word)


@given(tables_and_words(), st.integers(0, 40))
def test_the_losses_for_ever_are_the_replayed_ones(case, horizon):
    bandit, word = case
    played = [word[t % len(word)] for t in range(horizon)]
    assert losses_forever(bandit, word).total(horizon) == replay(bandit, played)


@given(tables_and_words())
def test_the_literal_mean_is_the_mean_of_the_word_where_it_is_well_defined(case):
    bandit, word = case
    if bandit.memory <= len(word) + 1:
        assert definitions.mu(bandit, word) == mean_of_word(bandit, word)


@given(tables(), st.integers(1, 5))
def test_the_planners_agree_with_trying_everything(bandit, horizon):
    assert exact.optimum(bandit, horizon) == definitions.optimum(bandit, horizon)
    if bandit.memory <= horizon + 1:
        assert exact.least_cyclic_mean(bandit, horizon) == definitions.least_mu(bandit, horizon)


def test_an_equation_for_all_horizons_needs_the_slope_the_opening_and_the_whole_period():
    constant = losses_forever(TallyingBandit([[0, 1], [0, 1]]), [0])
    assert constant.always(Affine(1, -1))
    assert not constant.always(Affine(1, 0))
    assert not constant.always(Affine(0, 0))
    assert constant.always(Affine(1, -1), since=7)
    every_second = losses_forever(TallyingBandit([[0], [1]]), [0, 1])
    assert not every_second.always(Affine(Fraction(1, 2), 0))
    late = losses_forever(TallyingBandit([[0, 0, 1]]), [0])
    assert not late.always(Affine(1, -2))
    assert late.always(Affine(1, -2), since=2)


def test_a_formula_is_evaluated_as_it_reads():
    assert Formula("(m + 1) * sqrt(T)")(m=2, T=16) == 12
    assert Formula("min(T - m, m * K - 1)")(T=5, m=2, K=2) == 3
    assert Formula("-(m - 1) / 2")(m=2) == Fraction(-1, 2)


@pytest.mark.parametrize("text", ["sqrt(T)", "sqrt(-T)", "x", "T ** 2", "open(T)", "1.5", "T.real"])
def test_a_formula_without_an_exact_value_is_refused(text):
    with pytest.raises(InvalidInput):
        Formula(text)(T=2)


def test_two_claims_cannot_share_an_id():
    import proofs_check

    taken = proofs_check.claims()[0].id
    with pytest.raises(ValueError, match="registered twice"):
        claim(taken, statement="", where="")(lambda request: None)
    assert [known.id for known in registered()].count(taken) == 1
