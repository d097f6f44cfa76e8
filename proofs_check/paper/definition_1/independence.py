"""Definition 1 says nothing about the dependence of the observations, and without it Theorem 1 fails.

Let both arms of a two-armed bandit (m = 1, means h_1 > h_2) show the same coin in every step. With
probability (1 - h_1) h_2 arm 1 always shows 0 and arm 2 always shows 1. Then the estimate of a policy is its
share of arm 2; arm 1 alone is never eliminated, so every policy of A_s has a share of arm 2 of at most 2
C_{s-1}; and Algorithm 1 plays arm 1 in half of epoch 1 and in a share of at least 1 - 2 C_{s-1} of epoch s,
at a regret of h_1 - h_2 per step. The horizons of Algorithm 1 are searched upwards for a regret above the
right side of Theorem 1, in balls; what is found is confirmed by running Algorithm 1 on the event, where a
policy is its number of plays of arm 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Any

from proofs_check.balls import decide, decimal, precision
from proofs_check.claim import claim
from proofs_check.examining import Request
from proofs_check.outcome import Better, Outcome
from proofs_check.paper.theorem_1 import STATED
from proofs_check.witness import Witness
from tallyplan.formula import Formula, as_ball
from tallyplan.games.bounds import EPOCH_STEPS, WIDTH
from tallyplan.games.schedule import horizon_root
from tallyplan.model.instance import TallyingBandit

REGRET_IN_EPOCH = Formula("gap * steps * max(0, 1 - 2 * C)")
PROBABILITY = Formula("(1 - h1) * h2")
MOST_EPOCHS = 20
BITS = 128


@claim(
    "definition-1/independence",
    statement=(
        "Of the observations only the mean is required, and Theorem 1 holds for any such problem: on no "
        "event that is more probable than delta is the regret above the right side, {stated}."
    ),
    where="Definition 1 (def:tallying_bandit) and Theorem 1 (thm:upper)",
    formulas={"stated": "regret <= bound"},
    domain={"event": "likely > delta", "probability": "0 < delta and delta < 1"},
    symbols={
        "regret": "the regret of Algorithm 1 on an event",
        "likely": "the probability of the event",
        "bound": "the right side of Theorem 1 (claim theorem-1)",
    },
    uses=("lemma-7", "theorem-1"),
)
def independence(request: Request) -> Outcome:
    """Two coins that never change: search the horizons of Algorithm 1 for regret beyond the bound; balls."""
    stated = request.formulas.stated.where(bound=request.borrow("theorem-1", "bound"))
    cases = [
        case for S in range(1, MOST_EPOCHS) for case in _coins(S, stated) if case.satisfies(request.domain)
    ]
    found = next((case for case in cases if case.violates(case.least_regret())), None)
    return request.conclude(
        None,
        method="two constant coins, K = 2, m = 1, in balls",
        cases=len(cases),
        checked_on=f"K = 2, m = 1, S = 1..{MOST_EPOCHS - 1}, means in tenths",
        violation=found,
        remarks=(
            "Found by the bound on the shares, confirmed by running Algorithm 1 on the event.",
            "A smaller S at which the right side is at least T cannot violate it (claim theorem-1/vacuous).",
        ),
        repair=Better(
            "Require that the observations are independent, or have mean h given the past (claim lemma-7).",
            request.result("lemma-7").outcome.verdict,
        ),
    )


@dataclass(frozen=True)
class Coins:
    """Two coins with means h1 > h2, thrown once; K = 2, m = 1, the horizon of Algorithm 1 with S epochs."""

    S: int
    h1: Fraction
    h2: Fraction
    delta: Fraction
    stated: Formula = field(repr=False)  # in the regret and the parameters

    @property
    def root(self) -> int:
        """sqrt(T)."""
        return horizon_root(2, 1, self.S)

    @property
    def likely(self) -> Fraction:
        """The probability that arm 1 always shows 0 and arm 2 always shows 1."""
        return PROBABILITY(h1=self.h1, h2=self.h2)

    def width(self, s: int) -> Any:
        """C_s, a ball."""
        return WIDTH.ball(K=2, m=1, T=self.root**2, S=self.S, s=s, delta=self.delta)

    def least_regret(self) -> Any:
        """A ball below the regret: arm 1 in half of epoch 1 and in a share 1 - 2 C_{s-1} of epoch s."""
        gap, lengths = (
            self.h1 - self.h2,
            [EPOCH_STEPS(K=2, m=1, T=self.root**2, s=s) for s in range(1, self.S + 1)],
        )
        with precision(BITS):
            later = (
                REGRET_IN_EPOCH.ball(gap=gap, steps=steps, C=self.width(s))
                for s, steps in enumerate(lengths[1:], start=1)
            )
            return sum(later, as_ball(gap * lengths[0] / 2))

    def exact_regret(self) -> Fraction:
        """Algorithm 1 on the event: A_s holds the words with at most `most` plays of arm 2."""
        L, most, first_arm = self.root, self.root, 0
        for s in range(1, self.S + 1):
            # 2 n_s periods each of arm 1 alone (argmax N_1) and of a word with `most` (argmax N_2)
            first_arm += 2 * 2**s * (L + (L - most))
            with precision(BITS):
                most = min(most, int((2 * self.width(s) * L).floor().unique_fmpz()))
        return (self.h1 - self.h2) * first_arm

    def satisfies(self, domain: Sequence[Formula]) -> bool:
        """Whether the event is one of those that the statement is about."""
        return all(one.holds(**_of(one, likely=self.likely, delta=self.delta)) for one in domain)

    def violates(self, regret: Any) -> bool:
        """Is the statement false with this regret, a ball?"""
        given = {"K": 2, "m": 1, "T": self.root**2, "delta": self.delta, "regret": regret}
        return decide(self.stated, **_of(self.stated, **given)) is False

    def confirmed(self) -> bool:
        """By running Algorithm 1 on the event."""
        return self.violates(as_ball(self.exact_regret()))

    def witness(self) -> Witness:
        """For the reader."""
        facts = {
            "horizon": self.root**2,
            "S": self.S,
            "delta": self.delta,
            "probability of the event": self.likely,
            "regret": self.exact_regret(),
            "right side": decimal(STATED, K=2, m=1, T=self.root**2, delta=self.delta),
        }
        return Witness(facts, TallyingBandit([[self.h1], [self.h2]]))


def _of(one: Formula, **values: Any) -> dict[str, Any]:
    """The values of the names in a formula."""
    return {name: values[name] for name in one.names}


def _coins(S: int, stated: Formula) -> Iterator[Coins]:
    """The means in tenths, delta the largest thousandth below the probability."""
    tenths = [Fraction(tenth, 10) for tenth in range(1, 10)]
    for h1, h2 in product(tenths, tenths):
        delta = Fraction(ceil(PROBABILITY(h1=h1, h2=h2) * 1000) - 1, 1000)
        if h1 > h2 and delta > 0:
            yield Coins(S, h1, h2, delta, stated)
