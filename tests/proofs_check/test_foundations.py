"""Formulas, closed walks and literal definitions agree with each other and with the replay."""

from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from proofs_check import balls as rigorous
from proofs_check import certified as exact
from proofs_check import definitions
from proofs_check.claim import claim, registered
from tallyplan.errors import InvalidInput
from tallyplan.formula import Formula, as_ball
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import mean_of_word, replay

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


@pytest.mark.parametrize(
    "text", ["sqrt(T)", "sqrt(-T)", "x", "T ** (1 / 2)", "log2(T + 1)", "log(T)", "open(T)", "1.5", "T.real"]
)
def test_a_formula_without_an_exact_value_is_refused(text):
    with pytest.raises(InvalidInput):
        Formula(text)(T=2)


@given(st.integers(1, 50), st.integers(1, 50))
def test_all_readings_of_a_formula_agree(K, T):
    formula = Formula("max(K, 3) * floor(T / 8) + sqrt(T**2) - log2(2**K) / 2 + abs(K - T)")
    value = formula(K=K, T=T)
    with rigorous.precision(200):
        assert abs(formula.ball(K=K, T=T) - as_ball(value)) < 1e-30
    symbolic = formula.sympy(K=sympy.Integer(K), T=sympy.Integer(T))
    assert Fraction(str(sympy.simplify(symbolic))) == value


def test_comparisons_are_decided_by_balls_or_left_open():
    assert rigorous.less(Formula("log(T)"), Formula("sqrt(T)"), T=10**9) is True
    assert rigorous.less(Formula("sqrt(T)"), Formula("log(T)"), T=10**9) is False
    assert rigorous.less(Formula("sqrt(T)"), Formula("T / sqrt(T)"), T=2) is None


@pytest.mark.parametrize(
    ("text", "holds"),
    [("log(T) <= sqrt(T) / 2", False), ("log(T) <= sqrt(T)", True), ("T <= 1", False), ("T >= 4", True)],
)
def test_sympy_says_what_the_balls_say(text, holds):
    assert rigorous.by_sympy(Formula(text), T=4, K=1) is holds
    assert rigorous.decide(Formula(text), T=4) in (holds, None)


def test_two_claims_cannot_share_an_id():
    import proofs_check

    taken = proofs_check.claims()[0].id
    with pytest.raises(ValueError, match="registered twice"):
        claim(taken, statement="", where="")(lambda request: None)
    assert [known.id for known in registered()].count(taken) == 1
