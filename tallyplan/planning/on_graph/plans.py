"""Optimal plans on the state graph: the layers of the recursion, and the way back through them.

From a history shorter than m-1, the first steps lead through a tree of shorter histories to the full ones.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np

from tallyplan.answers import Plan
from tallyplan.certificates import Recursion
from tallyplan.limits import Progress, require_memory
from tallyplan.model.graph import StateGraph
from tallyplan.model.instance import Bandit
from tallyplan.model.words import RunBuilder, Word
from tallyplan.planning.on_graph.horizon_policy import HorizonPolicy
from tallyplan.planning.on_graph.layers import Layers
from tallyplan.planning.on_graph.trees import best_word
from tallyplan.planning.on_graph.walk_back import follow


def plan_on_graph(bandit: Bandit, horizon: int, start: Word, progress: Progress) -> Plan:
    """The optimal plan by sweeps over the state graph.

    Raises
    ------
    InstanceTooLarge : before anything is allocated.
    """
    graph = StateGraph(bandit)
    depth = min(horizon, graph.memory - 1 - len(start))
    full = depth + len(start) == graph.memory - 1
    layers = Layers(graph, horizon - depth, progress) if full else None
    require_memory(40 * graph.actions**depth, actions=graph.actions, length=depth, what="ways to begin")
    # Without layers the game ends before the history is full, and nothing follows the leaves.
    leaves = layers.top.values if layers else np.zeros(graph.actions**depth, dtype=object)
    runs = RunBuilder()
    cost, opening = best_word(graph, leaves, start, depth)
    runs.extend(opening)
    if layers is not None:
        cost += layers.top.offset
        follow(layers, graph.code(start + opening), runs, progress)
        layers.leave_room()
    value = Fraction(cost, graph.denominator)
    proof = Recursion(layers.jumps if layers else ())
    ask = partial(HorizonPolicy, bandit, horizon)
    return Plan(bandit, horizon, start, value, value, runs.finish(), proof, ask)
