"""What the checker answers, and the two counters that bound how hard it works for an answer."""

from dataclasses import dataclass
from html import escape
from typing import Literal

BITS = 256  # of a number that counts as one: adding such numbers takes about as long as looking one up
_STEPS_PER_ENTRY = 100  # the default limit of 10^9 steps allows tables of 10^7 entries, about a gigabyte


@dataclass(frozen=True)
class Verdict:
    """The answer to "does this certificate prove its claim?"; true only if it was accepted.

    >>> from tallyplan.check import check
    >>> bool(check({"format": "something else"}))
    False

    See Also
    --------
    tallyplan.check : gives it.
    """

    status: Literal["accepted", "refused", "undecided"]
    reason: str
    by: str = ""
    """Of an accepted certificate: how many lines of code checked it, and which rules."""

    @property
    def accepted(self) -> bool:
        """Whether every part of the certificate was verified."""
        return self.status == "accepted"

    def __bool__(self) -> bool:
        return self.accepted

    def _repr_html_(self) -> str:
        return f"<p><b>{escape(self.status)}</b>: {escape(self.reason)}</p>"


class Refused(Exception):
    """The certificate does not prove its claim; the message says why."""


class Undecided(Exception):
    """Finding out would take more than the limit allows."""


class Meter:
    """Counts steps and sizes before they are used; a step takes about a tenth of a microsecond anywhere.

    A number of many bits counts as several: otherwise a short document with losses of thousands of digits
    could ask for far more than its steps say.
    """

    def __init__(self, limit: int) -> None:
        self.limit = self.steps = limit
        self.room = limit // _STEPS_PER_ENTRY

    def spend(self, steps: int, *bits: int) -> None:
        """Charge for operations on numbers of so many bits; for products, give the bits of both factors."""
        self.steps -= _wide(steps, bits)
        if self.steps < 0:
            raise Undecided(f"Checking this certificate takes more than the limit of {self.limit} steps.")

    def fit(self, entries: int, *bits: int) -> None:
        """Make sure that a table of so many entries is within the limit."""
        if _wide(entries, bits) > self.room:
            raise Undecided(f"Checking this certificate takes a table too large for {self.limit} steps.")

    def hold(self, entries: int, *bits: int) -> None:
        """The same for a table that is kept to the end: all of them together have to fit."""
        self.fit(entries, *bits)
        self.room -= _wide(entries, bits)

    def power(self, base: int, exponent: int) -> int:
        """base^exponent, if a table can have that many entries; never a giant number."""
        result = 1
        for _ in range(exponent if base > 1 else 0):
            result *= base
            self.fit(result)
        return result


def _wide(count: int, bits: tuple[int, ...]) -> int:
    for b in bits:
        count *= 1 + b // BITS
    return count
