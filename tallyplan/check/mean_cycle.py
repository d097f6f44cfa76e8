"""Minimum mean cycle: a word that attains the mean, and potentials that no cycle can beat."""

from typing import Any

from .document import fields, integer, potentials, rational, word
from .problem import Problem
from .replay import check_mean
from .sweep import check_potentials
from .verdict import Budget


def check_mean_cycle(problem: Problem, claim: Any, primal: Any, dual: Any, budget: Budget) -> str:
    """Refuse, or say what was proved."""
    value = rational(fields(claim, "claim", {"question", "value"})["value"], "claimed value")
    cycle = word(fields(primal, "primal side", {"word"})["word"], "word of the primal side", problem.K)
    fields(dual, "dual side", {"scale", "potentials"})
    scale = integer(dual["scale"], "scale of the dual side", 1)
    phi = potentials(dual["potentials"], "list of potentials of the dual side", problem.histories(budget))
    check_mean(problem, cycle, value, budget)
    check_potentials(problem, phi, scale, value, set(), budget, "dual side")
    return f"the least mean loss per step is {claim['value']}"
