"""What a worker does, in this process, in another one or on another machine: answer some tasks.

Nothing is written here: results go back to whoever asked. The same task has the same result everywhere but
for the seconds that it took.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tallyplan import __version__
from tallyplan.errors import InternalError, InvalidInput, TallyplanError
from tallyplan.model.files import json_text, parse_json
from tallyplan.model.instance import Bandit, from_json
from tallyplan.model.own_code import told
from tallyplan.model.rationals import about, text
from tallyplan.studies.questions import Outcome, find
from tallyplan.studies.store import EXACT, FAILED, INTERVAL, TOLD, Result, Task

INSTANCES_KEPT = 16  # instances that a worker keeps from one task to the next


@dataclass(frozen=True)
class Batch:
    """What a worker sends back.

    Attributes
    ----------
    certificates : by SHA-256, where they were asked for.
    version : of the tallyplan that answered.
    """

    results: tuple[Result, ...]
    certificates: dict[str, str]
    version: str = __version__


def answer_batch(tasks: Sequence[Task], with_certificates: bool = False) -> Batch:
    """Answer tasks one after the other; one that cannot be answered has a result that says why."""
    results, certificates = [], {}
    for task in tasks:
        started = time.perf_counter()
        status, outcome = _answered(task)
        written = certificate_text(outcome) if isinstance(outcome, Outcome) else None
        digest = None if written is None else hashlib.sha256(written.encode()).hexdigest()
        if with_certificates and written is not None and digest is not None:
            certificates[digest] = written
        results.append(_result(task, status, outcome, digest, time.perf_counter() - started))
    return Batch(tuple(results), certificates)


def ask(task: Task) -> Outcome:
    """The answer to one task.

    Raises
    ------
    TallyplanError : what the question refuses.
    """
    question = find(task.question)
    parameters = question.read(json.loads(task.parameters))
    if task.document is None:
        return question.ask(**parameters)
    return question.ask(instance_of(task.document), **parameters)


@lru_cache(INSTANCES_KEPT)
def instance_of(document: str) -> Bandit:
    """The instance of a task; the tasks of one instance come together."""
    return from_json(parse_json(document, "an instance of the store"))


def certificate_text(outcome: Outcome) -> str | None:
    """The certificate as it is hashed and kept."""
    return None if outcome.certificate is None else json_text(outcome.certificate, compact=True)


def _answered(task: Task) -> tuple[str, Outcome | str]:
    """The status, and the outcome or why there is none."""
    try:
        outcome = ask(task)
    except InternalError:
        raise
    except TallyplanError as error:
        return FAILED, str(error)
    except MemoryError:
        return FAILED, "there was not enough memory."
    except Exception as error:
        raise InvalidInput(f"the question {task.question} {task.parameters} broke: {told(error)}.") from error
    if outcome.upper is None:
        return TOLD, outcome
    return (EXACT if outcome.lower == outcome.upper else INTERVAL), outcome


def _result(task: Task, status: str, outcome: Any, digest: str | None, seconds: float) -> Result:
    if isinstance(outcome, str):
        return Result(task.work, status, message=outcome, seconds=seconds)
    return Result(
        task.work,
        status,
        None if outcome.lower is None else text(outcome.lower),
        None if outcome.upper is None else text(outcome.upper),
        None if outcome.upper is None else about(outcome.upper),
        json_text(dict(outcome.facts)),
        digest,
        seconds=seconds,
    )
