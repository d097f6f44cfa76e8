"""What the two kinds of policies share: how they are asked, listed and written."""

from __future__ import annotations

from itertools import product
from typing import Any

from tallyplan.answers import Policy
from tallyplan.errors import InvalidInput
from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import integer, shown
from tallyplan.model.words import Word, last

FORMAT = "tallyplan-policy"
VERSION = 1
MOST_ROWS = 10**5  # of a table


def rows_of(policy: Policy, bandit: Bandit, to_go: int | None) -> list[dict[str, Any]]:
    """A row per history, the empty one first: history, action, value, and the cost of each action."""
    rows: list[dict[str, Any]] = []
    histories = sum(bandit.actions**length for length in range(bandit.memory))
    if histories > MOST_ROWS:
        raise InvalidInput(f"the table would have {shown(histories)} rows; it is for at most {MOST_ROWS}.")
    for length in range(bandit.memory):
        for history in product(range(bandit.actions), repeat=length):
            choice = policy.after(history, to_go)
            losses = {f"loss_{a}": loss for a, loss in enumerate(choice.losses)}
            rows.append({"history": history, "action": choice.action, "value": choice.value} | losses)
    return rows


def after_playing(bandit: Bandit, history: Word, action: int) -> Word:
    """The history after one more action."""
    return last((*history, action), bandit.memory - 1)


def steps_to_go(to_go: Any, least: int) -> int:
    """The steps to go as an integer of at least `least`."""
    if to_go is None:
        raise InvalidInput("how many steps are to go? A policy of a finite horizon needs to know: to_go=T.")
    steps = integer(to_go, "to_go")
    if steps < least:
        raise InvalidInput(f"to_go is {shown(steps)}; it must be at least {least}.")
    return steps


def header(kind: str, bandit: Bandit) -> dict[str, Any]:
    """How the file of a policy begins."""
    return {"format": FORMAT, "version": VERSION, "policy": kind, "instance": bandit.to_json()}
