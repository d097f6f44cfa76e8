"""Verifying a study again: certificates go to the independent checker, rows are held against them.

A certificate that was kept is read; otherwise the question is asked again, and everything in the row, the
hash of the certificate too, must come out as it stands there. A game is always played again: no certificate
says what a learner did. Either way the checker, which shares no code with the solvers, must accept the
certificate for this very instance, and what it proves must be what the row says.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from tallyplan.check import check
from tallyplan.errors import InvalidInput, TallyplanError
from tallyplan.limits import Progress, silent
from tallyplan.model.files import parse_json, read_text
from tallyplan.model.plugins import CodeNotNamed, only_code
from tallyplan.studies.questions import find
from tallyplan.studies.runners import answer_batch
from tallyplan.studies.store import FAILED, Result, Store, Task

CLAIMED = {"plan": "horizon", "cycle": "mean-cycle", "cyclic": "cyclic"}  # what a kept certificate must claim


@dataclass(frozen=True)
class Checked:
    """What came out.

    Attributes
    ----------
    verified : rows whose certificate the checker accepted, and that say what it proves.
    repeated : rows without a certificate that came out the same when asked again.
    wrong : what does not hold, in sentences.
    undecided : where the checker's limit was reached.
    """

    verified: int
    repeated: int
    wrong: tuple[str, ...]
    undecided: tuple[str, ...]


def check_study(
    store: Store,
    *,
    code: Sequence[str] = (),
    certificates: Path | None = None,
    limit: int | None = None,
    progress: Progress = silent,
) -> Checked:
    """Verify rows, all of them or the first `limit`; failures claim nothing and are passed over.

    Nothing of the user's own code is imported but the modules `code`: rows that need more are undecided.
    """
    verified = repeated = 0
    wrong: list[str] = []
    undecided: list[str] = []
    for number, item in enumerate(islice(store.works(done=True).values(), limit), start=1):
        task = store.task(item)
        row = store.known([task.work])[task.work]
        with only_code(code):
            status, reason = _checked(task, row, certificates, code)
        progress(f"{number} rows checked, {len(wrong)} wrong")
        verified += status == "accepted"
        repeated += status == "repeated"
        where = f"{task.question} {task.parameters} (row {task.work}): {reason}"
        if status == "refused":
            wrong.append(where)
        if status == "undecided":
            undecided.append(where)
    return Checked(verified, repeated, tuple(wrong), tuple(undecided))


def _checked(task: Task, row: Result, certificates: Path | None, code: Sequence[str]) -> tuple[str, str]:
    kept = None if certificates is None else certificates / f"{row.certificate}.json"
    if kept is not None and kept.exists() and task.question in CLAIMED:
        try:
            return _by_certificate(task, row, read_text(kept))
        except TallyplanError as error:
            return "refused", str(error)
    try:
        find(task.question).read(json.loads(task.parameters))
    except CodeNotNamed as error:
        return "undecided", str(error)
    except InvalidInput as error:
        return "refused", str(error)
    batch = answer_batch([task], code, with_certificates=True)
    (again,) = batch.results
    if again.status == FAILED:
        return "refused", f"asked again it failed: {again.message}"
    if again.content != row.content:
        return "refused", f"asked again it is {again.lower} to {again.upper}, and not what the row says."
    if row.certificate is None:
        return "repeated", ""
    return _by_checker(task, batch.certificates[row.certificate])


def _by_certificate(task: Task, row: Result, content: str) -> tuple[str, str]:
    if hashlib.sha256(content.encode()).hexdigest() != row.certificate:
        return "refused", "the certificate is not the one whose hash the row has."
    claim = parse_json(content, "the certificate")["claim"]
    asked = find(task.question).read(json.loads(task.parameters))
    sizes = {name: asked[name] for name in ("horizon", "period") if name in asked}
    proved = (claim["question"], claim.get("lower", claim["value"]), claim["value"], claim.get("start", []))
    said: tuple[Any, ...] = (CLAIMED[task.question], row.lower, row.upper, [])
    if proved != said or {name: claim.get(name) for name in sizes} != sizes:
        return "refused", f"the certificate proves {claim['value']}, and the row says {row.upper}."
    return _by_checker(task, content)


def _by_checker(task: Task, content: str) -> tuple[str, str]:
    instance = None if task.document is None else parse_json(task.document, "the instance")
    verdict = check(parse_json(content, "the certificate"), instance=instance)
    return verdict.status, verdict.reason
