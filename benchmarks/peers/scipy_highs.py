"""The linear program: the largest w with cost + phi(s') - phi(s) >= w on every edge. Floating point."""

from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_matrix

from benchmarks.peers.serve import Array, Instance, serve

Prepared = tuple[Instance, Any, Array]


def prepare(instance: Instance) -> Prepared:
    """Rows w + phi(s) - phi(s') <= cost; variables phi(0), ..., phi(n-1), w."""
    states, actions = instance.states, instance.actions
    edges = states * actions
    source = np.repeat(np.arange(states), actions)
    columns = np.stack([source, instance.successors().ravel(), np.full(edges, states)], axis=1).ravel()
    entries = np.tile([1.0, -1.0, 1.0], edges)
    rows = np.repeat(np.arange(edges), 3)
    matrix = csr_matrix((entries, (rows, columns)), shape=(edges, states + 1))
    return instance, matrix, instance.costs(np.float64).ravel()


def solve(prepared: Prepared) -> float:
    instance, matrix, costs = prepared
    objective = np.zeros(instance.states + 1)
    objective[-1] = -1.0
    result = linprog(objective, A_ub=matrix, b_ub=costs, bounds=(None, None), method="highs")
    return float(-result.fun) / instance.denominator


if __name__ == "__main__":
    serve(prepare, solve)
