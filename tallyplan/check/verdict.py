"""What the checker answers, and the limit on how hard it works for an answer."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Verdict:
    """The answer to "does this certificate prove its claim?"; true only if it was accepted."""

    status: Literal["accepted", "refused", "undecided"]
    reason: str

    @property
    def accepted(self) -> bool:
        """Whether every part of the certificate was verified."""
        return self.status == "accepted"

    def __bool__(self) -> bool:
        return self.accepted


class Refused(Exception):
    """The certificate does not prove its claim; the message says why."""


class Undecided(Exception):
    """Finding out would take more work than the limit allows."""


class Budget:
    """Counts evaluated edges *before* they are evaluated, so that a hostile document costs nothing.

    An edge on numbers of many bits counts as several: otherwise a short document with losses of thousands
    of digits could ask for far more than its edges say.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.left = limit

    def spend(self, edges: int, bits: int = 0) -> None:
        """Account for `edges` evaluations on numbers of about `bits` bits."""
        self.left -= edges * _weight(bits)
        if self.left < 0:
            raise Undecided(f"Checking this certificate needs more than the limit of {self.limit} edges.")

    def hold(self, entries: int, bits: int = 0) -> None:
        """Account for a table in memory: at most one entry for every 100 edges of the limit."""
        if entries * _weight(bits) > self.limit // 100:
            raise Undecided(
                f"Checking this certificate needs a table of more than {self.limit // 100} entries, "
                f"too many for the limit of {self.limit} edges."
            )


def _weight(bits: int) -> int:
    return 1 + bits // 256
