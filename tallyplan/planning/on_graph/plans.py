"""Optimal plans on the state graph: the layers of the recursion, and the way back through them.

`reference_layers` has the mathematics; the core does the same in machine integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial

from tallyplan.answers import Plan
from tallyplan.certificates import Proof, recursion
from tallyplan.core import horizon as core
from tallyplan.core.library import TooWideError
from tallyplan.limits import Progress, require_memory
from tallyplan.model.instance import Bandit, TallyingBandit
from tallyplan.model.words import RunBuilder, Word
from tallyplan.planning import reference_layers
from tallyplan.planning.effort import tick
from tallyplan.planning.on_graph.horizon_policy import HorizonPolicy

VECTORS = 12  # over the states, which a plan keeps at least


def plan_on_graph(bandit: Bandit, horizon: int, start: Word, progress: Progress) -> Plan:
    """The optimal plan by sweeps over the state graph.

    Raises
    ------
    InstanceTooLarge : before anything is allocated.
    """
    keep = bandit.memory - 1
    require_memory(4 * VECTORS * bandit.actions**keep, actions=bandit.actions, length=keep, what="histories")
    if not isinstance(bandit, TallyingBandit):
        tick()  # Python lists the windows of other kinds: with no time for that, none are
    found: core.Found | reference_layers.Found
    try:
        found = core.plan(core.costs_of(bandit), start, horizon, tick, progress)
    except TooWideError:
        found = reference_layers.plan(bandit, start, horizon)
    value = Fraction(found.cost, bandit.denominator)
    proof = Proof(recursion((jump.time, jump.period, jump.k) for jump in found.jumps))
    ask = partial(HorizonPolicy, bandit, horizon)
    return Plan(bandit, horizon, start, value, value, joined(found.runs), proof, ask)


def joined(runs: Iterable[tuple[Sequence[int], int]]) -> tuple[tuple[Word, int], ...]:
    """The same plan, with repeated stretches as long as they can be."""
    builder = RunBuilder()
    for word, repeats in runs:
        builder.repeat(tuple(word), repeats)
    return builder.finish()
