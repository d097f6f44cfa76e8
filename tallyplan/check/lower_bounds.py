"""Proofs that no closed walk has a mean below a bound, each by the name of its method.

A method reads the dual side and returns a `Proof`: a function that refuses unless what was read proves the
bound that it is given. So a malformed document is refused before anything is evaluated.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from .document import fields, integer, mapping, potentials, shown
from .fewer_arms import smaller_problem
from .per_arm import read_prices
from .problem import Problem
from .separable import read_charges
from .sweep import check_potentials
from .tallies import read_slopes_and_potentials
from .two_arms import read_slopes
from .verdict import Budget, Refused

Proof = Callable[[Fraction], None]
Method = Callable[[Problem, dict[str, Any], Budget], Proof]


def read_lower_bound(problem: Problem, dual: object, budget: Budget) -> Proof:
    """The proof on the dual side; without the name of a method it is by potentials on all histories."""
    smaller = smaller_problem(problem, dual, budget)
    if smaller is not None:
        return read_lower_bound(smaller.problem, smaller.dual, budget)
    found = mapping(dual, "dual side")
    method = found.get("method", "potentials")
    if type(method) is not str or method not in METHODS:
        names = ", ".join(sorted((*METHODS, "cheap-arms", "fewer-arms")))
        raise Refused(f"The method {shown(method)} is none of {names}.")
    return METHODS[method](problem, found, budget)


def _potentials(problem: Problem, dual: dict[str, Any], budget: Budget) -> Proof:
    fields(dual, "dual side", {"scale", "potentials"}, frozenset({"method"}))
    scale = integer(dual["scale"], "scale of the dual side", 1)
    phi = potentials(dual["potentials"], "list of potentials of the dual side", problem.histories(budget))
    return lambda lower: check_potentials(problem, phi, scale, lower, set(), budget, "dual side")


def _least_loss(problem: Problem, dual: dict[str, Any], budget: Budget) -> Proof:
    fields(dual, "dual side", {"method"})

    def prove(lower: Fraction) -> None:
        if Fraction(min(problem.all_costs()), problem.denominator) < lower:
            raise Refused("Some loss of the table is below the claimed bound.")

    return prove


def _two_arms(problem: Problem, dual: dict[str, Any], budget: Budget) -> Proof:
    return read_slopes(problem, dual, budget).prove


def _per_arm(problem: Problem, dual: dict[str, Any], budget: Budget) -> Proof:
    return read_prices(problem, dual, budget).prove


def _tallies(problem: Problem, dual: dict[str, Any], budget: Budget) -> Proof:
    return read_slopes_and_potentials(problem, dual, budget).prove


def _separable(problem: Problem, dual: dict[str, Any], budget: Budget) -> Proof:
    return read_charges(problem, dual, budget).prove


METHODS: dict[str, Method] = {
    "potentials": _potentials,
    "least-loss": _least_loss,
    "two-arms": _two_arms,
    "per-arm": _per_arm,
    "tallies": _tallies,
    "separable": _separable,
}
