"""The graph of full histories in blocks: one Bellman sweep, and the test of potentials.

With R = n/K, the history s = d*R + rest (d its oldest action) has the successors rest*K + a: the successors
by action a of a whole block of histories with equal d are the strided slice [a::K]. That turns a sweep into
a few `map`s over lists, which is as quick as the standard library gets.
"""

from collections.abc import Iterator, Sequence, Set
from fractions import Fraction
from itertools import chain
from operator import add, sub

from .problem import Problem
from .verdict import Budget, Refused

Blocks = list[list[list[int]]]
"""`blocks[d][a]` lists the costs of action a where the oldest action is d (one block if m = 1)."""


def blocks_of(problem: Problem, n: int) -> Blocks:
    """The costs of all n*K edges."""
    by_action = [problem.costs((), problem.m - 1, action) for action in range(problem.K)]
    size = n if problem.m == 1 else n // problem.K
    return [[costs[first : first + size] for costs in by_action] for first in range(0, n, size)]


def fit_edges(problem: Problem, n: int, budget: Budget) -> None:
    """Make sure that lists of the costs of all n*K edges fit; equal costs are shared, entries small.

    The tallies of one action are listed on the way.
    """
    budget.fit(n * problem.K // 4)
    budget.fit(n, problem.tally_bits)


def successors(layer: Sequence[int], K: int, m: int) -> list[Sequence[int]]:
    """For each action, the layer's entries at the successors of one block."""
    return [layer if m == 1 else layer[action::K] for action in range(K)]


def least(costs: Sequence[Sequence[int]], values: Sequence[Sequence[int]]) -> list[int]:
    """Entry by entry, the minimum over the actions of cost plus value."""
    sums = [map(add, *pair) for pair in zip(costs, values, strict=True)]
    if len(sums) == 2:  # the common case, and quicker without a call of `min` for every entry
        return [x if x < y else y for x, y in zip(*sums, strict=True)]
    return list(map(min, *sums)) if len(sums) > 1 else list(sums[0])


def sweep(blocks: Blocks, layer: Sequence[int], m: int) -> list[int]:
    """One step of the Bellman recursion on all histories."""
    if m == 2:  # blocks of one history each, all with the same successors
        return [min(map(add, chain.from_iterable(costs), layer)) for costs in blocks]
    values = successors(layer, len(blocks[0]), m)
    return list(chain.from_iterable(least(costs, values) for costs in blocks))


def check_potentials(
    problem: Problem,
    potentials: Sequence[int],
    scale: int,
    mean: Fraction,
    removed: Set[int],
    budget: Budget,
    where: str,
) -> None:
    """Refuse unless scale*(loss - mean) + phi[s'] - phi[s] >= 0 on every edge between histories not removed.

    Potentials are integers, so the inequality may be rounded: phi[s] - phi[s'] <= floor(scale*(loss - mean)).
    """
    bits = sum(map(int.bit_length, (problem.denominator, scale, mean.numerator, mean.denominator)))
    bits += max(map(int.bit_length, potentials))
    budget.spend(len(potentials) * problem.K, max(bits, problem.tally_bits))
    budget.spend_products(problem.size, bits, bits)
    budget.fit(problem.size, bits)
    fit_edges(problem, len(potentials), budget)
    p, q, D = mean.numerator, mean.denominator, problem.denominator
    bounds = problem.mapped(lambda cost: scale * (cost * q - p * D) // (q * D))
    for s, a, then in _violations(blocks_of(bounds, len(potentials)), potentials, problem.m):
        if s not in removed and then not in removed:
            raise Refused(f"The potentials of the {where} fail on the edge from history {s} by action {a}.")


def _violations(blocks: Blocks, potentials: Sequence[int], m: int) -> Iterator[tuple[int, int, int]]:
    """(history, action, successor) of the edges on which the potentials differ by more than the bound."""
    K = len(blocks[0])
    after = successors(potentials, K, m)
    size = len(after[0])
    for d, block in enumerate(blocks):
        here = potentials[d * size : (d + 1) * size]
        for action, bounds in enumerate(block):
            for rest, slack in enumerate(map(sub, map(add, bounds, after[action]), here)):
                if slack < 0:
                    yield d * size + rest, action, (rest * K + action) % len(potentials)
