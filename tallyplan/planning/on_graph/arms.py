"""The three questions about arms that are automata, on the graph of the states that they can reach.

A play is a walk from the first state, and what it loses in the long run is the mean of the cycles that it
ends in. So the least long-run loss per step is the least mean of a cycle, since every state of the graph can
be reached; an *opening* leads to the cycle. Words of L actions that bring the arms back to where they were
are the closed walks of L steps. Where arms forbid plays, a state may be a dead end: if no walk is long enough
then the lengths of the longest walks, which fall on every edge, are the proof.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from tallyplan.answers import CyclicPolicy, MeanCycle, Plan
from tallyplan.certificates import Potentials, Proof, longest_walks, of_no_play, recursion, removed_roots
from tallyplan.core.cycles import Cycle, cycle_of_rows
from tallyplan.core.library import TooWideError, numbers
from tallyplan.errors import NoPlay
from tallyplan.limits import Progress
from tallyplan.model.arm_graph import ArmGraph
from tallyplan.model.arms import ArmBandit
from tallyplan.model.files import AnyPath, write_json
from tallyplan.model.instance import State
from tallyplan.model.rationals import digits
from tallyplan.model.words import RunBuilder, Word
from tallyplan.planning import reference, reference_layers
from tallyplan.planning.effort import tick
from tallyplan.planning.on_graph.cycles import cycle_in_python
from tallyplan.planning.on_graph.horizon_policy import HorizonPolicy
from tallyplan.planning.on_graph.long_run_policy import LongRunPolicy
from tallyplan.planning.on_graph.policy_io import header

STATES = "states"


def cycle_of_arms(bandit: ArmBandit, progress: Progress) -> MeanCycle:
    """The minimum mean cycle, with potentials for every state, and a shortest way to it.

    Raises
    ------
    NoPlay : no play goes on forever.
    InstanceTooLarge : before anything is allocated.
    """
    graph = ArmGraph.of(bandit)
    found = _minimum_mean(graph, progress)
    start, word = _from_the_nearest(graph, found)
    scale = found.scale * bandit.denominator
    value = Fraction(found.mean, scale)
    proof = Proof(Potentials(value, scale, found.potentials).dual, STATES)
    ask = partial(_long_run_policy, graph, start, word, found)
    return MeanCycle(bandit, value, value, word, proof, ask, graph.way_to(start))


def _minimum_mean(graph: ArmGraph, progress: Progress) -> Cycle:
    """A cycle of least mean; the letters of its word are actions."""
    if graph.longest_from(0) is not None:
        raise _no_play(graph, {"question": "mean-cycle"}, "no play goes on forever.")
    tick()  # Python lists the edges: with no time for that, none are
    edges = [edge for row in graph.edges for edge in row]
    try:
        heads = np.fromiter((edge.to for edge in edges), np.int32, len(edges))
        costs = numbers((edge.cost for edge in edges), graph.highest_cost)
        found = cycle_of_rows(np.array(graph.first, dtype=np.int64), heads, costs, tick, progress)
    except TooWideError:
        return cycle_in_python(reference.Graph(graph.edges))
    node, word = found.start, list[int]()
    for place in found.word:
        action, node, _ = graph.edges[node][place]
        word.append(action)
    return replace(found, word=tuple(word))


def _no_play(graph: ArmGraph, claim: dict[str, Any], sentence: str, proof: Proof | None = None) -> NoPlay:
    shown = proof or Proof(longest_walks(graph.longest), STATES)
    return NoPlay(sentence, of_no_play(graph.bandit, claim, shown))


def _from_the_nearest(graph: ArmGraph, cycle: Cycle) -> tuple[int, Word]:
    """The cycle from the one of its states that was found first: the state, and the word from there."""
    node, nodes = cycle.start, list[int]()
    for action in cycle.word:
        nodes.append(node)
        node = graph.following(node, action)
    at = nodes.index(min(nodes))
    return nodes[at], cycle.word[at:] + cycle.word[:at]


def plan_of_arms(bandit: ArmBandit, horizon: int, start: Word, progress: Progress) -> Plan:
    """The optimal plan of `horizon` steps, by sweeps over the states that can be reached.

    Raises
    ------
    NoPlay : there is no play of `horizon` steps after `start`.
    InstanceTooLarge : before anything is allocated.
    """
    graph = ArmGraph.of(bandit)
    state = graph.number[bandit.state_after(start)]
    longest = graph.longest_from(state)
    if longest is not None and longest < horizon:
        claim = {"question": "horizon", "horizon": horizon, "start": list(start)}
        raise _no_play(graph, claim, f"there is no play of {digits(horizon)} steps.")
    progress(f"sweeping over {len(graph.states)} states of the arms")
    layers = reference_layers.Layers(reference.Graph(graph.edges), horizon)
    runs = RunBuilder()
    for word, repeats in layers.runs(state):
        runs.repeat(word, repeats)
    proof = Proof(recursion(((j.time, j.period, j.k) for j in layers.jumps), STATES), STATES)
    value = Fraction(layers.top[state], bandit.denominator)
    ask = partial(HorizonPolicyOfArms, bandit, horizon)
    return Plan(bandit, horizon, start, value, value, runs.finish(), proof, ask)


def cyclic_policy_of_arms(bandit: ArmBandit, period: int, progress: Progress) -> CyclicPolicy:
    """The best word of `period` actions that brings the arms back to where they were.

    Raises
    ------
    NoPlay : no word of this length does.
    InstanceTooLarge : before anything is allocated.
    """
    graph = ArmGraph.of(bandit)
    first = _minimum_mean(graph, progress)
    scale = first.scale * bandit.denominator
    least = Potentials(Fraction(first.mean, scale), scale, first.potentials)
    start, word = _from_the_nearest(graph, first)
    if period % len(word) == 0:
        proof = Proof(least.dual, STATES)
        turns = word * (period // len(word))
        return CyclicPolicy(bandit, period, least.mean, least.mean, turns, proof, graph.way_to(start))
    mean = Fraction(first.mean, first.scale)
    known = reference.Cycle(mean, first.potentials.tolist(), (start, word))
    progress(f"best word of length {period} over {len(graph.states)} states of the arms")
    above = bandit.denominator + 1  # than which every mean is smaller
    found = reference.best_closed_walk(reference.Graph(graph.edges), period, known, above=above)
    value = Fraction(found.cost, period * bandit.denominator)
    unit = Fraction(found.cost, period).denominator * bandit.denominator
    last = Potentials(value, unit, np.array(found.last, dtype=object))
    proof = Proof(removed_roots(least, found.roots, last), STATES)
    if found.walk is None:
        claim = {"question": "cyclic", "period": period}
        sentence = f"no word of {digits(period)} actions brings the arms back to where they were."
        raise _no_play(graph, claim, sentence, proof)
    start, word = found.walk
    return CyclicPolicy(bandit, period, value, value, word, proof, graph.way_to(start))


class HorizonPolicyOfArms(HorizonPolicy):
    """The policy of a finite horizon by the states of the arms; None where there is no play so long."""

    bandit: ArmBandit

    def _value(self, state: State, steps: int) -> Fraction | None:
        graph = ArmGraph.of(self.bandit)
        if self._of_arms is None or self._of_arms.steps < steps:
            self._of_arms = reference_layers.Layers(reference.Graph(graph.edges), max(steps, self.horizon))
        cost = self._of_arms.at(steps)[graph.number[state]]
        return None if cost == self._of_arms.never else Fraction(cost, self.bandit.denominator)

    _of_arms: reference_layers.Layers | None = None


def _long_run_policy(graph: ArmGraph, start: int, word: Word, found: Cycle) -> LongRunPolicyOfArms:
    """The policy that ends in the cycle: the least total of (loss - mean) on the way, by state.

    Costs reduced by the potentials are not negative, so Dijkstra's algorithm finds the ways; along a way to
    the start of the cycle they add up to the total, plus the potential there, less that of the state.
    """
    phi, unit = found.potentials.tolist(), found.scale * graph.bandit.denominator
    reduced = reference.Graph(graph.edges).reduced(Fraction(found.mean, found.scale), phi)
    home = reference.ways_home(reduced, start)
    excess = [
        Fraction(home[s] - phi[start] + phi[s], unit) if s in home else None for s in range(len(graph.states))
    ]
    return LongRunPolicyOfArms(graph.bandit, Fraction(found.mean, unit), word, np.array(excess, dtype=object))


class LongRunPolicyOfArms(LongRunPolicy):
    """The policy of the long run by the states of the arms; None where the cycle is out of reach."""

    bandit: ArmBandit

    def _value(self, state: State) -> Fraction | None:
        found: Fraction | None = self.potentials[ArmGraph.of(self.bandit).number[state]]
        return found

    def save(self, path: AnyPath) -> None:
        """Write the instance, from which loading finds the policy again."""
        write_json(path, header("long-run", self.bandit))
