"""Optimal plans on the state graph: the layers of the recursion, and the way back through them.

`reference_layers` has the mathematics; the core does the same in machine integers.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from tallyplan.answers import Plan
from tallyplan.certificates import Proof, recursion
from tallyplan.core import questions as core
from tallyplan.core.library import TooWideError
from tallyplan.limits import Progress
from tallyplan.model.arms import ArmBandit, graph_of_arms
from tallyplan.model.instance import Bandit, State
from tallyplan.model.rationals import digits
from tallyplan.model.words import Word, shortest
from tallyplan.planning import reference_layers
from tallyplan.planning.effort import tick
from tallyplan.planning.on_graph.horizon_policy import HorizonPolicy
from tallyplan.planning.on_graph.states import (
    called,
    explicit,
    graph_of,
    no_play,
    node_of,
    place_of,
)


def plan_on_graph(bandit: Bandit, horizon: int, start: Word, progress: Progress) -> Plan:
    """The optimal plan by sweeps over the state graph.

    Raises
    ------
    NoPlay : arms forbid every play of `horizon` steps after `start`.
    """
    state = bandit.state_after(start)
    if isinstance(bandit, ArmBandit):
        _require_play(bandit, horizon, start, state)
    found: core.Planned | reference_layers.Planned
    try:
        found = core.plan(graph_of(bandit, short=True), place_of(bandit, state), horizon, tick, progress)
    except TooWideError:
        found = reference_layers.plan(explicit(bandit, short=True), node_of(bandit, state), horizon)
    value, name = Fraction(found.cost, bandit.denominator), called(bandit)
    proof = Proof(recursion(_jumps(bandit, state, horizon, found), name), name)
    ask = partial(HorizonPolicy, bandit, horizon)
    return Plan(bandit, horizon, start, value, value, shortest(found.runs), proof, ask)


def _require_play(bandit: ArmBandit, horizon: int, start: Word, state: State) -> None:
    longest = graph_of_arms(bandit).longest[node_of(bandit, state)]
    if longest is not None and longest < horizon:
        claim = {"question": "horizon", "horizon": horizon, "start": list(start)}
        raise no_play(bandit, claim, f"there is no play of {digits(horizon)} steps.")


def _jumps(
    bandit: Bandit, state: State, horizon: int, found: core.Planned | reference_layers.Planned
) -> list[tuple[int, int, int]]:
    """The jumps of the recursion (t, p, k) over full histories: it has no more steps than remain to these."""
    steps = horizon
    if not isinstance(bandit, ArmBandit):
        steps -= min(horizon, bandit.memory - 1 - len(state))
    jumps = [(one.time, one.period, min(one.k, (steps - one.time) // one.period - 1)) for one in found.jumps]
    return [jump for jump in jumps if jump[2] >= reference_layers.FEWEST_BLOCKS]
