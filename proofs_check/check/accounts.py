"""What the questions here charge to the meter besides its own counters."""

from collections import Counter
from collections.abc import Collection

from tallyplan.check.reading import BITS, Meter, Undecided

STEPS_PER_TURN = 20
"""What a turn of a loop takes besides its steps: otherwise a graph of one edge could be swept for an hour."""
STEPS_PER_FRACTION = 20
"""What a sum or product of fractions takes, each of few bits."""
_COLLISIONS = 20  # keys that may share a place in one of Python's tables; by chance hardly two do


def wide(count: int, *bits: int) -> int:
    """Operations on numbers of this number of bits, as steps; for products, the bits of both factors."""
    for b in bits:
        count *= 1 + b // BITS
    return count


def hold(meter: Meter, entries: int) -> None:
    """Make room for a table that is kept to the end: all of them together have to fit."""
    meter.fit(entries)
    meter.room -= meter.width * entries


def refuse_collisions(keys: Collection[object], where: str) -> None:
    """Numbers can be chosen so that Python puts them all into one place of a table: slow to look up."""
    if max(Counter(map(hash, keys)).values(), default=0) > _COLLISIONS:
        raise Undecided(f"The numbers of the {where} are too alike to be looked up quickly.")
