"""A study on a Dask cluster: a real scheduler and three worker processes, one killed in the middle."""

import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from commands import run as command
from small_study import CODE, ENVIRONMENT, ITEMS, csv_of, run_here, slow_player, wait_until

from tallyplan import InvalidInput
from tallyplan.studies.runners import Ran, cluster, resumable, run
from tallyplan.studies.spec import read_spec


def start(*arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]],
        env=ENVIRONMENT | {"PYTHONPATH": f"{ENVIRONMENT['PYTHONPATH']}:{Path.cwd()}"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


@contextmanager
def ended(process):
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def workers(spec):
    """Three workers of one thread each, without nannies, whose scheduler is in scheduler.json."""
    pytest.importorskip("distributed")
    with ExitStack() as stack:
        local = ("--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0")
        stack.enter_context(ended(start("dask_scheduler", *local, "--scheduler-file", "scheduler.json")))
        wait_until(Path("scheduler.json").exists)
        alone = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
        yield [
            stack.enter_context(ended(start("dask_worker", "--scheduler-file", "scheduler.json", *alone)))
            for _ in range(3)
        ]


def test_every_result_is_there_and_none_doubled_though_a_worker_is_killed(spec, workers):
    slow_player(0.02, first="open(f'worker-{os.getpid()}', 'a').close()")
    with cluster("scheduler.json") as there, resumable("cluster.db", read_spec(spec, CODE)) as kept:
        wait_until(lambda: there.count() == 3)
        killed = []

        def kill_one(message):
            """After the first results, one that is at work."""
            at_work = [w for w in workers if Path(f"worker-{w.pid}").exists()]
            if not killed and at_work:
                at_work[0].send_signal(signal.SIGKILL)
                killed.append(at_work[0])

        assert run(kept, there, progress=kill_one) == Ran(ITEMS, 0)
        assert killed
        assert there.count() == 2
    run_here(spec, "here.db")
    assert csv_of("cluster.db") == csv_of("here.db")


def test_an_interrupt_ends_the_work_and_says_what_is_kept(spec, workers):
    def interrupt(message):
        raise KeyboardInterrupt

    with (
        cluster("scheduler.json") as there,
        pytest.raises(KeyboardInterrupt, match="items are kept in"),
        resumable("cluster.db", read_spec(spec, CODE)) as kept,
    ):
        run(kept, there, progress=interrupt)


def test_the_command_uses_the_cluster(spec, workers):
    arguments = ["study", "run", "study.toml", "--code", *CODE, "--store", "cluster.db"]
    arguments += ["--scheduler", "scheduler.json"]
    assert f"{ITEMS} of {ITEMS} items are done" in command(*arguments).stdout
    run_here(spec, "here.db")
    assert csv_of("cluster.db") == csv_of("here.db")


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "no/such/file.json", "nonsense://x", ""])
def test_an_address_that_does_not_answer_is_a_sentence(address):
    pytest.importorskip("distributed")
    with pytest.raises(InvalidInput, match="no scheduler answers"), cluster(address, patience=2):
        pass


def test_without_dask_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InvalidInput, match=r"tallyplan\[cluster\]"), cluster("tcp://127.0.0.1:1"):
        pass
