"""Running a study: tasks go out in batches, results come back and are kept.

Where they go is an executor of `concurrent.futures`: a pool of processes on this machine, this process
itself, or a Dask cluster through its executor interface. A worker answers tasks for half a second and leaves
the rest, so that the overhead of a batch (milliseconds) does not count. The same task has the same result
everywhere but for the seconds that it took. When a worker dies, the tasks that were out are asked once more,
one at a time; a task that takes its worker down again has failed, and the others go on.

To verify a study, every question is asked once more. Everything in the row, the hash of the certificate too,
must come out as it stands there. Then the checker, which shares no code with the solvers, must accept the
certificate for this very instance.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from tallyplan import __version__
from tallyplan.check import check
from tallyplan.errors import InternalError, InvalidInput, TallyplanError
from tallyplan.limits import Progress, available_cores, silent
from tallyplan.model.files import AnyPath, json_text, make_folder, parse_json, write
from tallyplan.model.instance import Bandit, from_json
from tallyplan.model.plugins import CodeNotNamed, describe_error, only_code
from tallyplan.model.rationals import positive_integer
from tallyplan.studies.questions import Outcome, find
from tallyplan.studies.spec import Study
from tallyplan.studies.store import EXACT, FAILED, INTERVAL, TOLD, Result, Store, Task, as_row
from tallyplan.workers import ALONE, InThisProcess, Processes

SECONDS_PER_BATCH = 0.5
MOST_PER_BATCH = 1000
BATCHES_PER_WORKER = 2  # one that is worked on, one that waits
ANSWER_WITHIN = 20  # seconds that a scheduler has to answer
INSTANCES_KEPT = 16  # instances that a worker keeps from one task to the next
DIED = "the process that answered it died, twice: it needs too much memory, perhaps."

Batch = list[tuple[Result, str]]  # what a worker sends back: results, and their certificates if wanted


@dataclass(frozen=True)
class Workers:
    """Where batches are answered.

    Attributes
    ----------
    start : makes the executor anew.
    count : how many workers it has now.
    dead : the exceptions that mean that a worker died, and not that the question is bad.
    """

    start: Callable[[], Executor]
    count: Callable[[], int]
    dead: tuple[type[Exception], ...] = (BrokenExecutor,)


def local_workers(jobs: int | None = None) -> Workers:
    """Processes on this machine; 1 means this process itself.

    By default it is this process for two seconds, and then one for each core.

    >>> local_workers(1).count()
    1
    """
    number = available_cores() if jobs is None else positive_integer(jobs, "jobs")
    alone = iter([ALONE] if jobs is None else [])  # but not again after a process has died
    start = InThisProcess if number == 1 else lambda: Processes(number, next(alone, 0))
    return Workers(start, lambda: number)


@contextmanager
def cluster(scheduler: str, patience: float = ANSWER_WITHIN) -> Iterator[Workers]:
    """The workers of a Dask cluster, by the address of its scheduler or the path of its scheduler file.

    Raises
    ------
    InvalidInput : Dask is not installed, or no scheduler answers within `patience` seconds.

    >>> with cluster("scheduler.json") as workers:  # doctest: +SKIP
    ...     run(study, workers)
    """
    try:
        import distributed
    except ImportError:
        raise InvalidInput(
            "a cluster needs Dask, which is not installed: pip install 'tallyplan[cluster]'."
        ) from None
    place = {"scheduler_file": scheduler} if Path(scheduler).is_file() else {"address": scheduler}
    try:
        client = distributed.Client(**place, timeout=patience, set_as_default=False)
    except (OSError, TimeoutError, ValueError, KeyError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InvalidInput(f"no scheduler answers at {scheduler}: {reason}.") from None
    with client:
        yield Workers(
            lambda: client.get_executor(pure=False),
            lambda: max(1, sum(client.nthreads().values())),
            (distributed.KilledWorker,),
        )


@contextmanager
def resumable(path: AnyPath, study: Study) -> Iterator[ResumableStudy]:
    """A study whose answers are kept in a store, so that it goes on where it stopped.

    Raises
    ------
    InvalidInput : the store is damaged or of another version; it is not changed.
    KeyboardInterrupt : an interrupt of the block, with words that say what is kept.

    >>> import os, tempfile
    >>> from tallyplan.studies.spec import study_of
    >>> study = study_of({"instances": [{"family": "counterexample-3"}], "questions": [{"ask": "cycle"}]})
    >>> with tempfile.TemporaryDirectory() as folder, resumable(os.path.join(folder, "s"), study) as kept:
    ...     run(kept, local_workers(1))
    Ran(done=1, failed=0)
    """
    with Store(path, write=True) as store:
        kept = ResumableStudy(store, study, store.add(study))
        try:
            yield kept
        except KeyboardInterrupt:
            done = f"{len(kept.known())} of {len(set(kept.keys))} items are kept in {store.path}"
            raise KeyboardInterrupt(f"{done}, and the same command goes on") from None


@dataclass(frozen=True)
class ResumableStudy:
    """A study with its store, and the keys of its items in their order."""

    store: Store
    study: Study
    keys: list[bytes]

    def known(self) -> dict[bytes, Result]:
        """What the store has, by key."""
        known = self.store.known()
        return {key: known[key] for key in self.keys if key in known}

    def answers(self, workers: Workers, *, progress: Progress = silent) -> list[Result]:
        """The answers to all items in their order; those that the store has are not computed again.

        Raises
        ------
        InvalidInput : an item cannot be answered; those that were answered before are kept.
        """
        run(self, workers, progress=progress)
        known = self.known()
        self.store.forget_failures()
        for result in known.values():
            if result.status == FAILED:
                raise InvalidInput(result.message or "a question cannot be answered.")
        return [known[key] for key in self.keys]


class Ran(NamedTuple):
    """How many items a run answered, and how many of these failed."""

    done: int
    failed: int


def run(
    kept: ResumableStudy,
    workers: Workers,
    *,
    certificates: Path | None = None,
    limit: int | None = None,
    progress: Progress = silent,
) -> Ran:
    """Answer everything that a study asks and its store does not have yet.

    >>> with resumable("results.db", study) as kept:  # doctest: +SKIP
    ...     run(kept, local_workers())

    Parameters
    ----------
    certificates : a folder in which the certificates are kept, by their SHA-256.
    limit : stop after this number of tasks.

    Raises
    ------
    InvalidInput : the store or the folder cannot be written; a worker runs another version of tallyplan, or
        broke.
    """
    if certificates is not None:
        make_folder(certificates)
    known = kept.known()
    left = [key for key in dict.fromkeys(kept.keys) if key not in known][:limit]
    answer = partial(answer_batch, code=kept.study.code, with_certificates=certificates is not None)
    done, failed, began = 0, 0, time.monotonic()
    with closing(_answers(kept.store, workers, answer, deque(left))) as batches:
        for batch in batches:
            for result, certificate in batch:
                if certificates is not None and certificate:
                    write(certificates / f"{result.certificate}.json", certificate.encode())
            kept.store.record(result for result, _ in batch)
            done += len(batch)
            failed += sum(result.status == FAILED for result, _ in batch)
            rate = done / max(time.monotonic() - began, 1e-9)
            ahead = (len(left) - done) / rate
            progress(f"{done} of {len(left)} items done, {rate:.1f} per second, {ahead:.0f} s left")
    return Ran(done, failed)


def _answers(
    store: Store, workers: Workers, answer: Callable[..., Batch], left: deque[bytes]
) -> Generator[Batch, None, None]:
    """The answers to the items that are left, as they come.

    Items that were out when a worker died are suspects. They are asked again at the end, each alone, so that
    one that kills its worker does not take others with it; it has failed.
    """
    out: dict[Future[Batch], list[bytes]] = {}  # the items that are being answered
    suspects: deque[bytes] = deque()
    tried: set[bytes] = set()  # suspects, and those that were
    executor = workers.start()
    try:
        while left or suspects or out:
            try:
                _submit(store, executor, workers.count(), answer, out, left or suspects, alone=not left)
                for future in wait(out, return_when=FIRST_COMPLETED).done:
                    batch = future.result()
                    left.extendleft(reversed(out.pop(future)[len(batch) :]))  # for which there was no time
                    yield batch
            except workers.dead:
                executor.shutdown(wait=False)
                executor = workers.start()
                keys = [key for batch in out.values() for key in batch]
                out.clear()
                suspects.extend(key for key in keys if key not in tried)
                if failed := [(Result(key, FAILED, message=DIED), "") for key in keys if key in tried]:
                    yield failed
                tried.update(keys)
    except (CancelledError, OSError) as error:
        raise InvalidInput(
            f"the workers are gone ({type(error).__name__}); what was reported done is in {store.path}, "
            "and the same command goes on from there."
        ) from None
    finally:
        executor.shutdown(wait=False)


def _submit(
    store: Store,
    executor: Executor,
    count: int,
    answer: Callable[..., Batch],
    out: dict[Future[Batch], list[bytes]],
    queue: deque[bytes],
    *,
    alone: bool,
) -> None:
    """Hand out items of the queue: batches for all workers, or one item after all else is done."""
    most = 1 if alone else BATCHES_PER_WORKER * count
    while queue and len(out) < most:
        size = 1 if alone else max(1, min(MOST_PER_BATCH, len(queue) // (4 * most)))
        keys = list(islice(queue, size))
        out[executor.submit(answer, [*map(store.task, keys)], seconds=SECONDS_PER_BATCH)] = keys
        for _ in keys:
            queue.popleft()


# -- what a worker does --------------------


def answer_batch(
    tasks: Sequence[Task],
    code: Sequence[str] = (),
    with_certificates: bool = False,
    seconds: float = math.inf,
) -> Batch:
    """Answer tasks one after the other until the seconds are over, at least one.

    A task that cannot be answered has a result that says why. Of the user's own code only the modules `code`
    may run. Nothing is written here: results go back to the caller.
    """
    batch: Batch = []
    began = time.perf_counter()
    with only_code(code):
        for task in tasks:
            if batch and time.perf_counter() - began > seconds:
                break
            result, certificate = _answered(task)
            batch.append((result, certificate if with_certificates else ""))
    return batch


def ask(task: Task) -> Outcome:
    """The answer to one task."""
    question = find(task.question)
    about_it = [] if task.document is None else [_instance_of(task.document)]
    parameters = question.read(json.loads(task.parameters))
    with question.running():
        outcome: Outcome = question.function(*about_it, **parameters)
    return outcome


@lru_cache(INSTANCES_KEPT)
def _instance_of(document: str) -> Bandit:
    """The instance of a task; the tasks of one instance come together."""
    return from_json(parse_json(document, "an instance of the store"))


def _answered(task: Task) -> tuple[Result, str]:
    """The result of a task, and its certificate as it is hashed and kept."""
    if task.version != __version__:
        raise InvalidInput(f"a worker runs tallyplan {__version__}, and {task.version} is needed.")
    began = time.perf_counter()
    try:
        outcome = ask(task)
    except InternalError:
        raise
    except (TallyplanError, MemoryError) as error:
        why = str(error) or "there was not enough memory."
        return Result(task.key, FAILED, message=why, seconds=time.perf_counter() - began), ""
    except Exception as error:
        what = f"the question {task.question} {task.parameters}"
        raise InvalidInput(f"{what} broke: {describe_error(error)}.") from error
    certificate = "" if outcome.certificate is None else json_text(outcome.certificate, compact=True)
    exact = EXACT if outcome.lower == outcome.upper else INTERVAL
    result = Result(
        task.key,
        TOLD if outcome.upper is None else exact,
        outcome.lower,
        outcome.upper,
        outcome.facts,
        hashlib.sha256(certificate.encode()).hexdigest() if certificate else None,
        seconds=time.perf_counter() - began,
    )
    return result, certificate


# -- verification --------------------


class Checked(NamedTuple):
    """How many rows the checker accepted, how many others were repeated; sentences about the rest."""

    verified: int
    repeated: int
    wrong: tuple[str, ...]
    undecided: tuple[str, ...]


def check_study(
    store: Store, *, code: Sequence[str] = (), limit: int | None = None, progress: Progress = silent
) -> Checked:
    """Verify rows, all of them or the first `limit`; failures claim nothing and are passed over.

    Nothing of the user's own code is imported but the modules `code`: rows that need more are undecided.
    """
    found: dict[str, list[str]] = {"accepted": [], "repeated": [], "refused": [], "undecided": []}
    rows = (row for row in store.known().values() if row.status != FAILED)
    for number, row in enumerate(islice(rows, limit), start=1):
        task = store.task(row.key)
        status, reason = _checked(task, row, code)
        found[status].append(f"{task.question} {task.parameters} (row {number}): {reason}")
        progress(f"{number} rows checked, {len(found['refused'])} wrong")
    wrong, undecided = tuple(found["refused"]), tuple(found["undecided"])
    return Checked(len(found["accepted"]), len(found["repeated"]), wrong, undecided)


def _checked(task: Task, row: Result, code: Sequence[str]) -> tuple[str, str]:
    try:
        with only_code(code):
            find(task.question).read(json.loads(task.parameters))
    except CodeNotNamed as error:
        return "undecided", str(error)
    except InvalidInput as error:
        return "refused", str(error)
    ((again, certificate),) = answer_batch([task], code, with_certificates=True)
    if again.status == FAILED:
        return "refused", f"asked again it failed: {again.message}"
    if as_row(again)[:-1] != as_row(row)[:-1]:  # but for the seconds
        return "refused", f"asked again it is {again.lower} to {again.upper}, and not what the row says."
    if not certificate:
        return "repeated", ""
    instance = None if task.document is None else parse_json(task.document, "the instance")
    verdict = check(parse_json(certificate, "the certificate"), instance=instance)
    return verdict.status, verdict.reason
