"""Processes on all cores: in order, ended by an interrupt or with one sentence, and never left behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tallyplan.errors import TallyplanError
from tallyplan.workers import mapping, processes

ROOT = Path(__file__).parents[1]


def is_there(pid):
    """Whether the process runs; it may end while its state is read."""
    try:
        os.kill(pid, 0)
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False


def wait_until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_results_come_in_the_order_of_the_items():
    with mapping(2) as mapped:
        assert list(mapped(abs, range(-20, 0))) == list(range(20, 0, -1))


def test_a_killed_process_is_one_sentence():
    with pytest.raises(TallyplanError, match="was killed, perhaps for its memory"), mapping(2) as mapped:
        list(mapped(os._exit, [9]))


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
import os, sys, time
from tallyplan.workers import processes
if __name__ == "__main__":
    print(os.getpid(), flush=True)
    with processes(2, sys.argv[1:]) as executor:
        for _ in executor.map(time.sleep, [0, 600, 600]):
            print("begun", flush=True)
"""


@pytest.mark.parametrize("loaded", [[], ["sympy"]])
@pytest.mark.parametrize("begun", [False, True])
def test_ctrl_c_reaches_the_main_process_alone(tmp_path, begun, loaded):
    """A terminal sends it to all processes, also to those that are just starting, or loading modules."""
    (tmp_path / "sleepers.py").write_text(SLEEPERS)
    process = subprocess.Popen(
        [sys.executable, "sleepers.py", *loaded],
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


LOADED = """
from tallyplan.workers import processes
if __name__ == "__main__":
    with processes(2, ["no_such_module", "colorsys"]) as executor:
        print(executor.submit(eval, "'colorsys' in __import__('sys').modules").result())
"""


def test_processes_find_what_was_loaded_for_them(tmp_path):
    (tmp_path / "loaded.py").write_text(LOADED)
    command = [sys.executable, "loaded.py"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    found = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert found.stdout == "True\n"
    assert not found.stderr
