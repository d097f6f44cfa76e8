"""Tables of constants over a box of sizes, with a ledger so that a long run can go on where it stopped.

The ledger has one JSON document per line: the size, the value and the whole certificate. A last line that was
cut off by a crash is computed again; a line whose table does not have its value is an error.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from proofs_check.many_tables import Tables
from proofs_check.worst_case.claims import (
    BestConstant,
    Question,
    class_names,
    constant,
    question,
)
from proofs_check.worst_case.policies import AlgDet, Cyclic
from tallyplan.errors import InvalidInput
from tallyplan.limits import Progress, silent
from tallyplan.model.instance import TallyingBandit, from_json

COLUMNS = ("claim", "actions", "memory", "horizon", "period", "value", "bound")
EXPECTED_COLUMNS = ("kind", "formula", "expected", "met")


def box(
    claim: str,
    actions: Sequence[int],
    memories: Sequence[int],
    horizons: Sequence[int] | None = None,
    periods: Sequence[int] | None = None,
) -> list[Question]:
    """The sizes of a table, smallest first. By default T = mK..mK+m with ALG_det, and L = 2..6 without.

    Sizes that make no sense (a horizon too short for the exploration, no period) are left out.

    >>> [(q.memory, q.horizon) for q in box("proposition-1-upper", [2], [1, 2])]
    [(1, 2), (1, 3), (2, 4), (2, 5), (2, 6)]
    """
    names = class_names(claim)
    asked = []
    for K in actions:
        for m in memories:
            for T, L in _lengths(names, K * m, m, horizons, periods):
                one = question(claim, K, m, horizon=T, period=L)
                if Cyclic.name not in names or one.period is not None:
                    asked.append(one)
    if not asked:
        raise InvalidInput("the box has no size at which the claim makes sense.")
    return asked


def _lengths(
    names: tuple[str, str], cells: int, m: int, horizons: Sequence[int] | None, periods: Sequence[int] | None
) -> Iterator[tuple[int | None, int | None]]:
    if AlgDet.name in names and horizons is None:
        horizons = range(cells, cells + m + 1)
    if horizons is None and periods is None:
        periods = range(2, 7)
        if Cyclic.name not in names:
            horizons, periods = [L * L for L in periods], None
    least = cells if AlgDet.name in names else 0
    for T in horizons if horizons is not None else [None]:
        for L in periods if periods is not None else [None]:
            if T is None or least <= T:
                yield T, L


def table(
    questions: Sequence[Question],
    *,
    ledger: Path | None = None,
    time_limit: float | None = None,
    progress: Progress = silent,
) -> Iterator[BestConstant]:
    """Compute the constants one after the other; `ledger` keeps what is done and gives it back."""
    done = dict(read_ledger(ledger)) if ledger is not None and ledger.exists() else {}
    for number, asked in enumerate(questions, 1):
        known = done.get(asked)
        if known is not None and known.exact:
            yield known
            continue
        name = f"{number} of {len(questions)}: K = {asked.actions}, m = {asked.memory}, T = {asked.horizon}"
        row = constant(asked, time_limit=time_limit, progress=_prefixed(progress, name))
        if ledger is not None:
            _append(ledger, row)
        yield row


def _prefixed(progress: Progress, name: str) -> Progress:
    return lambda words: progress(f"{name}: {words}")


def read_ledger(path: Path) -> Iterator[tuple[Question, BestConstant]]:
    """The rows of a ledger; later lines come last, and a last line that was cut off is passed over."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"the ledger {path} cannot be read: {error}.") from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                row = _row_from(json.loads(line))
            except (KeyError, TypeError, ValueError) as error:
                if number == len(lines):  # no newline at its end: the run was stopped while writing
                    continue
                raise InvalidInput(f"line {number} of the ledger {path} makes no sense: {error}.") from None
            _confirm(row, f"line {number} of the ledger {path}")
            yield row.asked, row


def _append(path: Path, row: BestConstant) -> None:
    line = json.dumps(row.to_json() | {"certificate": row.certificate})
    try:
        whole = path.read_bytes() if path.exists() else b""
        if whole and not whole.endswith(b"\n"):  # what a stopped run left of its last line
            path.write_bytes(whole[: whole.rfind(b"\n") + 1])
        with path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
    except OSError as error:
        raise InvalidInput(f"the ledger {path} cannot be written: {error.strerror}.") from None


def _row_from(line: dict[str, Any]) -> BestConstant:
    asked = Question(*(line[key] for key in ("claim", "actions", "memory", "horizon", "period")))
    value, bound = Fraction(line["value"]), Fraction(line["bound"])
    return BestConstant(asked, value, bound, line["losses"], line["proof"], line["certificate"])


def _confirm(row: BestConstant, where: str) -> None:
    """The certificate is about this row, and its table has the value."""
    first, second = row.asked.classes()
    claim = row.certificate["claim"]
    bandit = from_json(row.certificate["instance"])
    size = row.asked.actions, row.asked.memory
    if (
        not isinstance(bandit, TallyingBandit)
        or (bandit.actions, bandit.memory) != size
        or (claim["first"], claim["second"]) != (first.to_json(), second.to_json())
    ):
        raise InvalidInput(f"{where} has the certificate of another question.")
    unit = bandit.denominator
    tables = Tables([[int(loss * unit) for loss in bandit.values()]], [unit])
    if row.asked.sign * (first.values(tables)[0] - second.values(tables)[0]) != row.value:
        raise InvalidInput(f"{where} names a table that does not have its value.")


def as_csv(rows: Iterable[BestConstant]) -> str:
    """The rows as comma-separated values, one expectation (the strongest) per row."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow((*COLUMNS, *EXPECTED_COLUMNS, "losses"))
    for row in rows:
        entries = row.to_json()
        known = entries["expected"][0] if entries["expected"] else {}
        strongest = [known.get(key, "") for key in ("kind", "formula", "value", "met")]
        losses = " | ".join(" ".join(losses) for losses in row.losses)
        writer.writerow([*(entries[key] for key in COLUMNS), *strongest, losses])
    return buffer.getvalue()
