"""Claims examined, by several processes at once if that is worth it, each after those that it uses."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from graphlib import TopologicalSorter
from multiprocessing import parent_process

from proofs_check.all_claims import claims
from proofs_check.claim import Claim, named
from proofs_check.examining import Request, Result, examine
from tallyplan.limits import Progress, silent
from tallyplan.workers import processes

WAITING = 2  # claims given to a process at once, so that it goes on while a result is on its way


def examined(
    chosen: Iterable[Claim],
    known: Mapping[str, Result],
    *,
    workers: int = 1,
    thorough: bool = False,
    progress: Progress = silent,
    keep: Callable[[Result], None] = lambda result: None,
) -> dict[str, Result]:
    """The results of the claims and of all that they use, by id; the same as in one process.

    Each is given to `keep` once it is there.
    """
    order = TopologicalSorter(rests_on(chosen, known))
    order.prepare()
    results = dict(known)
    ready: deque[str] = deque()
    running: dict[Future[Result], str] = {}
    with processes(workers) as pool:
        while order.is_active():
            ready.extend(order.get_ready())
            while ready and len(running) < workers * WAITING:
                id = ready.popleft()
                used = {other: results[other] for other in named(id).uses}
                told = progress if workers == 1 else silent
                running[pool.submit(_examined, id, thorough, told, used)] = id
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                id = running.pop(done)
                results[id] = done.result()
                keep(results[id])
                order.done(id)
                progress(f"{id}: {results[id].outcome.verdict}; {len(results)} done")
    return results


def rests_on(chosen: Iterable[Claim], known: Mapping[str, Result]) -> dict[str, list[str]]:
    """What each claim uses and is not known yet, for the chosen ones and all that they rest on."""
    found: dict[str, list[str]] = {}
    left = [one.id for one in chosen if one.id not in known]
    while left:
        id = left.pop(0)
        if id not in found:
            found[id] = [other for other in named(id).uses if other not in known]
            left += found[id]
    return found


def _examined(id: str, thorough: bool, progress: Progress, known: dict[str, Result]) -> Result:
    """One claim, in a process that may have read no claim before."""
    claims()
    if parent_process() is not None:
        gc.freeze()  # modules and caches stay: the collector need not look through them
    return examine(named(id), Request(thorough, progress, known))
