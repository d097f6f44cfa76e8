"""The bounds: their hypotheses, their horizons, their known values, and what games may do to them."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy

from tallyplan.errors import InternalError
from tallyplan.formula import as_ball
from tallyplan.games.bounds import (
    BOUNDS,
    EPOCH_STEPS,
    EPOCHS,
    NEGLIGIBLE,
    PERIODS,
    PROPOSITION_1,
    PROPOSITION_1_SHARP,
    ROOT,
    SHARPENED,
    SHARPENED_HOEFFDING,
    THEOREM_1,
    WIDTH,
    Setting,
    binomial_tail,
    judge,
)
from tallyplan.games.schedule import ESTIMATE_GRID, Schedule, horizon_root

DELTA = Fraction(1, 20)


def horizon(actions, memory, epochs):
    return (4 * actions * memory * (2**epochs - 1)) ** 2


def played(bound, actions, memory, steps, delta=DELTA):
    """A game that meets every hypothesis but perhaps those on the sizes."""
    return Setting(actions, memory, steps, delta, bound.bandit, bound.feedback[0], bound.algorithm)


# -- hypotheses ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bound", BOUNDS, ids=lambda bound: bound.name)
def test_a_bound_holds_only_where_every_hypothesis_does(bound):
    good = played(bound, 2, 2, horizon(2, 2, 3))
    assert bound.failing(good) == ""
    assert bound.bandit in bound.failing(replace(good, bandit="WindowBandit"))
    assert "ucb1 played" in bound.failing(replace(good, algorithm="ucb1"))
    assert "no algorithm played" in bound.failing(replace(good, algorithm=""))
    assert "feedback" in bound.failing(replace(good, feedback="a coin thrown once"))
    assert "the nearest T" in bound.failing(replace(good, horizon=0))
    assert "could not keep" in bound.failing(replace(good, departures=("it ran out of time",)))
    assert "this is a bandit unknown" in bound.failing(Setting(2, 2, horizon(2, 2, 3), DELTA))


def test_one_action_is_excluded_where_the_proof_needs_it():
    alone = played(PROPOSITION_1, 1, 3, 100)
    assert PROPOSITION_1.failing(alone) == ""
    assert "K >= 2" in PROPOSITION_1_SHARP.failing(alone)


@pytest.mark.parametrize(("actions", "memory"), [(1, 1), (2, 2), (3, 3), (10, 2)])
def test_se_tb_is_proved_exactly_on_the_horizons_of_algorithm_1(actions, memory):
    unit = 4 * actions * memory
    whole = {horizon(actions, memory, S): S for S in range(1, 9)}
    for T in {*whole, *(T + 1 for T in whole), 0, 1, (5 * unit) ** 2, (2 * unit) ** 2}:
        setting = played(THEOREM_1, actions, memory, T)
        assert (THEOREM_1.failing(setting) == "") == THEOREM_1.allows_horizon(setting) == (T in whole)
        if T in whole:
            assert setting.sizes["S"] == whole[T] == EPOCHS(**setting.sizes)


@pytest.mark.parametrize("bound", BOUNDS, ids=lambda bound: bound.name)
def test_the_nearest_horizons_qualify_and_none_between_them_does(bound):
    short = played(bound, 2, 1, 1)
    qualify = [t for t in range(700) if bound.allows_horizon(replace(short, horizon=t))]
    for T in {0, 1, 5, 63, 64, 100, 300, 575} - set(qualify):
        setting = replace(short, horizon=T)
        below, above = judge(bound, setting, []).nearest_horizons
        assert below == max((t for t in qualify if t < T), default=None)
        assert above == min(t for t in qualify if t > T)
        nearest = f"is {above}" if below is None else f"are {below} and {above}"
        assert bound.failing(setting).endswith(f"; the nearest T {nearest}")


@pytest.mark.parametrize("bound", [SHARPENED, SHARPENED_HOEFFDING], ids=str)
def test_rounded_estimates_end_what_is_proved_for_long_games(bound):
    """The bound as printed leaves no room for estimates that are rounded to 10^-6 and T as large as this."""
    assert bound.failing(played(bound, 2, 2, horizon(2, 2, 14))) == ""
    assert "rounded" in bound.failing(played(bound, 2, 2, horizon(2, 2, 22)))
    assert THEOREM_1.failing(played(THEOREM_1, 2, 2, horizon(2, 2, 22))) == ""


@pytest.mark.parametrize("size", [(1, 1), (2, 2), (3, 4)])
def test_the_integers_of_the_schedule_are_the_formulas_of_algorithm_1(size):
    K, m = size
    for S in (1, 2, 5, 9):
        T = horizon(K, m, S)
        schedule = Schedule(K, m, T, DELTA)
        sizes = {"K": K, "m": m, "T": T, "S": S}
        assert schedule.epochs == EPOCHS(K=K, m=m, T=T)
        assert schedule.period == horizon_root(K, m, S) == ROOT(K=K, m=m, S=S)
        for s in range(1, S + 1):
            assert schedule.periods(s) == PERIODS(s=s)
            assert schedule.steps(s) == EPOCH_STEPS(s=s, K=K, m=m, T=T)
            excess = as_ball(schedule.radius(s)) - WIDTH.ball(s=s, delta=DELTA, **sizes)
            assert excess > 0
            assert excess * ESTIMATE_GRID < 2


# -- games --------------------------------------------------------------------------------------------------


def test_a_bound_that_always_holds_is_never_exceeded():
    """The sharp bound of Proposition 1 is mK - 1 = 5 here; equal is allowed, just above is a bug."""
    setting = played(PROPOSITION_1_SHARP, 2, 3, 100)
    assert judge(PROPOSITION_1_SHARP, setting, [Fraction(5), Fraction(0)]).exceeded == 0
    with pytest.raises(InternalError, match="exceeded in 1 of 2"):
        judge(PROPOSITION_1_SHARP, setting, [Fraction(0), Fraction(501, 100)])


def test_a_bound_with_probability_may_be_exceeded_as_often_as_chance_allows():
    setting = played(SHARPENED, 2, 2, horizon(2, 2, 9))
    high, low = Fraction(setting.horizon), Fraction(0)
    assert judge(SHARPENED, setting, [high] * 5 + [low] * 95).exceeded == 5


def test_the_tail_is_that_of_the_binomial_distribution():
    for n, k, p in ((1, 1, DELTA), (10, 3, DELTA), (20, 20, Fraction(1, 3)), (60, 31, Fraction(1, 2))):
        tail = sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))
        assert binomial_tail(n, p, k).contains(as_ball(tail))
        assert (binomial_tail(n, p, k) < as_ball(NEGLIGIBLE)) == (tail < NEGLIGIBLE)


# -- values -------------------------------------------------------------------------------------------------


def test_the_bounds_are_the_formulas_that_the_claims_prove():
    from proofs_check.paper import theorem_1 as constants

    pairs = (
        (THEOREM_1, constants.STATED),
        (SHARPENED, constants.SHARP),
        (SHARPENED_HOEFFDING, constants.SHARPEST),
    )
    for bound, proved in pairs:
        assert sympy.simplify(bound.formula.sympy() - proved.sympy()) == 0


def test_games_are_a_bug_from_odds_of_one_in_a_billion_on():
    for games, delta in ((1, Fraction(1, 10**9)), (3, Fraction(1, 1000))):
        setting = replace(played(SHARPENED, 2, 2, horizon(2, 2, 13)), delta=delta)
        high = [Fraction(setting.horizon)] * games
        assert judge(SHARPENED, setting, high).exceeded == games  # delta^games is 10^-9, not below
        with pytest.raises(InternalError, match="exceeded"):
            judge(SHARPENED, replace(setting, delta=delta * Fraction(999, 1000)), high)
