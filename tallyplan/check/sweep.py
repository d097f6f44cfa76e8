"""The graph of full histories: sweeps of the Bellman recursion, and the test of potentials.

With R = n/K, the history s = d*R + rest (d its oldest action) has the successors rest*K + a, whatever d is.
So the successors by action a of all histories, in their order, are the entries [a::K] of a list over the
histories, K times over.

In a sweep a list is one large integer with a place for every entry (`Packing`): then sums and minima of whole
lists are a few operations on large integers, which is as quick as the standard library gets.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence, Set
from fractions import Fraction
from functools import reduce
from itertools import repeat
from operator import add, sub
from sys import byteorder

from .problem import Problem
from .verdict import Budget, Refused


def costs_of(problem: Problem) -> list[list[int]]:
    """For each action, its costs after all histories."""
    return [problem.costs((), problem.m - 1, action) for action in range(problem.K)]


def fit_edges(problem: Problem, n: int, budget: Budget) -> None:
    """Make sure that lists of the costs of all n*K edges fit; equal costs are shared, entries small.

    The tallies of one action are listed on the way.
    """
    budget.fit(n * problem.K // 4)
    budget.fit(n, problem.tally_bits)


def fit_packed(K: int, n: int, bits: int, budget: Budget) -> None:
    """Make sure that packed costs, and the packed lists of a sweep, fit: a hundred bytes are an entry."""
    budget.fit((K + 9) * n * 8 * (1 + bits // 64) // 100)


class Packing:
    """Lists of so many numbers in 0 .. 2^bits - 1, each list as one integer with a place for every number.

    Places have more than `bits` bits, so their highest is free. They are in the order of the machine's bytes:
    the first is the lowest or, where the highest byte comes first, the highest. Sums of lists are sums of
    integers, as long as no number reaches 2^bits.
    """

    def __init__(self, bits: int, length: int) -> None:
        self.word = "I" if bits < 8 * array("I").itemsize else "Q"
        width = array(self.word).itemsize
        self.words = 1 + bits // (8 * width)
        self.size, self.length = self.words * width, length
        self.free = self.pack(repeat(1 << (8 * self.size - 1), length))

    def pack(self, numbers: Iterable[int]) -> int:
        """One integer for the list."""
        if self.words == 1:
            return int.from_bytes(array(self.word, numbers).tobytes(), byteorder)
        return int.from_bytes(b"".join(x.to_bytes(self.size, byteorder) for x in numbers), byteorder)

    def unpack(self, packed: int) -> Iterable[int]:
        """The numbers again."""
        places = packed.to_bytes(self.length * self.size, byteorder)
        if self.words == 1:
            return array(self.word, places)
        starts = range(0, len(places), self.size)
        return (int.from_bytes(places[start : start + self.size], byteorder) for start in starts)

    def lesser(self, x: int, y: int) -> int:
        """The smaller of two numbers in every place."""
        apart = (x | self.free) - y  # in every place x - y plus the free bit, above 0: none borrows
        above = apart & self.free  # the free bits of the places where x >= y
        return x - (apart & (above - (above >> (8 * self.size - 1))))  # x - (x - y) there, x elsewhere

    def arrivals(self, packed: int, K: int) -> Iterator[int]:
        """For each action, the entries at the successors of all histories."""
        words, each = array(self.word, packed.to_bytes(self.length * self.size, byteorder)), self.words
        for action in range(K):
            first = action % self.length  # a single history is its own successor
            entries = len(range(first, self.length, K))
            chosen = array(self.word, bytes(entries * self.size))
            for word in range(each):
                chosen[word::each] = words[first * each + word :: K * each]
            yield int.from_bytes(chosen.tobytes() * (self.length // entries), byteorder)


class Sweeps:
    """The Bellman recursion on all histories."""

    def __init__(self, problem: Problem, n: int) -> None:
        self.costs, self.highest = costs_of(problem), problem.denominator
        self.packing, self.packed = Packing(0, n), list[int]()

    def __call__(self, layer: list[int], count: int) -> list[int]:
        """The layer `count` sweeps later.

        Packed are the differences to its least entry. No cost is negative or above D: no sweep makes any of
        them negative, or raises the largest by more than D.
        """
        if count == 0:
            return layer
        low = min(layer)
        self._pack_costs((max(layer) - low + count * self.highest).bit_length(), len(layer))
        packed = self.packing.pack(entry - low for entry in layer)
        for _ in range(count):
            arrivals = self.packing.arrivals(packed, len(self.costs))
            packed = reduce(self.packing.lesser, map(add, self.packed, arrivals))
        return [entry + low for entry in self.packing.unpack(packed)]

    def _pack_costs(self, bits: int, n: int) -> None:
        """Unless they are packed already, in places of this size."""
        packing = Packing(bits, n)
        if packing.size != self.packing.size or not self.packed:
            self.packing = packing
            self.packed = [packing.pack(costs) for costs in self.costs]


def least(costs: Sequence[Sequence[int]], values: Sequence[Sequence[int]]) -> list[int]:
    """Entry by entry, the minimum over the actions of cost plus value."""
    sums = [map(add, *pair) for pair in zip(costs, values, strict=True)]
    if len(sums) == 2:  # the common case, and quicker without a call of `min` for every entry
        return [x if x < y else y for x, y in zip(*sums, strict=True)]
    return list(map(min, *sums)) if len(sums) > 1 else list(sums[0])


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
    for s, a, then in _violations(costs_of(bounds), potentials):
        if s not in removed and then not in removed:
            raise Refused(f"The potentials of the {where} fail on the edge from history {s} by action {a}.")


def _violations(bounds: Sequence[Sequence[int]], potentials: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """(history, action, successor) of the edges on which the potentials differ by more than the bound."""
    K, n = len(bounds), len(potentials)
    for action, bound in enumerate(bounds):
        after = list(potentials[action % n :: K]) * K
        for s, slack in enumerate(map(sub, map(add, bound, after), potentials)):
            if slack < 0:
                yield s, action, (s * K + action) % n
