"""The finite horizon as a careful user of numpy writes it: int32, one contiguous plane of costs per action.

All vectors are preallocated and a step is K additions and K - 1 minima in place, after one transposition of
the values. Before the history is full, the same recursion runs over the shorter histories.
"""

from fractions import Fraction

import numpy as np

from benchmarks.peers.serve import Array, Instance, serve

Prepared = tuple[Instance, Array, list[Array]]


def prepare(instance: Instance) -> Prepared:
    actions, states = instance.actions, instance.states
    costs = instance.costs()
    planes = np.ascontiguousarray(costs.T).reshape(actions, actions, states // actions)
    opening = [instance.costs(length=length) for length in range(instance.memory - 1)]
    return instance, planes, opening


def sweep(planes: Array, values: Array, columns: Array, total: Array, result: Array) -> None:
    """result[d, rest] = min over a of planes[a, d, rest] + values[rest*K + a]."""
    np.copyto(columns, values.reshape(-1, len(planes)).T)
    np.add(planes[0], columns[0], out=result)
    for plane, column in zip(planes[1:], columns[1:], strict=True):
        np.add(plane, column, out=total)
        np.minimum(result, total, out=result)


def solve(prepared: Prepared, horizon: str) -> Fraction:
    instance, planes, opening = prepared
    actions, states = instance.actions, instance.states
    values, result = np.zeros((2, actions, states // actions), dtype=np.int32)
    total, columns = np.empty_like(values), np.empty_like(values)
    for _ in range(int(horizon) - (instance.memory - 1)):
        sweep(planes, values, columns, total, result)
        values, result = result, values
    values = values.reshape(-1)
    for costs in reversed(opening):
        values = (costs + values.reshape(costs.shape)).min(axis=1)
    return Fraction(int(values[0]), instance.denominator)


if __name__ == "__main__":
    serve(prepare, solve)
