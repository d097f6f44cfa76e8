"""Verifying a study again: every question is asked once more, and certificates go to the checker.

Everything in the row, the hash of the certificate too, must come out as it stands there. Then the checker,
which shares no code with the solvers, must accept the certificate for this very instance.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from tallyplan.check import check
from tallyplan.errors import InvalidInput
from tallyplan.limits import Progress, silent
from tallyplan.model.files import parse_json
from tallyplan.model.plugins import CodeNotNamed, only_code
from tallyplan.studies.questions import find
from tallyplan.studies.runners import answer_batch
from tallyplan.studies.store import FAILED, Result, Store, Task, as_row


class Checked(NamedTuple):
    """How many rows were accepted, how many without a certificate came out the same; the others in words."""

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
