"""The learners by name: what each is, which feedback it is for, and how it is built."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import Any

from tallyplan.errors import InvalidInput
from tallyplan.games.protocol import Learner
from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import shown

DEFAULT_DELTA = Fraction(1, 20)


@dataclass(frozen=True)
class Entry:
    """A learner of the registry.

    Attributes
    ----------
    name, summary : for people.
    home : "module:Class" under `tallyplan.games.learners`, imported when it is first built.
    given : what the constructor takes: "delta", "bandit" (an oracle), or nothing.
    feedback : the feedback it is made for.
    """

    name: str
    summary: str
    home: str
    given: str = ""
    feedback: str = "bernoulli"

    def build(self, bandit: Bandit, delta: Fraction = DEFAULT_DELTA) -> Learner:
        """The learner, ready to play."""
        module, name = self.home.split(":")
        try:
            make: Callable[..., Learner] = getattr(import_module(f"tallyplan.games.learners.{module}"), name)
        except ModuleNotFoundError as error:
            raise InvalidInput(f"{self.name} cannot be loaded: {error}.") from None
        known: dict[str, Any] = {"delta": delta, "bandit": bandit}
        return make(**{self.given: known[self.given]} if self.given else {})


_ENTRIES = (
    Entry(
        "alg-det",
        "Algorithm 2: see every loss once, then plan the rest (deterministic feedback)",
        "alg_det:AlgDet",
        feedback="deterministic",
    ),
    Entry("alg-stoch", "explore for T^(2/3) steps, then commit to a plan", "alg_stoch:AlgStoch"),
    Entry("se-tb", "Algorithm 1: successive elimination of cyclic policies", "se_tb:SETB", "delta"),
    Entry(
        "se-tb-sharp",
        "SE-TB with the sharp Hoeffding constant and m - 1 steps of burn-in",
        "se_tb:sharpened",
        "delta",
    ),
    Entry(
        "se-tb-unknown-memory",
        "SE-TB for every memory up to m (the Discussion's scheme)",
        "unknown_memory:SETBUnknownMemory",
        "delta",
    ),
    Entry(
        "optimistic-planner",
        "re-plan on optimistic estimates whenever a count has doubled (UCRL on the tally table)",
        "optimistic_planner:OptimisticPlanner",
        "delta",
    ),
    Entry("ucb1", "UCB1, a classic of m = 1", "ucb1:UCB1"),
    Entry("exp3", "EXP3, for the traditional regret", "exp3:Exp3"),
    Entry("batched-exp3", "EXP3 on batches, for the constant-action policy regret", "exp3:BatchedExp3"),
    Entry(
        "successive-elimination",
        "successive elimination of actions, a classic of m = 1",
        "successive_elimination:SuccessiveElimination",
        "delta",
    ),
    Entry(
        "greedy-oracle",
        "knows the losses, plays what costs least now",
        "greedy_oracle:GreedyOracle",
        "bandit",
    ),
    Entry("round-robin", "all actions in turn", "round_robin:RoundRobin"),
    Entry(
        "best-constant",
        "knows the losses, plays the best constant action",
        "best_constant:BestConstant",
        "bandit",
    ),
)

LEARNERS: dict[str, Entry] = {entry.name: entry for entry in _ENTRIES}
"""All learners by name."""


def find(name: str) -> Entry:
    """The learner of this name.

    Raises
    ------
    InvalidInput : there is none; the message names the closest and lists all.

    >>> find("ucb1").summary
    'UCB1, a classic of m = 1'
    """
    if name not in LEARNERS:
        close = difflib.get_close_matches(name, LEARNERS, n=1)
        guess = f"did you mean {close[0]!r}? " if close else ""
        raise InvalidInput(
            f"there is no learner {shown(name)}; {guess}The learners are {', '.join(LEARNERS)}."
        )
    return LEARNERS[name]
