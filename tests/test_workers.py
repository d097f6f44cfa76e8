"""Processes on all cores: in order, ended by an interrupt or with one sentence, and never left behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from small_study import wait_until

from tallyplan.errors import TallyplanError
from tallyplan.workers import processes

ROOT = Path(__file__).parents[1]


def is_there(pid):
    """Whether the process runs; it may end while its state is read."""
    try:
        os.kill(pid, 0)
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_a_killed_process_is_one_sentence():
    with pytest.raises(TallyplanError, match="was killed, perhaps for its memory"), processes(2) as executor:
        list(executor.map(os._exit, [9]))


@pytest.mark.parametrize("alone", [0, 60])
def test_at_first_this_process_may_work_alone(alone):
    with processes(2, alone) as executor:
        assert (executor.submit(os.getpid).result() == os.getpid()) == bool(alone)


def interrupted(found):
    with processes(2) as executor:
        executor.submit(time.sleep, 600)
        found.append(executor.submit(os.getpid).result())
        raise KeyboardInterrupt


def test_processes_end_at_once_when_the_block_is_left():
    """Nor does a thread go on, which Python, ending, would have to stop."""
    workers, threads = [], set(threading.enumerate())
    with pytest.raises(KeyboardInterrupt):
        interrupted(workers)
    assert set(threading.enumerate()) <= threads
    wait_until(lambda: not any(map(is_there, workers)))


SLEEPERS = """
import os, time
from tallyplan.workers import processes
print("script", flush=True)
with processes(2) as executor:
    for _ in executor.map(time.sleep, [0, 600, 600]):
        print("begun", flush=True)
"""


@pytest.mark.parametrize("begun", [False, True])
def test_ctrl_c_reaches_the_main_process_alone(tmp_path, begun):
    """A terminal sends it to all processes, also to those that are just starting."""
    (tmp_path / "sleepers.py").write_text(SLEEPERS)
    process = subprocess.Popen(
        [sys.executable, "sleepers.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        process.stdout.readline()
        if begun:
            process.stdout.readline()
        else:
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
    finally:
        process.kill()
    assert stderr.count("Traceback") == 1
    assert stderr.rstrip().endswith("KeyboardInterrupt")


PLAIN_SCRIPT = """
import tallyplan as tp
from tallyplan.games.trials import Setup, play_repeatedly
from tallyplan.studies.runners import local_workers, resumable, run
from tallyplan.studies.spec import study_of
print("script")
bandit = tp.make("uniform", actions=2, memory=3)
setup = Setup("ucb1", 30)
assert play_repeatedly(bandit, setup, 101, jobs=2) == play_repeatedly(bandit, setup, 101)
def alternate(observations):
    return len(observations) % 2
print(play_repeatedly(bandit, Setup(alternate, 30), 101, jobs=2).mean_loss)
print(len(list(tp.solve_many([[["1/3", "1"], ["0", "1/7"]]] * 9000, workers=2))))
study = study_of({"instances": [{"family": "uniform", "actions": 2, "memory": [2, 3]}],
                  "questions": [{"ask": "cycle"}]})
with resumable("s.db", study) as kept:
    print(run(kept, local_workers(2)).done)
"""


def test_a_script_needs_no_guard(tmp_path):
    """Nor does it run again in the processes that it starts; a learner of its own plays in it."""
    (tmp_path / "plain.py").write_text(PLAIN_SCRIPT)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "plain.py"], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert (done.stdout.split()[::2], done.stdout.split()[3], done.stderr) == (["script", "9000"], "2", "")
