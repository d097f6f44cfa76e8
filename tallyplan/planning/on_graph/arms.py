"""The three questions about arms that are automata, on the graph of the states that they can reach.

A play is a walk from the first state, and what it loses in the long run is the mean of the cycles that it
ends in. So the least long-run loss per step is the least mean of a cycle, since every state of the graph can
be reached; an *opening* leads to the cycle. Words of L actions that bring the arms back to where they were
are the closed walks of L steps. Where arms forbid plays, a state may be a dead end: if no walk is long enough
then the lengths of the longest walks, which fall on every edge, are the proof.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from tallyplan.answers import CyclicPolicy, MeanCycle, Plan
from tallyplan.certificates import (
    Dual,
    Potentials,
    Proof,
    longest_walks,
    of_no_play,
    recursion,
    removed_roots,
)
from tallyplan.errors import NoPlay
from tallyplan.limits import Progress
from tallyplan.model.arms import ArmBandit, ArmGraph, graph_of_arms
from tallyplan.model.rationals import digits
from tallyplan.model.words import Word
from tallyplan.planning import reference, reference_layers
from tallyplan.planning.on_graph.cycles import least_cycle
from tallyplan.planning.on_graph.horizon_policy import HorizonPolicy
from tallyplan.planning.on_graph.long_run_policy import LongRunPolicy
from tallyplan.planning.on_graph.plans import joined


def cycle_of_arms(bandit: ArmBandit, progress: Progress) -> MeanCycle:
    """The minimum mean cycle, with potentials for every state, and a shortest way to it.

    Raises
    ------
    NoPlay : no play goes on forever.
    InstanceTooLarge : before anything is allocated.
    """
    graph, found = _minimum_mean(bandit, progress)
    proof = _potentials(bandit, found.mean, found.potentials)
    start, word = found.walk
    ask = partial(_long_run_policy, bandit, found)
    return MeanCycle(bandit, proof.mean, proof.mean, word, _proof(proof.dual), ask, graph.way_to(start))


def _minimum_mean(bandit: ArmBandit, progress: Progress) -> tuple[ArmGraph, reference.Cycle]:
    """A cycle of least mean, from the one of its states that is numbered first."""
    graph = graph_of_arms(bandit)
    if graph.longest[0] is not None:
        raise _no_play(bandit, {"question": "mean-cycle"}, "no play goes on forever.")
    found = least_cycle(reference.Graph(graph.edges), progress)
    state, states = found.walk[0], list[int]()
    for action in found.walk[1]:
        states.append(state)
        state = next(edge.to for edge in graph.edges[state] if edge.action == action)
    at = states.index(min(states))
    word = found.walk[1][at:] + found.walk[1][:at]
    return graph, reference.Cycle(found.mean, found.potentials, (states[at], word))


def _potentials(bandit: ArmBandit, mean: Fraction, values: Any) -> Potentials:
    """Potentials of the integer costs, which prove a mean of theirs, as ones of the losses."""
    unit = mean.denominator * bandit.denominator
    return Potentials(mean / bandit.denominator, unit, np.asarray(values, dtype=object))


def _proof(dual: Dual) -> Proof:
    return Proof(dual, "states")


def _no_play(bandit: ArmBandit, claim: dict[str, Any], sentence: str, proof: Dual | None = None) -> NoPlay:
    shown = _proof(proof or longest_walks(graph_of_arms(bandit).longest))
    return NoPlay(sentence, of_no_play(bandit, claim, shown))


def plan_of_arms(bandit: ArmBandit, horizon: int, start: Word, progress: Progress) -> Plan:
    """The optimal plan of `horizon` steps, by sweeps over the states that can be reached.

    Raises
    ------
    NoPlay : there is no play of `horizon` steps after `start`.
    InstanceTooLarge : before anything is allocated.
    """
    graph = graph_of_arms(bandit)
    state = graph.number[bandit.state_after(start)]
    longest = graph.longest[state]
    if longest is not None and longest < horizon:
        claim = {"question": "horizon", "horizon": horizon, "start": list(start)}
        raise _no_play(bandit, claim, f"there is no play of {digits(horizon)} steps.")
    progress(f"sweeping over {len(graph.states)} states of the arms")
    layers = reference_layers.Layers(reference.Graph(graph.edges), horizon)
    proof = _proof(recursion(((j.time, j.period, j.k) for j in layers.jumps), "states"))
    value = Fraction(layers.top[state], bandit.denominator)
    ask = partial(HorizonPolicy, bandit, horizon)
    return Plan(bandit, horizon, start, value, value, joined(layers.runs(state)), proof, ask)


def cyclic_policy_of_arms(bandit: ArmBandit, period: int, progress: Progress) -> CyclicPolicy:
    """The best word of `period` actions that brings the arms back to where they were.

    Raises
    ------
    NoPlay : no word of this length does.
    InstanceTooLarge : before anything is allocated.
    """
    graph, first = _minimum_mean(bandit, progress)
    least, (start, word) = _potentials(bandit, first.mean, first.potentials), first.walk
    if period % len(word) == 0:
        proof, turns = _proof(least.dual), word * (period // len(word))
        return CyclicPolicy(bandit, period, least.mean, least.mean, turns, proof, graph.way_to(start))
    progress(f"best word of length {period} over {len(graph.states)} states of the arms")
    above = bandit.denominator + 1  # than which every mean is smaller
    found = reference.best_closed_walk(reference.Graph(graph.edges), period, first, above=above)
    last = _potentials(bandit, Fraction(found.cost, period), found.last)
    dual = removed_roots(least, found.roots, last)
    if found.walk is None:
        claim = {"question": "cyclic", "period": period}
        sentence = f"no word of {digits(period)} actions brings the arms back to where they were."
        raise _no_play(bandit, claim, sentence, dual)
    start, word = found.walk
    return CyclicPolicy(bandit, period, last.mean, last.mean, word, _proof(dual), graph.way_to(start))


def _long_run_policy(bandit: ArmBandit, found: reference.Cycle) -> LongRunPolicy:
    """The policy that ends in the cycle: the least total of (loss - mean) on the way, by state.

    Costs reduced by the potentials are not negative, so Dijkstra's algorithm finds the ways; along a way to
    the start of the cycle they add up to the total, plus the potential there, less that of the state.
    """
    graph, phi, (start, word) = reference.Graph(graph_of_arms(bandit).edges), found.potentials, found.walk
    home, unit = reference.ways_home(graph.reduced(found.mean, phi), start), found.mean.denominator
    excess = [
        Fraction(home[s] - phi[start] + phi[s], unit * bandit.denominator) if s in home else None
        for s in range(len(phi))
    ]
    return LongRunPolicy(bandit, found.mean / bandit.denominator, word, np.array(excess, dtype=object))
