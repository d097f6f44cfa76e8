"""The claims about unknown memory and short horizons: errors planted in them, and figures by other means."""

from fractions import Fraction

import pytest

import proofs_check
from proofs_check.claim import Request, Run, named
from proofs_check.ours.unknown_memory import TwoTables
from proofs_check.steps import SHOWN
from tallyplan.formula import Formula

proofs_check.claims()
PLANTED = [
    ("unknown-memory/starts", "stated", "starts(M) <= K * (M**3 - M) / 4 * levels + M * (M - 1) / 2"),
    ("unknown-memory/cost", "bound", "M * gain / (M + gain)"),
    ("unknown-memory/cost", "gain", "T / 2 - (M - 2)"),
    ("short-horizons/explore", "bound", "n * K * m + 2 * T * r + (m - 1)"),
    ("short-horizons/gap", "stated", "rates <= sqrt(u) * sqrt(m * K * T)"),
    ("short-horizons/gap", "rates", "max(m**2 * K, K * m * v**4)"),
]
THOROUGH = [
    ("unknown-memory/roots", "stated", "roots(M) <= sqrt(M * M / 2 * T)"),
    ("short-horizons/explore", "bound", "n * K * m + T * r + 2 * (m - 1)"),
    ("short-horizons/rate", "passes", "n == v**3"),
]
EACH = [*PLANTED, *(pytest.param(*one, marks=pytest.mark.thorough) for one in THOROUGH)]


@pytest.mark.parametrize(("name", "formula", "text"), EACH)
def test_what_is_not_shown_is_not_claimed(name, formula, text):
    claim = named(name).having(formula, text)
    assert Run(instead=[claim]).result(claim.id, Request()).outcome.verdict not in SHOWN


@pytest.mark.parametrize(("M", "T"), [(1, 5), (2, 3), (2, 9), (3, 12)])
def test_no_player_does_better_on_the_two_tables(M, T):
    """Two players suffice: one who rests forever, and one who plays action 1 M times at once."""
    gain = Fraction(T, 2) - (M - 1)
    second = Fraction(M) / (M + 2 * gain)
    resting, trying = second * gain, (1 - second) * Fraction(M, 2)
    assert resting == trying == TwoTables(M, T).value == TwoTables(M, T).guaranteed


def test_a_learner_that_guarantees_more_regret_is_not_called_tight(monkeypatch):
    claim = named("unknown-memory/cost")
    assert Run().result(claim.id, Request()).outcome.tight is not None
    monkeypatch.setattr(TwoTables, "guaranteed", Fraction(1))
    assert Run().result(claim.id, Request()).outcome.tight is None


def test_the_two_rates_cross_at_m_to_the_five_halves():
    rates = named("short-horizons/gap").formula("rates")
    for v, better in ((1, "explore"), (2, "both"), (3, "optimism")):
        T = 2 * 16 * v**6
        least = rates(K=2, m=16, v=v)
        share = least / Formula("sqrt(m * K * T)")(m=16, K=2, T=T)
        assert share <= 2
        assert (share == 2) == (better == "both")
