"""Counterexample 1: an oblivious adversary that tosses coins.

Stated (label counterexample1). Two actions; bits b_1 .. b_T are drawn uniformly at random; at step t action
x_1 loses b_t and x_2 loses 1 - b_t. The complete policy regret is linear in T, in expectation, for every
player, even with full information.

Shown. The competitor that knows b loses min(b_t, 1 - b_t) = 0 at each step. Before step t the player knows
the bits b_1 .. b_{t-1} at best, and b_t is independent of them, so either action loses (0 + 1)/2 on average:
E[CPR] = T/2 for every player. A recursion over all players gives the same, best and worst, for small T.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from proofs_check.claim import Evidence, Outcome, Request, Tight, Witness, by_proof, claim
from proofs_check.steps import Verdict
from proofs_check.ways.arguments import settled
from proofs_check.ways.for_all import for_all, identity
from tallyplan.formula import Formula

LOSSES = (Formula("b"), Formula("1 - b"))  # of x_1 and x_2, b being the bit
STATED = Formula("c * T")  # Omega(T), c > 0
CONSTANT = Fraction(1, 2)
HORIZONS = range(1, 7)


@claim(
    "counterexample-1",
    statement=(
        f"K = 2, b uniform in {{0, 1}}^T, f_t(x_1) = {LOSSES[0]}_t and f_t(x_2) = {LOSSES[1]}_t: E[CPR] = "
        "Omega(T) for every player, also with full information."
    ),
    where="Counterexample 1 (counterexample1)",
)
def counterexample_1(request: Request) -> Outcome:
    """Average over the next bit, whatever was seen; go through all players for small T."""
    bound = Formula(f"{CONSTANT} * T")
    failing = next((T for T in HORIZONS if _regret(T, min) < bound(T=T)), None)
    steps = [
        identity(
            f"({LOSSES[x]} + ({LOSSES[x].text.replace('b', '(1 - b)')})) / 2",
            str(CONSTANT),
            words=f"x_{x + 1} loses {CONSTANT} on average over the two values of the next bit",
        )
        for x in range(2)
    ] + [
        for_all(
            "b real",
            given=["b == 0 or b == 1"],
            then=f"min({LOSSES[0]}, {LOSSES[1]}) == 0",
            words="the competitor that knows the bits loses 0 at every step",
        ),
        identity(
            f"{CONSTANT} * T + {CONSTANT}",
            f"{CONSTANT} * (T + 1)",
            words=f"E[CPR] = {bound} (from T to T + 1)",
        ),
    ]
    exact = all(_regret(T, best) == bound(T=T) for T in HORIZONS for best in (min, max))
    verdict = settled(failing, lambda T: _below_by_strategies(T, bound(T=T)), steps)
    return Outcome(
        verdict,
        "every player, every T >= 1" if verdict is Verdict.ARGUED else f"T <= {HORIZONS[-1]}",
        Evidence(
            "the mean over the next bit; a recursion over all players for small T",
            len(HORIZONS),
            (*steps, f"T = 1..{HORIZONS[-1]}: the best and the worst player have this regret: {exact}."),
        ),
        witness=None if failing is None else Witness({"horizon": failing, "regret": _regret(failing, min)}),
        tight=Tight(f"E[CPR] = {bound}, exactly, for every player: c = {CONSTANT}", by_proof(steps))
        if exact and by_proof(steps) is Verdict.ARGUED
        else None,
    )


def _below_by_strategies(horizon: int, bound: Fraction) -> bool:
    """Is some player's expected regret below the bound? All maps from the bits seen to an action; T <= 3."""
    if horizon > 3:
        return False
    words = list(product((0, 1), repeat=horizon))
    seen = [bits for t in range(horizon) for bits in product((0, 1), repeat=t)]
    totals = []
    for choice in product((0, 1), repeat=len(seen)):
        plays = dict(zip(seen, choice, strict=True))
        losses = (LOSSES[plays[b[:t]]](b=b[t]) for b in words for t in range(horizon))
        totals.append(sum(losses, Fraction(0)) / len(words))
    return min(totals) < bound


def _regret(horizon: int, best: Callable[..., Fraction]) -> Fraction:
    """The least (or largest) expected regret; `seen` are the bits so far, all of which the player knows."""

    def loss(seen: tuple[int, ...]) -> Fraction:
        if len(seen) == horizon:
            return Fraction(0)
        further = [loss((*seen, b)) for b in (0, 1)]
        return best(sum((LOSSES[x](b=b) + further[b] for b in (0, 1)), Fraction(0)) / 2 for x in (0, 1))

    competitor = sum((min(row(b=b) for row in LOSSES) for b in (0, 1)), Fraction(0)) / 2 * horizon
    return loss(()) - competitor
