"""Processes that work on all cores; they import nothing of the caller, so that no script must be guarded.

    with processes(jobs) as executor:
        for result in executor.map(function, items):   # in the order of the items
            ...

They never see Ctrl-C and do not outlive the process that started them. When the block is left early, by an
interrupt or an error, they are ended at once; a process that is killed ends the work with one sentence.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
import types
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from typing import Any

from tallyplan.errors import TallyplanError

ALONE = 2  # seconds of work that are done sooner than other processes would have begun


def can_be_sent(thing: object) -> bool:
    """Whether another process can have it: no lambda, and nothing that the caller's own script defines.

    >>> can_be_sent(len), can_be_sent(lambda: 0)
    (True, False)
    """
    try:
        return b"__main__" not in pickle.dumps(thing)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False


class Processes(ProcessPoolExecutor):
    """An executor of several processes; for the first `alone` seconds this process does the work."""

    def __init__(self, jobs: int, alone: float = 0) -> None:
        super().__init__(jobs, mp_context=get_context("spawn"), initializer=_end_with_parent)
        self._start = time.monotonic() + alone

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have it done; this starts the processes."""
        if time.monotonic() < self._start:
            return InThisProcess().submit(fn, *args, **kwargs)
        with _as_children_start():
            return super().submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes: when all is done, or at once, whatever they are doing."""
        if not wait:
            for process in list((self._processes or {}).values()):
                process.terminate()
        super().shutdown(cancel_futures=cancel_futures or not wait)


class InThisProcess(Executor):
    """An executor that does the work at once."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Do it."""
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future

    def map(self, fn: Callable[..., Any], *items: Iterable[Any], **_: Any) -> Iterator[Any]:
        """Do it as the results are asked for."""
        return map(fn, *items)


@contextmanager
def processes(jobs: int, alone: float = 0) -> Iterator[Executor]:
    """An executor that is ended with the block, at once if the block fails; 1 means this process itself.

    For the first `alone` seconds it is this process in any case.

    >>> with processes(1) as executor:
    ...     list(executor.map(len, ["a", "bc"]))
    [1, 2]

    Raises
    ------
    TallyplanError : one of the processes was killed.
    """
    with InThisProcess() if jobs == 1 else Processes(jobs, alone) as executor:
        try:
            yield executor
        except BrokenProcessPool:
            raise TallyplanError(
                "a process that did part of the work was killed, perhaps for its memory; the work was not "
                "finished."
            ) from None
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise


@contextmanager
def _as_children_start() -> Iterator[None]:
    """Children do not run the caller's script again, and never receive Ctrl-C, which a terminal sends."""
    script = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    can_block = hasattr(signal, "pthread_sigmask")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if can_block else set()
    try:
        yield
    finally:
        sys.modules["__main__"] = script
        if can_block:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    threading.Thread(target=_wait_and_end, args=(parent,), daemon=True).start()


def _wait_and_end(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
