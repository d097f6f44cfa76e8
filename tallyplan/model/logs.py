"""Action logs as files: JSON with the runs, CSV with a line per step, or a word as text; all are read back.

.json   [[[0, 1], 500], [[1], 1]]       runs, whatever the number of steps
.csv    step,action,loss / 1,0,1/3      the exact mean loss of every step
others  (01)^500 1                      a word, whatever the number of steps
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from tallyplan.errors import InvalidInput
from tallyplan.model.files import AnyPath, json_text, write
from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import integer_from_text, shown, text
from tallyplan.model.replay import checked_action
from tallyplan.model.tables import csv_lines
from tallyplan.model.words import Runs, Word, expand, length, written

MOST_LINES = 10**7  # steps of a log in CSV
COLUMNS = ("step", "action", "loss")


def write_log(path: AnyPath, bandit: Bandit, runs: Runs, start: Word = ()) -> None:
    """Write what was played, in the format that the path names; `start` was played before and is not in it.

    Raises
    ------
    InvalidInput : the log has more than ten million steps and is to be CSV.
    """
    suffix = Path(path).suffix.lower()
    if suffix == ".json":
        content = json_text([[list(word), repeats] for word, repeats in runs])
    elif suffix == ".csv":
        content = _as_csv(bandit, runs, start)
    else:
        content = written(runs, bandit.actions)
    write(path, f"{content}\n".encode())


def is_csv_log(content: str) -> bool:
    """Whether the first line names a column `action`."""
    return "action" in _cells(re.split("[,;]", content.partition("\n")[0]))


def actions_of_csv(content: str, bandit: Bandit, what: str) -> Word:
    """The actions of a log in CSV, whose other columns do not matter; steps, if given, must count up."""
    (_, names), *rows = csv_lines(content, what)
    header = _cells(names)
    action, step = header.index("action"), header.index("step") if "step" in header else None
    actions: list[int] = []
    previous: int | None = None
    for where, row in rows:
        played = integer_from_text(row[action], f"the action in {where}")
        actions.append(checked_action(bandit, played, f"the action in {where}"))
        if step is not None:
            now = integer_from_text(row[step], f"the step in {where}")
            if previous is not None and now != previous + 1:
                raise InvalidInput(f"{where} is step {shown(now)}, after step {previous}.")
            previous = now
    return tuple(actions)


def _as_csv(bandit: Bandit, runs: Runs, start: Word) -> str:
    steps = length(runs)
    if steps > MOST_LINES:
        raise InvalidInput(
            f"the log has {shown(steps)} steps, and CSV has a line for each; a name that ends in .json or "
            ".txt has room for any number."
        )
    state = bandit.state_after(start)
    lines = [",".join(COLUMNS)]
    for step, action in enumerate(expand(runs), start=1):
        loss, state = bandit.step(state, action)
        lines.append(f"{step},{action},{text(loss)}")
    return "\n".join(lines)


def _cells(names: Iterable[str]) -> list[str]:
    return [name.strip(' "\ufeff').lower() for name in names]
