"""Theorem 1: from which horizon on the bound is below T, and so says something.

On the horizon of Algorithm 1 with S epochs, r = sqrt(T)/(Km) = 4(2^S - 1) is fixed, and the right side is
below T exactly where r > 1200 (root + log2(r/2)), root = sqrt(log(2Km log(T)/delta)). The root grows with Km
and with 1/delta (z3), so that Km = delta = 1 decides for all K, m and delta; there it is compared with T in
balls.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from proofs_check.claim import Outcome, Request, Tight, Witness, by_proof, claim
from proofs_check.paper.theorem_1 import constants
from proofs_check.paper.theorem_1.constants import STATED
from proofs_check.steps import Step
from proofs_check.ways.analysis import proof
from proofs_check.ways.balls import decimal, less
from proofs_check.ways.for_all import for_all
from tallyplan.formula import Formula
from tallyplan.games.schedule import horizon_root

WHERE = "Theorem 1 (thm:upper)"
VACUOUS = Formula("S <= 12")
HORIZON = Formula("T")
DELTA = Fraction(1, 20)
MOST_EPOCHS = 30


@claim(
    "theorem-1/vacuous",
    statement=f"(not in the paper) The right side is at least T on the horizons of Algorithm 1, {VACUOUS}.",
    where=WHERE,
)
def vacuous(request: Request) -> Outcome:
    """For each S, Km = delta = 1 makes the right side least, compared with T; balls."""
    claimed = [S for S in range(1, MOST_EPOCHS) if VACUOUS.holds(S=S)]
    first = first_meaningful_epoch()
    witness = _meaningful_witness(first)
    monotone = for_all(
        "k d t u real",
        given=["k >= 1", "0 < d", "d < 1", "0 < t", "t <= u"],
        then="2 * k * u / d >= 2 * t",
        words="2Km log(T)/delta is least at Km = delta = 1, for fixed S",
    )
    vacuous_there = all(_at_least_horizon(S) for S in claimed)
    below = Step(f"T < right side at Km = delta = 1, for every {VACUOUS}", "Arb", vacuous_there)
    exact = Tight(f"exactly: at S = {first} it is below T for some K, m, delta", by_proof([below]), witness)
    return proof(
        [monotone, below],
        f"all K, m, delta; {VACUOUS}",
        method="Arb at the least case of each S",
        said=tuple(_meaningful_from()),
        violation=witness if first in claimed else None,
        tight=exact if witness and first == claimed[-1] + 1 else None,
    )


def first_meaningful_epoch() -> int:
    """The first S at which the right side can be below T, for some K, m and delta < 1."""
    return next(S for S in range(1, MOST_EPOCHS) if not _at_least_horizon(S))


def _at_least_horizon(S: int) -> bool:
    return less(HORIZON, STATED, K=1, m=1, T=horizon_root(1, 1, S) ** 2, delta=1) is True


def _meaningful_witness(S: int) -> Witness | None:
    """K = 2, m = 1, delta = 1/2."""
    T, delta = horizon_root(2, 1, S) ** 2, Fraction(1, 2)
    if not less(STATED, HORIZON, K=2, m=1, T=T, delta=delta):
        return None
    return Witness(
        {
            "K": 2,
            "m": 1,
            "S": S,
            "horizon": T,
            "delta": delta,
            "right side": decimal(STATED, K=2, m=1, T=T, delta=delta),
        }
    )


def _meaningful_from() -> Iterator[str]:
    """From which S on each bound is below T, in an example; and from which r on, whatever T is."""
    names = {
        "the printed bound": STATED,
        "the sharpened bound": constants.SHARP,
        "the sharpened bound with the narrower C_s": constants.SHARPEST,
    }
    for name, bound in names.items():
        first = next(S for S in range(1, MOST_EPOCHS) if _below_horizon(bound, S))
        yield f"For K = 2, m = 1, delta = {DELTA}, {name} is below T from S = {first} on."
    low, high = _first_ratio(1, Fraction(1)), _first_ratio(100, Fraction(1, 100))
    yield f"On any T it needs r above {low} (Km = delta = 1) to {high} (Km = 100, delta = 1/100)."


def _below_horizon(bound: Formula, S: int) -> bool:
    T = horizon_root(2, 1, S) ** 2
    return less(bound, HORIZON, K=2, m=1, T=T, S=S, delta=DELTA) is True


def _first_ratio(km: int, delta: Fraction) -> int:
    """The least integer r at which the right side is below T, by bisection; r grows faster than its log2."""
    low, high = 4, 10**6
    while high - low > 1:
        r = (low + high) // 2
        low, high = (low, r) if less(STATED, HORIZON, K=km, m=1, T=(r * km) ** 2, delta=delta) else (r, high)
    return high
