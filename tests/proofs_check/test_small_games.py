"""Two actions, memory 2: the learners and the prior of the proofs against the engine; planted errors."""

from fractions import Fraction

import pytest

import proofs_check
import tallyplan as tp
from proofs_check.bayes.deterministic import least_expected_loss
from proofs_check.bayes.minimax import minimax_regret
from proofs_check.claim import Request, Run, named
from proofs_check.ours import small_games
from proofs_check.ours.small_games import LEARNERS, MIXTURE, ODD, Beliefs, bandit_of, swapped
from proofs_check.steps import SHOWN
from tallyplan.formula import Formula

proofs_check.claims()
TABLES = small_games.unordered_tables()


def at(line, n):
    return line.base + line.slope * (n - line.first)


@pytest.mark.parametrize("table", TABLES)
def test_the_lines_of_the_optimum(table):
    for T in range(4, 40):
        line = small_games.optimum(table, T % 2, 2)
        assert at(line, T // 2) == tp.optimal_plan(bandit_of(table), horizon=T).value


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("table", [*TABLES, *map(swapped, TABLES)])
def test_the_lines_of_a_learner(name, table):
    for T in range(12, 30):
        actions = small_games.played(LEARNERS[name], table, T)
        line = small_games.lost_by(LEARNERS[name], table, T % 2, 6)
        assert len(actions) == T
        assert at(line, T // 2) == tp.replay(bandit_of(table), actions)


@pytest.mark.parametrize("T", [4, 6, 22])
def test_even_horizons_by_the_engine(T):
    assert minimax_regret(2, 2, T).value == 1


@pytest.mark.parametrize("T", [13, 21])
def test_odd_horizons_by_the_engine(T):
    assert minimax_regret(2, 2, T).value == Fraction(3, 2) - Fraction(3, T + 1)
    assert minimax_regret(2, 2, 11).value != Fraction(3, 2) - Fraction(3, 12)


@pytest.mark.parametrize("n", [6, 7, 10])
def test_the_bound_at_the_start_is_the_least_expected_loss(n):
    c, weight = n - 1, 2 * n + 2
    names = [one for table in ODD.prior for one in (table, swapped(table))]
    weights = [c if {"01|11", "11|01"} & {one} else 1 for one in names]
    prior = [(bandit_of(one), Fraction(w, weight)) for one, w in zip(names, weights, strict=True)]
    start = Formula(small_games._start(ODD, 0, "n"))(n=n, c=c)
    assert least_expected_loss(prior, 2 * n + 1) == start / weight


def test_bounds_that_are_too_high_fail_their_recursion():
    for key, (even, odd) in ODD.bounds.items():
        for raised in ((f"{even} + 1", odd), (even, f"{odd} + 1")):
            planted = Beliefs(ODD.prior, {**ODD.bounds, key: raised}, ODD.within)
            assert not all(step.holds for step in planted.recursion(key))


def test_the_mixture_sums_to_one():
    for n in range(6, 12):
        assert sum(Formula(weight)(n=n) for weight in MIXTURE.values()) == 1


PLANTED = [
    ("even", "bound", "99 / 100"),
    ("even", "bound", "101 / 100"),
    ("even", "long", "n >= 1"),
    ("even", "horizon", "T == 2 * n + 1"),
    ("odd", "bound", "3 / 2 - 3 / T"),
    ("odd", "bound", "3 / 2 - 2 / (T + 1)"),
    ("odd", "long", "n >= 5"),
    ("odd", "horizon", "T == 2 * n"),
]


@pytest.mark.parametrize(("parity", "name", "text"), PLANTED)
def test_what_is_not_shown_is_not_claimed(parity, name, text):
    claim = named(f"minimax/two-by-two-{parity}").having(name, text)
    outcome = Run(instead=[claim]).result(claim.id, Request()).outcome
    assert outcome.verdict not in SHOWN
