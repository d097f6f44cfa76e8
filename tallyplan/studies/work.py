"""What a worker does, in this process, in another one or on another machine: answer some tasks.

Nothing is written here: results go back to the caller. The same task has the same result everywhere but
for the seconds that it took.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tallyplan import __version__
from tallyplan.errors import InternalError, InvalidInput, TallyplanError
from tallyplan.model.files import json_text, parse_json
from tallyplan.model.instance import Bandit, from_json
from tallyplan.model.plugins import describe_error, only_code
from tallyplan.model.rationals import about, text
from tallyplan.studies.questions import Outcome, find
from tallyplan.studies.store import EXACT, FAILED, INTERVAL, TOLD, Result, Task

INSTANCES_KEPT = 16  # instances that a worker keeps from one task to the next


@dataclass(frozen=True)
class Batch:
    """What a worker sends back.

    Attributes
    ----------
    results : of the first tasks; there was no time for the others.
    certificates : by SHA-256, where they were asked for.
    version : of the tallyplan that answered.
    """

    results: tuple[Result, ...]
    certificates: dict[str, str]
    version: str = __version__


def answer_batch(
    tasks: Sequence[Task],
    code: Sequence[str] = (),
    with_certificates: bool = False,
    seconds: float = math.inf,
) -> Batch:
    """Answer tasks one after the other until the seconds are over, at least one.

    A task that cannot be answered has a result that says why. Of the user's own code only the modules `code`
    may run.
    """
    results: list[Result] = []
    certificates: dict[str, str] = {}
    began = time.perf_counter()
    with only_code(code):
        for task in tasks:
            if results and time.perf_counter() - began > seconds:
                break
            result, certificate = _answered(task)
            results.append(result)
            if with_certificates and result.certificate is not None:
                certificates[result.certificate] = certificate
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
    return question.ask(_instance_of(task.document), **parameters)


@lru_cache(INSTANCES_KEPT)
def _instance_of(document: str) -> Bandit:
    """The instance of a task; the tasks of one instance come together."""
    return from_json(parse_json(document, "an instance of the store"))


def _answered(task: Task) -> tuple[Result, str]:
    """The result of a task, and its certificate as it is hashed and kept."""
    began = time.perf_counter()
    try:
        outcome = ask(task)
    except InternalError:
        raise
    except (TallyplanError, MemoryError) as error:
        why = str(error) or "there was not enough memory."
        return Result(task.work, FAILED, message=why, seconds=time.perf_counter() - began), ""
    except Exception as error:
        what = f"the question {task.question} {task.parameters}"
        raise InvalidInput(f"{what} broke: {describe_error(error)}.") from error
    certificate = "" if outcome.certificate is None else json_text(outcome.certificate, compact=True)
    exact = EXACT if outcome.lower == outcome.upper else INTERVAL
    result = Result(
        task.work,
        TOLD if outcome.upper is None else exact,
        None if outcome.lower is None else text(outcome.lower),
        None if outcome.upper is None else text(outcome.upper),
        None if outcome.upper is None else about(outcome.upper),
        json_text(dict(outcome.facts)),
        hashlib.sha256(certificate.encode()).hexdigest() if certificate else None,
        seconds=time.perf_counter() - began,
    )
    return result, certificate
