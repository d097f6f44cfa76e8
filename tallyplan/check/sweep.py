"""Sweeps of the Bellman recursion over all histories.

With n histories, the successors by action a of all of them, in their order, are the entries [a::K] of a list
over the histories, K times over. As long as numbers have fewer than 64 bits, a list is one large integer with
a place for every entry, the highest bit of which is free: then sums and minima of whole lists are a few
operations on large integers, as quick as the standard library gets.
"""

from array import array
from functools import reduce
from operator import add
from sys import byteorder

from .verdict import Meter

Lists = list[list[int]]


class Sweeps:
    """The recursion with these costs, by action and history; none is negative or above D."""

    def __init__(self, costs: Lists, D: int, meter: Meter) -> None:
        self.costs, self.D, self.meter = costs, D, meter

    def __call__(self, layer: list[int], count: int) -> list[int]:
        """The layer `count` sweeps later."""
        if count == 0:
            return layer
        n, K, low = len(layer), len(self.costs), min(layer)
        bits = (max(layer) - low + count * self.D).bit_length()  # a sweep raises no difference by more than D
        self.meter.fit((K + 9) * n // 4, bits)
        self.meter.spend(n * (5 + K) + 10 * K, bits)
        if bits < 64:
            self.meter.spend(count * K * (50 + n // 10))
            packed = _packed(self.costs, [entry - low for entry in layer], count, "I" if bits < 32 else "Q")
            return [entry + low for entry in packed]
        self.meter.spend(count * K * (10 + 2 * n), bits)
        for _ in range(count):
            after = [map(add, row, layer[a % n :: K] * min(K, n)) for a, row in enumerate(self.costs)]
            layer = [min(entries) for entries in zip(*after, strict=True)]
        return layer


def _packed(costs: Lists, layer: list[int], count: int, word: str) -> "array[int]":
    n, K, size = len(layer), len(costs), array(word).itemsize

    def pack(numbers: "list[int] | array[int]") -> int:
        return int.from_bytes(array(word, numbers).tobytes(), byteorder)

    def lesser(x: int, y: int) -> int:
        """The smaller of two numbers in every place."""
        apart = (x | free) - y  # in every place x - y plus the free bit, above 0: none borrows
        above = apart & free  # the free bits of the places where x >= y
        return x - (apart & (above - (above >> (8 * size - 1))))  # x - (x - y) there, x elsewhere

    free, rows, current = pack([1 << (8 * size - 1)] * n), list(map(pack, costs)), array(word, layer)
    for _ in range(count):
        after = (pack(current[a % n :: K] * min(K, n)) for a in range(K))
        current = array(word, reduce(lesser, map(add, rows, after)).to_bytes(n * size, byteorder))
    return current
