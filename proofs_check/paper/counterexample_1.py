"""Counterexample 1: an oblivious adversary that tosses coins.

Stated (label counterexample1). Two actions; bits b_1 .. b_T are drawn uniformly at random; at step t action
x_1 loses b_t and x_2 loses 1 - b_t. The complete policy regret is linear in T, in expectation, for every
player, even with full information.

Shown. The competitor that knows b loses min(b_t, 1 - b_t) = 0 at each step. Before step t the player knows
the bits b_1 .. b_{t-1} at best, and b_t is independent of them (a link in words), so either action loses
(0 + 1)/2 on average: E[CPR] = T/2 for every player. A recursion over all players gives the same, best and
worst, for small T.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from proofs_check.claim import Outcome, Request, Tight, claim
from proofs_check.steps import Step, argued, conclusions
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.sequences import definition
from proofs_check.witness import Witness
from tallyplan.formula import Formula

LOSSES = (Formula("b"), Formula("1 - b"))  # of x_1 and x_2, b being the bit
CONSTANT = Fraction(1, 2)
HORIZONS = range(1, 7)
VARIABLES = "T t integer; b b_next p E regret rival real; mean(integer) real"


@dataclass(frozen=True)
class Case:
    """The least expected regret of a player at one horizon."""

    horizon: int
    regret: Fraction
    stated: Formula

    def witness(self) -> Witness:
        """For the reader."""
        return Witness({"horizon": self.horizon, "regret": self.regret})

    def confirmed(self) -> bool:
        """By going through all maps from the bits seen to an action; T <= 3."""
        return self.horizon <= 3 and not self.stated.holds(
            T=self.horizon, regret=_by_strategies(self.horizon)
        )


@claim(
    "counterexample-1",
    statement=(
        "K = 2, b uniform in {0, 1}^T, x_1 loses {first} and x_2 loses {second} at the bit b of the step: "
        "E[CPR] = Omega(T) for every player, also with full information: {stated}."
    ),
    where="Counterexample 1 (counterexample1)",
    formulas={
        "first": LOSSES[0],
        "second": LOSSES[1],
        "stated": f"regret >= {CONSTANT} * T",
        "exact": f"regret == {CONSTANT} * T",
    },
    domain={"horizon": "T >= 1"},
    integers="T",
    symbols={"regret": "the expected complete policy regret of the player", "b": "the bit of the step"},
)
def counterexample_1(request: Request) -> Outcome:
    """Average over the next bit, whatever was seen; go through all players for small T."""
    f = request.formulas
    cases = [Case(T, _regret(request, T, min), f.stated) for T in HORIZONS]
    worst = [_regret(request, T, max) for T in HORIZONS]
    exact = all(
        f.exact.holds(T=T, regret=regret)
        for T, case, other in zip(HORIZONS, cases, worst, strict=True)
        for regret in (case.regret, other)
    )
    best = request.show("exact", _steps(request, f.exact))
    return request.conclude(
        request.show("stated", _steps(request, f.stated)),
        method="the mean over the next bit; a recursion over all players for small T",
        checked_on=f"every player, T = 1..{HORIZONS[-1]}",
        violation=next(
            (case for case in cases if not f.stated.holds(T=case.horizon, regret=case.regret)), None
        ),
        tight=Tight(f"{f.exact}, for every player", best.verdict) if exact else None,
    )


def _steps(request: Request, conclusion: Formula) -> list[Step]:
    """Each step costs a half on average, and the competitor nothing; p is the probability of playing x_1."""
    f = request.formulas
    means = [one.where(b=0).text + " + " + one.where(b=1).text for one in (f.first, f.second)]
    half = for_all(
        VARIABLES,
        then=f"p * ({means[0]}) / 2 + (1 - p) * ({means[1]}) / 2 == 1 / 2",
        words="each action loses 1/2 on average over the two values of the next bit",
    )
    independent = argued(
        "the bit of a step is independent of all that the player knows: mean(t), the mean loss of t steps, "
        "grows by p times the mean of x_1 and 1 - p times the mean of x_2",
        then=(
            "mean(0) == 0 and implies(t >= 0, mean(t + 1) == mean(t) + "
            f"p * ({means[0]}) / 2 + (1 - p) * ({means[1]}) / 2)"
        ),
    )
    total = induction(
        VARIABLES, on="t", start=0, given=[independent.at(), half.at()], then="mean(t) == t / 2"
    )
    free = for_all(
        VARIABLES,
        given=["b == 0 or b == 1"],
        then=f"min({f.first}, {f.second}) == 0",
        words="the better action of a step loses 0",
    )
    rival = argued(
        "the competitor plays the better action at every step",
        then="rival == 0",
        given=[free.at(b=0), free.at(b=1)],
    )
    last = for_all(
        VARIABLES,
        given=[
            f.horizon,
            total.at(t="T"),
            *conclusions(rival),
            definition("the regret", "regret == mean(T) - rival", "regret"),
        ],
        then=conclusion,
    )
    return [half, independent, total, free, rival, last]


def _by_strategies(horizon: int) -> Fraction:
    """The least expected loss over all maps from the bits seen to an action."""
    words = list(product((0, 1), repeat=horizon))
    seen = [bits for t in range(horizon) for bits in product((0, 1), repeat=t)]
    totals = []
    for choice in product((0, 1), repeat=len(seen)):
        plays = dict(zip(seen, choice, strict=True))
        losses = (LOSSES[plays[b[:t]]](b=b[t]) for b in words for t in range(horizon))
        totals.append(sum(losses, Fraction(0)) / len(words))
    return min(totals)


def _regret(request: Request, horizon: int, best: Callable[..., Fraction]) -> Fraction:
    """The least (or largest) expected regret; `seen` are the bits so far, all of which the player knows."""
    rows = (request.formulas.first, request.formulas.second)

    def loss(seen: tuple[int, ...]) -> Fraction:
        if len(seen) == horizon:
            return Fraction(0)
        further = [loss((*seen, b)) for b in (0, 1)]
        return best(sum((row(b=b) + further[b] for b in (0, 1)), Fraction(0)) / 2 for row in rows)

    competitor = sum((min(row(b=b) for row in rows) for b in (0, 1)), Fraction(0)) / 2 * horizon
    return loss(()) - competitor
