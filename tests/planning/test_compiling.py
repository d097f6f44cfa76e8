"""When compiled code is used, and that it works without a place to keep it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tallyplan
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


@pytest.mark.parametrize("kept", [True, False])
def test_loops_for_closed_walks_are_used_once_they_are_at_hand_or_earned(account, monkeypatch, kept):
    monkeypatch.setattr(compiling, "at_hand", lambda *names: "closed_walks" not in names or kept)
    assert not compiling.walks_pay(compiling.LOADING)
    assert compiling.walks_pay(compiling.LOADING + 1) == kept
    account.done = compiling.COMPILING
    assert compiling.walks_pay() == kept
    account.done += 1
    assert compiling.walks_pay()


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


QUESTIONS = """
import tallyplan as tp
from tallyplan.planning import compiling

compiling.charge(10**12)  # compiled code pays
small, large = (tp.make("uniform", actions=2, memory=m, seed=1) for m in (6, 16))
print(tp.minimum_mean_cycle(small).value, tp.optimal_plan(small, 1000).value)
print(tp.optimal_cyclic_policy(small, 11).value, tp.optimal_plan(large, 100).value)
print(tp.__file__)
"""


@pytest.mark.thorough
@pytest.mark.parametrize("folder", [None, "/dev/null/cache"])
def test_an_installation_where_nothing_can_be_written_answers_with_compiled_code(tmp_path, folder):
    """Files in place of the folders for caches hold even against the superuser."""
    package = tmp_path / "tallyplan"
    shutil.copytree(Path(tallyplan.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    for inside in [package, *package.rglob("*/")]:
        (inside / "__pycache__").touch()
    nowhere = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null/cache", "PYTHONPATH": str(tmp_path)}
    environment = os.environ | nowhere | ({} if folder is None else {"NUMBA_CACHE_DIR": folder})
    command = [sys.executable, "-c", QUESTIONS]
    done = subprocess.run(command, capture_output=True, env=environment, check=True, cwd=tmp_path, text=True)
    usual = subprocess.run(command, capture_output=True, check=True, text=True)
    assert done.stdout.splitlines()[:-1] == usual.stdout.splitlines()[:-1]
    assert done.stdout.splitlines()[-1] == str(package / "__init__.py")
    assert not list(tmp_path.rglob("*.nbi"))
