"""What the two kinds of policies share: how they are asked, listed and written."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tallyplan.answers import Choice, Policy
from tallyplan.errors import InvalidInput
from tallyplan.model.graph import number_of_states, states_of
from tallyplan.model.instance import Bandit, State
from tallyplan.model.rationals import integer, shown

FORMAT = "tallyplan-policy"
VERSION = 1
MOST_ROWS = 10**5  # of a table


def rows_of(policy: Policy, bandit: Bandit, to_go: int | None) -> list[dict[str, Any]]:
    """A row per state, the first one first: history or state, action, value, and the cost of each action."""
    rows: list[dict[str, Any]] = []
    name = "history" if bandit.memory else "state"
    if number_of_states(bandit) > MOST_ROWS:
        states = shown(number_of_states(bandit))
        raise InvalidInput(f"the table would have {states} rows; it is for at most {MOST_ROWS}.")
    for state in states_of(bandit):
        choice = policy.at(state, to_go)
        losses = {f"loss_{a}": loss for a, loss in enumerate(choice.losses)}
        if any(loss is not None for loss in choice.losses):
            rows.append({name: state, "action": choice.action, "value": choice.value} | losses)
    return rows


def choice_in(bandit: Bandit, state: State, value: Callable[[State], Fraction | None]) -> Choice:
    """What each action costs in a state if what follows costs `value`; None where that is out of reach."""
    losses: list[Fraction | None] = [None] * bandit.actions
    for action in bandit.allowed(state):
        loss, following = bandit.step(state, action)
        after = value(following)
        losses[action] = None if after is None else loss + after
    return Choice(tuple(losses))


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
