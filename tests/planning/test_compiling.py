"""When compiled code is used, and that it works without a place to keep it."""

import subprocess
import sys

import pytest

from tallyplan import make, minimum_mean_cycle
from tallyplan.planning import compiling


@pytest.fixture
def account(monkeypatch):
    """An account of its own, in a process that has not compiled anything."""
    monkeypatch.setattr(compiling.Account, "done", 0)
    monkeypatch.setattr(compiling.Account, "in_use", False)
    return compiling.Account


@pytest.mark.parametrize(("kept", "price"), [(True, compiling.LOADING), (False, compiling.COMPILING)])
def test_compiled_code_is_used_once_numpy_has_done_as_much_work_as_it_costs(
    account, monkeypatch, kept, price
):
    monkeypatch.setattr(compiling, "at_hand", lambda *names: kept)
    assert not compiling.pays(price)
    assert compiling.pays(price + 1)
    account.in_use = False
    compiling.charge(price - compiling.CALL)
    assert not compiling.pays()
    compiling.charge(0)
    assert compiling.pays()
    account.done = 0
    assert compiling.pays()  # for ever after


def test_a_process_that_asks_often_comes_to_use_compiled_code(account, monkeypatch):
    monkeypatch.setattr(compiling, "at_hand", lambda *names: True)
    monkeypatch.setattr(compiling, "LOADING", 10**6)
    bandit = make("uniform", actions=2, memory=8, seed=1)
    values = set()
    for _ in range(1000):
        values.add(minimum_mean_cycle(bandit).value)
        if account.in_use:
            break
    assert account.in_use
    assert values == {minimum_mean_cycle(bandit).value}


def test_a_function_that_cannot_be_kept_is_compiled_all_the_same():
    """The source is in no file, so that there is no folder beside it for a cache."""
    scope = {}
    exec("def double(x):\n    return 2 * x\n", scope)
    assert compiling.compiled(scope["double"])(21) == 42


def test_one_small_question_loads_no_compiler():
    program = (
        "import sys, tallyplan as tp;"
        "tp.minimum_mean_cycle(tp.make('uniform', actions=2, memory=10, seed=1));"
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
