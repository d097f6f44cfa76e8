"""Cases that decide a statement, for people and for programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import text


@dataclass(frozen=True)
class Witness:
    """One case and the numbers that decide it; its `bandit` can be saved as an instance file.

    >>> print(Witness({"horizon": 2, "regret": Fraction(1, 2)}))
    horizon = 2, regret = 1/2

    See Also
    --------
    proofs_check.Outcome : a refutation has one.
    """

    facts: Mapping[str, Any]
    bandit: Bandit | None = None

    def to_json(self) -> dict[str, Any]:
        """The instance (if there is one) and the facts, rationals as `p/q`."""
        instance = {} if self.bandit is None else {"instance": self.bandit.to_json()}
        return instance | {name: _plain(value) for name, value in self.facts.items()}

    def __str__(self) -> str:
        parts = [f"{name} = {_short(value)}" for name, value in self.facts.items()]
        if self.bandit is not None:
            rows = " | ".join(
                " ".join(_short(value) for value in row) for row in self.bandit.table()["losses"]
            )
            parts.insert(0, f"h = ({rows})")
        return ", ".join(parts)


def _plain(value: Any) -> Any:
    """Rationals as `p/q`, everything else as JSON has it."""
    if isinstance(value, Fraction):
        return text(value)
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value


def _short(value: Any) -> str:
    """For people: 3 instead of 3/1, and sequences in parentheses."""
    if isinstance(value, tuple | list):
        return f"({', '.join(_short(item) for item in value)})"
    return str(value).removesuffix("/1")
