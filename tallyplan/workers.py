"""Processes that work on all cores: they leave Ctrl-C to whoever started them, and do not outlive it.

    with mapping(jobs) as mapped:
        for result in mapped(function, items):   # in the order of the items
            ...

A process that is killed ends the work with one sentence. When the block is left early, by an interrupt or an
error, the processes are ended at once, whatever they are doing.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_all_start_methods, get_context, parent_process
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any

from tallyplan.errors import TallyplanError


def cores() -> int:
    """How many processes can work at once on this machine."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def starting(loaded: Sequence[str] = ()) -> BaseContext:
    """How processes are started: afresh, or as copies of one that has `loaded` these modules.

    That one begins to load now, beside what this process does, if it does not run yet. It is safe to copy: it
    imports and does nothing else, so that no solver has begun a thread in it, and the threads of numpy's BLAS
    are ended by BLAS itself whenever a process is copied. What it cannot load, each copy loads.
    """
    if not loaded or "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    from multiprocessing.forkserver import ensure_running
    from multiprocessing.resource_tracker import ensure_running as ensure_tracker_running

    context = get_context("forkserver")
    context.set_forkserver_preload(list(loaded))
    ensure_tracker_running()  # before interrupts are held back, since it lets them in again
    with _interrupts_held_back():
        ensure_running()
    return context


class Processes(ProcessPoolExecutor):
    """An executor of so many processes; without `wait`, `shutdown` ends them at once."""

    def __init__(self, jobs: int, loaded: Sequence[str] = ()) -> None:
        super().__init__(jobs, mp_context=starting(loaded), initializer=_prepare)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have it done; the processes, which are started with the first task, never see an interrupt."""
        with _interrupts_held_back():
            return super().submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes: when all is done, or now.

        The thread that manages them is waited for either way: left to itself it closes its pipe at the moment
        at which Python, ending, may write to it.
        """
        started = list((self._processes or {}).values())
        manager: Any = self._executor_manager_thread  # typeshed has another type for it
        super().shutdown(wait, cancel_futures=cancel_futures)
        if not wait:
            for process in started:
                process.terminate()
            if manager is not None:
                manager.join()


class InThisProcess(Executor):
    """An executor that does the work at once."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Do it."""
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


@contextmanager
def processes(jobs: int, loaded: Sequence[str] = ()) -> Iterator[Executor]:
    """An executor that is ended with the block, at once if the block fails; 1 means this process itself.

    The processes find these modules `loaded`, where that is possible; see `starting`.

    Raises
    ------
    TallyplanError : one of the processes was killed.
    """
    with InThisProcess() if jobs == 1 else Processes(jobs, loaded) as executor:
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
def mapping(jobs: int) -> Iterator[Callable[[Callable[..., Any], Iterable[Any]], Iterable[Any]]]:
    """`map` in so many processes, results in order; 1 means this process itself.

    >>> with mapping(1) as mapped:
    ...     list(mapped(len, ["a", "bc"]))
    [1, 2]

    Raises
    ------
    TallyplanError : one of the processes was killed.
    """
    if jobs == 1:
        yield map
        return
    with processes(jobs) as executor:
        yield executor.map


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Ctrl-C waits until the block ends; processes that are started in it never receive it.

    The mask is for them; this process may have other threads, which receive it in place of this one.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    main = threading.current_thread() is threading.main_thread()  # only it may say what happens
    caught: list[object] = []
    handler = signal.signal(signal.SIGINT, lambda *given: caught.append(given)) if main else None
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if handler is not None:
            signal.signal(signal.SIGINT, handler)
        if caught:
            signal.raise_signal(signal.SIGINT)


def _prepare() -> None:
    """What a process does first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
