"""Minimum mean cycle: a word that attains the mean, and a proof that no cycle can beat it."""

from typing import Any

from .document import fields, rational, word
from .lower_bounds import read_lower_bound
from .problem import Problem
from .replay import check_mean
from .verdict import Budget


def check_mean_cycle(problem: Problem, claim: Any, primal: Any, dual: Any, budget: Budget) -> str:
    """Refuse, or say what was proved."""
    fields(claim, "claim", {"question", "value"}, frozenset({"lower"}))
    value = rational(claim["value"], "claimed value")
    lower = rational(claim["lower"], "claimed lower bound") if "lower" in claim else value
    cycle = word(fields(primal, "primal side", {"word"})["word"], "word of the primal side", problem.K)
    prove = read_lower_bound(problem, dual, budget)
    check_mean(problem, cycle, value, budget)
    prove(lower)
    least = "the least mean loss per step"
    if lower == value:
        return f"{least} is {claim['value']}"
    return f"{least} is at least {claim['lower']} and at most {claim['value']}"
