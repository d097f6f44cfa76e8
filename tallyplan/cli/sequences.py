"""Sequences of actions as people and programs give them: words, JSON lists, and plans with their start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from tallyplan.errors import InvalidInput
from tallyplan.model.files import parse_json
from tallyplan.model.instance import Bandit
from tallyplan.model.logs import actions_of_csv, is_csv_log
from tallyplan.model.rationals import shown
from tallyplan.model.replay import checked_action, history_of
from tallyplan.model.words import Runs, Word, expand, length, read, written

LONGEST_START = 10**6  # actions; only the last m - 1 count

Start = Annotated[
    str | None,
    typer.Option(
        metavar="ACTIONS",
        help="Actions played before, oldest first, such as 01 or 0,1; they stay in the window.",
    ),
]


@dataclass(frozen=True)
class Given:
    """A sequence and the actions that were played before it."""

    runs: Runs
    start: Word


def read_start(given: str | None, bandit: Bandit) -> Word:
    """The actions of --start."""
    runs = read(given or "", bandit.actions, "--start")
    if length(runs) > LONGEST_START:
        raise InvalidInput(
            f"--start has {shown(length(runs))} actions; only the last {bandit.memory - 1} count: give those."
        )
    return tuple(expand(runs))


def read_sequence(content: str, bandit: Bandit, start: str | None, what: str) -> Given:
    """A word as text, CSV with a column `action`, a JSON list of actions or of runs, or a plan and its start.

    Raises
    ------
    InvalidInput : none of these; or --start is not the start of the document.
    """
    if is_csv_log(content):
        return Given(((actions_of_csv(content, bandit, what), 1),), read_start(start, bandit))
    if not content.lstrip().startswith(("[", "{")):
        return Given(read(content, bandit.actions, what), read_start(start, bandit))
    from tallyplan.games.regret import as_runs

    document = parse_json(content, what)
    if isinstance(document, list):
        return Given(as_runs(bandit, document), read_start(start, bandit))
    if "runs" not in document:
        raise InvalidInput(f"{what} has no 'runs'; a plan, as `tallyplan plan --json` prints it, has.")
    runs = as_runs(bandit, document["runs"])
    if document.get("horizon", length(runs)) != length(runs):
        raise InvalidInput(
            f"{what} has the horizon {shown(document['horizon'])}, but its runs have {length(runs)} steps."
        )
    return Given(runs, _one_start(_start_of(document, bandit, what), start, bandit, what))


def _start_of(document: dict[str, Any], bandit: Bandit, what: str) -> Word:
    start = document.get("start", [])
    if not isinstance(start, list):
        raise InvalidInput(f"the start of {what} is {shown(start)}; it is a list of actions.")
    return tuple(checked_action(bandit, action, f"start[{i}] of {what}") for i, action in enumerate(start))


def _one_start(own: Word, given: str | None, bandit: Bandit, what: str) -> Word:
    """The start of the document, which --start may repeat but not change."""
    asked = own if given is None else read_start(given, bandit)
    if history_of(bandit, asked) != history_of(bandit, own):
        after = f"after {written([(own, 1)], bandit.actions)}" if own else "from the empty history"
        raise InvalidInput(f"--start is {shown(given)}, but the plan in {what} begins {after}.")
    return own
