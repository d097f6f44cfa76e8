"""Definition 1 requires the means of the observations and nothing else: with that, every regret is linear.

Two actions, m = 1. Each action has a coin that is thrown once, before the game, and shown at every play: the
mean of every observation is the loss, as Definition 1 asks. The losses are (p, 1 - p) or (1 - p, p), each
with probability 1/2. All that anybody can ever learn are the two coins. Whoever knows them from the start
plays the action that is better given the coins, and regrets (1 - 2p) per step where that is wrong. If the
coins are equal they say nothing, and if they differ they may mislead. For p = 1/4 this is T/8, whatever is
played.

What is missing in Definition 1 is that the mean given the past and the action is the loss. Then regret is
sublinear (`optimism`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

from proofs_check.claim import claim
from proofs_check.examining import Request
from proofs_check.outcome import Better, Outcome
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit

PER_STEP = Formula("regret / T")
RATE = Fraction(1, 10)
HORIZON = 1000
Seen = tuple[int | None, int | None]  # the coins that were seen


@dataclass(frozen=True)
class ReusedCoins:
    """Losses (p, 1 - p) or (1 - p, p), each with probability 1/2, and coins that are thrown once."""

    stated: Formula
    p: Fraction
    horizon: int

    @cached_property
    def worlds(self) -> list[tuple[Fraction, tuple[Fraction, Fraction], tuple[int, int]]]:
        """Probability, losses, coins."""
        tables = ((self.p, 1 - self.p), (1 - self.p, self.p))
        return [
            (Fraction(1, 2) * _chance(h[0], first) * _chance(h[1], second), h, (first, second))
            for h in tables
            for first, second in product((0, 1), repeat=2)
        ]

    def least_regret(self) -> Fraction:
        """Of a player who knows both coins from the start: per step the better action given the coins."""
        total = Fraction(0)
        for coins in product((0, 1), repeat=2):
            seen = [(chance, h) for chance, h, shown in self.worlds if shown == coins]
            total += min(sum((chance * (h[x] - min(h)) for chance, h in seen), Fraction(0)) for x in (0, 1))
        return self.horizon * total

    def values(self) -> dict[str, Fraction | int]:
        """For the formula."""
        return {"regret": self.least_regret(), "T": self.horizon, "rate": RATE}

    def witness(self) -> Witness:
        """For the reader."""
        return Witness(
            {"horizon": self.horizon, "rate": RATE, "least expected regret": self.least_regret()},
            TallyingBandit([[self.p], [1 - self.p]]),
        )

    def confirmed(self) -> bool:
        """By backward induction over the coins that a player has seen, who sees only what he plays."""
        every = product((None, 0, 1), (None, 0, 1))
        plays = {seen: [self._playing(x, seen) for x in (0, 1)] for seen in every}
        after = dict.fromkeys(plays, Fraction(0))
        for _ in range(self.horizon):
            after = {
                seen: min(now + sum(after[one] for one in later) for now, later in choices)
                for seen, choices in plays.items()
            }
        values = self.values() | {"regret": after[None, None]}
        return not self.stated.holds(**{name: values[name] for name in self.stated.names})

    def _playing(self, x: int, seen: Seen) -> tuple[Fraction, list[Seen]]:
        """The regret of playing x now, times the probability of what was seen, and what may be seen then."""
        possible = [
            (chance, h, coins)
            for chance, h, coins in self.worlds
            if all(known in (None, coin) for known, coin in zip(seen, coins, strict=True))
        ]
        shown = {coins[x] for _, _, coins in possible}
        later: list[Seen] = [(coin, seen[1]) if x == 0 else (seen[0], coin) for coin in shown]
        return sum((chance * (h[x] - min(h)) for chance, h, _ in possible), Fraction(0)), later


@claim(
    "definition-1/reused-coins",
    statement="(read with the aim of sublinear regret) Of the observations only the mean is required, and "
    "that is enough: for every rate > 0 there is a player whose expected regret on any such problem is "
    "{stated}, if T is large enough.",
    where="Definition 1 (def:tallying_bandit)",
    formulas={"stated": f"{PER_STEP} <= rate"},
    symbols={"regret": "the expected regret on the worse problem", "rate": "a number > 0"},
    uses=("optimism",),
)
def reused_coins(request: Request) -> Outcome:
    """Coins that are thrown once: what the best player regrets who knows them all from the start."""
    cases = [ReusedCoins(request.formulas.stated, Fraction(p, 20), HORIZON) for p in range(1, 10)]
    largest = max(cases, key=lambda one: one.least_regret())
    holds = largest.stated.holds(**{name: largest.values()[name] for name in largest.stated.names})
    return request.conclude(
        None,
        method="the better action given both coins; backward induction for a player who sees what he plays",
        cases=len(cases),
        checked_on=f"K = 2, m = 1, p = 1/20 .. 9/20, T = {HORIZON}, rate = {RATE}",
        violation=None if holds else largest,
        remarks=(
            "The coins are all that can be learnt, so that this holds for every T: the regret per step is at "
            f"least {largest.least_regret() / largest.horizon} on one of the tables, for p = {largest.p}.",
        ),
        repair=Better(
            "Require that the mean of an observation given the past and the action is the loss: then the "
            f"regret is sublinear, `{request.run.claim('optimism').formula('stated')}` (claim optimism).",
            request.result("optimism").outcome.verdict,
        ),
    )


def _chance(mean: Fraction, shown: int) -> Fraction:
    return mean if shown else 1 - mean
