"""What Definition 1 leaves out: it asks for the mean of an observation, and not for its mean given the past.

Two actions, m = 1. Each action has a coin that is thrown once, before the game, and shown at every play, so
that the mean of every observation is the loss. The losses are (p, 1 - p) or (1 - p, p), each with probability
1/2. All that anybody can ever learn are the two coins; if they are equal they say nothing, and if they differ
they may mislead.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from proofs_check.paper.theorem_1 import STATED
from proofs_check.stating import Better, Outcome, Request, claim
from tallyplan.games.schedule import horizon_root

WHERE = "Definition 1 (def:tallying_bandit)"
Seen = tuple[int | None, int | None]  # the coins that were seen
NOTHING: Seen = (None, None)
COINS = list(product((0, 1), (0, 1)))


def worlds(p: Fraction, seen: Seen) -> list[tuple[Fraction, tuple[Fraction, Fraction], tuple[int, int]]]:
    """The worlds that show these coins: probability, losses, coins."""
    return [
        (Fraction(1, 2) * (h[0] if one else 1 - h[0]) * (h[1] if two else 1 - h[1]), h, (one, two))
        for h in ((p, 1 - p), (1 - p, p))
        for one, two in COINS
        if seen[0] in (None, one) and seen[1] in (None, two)
    ]


def playing(p: Fraction, x: int, seen: Seen) -> Fraction:
    """The regret of a play of x, times the probability of what was seen."""
    return sum((chance * (h[x] - min(h)) for chance, h, _ in worlds(p, seen)), Fraction(0))


def least_rate(p: Fraction) -> Fraction:
    """The least regret per step of a player who knows both coins from the start."""
    return sum((min(playing(p, x, seen) for x in (0, 1)) for seen in COINS), Fraction(0))


def least_regret(p: Fraction, horizon: int) -> Fraction:
    """The least regret of a player who sees what he plays, by backward induction over the coins seen."""
    every = product((None, 0, 1), (None, 0, 1))
    later: dict[Seen, Fraction] = dict.fromkeys(every, Fraction(0))
    for _ in range(horizon):
        later = {
            seen: min(playing(p, x, seen) + sum(later[one] for one in _after(seen, x)) for x in (0, 1))
            for seen in later
        }
    return later[NOTHING]


def _after(seen: Seen, x: int) -> list[Seen]:
    """What may be seen after a play of x."""
    shown = (0, 1) if seen[x] is None else (seen[x],)
    return [(coin, seen[1]) if x == 0 else (seen[0], coin) for coin in shown]


@claim(
    "definition-1/reused-coins",
    statement="(read with the aim of sublinear regret) Of the observations only the mean is required, and "
    "that is enough: for every rate > 0 there is a player whose expected regret on any such problem is "
    "{stated}, if T is large enough.",
    where=WHERE,
    formulas={"stated": "regret / T <= rate"},
    symbols={"regret": "the expected regret on the worse problem", "rate": "a number > 0"},
    uses=("optimism",),
)
def reused_coins(request: Request) -> Outcome:
    """Coins that are thrown once: backward induction over what a player may see of them."""
    p = max((Fraction(i, 20) for i in range(1, 10)), key=least_rate)
    return request.conclude(
        None,
        box={"regret": [least_regret(p, 1000)], "T": [1000], "rate": [Fraction(1, 10)]},
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
