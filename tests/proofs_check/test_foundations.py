"""Formulas, closed walks and literal definitions agree with each other and with the replay."""

from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from proofs_check import certified as exact
from proofs_check import definitions
from proofs_check.claim import claim, registered
from proofs_check.ways import balls as rigorous
from proofs_check.ways import for_all as universal
from proofs_check.ways import z3_question
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


def test_a_formula_is_evaluated_as_it_reads():
    assert Formula("(m + 1) * sqrt(T)")(m=2, T=16) == 12
    assert Formula("min(T - m, m * K - 1)")(T=5, m=2, K=2) == 3
    assert Formula("-(m - 1) / 2")(m=2) == Fraction(-1, 2)


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


def test_a_statement_about_all_values_holds_fails_or_stays_open(monkeypatch):
    monkeypatch.setattr(z3_question, "Z3_STEPS", 10**6)
    assert universal.for_all("K m integer", given=["K >= 2", "m >= 1"], then="m * K - 1 >= m").holds is True
    failed = universal.for_all("K m integer", given=["K >= 1", "m >= 1"], then="m * K - 1 >= m")
    assert failed.holds is False
    assert "fails at K = 1" in str(failed)
    hard = "x**3 + y**3 + z**3 != 42"
    assert universal.for_all("x y z integer", then=hard).holds in (None, False)


def test_a_counterexample_is_evaluated_without_the_solver():
    found = universal.counterexample("x y real", given=["x > 0", "y > x"], then="y * y <= 4 * x * x")
    assert found["y"] ** 2 > 4 * found["x"] ** 2
    assert universal.counterexample("x real", then="x * x >= 0") is None
    assert universal.counterexample("x real", then="x * x != 2") is None  # irrational: not a witness


def test_an_identity_is_simplified_to_zero_or_not():
    assert universal.identity("2**S * 2", "2**(S + 1)", integers="S").holds is True
    assert universal.identity("x + 1", "x").holds is False


def test_two_claims_cannot_share_an_id():
    import proofs_check

    taken = proofs_check.claims()[0].id
    with pytest.raises(ValueError, match="registered twice"):
        claim(taken, statement="", where="")(lambda request: None)
    assert [known.id for known in registered()].count(taken) == 1
