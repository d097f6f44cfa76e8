"""Optimism: false statements, planted one at a time, are no longer shown, nor is what rests on them."""

from fractions import Fraction
from itertools import product

import pytest

import proofs_check
from proofs_check.claim import Request, Run, named
from proofs_check.steps import SHOWN, Verdict
from tallyplan.games.bounds import (
    CARMAB,
    OPTIMISM,
    OPTIMISM_ANYTIME,
    OPTIMISM_FEW_EPOCHS,
    OPTIMISM_WITHIN_GAPS,
)

proofs_check.claims()
LOG = "log(2 * K * m * T / delta)"


def outcome(id, name, text, of=None):
    return Run(instead=[named(id).having(name, text)]).result(of or id, Request()).outcome


STRONGER_THAN_TRUE = [
    ("optimism/rotation", "stated", "total(q + k) - total(q) < 0"),
    ("optimism/rotation", "period", "total(n) <= 1"),
    ("optimism/epoch", "stated", "lost <= length * low"),
    ("optimism/epoch", "stated", "lost <= length * low + (m - 2) * (1 - low)"),
    ("optimism/epoch", "stated", "lost <= length * low + (m - 1) * (1 - 2 * low)"),
    ("optimism/epochs", "many", "max(T, K * m) / (K * m)"),
    ("optimism/epochs", "many", "2 * T / (K * m)"),
    ("optimism/epochs", "counts", "all_met(K * m) <= 2 * T"),
    ("optimism/event", "radius", "sqrt(log(K * m * T / delta) / (2 * n))"),
    ("optimism/event", "radius", f"sqrt({LOG} / (3 * n))"),
    ("optimism/event", "stated", "missing <= delta / 2"),
    ("optimism/radii", "bound", f"(1 + sqrt(2)) * sqrt(K * m * T * {LOG})"),
    ("optimism/radii", "bound", f"(2 + sqrt(2)) * sqrt(m * T * {LOG})"),
    ("optimism/radii", "stated", "costs(K * m) <= bound - 3"),
    ("optimism/radii", "width", f"1 if N(c, k) == 0 else 2 * sqrt(2 * {LOG} / N(c, k))"),
    ("optimism/rounding", "rounding", "2 / G"),
    ("optimism/rounding", "planned", "max(0, ceil(G * (observed - up)) / G)"),
    ("optimism/lower-mean", "stated", "low < least"),
    ("optimism/optimum", "stated", "OPT >= T * least - (m - 2)"),
    ("optimism/overhead", "overhead", "(m - 1) * epochs"),
    ("optimism", "grid", "G >= 2 * T"),
    ("optimism", "bound", f"(2 + sqrt(2)) * sqrt(K * m * T * {LOG}) + (m - 1) * K * m"),
    ("optimism", "bound", str(OPTIMISM.formula).replace("+ 2)", "+ 1)")),
    ("optimism/range", "constant", "1995"),
    ("optimism/range", "enough", "m**2 * K * log2(2 * T / (K * m))"),
    ("optimism/range", "actions", "K >= 1"),
]


OF_THE_VARIANTS = [
    ("optimism/radii", "grid", "G >= 2 * T"),
    ("optimism/grouping", "stated", "excess < costs(K * m)"),
    ("optimism/any-start", "stated", "lost <= length * low + (m - 1)"),
    ("optimism/overhead-any-start", "overhead", "2 * (m - 1) * epochs"),
    ("optimism/carmab", "bound", str(CARMAB.formula).replace("+ 3)", "+ 2)")),
    ("optimism/within-gaps", "bound", str(OPTIMISM.formula)),
    ("optimism/levels", "stated", "j <= 1 + few"),
    ("optimism/few-epochs", "bound", str(OPTIMISM_FEW_EPOCHS.formula).replace("2 * m - 1", "2 * m - 2")),
    ("optimism/anytime-event", "stated", "missing <= delta / 2"),
    ("optimism/anytime-event", "radius", "sqrt(log(K * m * sqrt(n + 1) / delta) / (2 * n))"),
    ("optimism/anytime", "bound", str(OPTIMISM_ANYTIME.formula).replace("sqrt(T + 1)", "sqrt(T)")),
]


@pytest.mark.parametrize(("id", "name", "text"), STRONGER_THAN_TRUE)
def test_a_statement_that_is_too_strong_is_no_longer_shown(id, name, text):
    assert outcome(id, name, text).verdict is Verdict.UNDECIDED


@pytest.mark.thorough
@pytest.mark.parametrize(("id", "name", "text"), OF_THE_VARIANTS)
def test_a_statement_about_a_variant_that_is_too_strong_is_no_longer_shown(id, name, text):
    assert outcome(id, name, text).verdict is Verdict.UNDECIDED


WHAT_RESTS_ON_IT = [
    ("optimism/epoch", "stated", "lost <= length * low + 2 * (m - 1) * (1 - low)", "optimism/overhead"),
    ("optimism/epochs", "bound", "2 * K * m * log2(many)", "optimism"),
    ("optimism/radii", "stated", "costs(K * m) <= bound + 1", "optimism"),
    ("optimism/optimum", "stated", "OPT >= T * least - m", "optimism/overhead"),
    ("theorem-2/repaired", "constant", "1 / 433", "optimism/range"),
    *(
        pytest.param(*one, marks=pytest.mark.thorough)
        for one in (
            ("optimism/grouping", "stated", "excess <= costs(K * m) + 1", "optimism"),
            ("optimism/anytime-radii", "stated", "costs(K * m) <= bound + 1", "optimism/anytime"),
            (
                "optimism/few-epochs-radii",
                "stated",
                "costs(K * m) + (m - 1) * all_ended(K * m) <= bound + 1",
                "optimism/few-epochs",
            ),
        )
    ),
]


@pytest.mark.parametrize(("id", "name", "text", "of"), WHAT_RESTS_ON_IT)
def test_what_rests_on_a_claim_needs_all_of_it(id, name, text, of):
    assert outcome(id, name, text).verdict in SHOWN
    assert outcome(id, name, text, of=of).verdict is Verdict.UNDECIDED


def test_what_the_programs_play_is_what_is_claimed():
    for id, bound in {
        "optimism": OPTIMISM,
        "optimism/anytime": OPTIMISM_ANYTIME,
        "optimism/few-epochs": OPTIMISM_FEW_EPOCHS,
        "optimism/within-gaps": OPTIMISM_WITHIN_GAPS,
        "optimism/carmab": CARMAB,
    }.items():
        assert named(id).formula("bound") == bound.formula


def test_reused_coins_cost_an_eighth_per_step_and_no_more_is_refuted():
    assert outcome("definition-1/reused-coins", "stated", "regret / T <= rate").verdict is Verdict.REFUTED
    weaker = outcome("definition-1/reused-coins", "stated", "regret / T <= rate + 1 / 40")
    assert weaker.verdict is Verdict.CHECKED
    assert weaker.witness is None


def test_nothing_is_said_about_congested_bandits_without_the_bound():
    broken = ("optimism/radii", "stated", "costs(K * m) <= bound - 3")
    assert outcome(*broken, of="theorem-2/congested").verdict is Verdict.UNDECIDED


def test_whoever_sees_reused_coins_regrets_an_eighth_per_step_at_least():
    """All players of two steps, from the witness alone: a first action, and one for each coin seen."""
    refuted = outcome("definition-1/reused-coins", "stated", "regret / T <= rate")
    [[p], [q]] = refuted.witness.to_json()["instance"]["losses"]
    p, q = Fraction(p), Fraction(q)
    assert refuted.witness.facts["least expected regret"] == Fraction(refuted.witness.facts["horizon"], 8)
    least = []
    for first, then in product((0, 1), product((0, 1), repeat=2)):
        regret = Fraction(0)
        for losses in ((p, q), (q, p)):
            for coin in (0, 1):
                chance = (losses[first] if coin else 1 - losses[first]) / 2
                regret += chance * sum(losses[x] - min(losses) for x in (first, then[coin]))
        least.append(regret)
    assert min(least) >= Fraction(2, 8)
