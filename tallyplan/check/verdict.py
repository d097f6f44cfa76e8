"""What the checker answers, and the limit on how hard it works for an answer."""

from dataclasses import dataclass
from html import escape
from typing import Literal

BITS_PER_BLOCK = 256
"""Bits of a number that count as one: adding numbers of so many bits is about as quick as looking one up."""
EDGES_PER_ENTRY = 100
"""Edges of the limit for every entry of a table: the default of 10^9 edges allows 10^7 entries, or 1 GB."""
EDGES_PER_TURN = 20
"""What a turn of a loop takes besides its edges: otherwise a graph of one edge could be swept for an hour."""
EDGES_PER_FRACTION = 20
"""What a sum or product of fractions takes, each of few bits."""


@dataclass(frozen=True)
class Verdict:
    """The answer to "does this certificate prove its claim?"; true only if it was accepted.

    >>> from tallyplan.check import check
    >>> verdict = check({"format": "something else"})
    >>> bool(verdict), verdict.status
    (False, 'refused')

    See Also
    --------
    tallyplan.check : gives it.
    """

    status: Literal["accepted", "refused", "undecided"]
    reason: str

    @property
    def accepted(self) -> bool:
        """Whether every part of the certificate was verified."""
        return self.status == "accepted"

    def __bool__(self) -> bool:
        return self.accepted

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return f"<p><b>{escape(self.status)}</b>: {escape(self.reason)}</p>"


class Refused(Exception):
    """The certificate does not prove its claim; the message says why."""


class Undecided(Exception):
    """Finding out would take more work than the limit allows."""


class Budget:
    """Counts work and memory *before* they are used, so that a hostile document costs no more than the limit.

    Work on numbers of many bits counts as several edges: otherwise a short document with losses of thousands
    of digits could ask for far more than its edges say.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.left = limit
        self.room = limit // EDGES_PER_ENTRY

    def spend(self, edges: int, bits: int = 0) -> None:
        """Account for `edges` sums or comparisons of numbers of about `bits` bits."""
        self.left -= edges * blocks(bits)
        if self.left < 0:
            raise Undecided(f"Checking this certificate needs more than the limit of {self.limit} edges.")

    def spend_products(self, count: int, bits: int, other_bits: int) -> None:
        """Account for products, quotients or common divisors of numbers of so many bits each."""
        self.spend(count * blocks(bits) * blocks(other_bits))

    def hold(self, entries: int, bits: int = 0) -> None:
        """Account for a table that is kept to the end: all of them together have to fit."""
        self.fit(entries, bits)
        self.room -= entries * blocks(bits)

    def fit(self, entries: int, bits: int = 0) -> None:
        """Make sure that a table fits which is soon thrown away, or grows out of one that was held."""
        if entries * blocks(bits) > self.room:
            most = self.limit // EDGES_PER_ENTRY
            raise Undecided(
                f"Checking this certificate needs tables of more than {most} entries, "
                f"too many for the limit of {self.limit} edges."
            )


def blocks(bits: int) -> int:
    """How many numbers of a block's size a number of so many bits counts as."""
    return 1 + bits // BITS_PER_BLOCK
