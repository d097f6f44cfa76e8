"""The paper's examples, with their exact values."""

import pytest
from strategies import cycle, cyclic, plan

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
