"""Counterexample 1: an oblivious adversary that tosses coins."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from proofs_check.stating import Better, Found, Outcome, Request, claim

HORIZONS = range(1, 7)


@claim(
    "counterexample-1",
    statement="K = 2, b uniform in {0, 1}^T, x_1 loses b and x_2 loses 1 - b at the bit b of the step: "
    "E[CPR] = Omega(T) for every player, also with full information: {stated}.",
    where="Counterexample 1 (counterexample1)",
    formulas={"stated": "regret >= T / 2", "exact": "regret == T / 2"},
    domain={"horizon": "T >= 1"},
    symbols={"regret": "the expected complete policy regret of the player"},
)
def counterexample_1(request: Request) -> Outcome:
    """Average over the next bit, whatever was seen; go through all players for small T."""
    f = request.formulas
    words = (
        "The bit of a step is independent of all that the player knows, so each action loses 1/2 on average; "
        "the competitor plays the better action at every step, and loses nothing."
    )
    regrets = [(T, _loss((), T, best)) for T in HORIZONS for best in (min, max)]
    bad = next((one for one in regrets if not f.exact.holds(T=one[0], regret=one[1])), None)
    return request.conclude(
        request.argue(words),
        cases=len(regrets),
        checked_on=f"every player, T = 1..{HORIZONS[-1]}",
        violation=bad and Found({"horizon": bad[0], "regret": bad[1]}),
        tight=Better(f"`{f.exact}`, for every player", request.argue(words, name="exact").verdict),
    )


def _loss(seen: tuple[int, ...], horizon: int, best: Callable[..., Fraction]) -> Fraction:
    """The least (or largest) expected loss; `seen` are the bits so far, all of which the player knows."""
    if len(seen) == horizon:
        return Fraction(0)
    further = [_loss((*seen, b), horizon, best) for b in (0, 1)]
    return best(sum((abs(b - x) + further[b] for b in (0, 1)), Fraction(0)) / 2 for x in (0, 1))
