"""Counterexample 1: an oblivious adversary that tosses coins."""

from collections.abc import Callable
from fractions import Fraction

from proofs_check.stating import Outcome, Request, claim


@claim(
    "counterexample-1",
    statement="K = 2, b uniform in {0, 1}^T, x_1 loses b and x_2 loses 1 - b at the bit b of the step: "
    "E[CPR] = Omega(T) for every player, also with full information: {stated}.",
    where="Counterexample 1 (counterexample1)",
    formulas={"stated": "regret == T / 2"},
    domain={"horizon": "T >= 1"},
    symbols={"regret": "the expected complete policy regret of the player"},
)
def counterexample_1(request: Request) -> Outcome:
    """Average over the next bit, whatever was seen; go through all players for small T."""
    return request.conclude(
        request.argue(
            "The bit of a step is independent of all that the player knows, so each action loses 1/2 on "
            "average; the competitor plays the better action at every step, and loses nothing."
        ),
        box=[{"T": T, "regret": _loss((), T, best)} for T in range(1, 7) for best in (min, max)],
        checked_on="every player, T = 1..6",
    )


def _loss(seen: tuple[int, ...], horizon: int, best: Callable[..., Fraction]) -> Fraction:
    """The least (or largest) expected loss; `seen` are the bits so far, all of which the player knows."""
    if len(seen) == horizon:
        return Fraction(0)
    further = [_loss((*seen, b), horizon, best) for b in (0, 1)]
    return best(sum((abs(b - x) + further[b] for b in (0, 1)), Fraction(0)) / 2 for x in (0, 1))
