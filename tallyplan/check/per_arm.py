"""A price for a step and a bound for each arm alone (section 3, `per-arm`)."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .document import array, fields, rational
from .problem import Problem, common_denominator
from .verdict import Budget, Refused


@dataclass(frozen=True)
class Prices:
    """A price, and for each arm what it is claimed to lose at least, alone and with the price taken off."""

    problem: Problem
    price: Fraction
    excesses: list[Fraction]

    def prove(self, lower: Fraction) -> None:
        """Refuse unless every excess is right and they add up to the bound."""
        for x, excess in enumerate(self.excesses):
            if not _holds(self.problem, x, self.price, excess):
                raise Refused(f"Some word of action {x} alone is below its claimed excess.")
        if self.price + sum(self.excesses) < lower:
            raise Refused("The price and the excesses add up to less than the claimed bound.")


def read_prices(problem: Problem, dual: dict[str, Any], budget: Budget) -> Prices:
    """The price and the excesses."""
    fields(dual, "dual side", {"method", "price", "excesses"})
    if not problem.tallying:
        raise Refused("The method 'per-arm' is for tallying instances.")
    price = rational(dual["price"], "price of the dual side")
    listed = array(dual["excesses"], "list of excesses", problem.K)
    excesses = [rational(excess, "excess of an action") for excess in listed]
    unit = common_denominator([price, *excesses], budget)
    bits = max(x.numerator.bit_length() + x.denominator.bit_length() for x in (price, *excesses))
    losses = problem.denominator.bit_length() + problem.m.bit_length()
    budget.spend_products(4 * problem.K * problem.m, losses, 2 * bits)
    budget.spend_products(20 * problem.K, unit.bit_length(), bits)
    return Prices(problem, price, excesses)


def _holds(problem: Problem, x: int, price: Fraction, excess: Fraction) -> bool:
    """Whether [H(l) - (price + e) l] + [c h(c) - H(c) + e c] >= e m for all 0 <= c <= l <= m.

    All numbers are multiplied by unit * denominator, so that they are integers.
    """
    unit = price.denominator * excess.denominator
    scale = problem.denominator
    per_play = int((price + excess) * unit) * scale
    per_seen = int(excess * unit) * scale
    least = total = 0
    if per_seen > 0:  # l = c = 0: never to play loses nothing
        return False
    for length in range(1, problem.m + 1):
        cost = problem.tallied[x][length]
        total += cost
        least = min(least, unit * (length * cost - total) + per_seen * length)
        if unit * total - per_play * length + least < per_seen * problem.m:
            return False
    return True
