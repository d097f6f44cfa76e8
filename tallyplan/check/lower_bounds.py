"""Proofs that no closed walk has a mean below a bound, each by the name of its method.

A method reads the dual side and returns a `Proof`: a function that refuses unless what was read proves the
bound that it is given. So a malformed document is refused before anything is evaluated.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from .document import fields, integer, mapping, potentials, shown
from .problem import Problem
from .sweep import check_potentials
from .verdict import Budget, Refused

Proof = Callable[[Fraction], None]
Method = Callable[[Problem, dict[str, Any], Budget], Proof]


def read_lower_bound(problem: Problem, dual: object, budget: Budget) -> Proof:
    """The proof on the dual side; without the name of a method it is by potentials on all histories."""
    found = mapping(dual, "dual side")
    method = found.get("method", "potentials")
    if type(method) is not str or method not in METHODS:
        raise Refused(f"The method {shown(method)} is none of {', '.join(sorted(METHODS))}.")
    return METHODS[method](problem, found, budget)


def _potentials(problem: Problem, dual: dict[str, Any], budget: Budget) -> Proof:
    fields(dual, "dual side", {"scale", "potentials"}, frozenset({"method"}))
    scale = integer(dual["scale"], "scale of the dual side", 1)
    phi = potentials(dual["potentials"], "list of potentials of the dual side", problem.histories(budget))
    return lambda lower: check_potentials(problem, phi, scale, lower, set(), budget, "dual side")


METHODS: dict[str, Method] = {"potentials": _potentials}
"""The methods of docs/certificates.md; all but the potentials are for tallying instances."""
