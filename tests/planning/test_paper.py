"""The paper's examples and lemmas, with their exact values."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import cycle, cyclic, plan, tallying_bandits

from tallyplan import TallyingBandit
from tallyplan.model.replay import replay_runs


@pytest.mark.parametrize("horizon", [1, 2, 3, 50, 10**15])
def test_counterexample_3_alternating_is_free_and_constant_policies_lose_all_but_one(horizon):
    bandit = TallyingBandit([[0, 1], [0, 1]])
    assert plan(bandit, horizon).value == 0
    for action in (0, 1):
        assert replay_runs(bandit, [((action,), horizon)]) == horizon - 1


@pytest.mark.parametrize(
    ("actions", "memory", "best"), [(1, 1, 0), (2, 1, 1), (2, 3, 1), (3, 4, 0), (2, 6, 0)]
)
def test_proposition_1_the_good_arm_pays_m_minus_1_and_is_free_after_that(actions, memory, best):
    rows = [[1] * (memory - 1) + [int(x != best)] for x in range(actions)]
    bandit = TallyingBandit(rows)
    for horizon in [*range(2 * memory + 2), 10**12]:
        assert plan(bandit, horizon).value == min(horizon, memory - 1)
    assert cycle(bandit).value == 0
    assert cyclic(bandit, 5).value == 0


@settings(max_examples=30)
@given(tallying_bandits(sizes=[(1, 1), (2, 1), (3, 1), (7, 1)]), st.integers(0, 10**18))
def test_memory_1_is_the_ordinary_bandit(bandit, horizon):
    best = min(bandit.values())
    assert plan(bandit, horizon).value == horizon * best
    assert cycle(bandit).value == best
    assert cyclic(bandit, 1 + horizon % 9).value == best


@settings(max_examples=40)
@given(tallying_bandits(), st.integers(1, 9))
def test_lemma_3_the_best_cyclic_policy_is_close_to_the_optimum(bandit, period):
    horizon = period**2
    gap = horizon * cyclic(bandit, period).value - plan(bandit, horizon).value
    assert -(bandit.memory - 1) <= gap <= (bandit.memory - 1) * period


@pytest.mark.parametrize(("memory", "period"), [(2, 3), (2, 9), (3, 5), (3, 11), (4, 7)])
def test_lemma_3_upper_bound_is_attained(memory, period):
    bandit = TallyingBandit([[0, *[1] * (memory - 1)]] * memory)
    gap = period**2 * cyclic(bandit, period).value - plan(bandit, period**2).value
    assert gap == (memory - 1) * period


@pytest.mark.parametrize(("memory", "period"), [(2, 3), (3, 4), (4, 2)])
def test_lemma_3_lower_bound_is_attained(memory, period):
    bandit = TallyingBandit([[1] * (memory - 1) + [0], [1] * memory])
    horizon = period**2
    assert horizon * cyclic(bandit, period).value - plan(bandit, horizon).value == -(memory - 1)


def test_lemma_3_needs_fractions_for_its_worst_case_at_k_2_m_2():
    bandit = TallyingBandit([[0, Fraction(1, 2)], [1, Fraction(1, 2)]])
    assert 4 * cyclic(bandit, 2).value - plan(bandit, 4).value == Fraction(1, 2)
