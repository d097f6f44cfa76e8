"""The minimum mean cycle for libraries that only find negative cycles: lower the mean until there is none.

Keep the best mean S/l; a negative cycle of l*cost - S is strictly better. Numbers stay below 2^53, so that
floats hold them exactly.
"""

from collections.abc import Callable
from fractions import Fraction

from benchmarks.peers.serve import Array, Instance

Search = Callable[[int, int], list[int] | None]


def minimum_mean(instance: Instance, costs: Array, negative_cycle: Search) -> Fraction:
    """`negative_cycle(l, S)` returns the states of a cycle that is negative under l*cost - S, or None."""
    best, length = min((int(costs[_constant(instance, a), a]), 1) for a in range(instance.actions))
    while True:
        cycle = negative_cycle(length, best)
        if cycle is None:
            return Fraction(best, length * instance.denominator)
        total = _cost_of_cycle(instance, costs, cycle)
        if total * length >= best * len(cycle):
            raise ValueError("the cycle that the library returned is not negative.")
        best, length = total, len(cycle)


def _constant(instance: Instance, action: int) -> int:
    """The history of one action only."""
    return action * (instance.states - 1) // (instance.actions - 1) if instance.actions > 1 else 0


def _cost_of_cycle(instance: Instance, costs: Array, cycle: list[int]) -> int:
    """The last digit of a state is the action that led to it; other actions lead elsewhere (m > 1)."""
    following = [*cycle[1:], cycle[0]]
    return sum(int(costs[s, t % instance.actions]) for s, t in zip(cycle, following, strict=True))
