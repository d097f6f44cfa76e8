"""Running a study: tasks go out in batches, results come back and are kept, and whatever dies is asked again.

Where they go is an executor of `concurrent.futures`: a pool of processes on this machine, this process
itself, or a Dask cluster through its executor interface. A batch is some half a second of work, so that the
overhead of handing it out (milliseconds) does not count; how many tasks that is, is learnt on the way, for
each question. Results do not depend on any of this.

When a worker dies, what was out is asked again, one task at a time and nothing beside it: a task that twice
takes a worker down with it has failed, and the others go on.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from tallyplan import __version__
from tallyplan.errors import InvalidInput
from tallyplan.limits import Progress, silent
from tallyplan.model.files import make_folder, write
from tallyplan.studies.store import FAILED, Result, Store, Task
from tallyplan.studies.work import Batch, answer_batch
from tallyplan.workers import InThisProcess, Processes, cores

SECONDS_PER_BATCH = 0.5
MOST_PER_BATCH = 2000
BATCHES_PER_WORKER = 2  # one that is worked on, one that waits
DEATHS_PER_TASK = 2  # of workers that had nothing else to do
ANSWER_WITHIN = 20  # seconds that a scheduler has to answer
SUSPICIONS = 10**6  # deaths of workers that Dask forgives a batch: it blames every batch of a dead worker


@dataclass(frozen=True)
class Workers:
    """Where batches go.

    Attributes
    ----------
    start : makes the executor anew.
    count : how many workers it has now.
    dead : the exceptions that mean that a worker died, and not that the question is bad.
    gone : the exceptions that mean that nobody is left who could answer.
    """

    start: Callable[[], Executor]
    count: Callable[[], int]
    dead: tuple[type[BaseException], ...] = (BrokenExecutor,)
    gone: tuple[type[BaseException], ...] = ()


def local_workers(jobs: int | None = None) -> Workers:
    """So many processes on this machine; by default one per core, and 1 means this process itself.

    >>> local_workers(1).count()
    1

    See Also
    --------
    tallyplan.studies.runners.cluster : on several machines.
    """
    number = cores() if jobs is None else jobs
    if number < 1:
        raise InvalidInput(f"the number of jobs is {number}; it must be at least 1.")
    return Workers(InThisProcess if number == 1 else lambda: Processes(number), lambda: number)


@contextmanager
def cluster(scheduler: str) -> Iterator[Workers]:
    """The workers of a Dask cluster, by the address of its scheduler or the path of its scheduler file.

    Raises
    ------
    InvalidInput : Dask is not installed, or nobody answers there.

    >>> with cluster("scheduler.json") as workers:  # doctest: +SKIP
    ...     run(store, workers)

    See Also
    --------
    tallyplan.studies.runners.local_workers : on this machine.
    """
    try:
        import distributed
    except ImportError:
        raise InvalidInput(
            "a cluster needs Dask, which is not installed: pip install 'tallyplan[cluster]'."
        ) from None
    place = {"scheduler_file": scheduler} if Path(scheduler).is_file() else {"address": scheduler}
    try:
        client = distributed.Client(**place, timeout=ANSWER_WITHIN, set_as_default=False)
    except (OSError, TimeoutError, ValueError, KeyError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InvalidInput(f"no scheduler answers at {scheduler}: {reason}.") from None
    with client:
        client.run_on_scheduler(_forgive)
        yield Workers(
            lambda: client.get_executor(pure=False),
            lambda: max(1, sum(client.nthreads().values())),
            (distributed.KilledWorker,),
            (CancelledError, distributed.CancelledError, OSError),
        )


def _forgive(dask_scheduler: Any) -> None:
    dask_scheduler.allowed_failures = SUSPICIONS


class Pace:
    """How long tasks take, by question, the latest counting half."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}

    def expected(self, task: Task) -> float:
        """Seconds that a task will take; a whole batch, as long as nothing is known."""
        return self._seconds.get(task.question, SECONDS_PER_BATCH)

    def learn(self, tasks: Sequence[Task], results: Sequence[Result]) -> None:
        """Remember what these took."""
        spent: defaultdict[str, list[float]] = defaultdict(list)
        for task, result in zip(tasks, results, strict=True):
            spent[task.question].append(result.seconds)
        for question, seconds in spent.items():
            each = sum(seconds) / len(seconds)
            self._seconds[question] = (each + self._seconds.get(question, each)) / 2


class _Queue:
    """The tasks that are still to be handed out."""

    def __init__(self, tasks: Iterator[Task], pace: Pace) -> None:
        self._tasks = tasks
        self._pace = pace
        self._next: Task | None = next(tasks, None)
        self.suspects: deque[Task] = deque()

    def __bool__(self) -> bool:
        return bool(self.suspects) or self._next is not None

    def batch(self, left: int, workers: int) -> list[Task]:
        """The next tasks, some half a second of work, fewer near the end so that all workers have some."""
        if self.suspects:
            return [self.suspects.popleft()]
        batch: list[Task] = []
        seconds, most = 0.0, min(MOST_PER_BATCH, max(1, left // (2 * workers)))
        while self._next is not None and len(batch) < most:
            seconds += self._pace.expected(self._next)
            if batch and seconds > SECONDS_PER_BATCH:
                break
            batch.append(self._next)
            self._next = next(self._tasks, None)
        return batch


@dataclass(frozen=True)
class Ran:
    """What a run did."""

    done: int
    failed: int


def run(
    store: Store,
    workers: Workers,
    *,
    certificates: Path | None = None,
    limit: int | None = None,
    only: Collection[int] | None = None,
    failures_are_errors: bool = False,
    progress: Progress = silent,
) -> Ran:
    """Answer everything in the store that has no result yet.

    Parameters
    ----------
    certificates : a folder in which the certificates are kept, by their SHA-256.
    limit : stop after so many tasks.
    only : the works to answer; all of them by default.
    failures_are_errors : end with the first question that cannot be answered, and do not keep that.

    Raises
    ------
    InvalidInput : the store or the folder cannot be written; a worker runs another version of tallyplan, or
        broke; a question cannot be answered, if that is an error.

    >>> import os, tempfile
    >>> from tallyplan.studies.runners import local_workers, run
    >>> from tallyplan.studies.spec import study_of
    >>> from tallyplan.studies.store import Store
    >>> study = study_of({"instances": [{"family": "counterexample-3"}], "questions": [{"ask": "cycle"}]})
    >>> with tempfile.TemporaryDirectory() as folder, Store(os.path.join(folder, "s"), write=True) as store:
    ...     store.add(study)
    ...     run(store, local_workers(1)).done
    1

    See Also
    --------
    tallyplan.studies.store.Store : where the answers are kept.
    tallyplan.studies.tables.table : what was found.
    tallyplan.studies.runners.cluster : on several machines.
    """
    if certificates is not None:
        make_folder(certificates)
    ((total,),) = store.select(OPEN_WORKS)
    tasks = store.open_tasks()
    if only is not None:
        total = len(set(only)) - len(store.known(set(only)))
        tasks = (task for task in tasks if task.work in only)
    total = total if limit is None else min(limit, total)
    return _Run(store, workers, certificates, failures_are_errors, progress).until_done(tasks, total)


class _Run:
    def __init__(
        self,
        store: Store,
        workers: Workers,
        certificates: Path | None,
        failures_are_errors: bool,
        progress: Progress,
    ) -> None:
        self._store = store
        self._failures_are_errors = failures_are_errors
        self._workers = workers
        self._certificates = certificates
        self._progress = progress
        self._executor = workers.start()
        self._out: dict[Future[Batch], list[Task]] = {}
        self._deaths: Counter[int] = Counter()
        self._pace = Pace()
        self._done = self._failed = 0
        self._total = 0
        self._began = time.monotonic()

    def until_done(self, tasks: Iterator[Task], total: int) -> Ran:
        """Hand out so many tasks, take them back, until nothing is left."""
        self._total = total
        queue = _Queue(islice(tasks, self._total), self._pace)
        try:
            while queue or self._out:
                self._hand_out(queue)
                for future in wait(self._out, return_when=FIRST_COMPLETED).done:
                    if future in self._out:
                        self._take_back(future, queue)
        except BaseException:
            self._executor.shutdown(wait=False, cancel_futures=True)
            raise
        self._executor.shutdown()
        return Ran(self._done, self._failed)

    def _hand_out(self, queue: _Queue) -> None:
        workers = self._workers.count()
        room = BATCHES_PER_WORKER * workers
        while queue and len(self._out) < (1 if queue.suspects else room):
            batch = queue.batch(self._total - self._done, workers)
            try:
                future = self._executor.submit(answer_batch, batch, self._certificates is not None)
            except self._workers.dead:
                queue.suspects.extendleft(reversed(batch))
                self._restart(queue)
                return
            self._out[future] = batch

    def _take_back(self, future: Future[Batch], queue: _Queue) -> None:
        try:
            answered = future.result()
        except self._workers.dead:
            self._restart(queue)
            return
        except self._workers.gone as error:
            raise InvalidInput(
                f"the workers are gone ({type(error).__name__}); what was reported done is in "
                f"{self._store.path}, and the same command goes on from there."
            ) from None
        batch = self._out.pop(future)
        if answered.version != __version__:
            raise InvalidInput(f"a worker runs tallyplan {answered.version}, and this is {__version__}.")
        self._keep(answered)
        self._pace.learn(batch, answered.results)

    def _keep(self, answered: Batch) -> None:
        if self._certificates is not None:
            for digest, content in answered.certificates.items():
                write(self._certificates / f"{digest}.json", content.encode())
        failed = [result for result in answered.results if result.status == FAILED]
        if failed and self._failures_are_errors:
            self._store.record(result for result in answered.results if result.status != FAILED)
            raise InvalidInput(failed[0].message or "a question cannot be answered.")
        self._store.record(answered.results)
        self._done += len(answered.results)
        self._failed += len(failed)
        seconds = time.monotonic() - self._began
        rate = self._done / max(seconds, 1e-9)
        left = (self._total - self._done) / rate
        self._progress(f"{self._done} of {self._total} items done, {rate:.1f} per second, {left:.0f} s left")

    def _restart(self, queue: _Queue) -> None:
        """A worker died: begin with a new executor, and ask again what was out, one by one."""
        self._executor.shutdown(wait=False, cancel_futures=True)
        out = list(self._out.values())
        self._out.clear()
        if [len(batch) for batch in out] == [1]:
            out = self._blamed(out[0][0])
        queue.suspects.extend(task for batch in out for task in batch)
        self._executor = self._workers.start()

    def _blamed(self, task: Task) -> list[list[Task]]:
        """The only task that was out when a worker died: it is asked again, or has failed."""
        self._deaths[task.work] += 1
        if self._deaths[task.work] < DEATHS_PER_TASK:
            return [[task]]
        why = "the process that answered it died, twice: it needs too much memory, perhaps."
        self._keep(Batch((Result(task.work, FAILED, message=why),), {}))
        return []


OPEN_WORKS = (
    "SELECT count(*) FROM works WHERE id NOT IN (SELECT work FROM results) AND id IN (SELECT work FROM items)"
)
