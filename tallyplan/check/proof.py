"""Goals and proofs: a proof names a rule, and the rule's file says whether it reaches the goal."""

from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from math import ceil
from typing import Any

from .reading import shown, typed
from .verdict import Meter, Refused

RULES = ("potential", "fewer-actions", "recursion", "close", "cases")


@dataclass(frozen=True)
class Goal:
    """What a dual side has to show about a problem: a `Problem` or a `Graph`.

    Without a horizon: no closed walk costs less than `least` per step, of those that have `period` steps, if
    that is given, and avoid the states `removed`. With one: no `horizon` steps after `start` cost less than
    `least` in total.
    """

    problem: Any
    least: Fraction
    period: int | None = None
    horizon: int | None = None
    start: tuple[int, ...] = ()
    removed: frozenset[int] = frozenset()

    def require(self, rule: str, *, tallying: bool = True, horizon: bool = False) -> None:
        """Refuse a rule that is not for this goal."""
        if tallying and self.problem.kind != "tallying":
            raise Refused(f"The rule '{rule}' is for tallying instances.")
        if horizon and self.horizon is None:
            raise Refused(f"The rule '{rule}' is for games of finitely many steps.")

    def reached(self, bound: Fraction) -> None:
        """Refuse unless the bound, rounded up to a multiple of 1/D as all losses are, is high enough."""
        D = self.problem.D
        if Fraction(ceil(bound * D), D) < self.least:
            raise Refused("The dual side proves less than the claimed value.")


def prove(goal: Goal, proof: object, meter: Meter) -> None:
    """Refuse unless the proof reaches the goal."""
    found = typed(proof, dict, "dual side")
    rule = found.get("rule")
    if rule not in RULES:
        raise Refused(f"The rule {shown(rule)} is none of {', '.join(RULES)}.")
    import_module(f".{rule.replace('-', '_')}", __package__).prove(goal, found, meter)


def rules_of(proof: dict[str, Any]) -> list[str]:
    """The rules that a proof names, from the outside in."""
    return [proof["rule"], *(rules_of(proof["proof"]) if "proof" in proof else [])]
