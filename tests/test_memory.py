"""Memory is refused before it is taken: under a limit on the process nothing ends with a MemoryError."""

import resource
import subprocess
import sys

import pytest

from tallyplan import limits

ASK = """
import resource, sys
import tallyplan as tp
from tallyplan.games.game import Game
from tallyplan.games.learners.se_tb import SETB
from tallyplan.planning.policies import HorizonPolicy
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]), resource.RLIM_INFINITY))


def table(actions, memory):
    return tp.TallyingBandit([[f"{(7 * x + 3 * y) % 11}/11" for y in range(memory)] for x in range(actions)])


def outcome(question):
    try:
        question()
        return "answered"
    except Exception as error:
        return type(error).__name__


for line in sys.stdin:
    print(line.strip(), outcome(lambda: eval(line)), flush=True)
"""
TOO_LARGE = [
    'tp.minimum_mean_cycle(table(2, 31), method="graph")',
    'tp.minimum_mean_cycle(table(1000, 5), method="graph")',
    'tp.optimal_plan(table(3, 20), 100, method="graph")',
    'tp.optimal_plan(table(10, 10), 10**15, method="graph")',
    "HorizonPolicy(table(2, 30), 1000).value((), 1000)",
    'tp.minimum_mean_cycle(table(2, 26), method="graph").certificate',
    "tp.optimal_cyclic_policy(table(2, 3), 10**9)",
    "tp.optimal_cyclic_policy(table(2, 32), 10)",
    "SETB().play(Game(table(2, 2), horizon=10**18, seed=1))",
    'list(tp.solve_many([table(2, 31)], "cyclic", period=100))',
]
ANSWERED = [
    'tp.minimum_mean_cycle(tp.make("stochastic", actions=1000))',
    "tp.minimum_mean_cycle(table(10**5, 1))",
    "tp.minimum_mean_cycle(table(300, 2))",
    "tp.optimal_plan(table(10**4, 1), 10**15)",
]
QUESTIONS = ["tp.minimum_mean_cycle({})", "tp.optimal_plan({}, 1000)", "tp.optimal_cyclic_policy({}, 100)"]
NEAR_THE_LIMIT = [
    question.format(f"table({K}, {m})")
    for K, m in [(2, 24), (2, 25), (2, 26), (3, 15), (3, 16), (10, 7), (100, 4), (1000, 3)]
    for question in (*QUESTIONS, "HorizonPolicy({}, 1000).value((), 1000)")
]


def outcomes(questions, megabytes=2000):
    """What became of each question, asked one after the other in a process that may take so much."""
    ran = subprocess.run(
        [sys.executable, "-c", ASK, str(megabytes * 10**6)],
        input="\n".join(questions),
        capture_output=True,
        text=True,
        check=False,
    )
    found = dict(line.rsplit(" ", 1) for line in ran.stdout.splitlines())
    assert list(found) == questions, ran.stderr
    return found


def test_what_does_not_fit_is_refused_and_what_fits_is_answered():
    found = outcomes([*TOO_LARGE, *ANSWERED])
    assert found == dict.fromkeys(TOO_LARGE, "InstanceTooLarge") | dict.fromkeys(ANSWERED, "answered")


@pytest.mark.thorough
@pytest.mark.parametrize("megabytes", [1200, 2000])
def test_near_the_limit_nothing_runs_out_of_memory(megabytes):
    assert set(outcomes(NEAR_THE_LIMIT, megabytes).values()) <= {"answered", "InstanceTooLarge"}


def test_a_limit_of_the_process_counts():
    free = limits.available_memory()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (2**36, hard))
        assert 0 < limits._in_the_address_space() < 2**36
        assert limits.available_memory() <= min(2**36, 2 * free)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@pytest.mark.parametrize(("limit", "left"), [("max\n", None), ("1000\n", 350), ("100\n", 0), (None, None)])
def test_a_limit_of_the_container_counts_and_what_it_caches_does_not(limit, left, tmp_path):
    if limit is not None:
        (tmp_path / "memory.max").write_text(limit)
    (tmp_path / "memory.current").write_text("700\n")
    (tmp_path / "memory.stat").write_text("anon 600\ninactive_file 50\nactive_file 50\n")
    assert limits._in_the_container(str(tmp_path)) == left
