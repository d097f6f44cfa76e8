"""QuantEcon's DiscreteDP: it has no undiscounted infinite horizon, so it takes part in the finite one.

`backward_induction` would keep all T value vectors; the Bellman operator applied T times is the same
recursion in the memory of a few, and faster. Floating point.
"""

import warnings
from typing import Any

import numpy as np
from quantecon.markov import DiscreteDP
from scipy.sparse import csr_matrix

from benchmarks.peers.serve import Array, Instance

Prepared = tuple[Instance, Any, list[Array]]


def prepare(instance: Instance) -> Prepared:
    states, actions = instance.states, instance.actions
    edges = states * actions
    transitions = csr_matrix(
        (np.ones(edges), instance.successors().ravel(), np.arange(edges + 1)), shape=(edges, states)
    )
    rewards = -instance.costs(np.float64).ravel() / instance.denominator
    s_indices = np.repeat(np.arange(states), actions)
    a_indices = np.tile(np.arange(actions), states)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "infinite horizon methods are disabled with beta = 1"
        process = DiscreteDP(rewards, transitions, 1.0, s_indices, a_indices)
    opening = [instance.costs(length=length) for length in range(instance.memory - 1)]
    return instance, process, opening


def solve(prepared: Prepared, horizon: str) -> float:
    instance, process, opening = prepared
    values, result = np.zeros((2, instance.states))
    for _ in range(int(horizon) - (instance.memory - 1)):
        process.bellman_operator(values, Tv=result)
        values, result = result, values
    losses = -values
    for costs in reversed(opening):
        losses = (costs / instance.denominator + losses.reshape(costs.shape)).min(axis=1)
    return float(losses[0])
