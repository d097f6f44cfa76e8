"""Claims examined by several processes at once, each claim after those that it uses."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from graphlib import TopologicalSorter
from multiprocessing import active_children, get_context

from proofs_check.all_claims import claims
from proofs_check.claim import Claim, Request, Result, Run, named
from tallyplan.errors import TallyplanError
from tallyplan.limits import Progress


def examined(
    chosen: Iterable[Claim], known: Mapping[str, Result], *, workers: int, thorough: bool, progress: Progress
) -> dict[str, Result]:
    """The results of the claims and of all that they use, by id; the same as in one process."""
    order = TopologicalSorter(_uses(chosen, known))
    order.prepare()
    results = dict(known)
    running: dict[Future[Result], str] = {}
    with ProcessPoolExecutor(workers, get_context("spawn"), _leave_interrupts_to_the_parent) as pool:
        try:
            while order.is_active():
                for id in order.get_ready():
                    used = {other: results[other] for other in named(id).uses}
                    running[pool.submit(_examined, id, thorough, used)] = id
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    id = running.pop(done)
                    results[id] = done.result()
                    order.done(id)
                    progress(f"{id}: {results[id].outcome.verdict}; {len(results)} claims done")
        except BrokenProcessPool:
            raise TallyplanError(
                "a process that examined claims was killed, perhaps for its memory; the claims that are left "
                "have no verdict."
            ) from None
        except BaseException:
            for process in active_children():
                process.terminate()
            raise
    return results


def _uses(chosen: Iterable[Claim], known: Mapping[str, Result]) -> dict[str, list[str]]:
    """What each claim uses and is not known yet, for the chosen ones and all that they rest on."""
    found: dict[str, list[str]] = {}
    left = [one.id for one in chosen if one.id not in known]
    while left:
        id = left.pop(0)
        if id not in found:
            found[id] = [other for other in named(id).uses if other not in known]
            left += found[id]
    return found


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _examined(id: str, thorough: bool, known: dict[str, Result]) -> Result:
    """One claim, in a process that has just begun."""
    claims()
    return Run(known).result(id, Request(thorough))
