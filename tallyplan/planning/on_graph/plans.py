"""Optimal plans on the state graph: the layers of the recursion, and the way back through them.

`reference_layers` has the mathematics; the core does the same in machine integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from tallyplan.answers import Plan
from tallyplan.core import horizon as core
from tallyplan.core.library import TooWideError
from tallyplan.limits import Progress, require_memory
from tallyplan.model.instance import Bandit
from tallyplan.model.words import RunBuilder, Runs, Word
from tallyplan.planning import reference_layers
from tallyplan.planning.effort import tick
from tallyplan.planning.on_graph.horizon_policy import HorizonPolicy

VECTORS = 12  # over the states, which a plan keeps at least


@dataclass(frozen=True)
class Recursion:
    """The Bellman recursion, which the checker carries out itself, with its jumps (t, p, k)."""

    jumps: tuple[tuple[int, int, int], ...]

    @property
    def method(self) -> str:
        """The name of the method."""
        return "recursion"

    @property
    def argument(self) -> str:
        """The proof in words."""
        return f"the Bellman recursion over all histories, short cuts: {len(self.jumps)}"

    def to_json(self) -> dict[str, Any]:
        """As docs/certificates.md describes it."""
        return {"jumps": [list(jump) for jump in self.jumps]}


def plan_on_graph(bandit: Bandit, horizon: int, start: Word, progress: Progress) -> Plan:
    """The optimal plan by sweeps over the state graph.

    Raises
    ------
    InstanceTooLarge : before anything is allocated.
    """
    keep = bandit.memory - 1
    require_memory(4 * VECTORS * bandit.actions**keep, actions=bandit.actions, length=keep, what="histories")
    found: core.Found | reference_layers.Found
    try:
        found = core.plan(core.costs_of(bandit), start, horizon, tick, progress)
    except TooWideError:
        found = reference_layers.plan(bandit, start, horizon)
    value = Fraction(found.cost, bandit.denominator)
    proof = Recursion(tuple((jump.time, jump.period, jump.k) for jump in found.jumps))
    ask = partial(HorizonPolicy, bandit, horizon)
    return Plan(bandit, horizon, start, value, value, _joined(found.runs), proof, ask)


def _joined(runs: Runs) -> tuple[tuple[Word, int], ...]:
    """The same plan, with repeated stretches as long as they can be."""
    builder = RunBuilder()
    for word, repeats in runs:
        builder.repeat(tuple(word), repeats)
    return builder.finish()
