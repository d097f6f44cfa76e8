"""What Definition 1 leaves out: it asks for the mean of an observation, and not for its mean given the past.

Two actions, m = 1. Each action has a coin that is thrown once, before the game, and shown at every play, so
that the mean of every observation is the loss. The losses are (p, 1 - p) or (1 - p, p), each with probability
1/2. All that anybody can ever learn are the two coins; if they are equal they say nothing, and if they differ
they may mislead.
"""

from fractions import Fraction
from itertools import product
from math import prod

from proofs_check.paper.theorem_1 import STATED
from proofs_check.stating import Better, Outcome, Request, claim
from tallyplan.games.schedule import horizon_root

WHERE = "Definition 1 (def:tallying_bandit)"
COINS = list(product((0, 1), (0, 1)))


def least_rate(p: Fraction) -> Fraction:
    """The least regret per step of a player who knows both coins from the start."""
    half, tables, rate = Fraction(1, 2), ((p, 1 - p), (1 - p, p)), Fraction(0)
    for coins in COINS:
        chances = [
            prod((q if coin else 1 - q for q, coin in zip(h, coins, strict=True)), start=half) for h in tables
        ]
        worlds = list(zip(chances, tables, strict=True))
        rate += min(sum((p * (h[x] - min(h)) for p, h in worlds), Fraction(0)) for x in (0, 1))
    return rate


@claim(
    "definition-1/reused-coins",
    statement="(read with the aim of sublinear regret) Of the observations only the mean is required, and "
    "that is enough: for every rate > 0 there is a player whose expected regret on any such problem is "
    "{stated}, if T is large enough.",
    formulas={"stated": "regret / T <= rate"},
    symbols={"regret": "the expected regret on the worse problem", "rate": "a number > 0"},
    uses=("optimism",),
)
def reused_coins(request: Request) -> Outcome:
    """Coins that are thrown once: no player does better than one who knows them."""
    p = max((Fraction(i, 20) for i in range(1, 10)), key=least_rate)
    return request.conclude(
        None,
        box={"regret": [1000 * least_rate(p)], "T": [1000], "rate": [Fraction(1, 10)]},
        remarks=(
            f"Losses ({p}, {1 - p}) or ({1 - p}, {p}), each with probability 1/2, and coins thrown once. A "
            f"player who knows both from the start still regrets {least_rate(p)} per step, for every T.",
        ),
        repair=Better(
            "Require that the mean of an observation given the past and the action is the loss: then the "
            f"regret is sublinear, `{request.result('optimism').claim.formula('stated')}` (claim optimism).",
            request.result("optimism").outcome.verdict,
        ),
    )


@claim(
    "definition-1/independence",
    statement="Of the observations only the mean is required, and Theorem 1 holds for any such problem. As "
    "no regret exceeds T, the expected regret of Algorithm 1 per step, rate, then satisfies {stated}.",
    where=f"{WHERE} and Theorem 1 (thm:upper)",
    formulas={"bound": STATED, "stated": "rate * T <= bound + delta * T"},
    domain={"probability": "0 < delta and delta < 1"},
    symbols={"rate": "its expected regret on one of two problems, divided by T"},
    uses=("lemma-7",),
)
def independence(request: Request) -> Outcome:
    """The coins of definition-1/reused-coins, on which no player regrets less, on long horizons."""
    rate, horizons = least_rate(Fraction(1, 4)), [horizon_root(2, 1, S) ** 2 for S in range(1, 25)]
    return request.conclude(
        None,
        box={"K": [2], "m": [1], "T": horizons, "delta": [Fraction(1, 20)], "rate": [rate]},
        remarks=(
            "K = 2, m = 1, losses (1/4, 3/4) or (3/4, 1/4), each with probability 1/2, coins thrown once.",
        ),
        repair=Better(
            "Require that the observations are independent, or have mean h given the past (claim lemma-7).",
            request.result("lemma-7").outcome.verdict,
        ),
    )
