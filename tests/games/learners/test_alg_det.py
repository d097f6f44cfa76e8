"""ALG_det: its worst case, and its exact regret on every small table, against the definitions."""

import pytest
from strategies import plan, small_tables

from proofs_check.computations.alg_det import regret_of_alg_det
from tallyplan import make
from tallyplan.games.bounds import PROPOSITION_1, PROPOSITION_1_SHARP
from tallyplan.games.feedback import Deterministic
from tallyplan.games.game import simulate
from tallyplan.games.learners.explore_then_plan import AlgDet
from tallyplan.games.trials import Setup, play_repeatedly


def regret(bandit, horizon):
    return simulate(bandit, AlgDet(), horizon, feedback=Deterministic()).loss - plan(bandit, horizon).value


@pytest.mark.parametrize("actions", [2, 3, 5])
@pytest.mark.parametrize("memory", [1, 2, 3, 4])
def test_the_worst_instance_costs_exactly_the_supremum(actions, memory):
    cells = actions * memory
    worst = make("proposition-1-lower", actions=actions, memory=memory, best=0)
    for horizon in (*range(cells, cells + memory + 2), 10**6, 10**15):
        assert regret(worst, horizon) == min(horizon - memory, cells - 1)
        setting = play_repeatedly(worst, Setup("alg-det", horizon), 1).setting
        assert PROPOSITION_1_SHARP.failing(setting) == PROPOSITION_1.failing(setting) == ""
        assert PROPOSITION_1_SHARP(setting) == min(horizon - memory, cells - 1)
        assert PROPOSITION_1(setting) >= int(regret(worst, horizon))


@pytest.mark.parametrize(("actions", "memory"), [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2)])
def test_the_regret_is_exact_on_every_table_of_zeros_and_ones(actions, memory):
    cells = actions * memory
    for bandit in small_tables(actions, memory, (0, 1)):
        for horizon in (cells, cells + 1, cells + memory):
            measured = regret(bandit, horizon)
            assert measured == regret_of_alg_det(bandit, horizon)
            assert 0 <= measured <= (min(horizon - memory, cells - 1) if actions > 1 else 0)
