"""Theorem 1: from which horizon on the bound is below T, and so says something.

On the horizon of Algorithm 1 with S epochs, r = sqrt(T)/(Km) = 4(2^S - 1) is fixed, and the right side is
below T exactly where r > 1200 (root + log2(r/2)), root = sqrt(log(2Km log(T)/delta)). The root grows with Km
and with 1/delta (z3), so that Km = delta = 1 decides for all K, m and delta; there it is compared with T in
balls.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from proofs_check.claim import Outcome, Request, Tight, claim
from proofs_check.paper.theorem_1 import constants
from proofs_check.paper.theorem_1.constants import HORIZONS, STATED
from proofs_check.steps import Step, conclusions
from proofs_check.ways.analysis import in_balls
from proofs_check.ways.balls import decimal, less
from proofs_check.ways.for_all import for_all
from proofs_check.ways.laws import grows, log_of_one, power_at
from proofs_check.ways.values import Values
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.games.schedule import horizon_root

WHERE = "Theorem 1 (thm:upper)"
HORIZON = Formula("T")
DELTA = Fraction(1, 20)
MOST_EPOCHS = 30
VARIABLES = "K m L T S integer"
LEAST = "1200 * (sqrt(log(2 * log(r**2))) + log2(r / 2))"  # of the right side, in units of Km sqrt(T)


@claim(
    "theorem-1/vacuous",
    statement="(not in the paper) On the horizons of Algorithm 1 with {few}, the right side is at least T: "
    "{stated}.",
    where=WHERE,
    formulas={"bound": STATED, "stated": "T <= bound"},
    domain={**HORIZONS, "few": "S <= 12"},
    integers="K m L T S",
)
def vacuous(request: Request) -> Outcome:
    """For each S, Km = delta = 1 makes the right side least, compared with T; balls."""
    f = request.formulas
    inside = [S for S in range(MOST_EPOCHS) if f.epochs.holds(S=S) and f.few.holds(S=S)]
    shown = request.show("stated", _steps(request, inside))
    first = inside[-1] + 1
    witness = _meaningful_witness(f.bound, first)
    return request.conclude(
        shown,
        method="balls at the least case of each S",
        counterexamples=map(_almost_least, range(1, MOST_EPOCHS)),
        remarks=tuple(_meaningful_from()),
        tight=Tight(f"exactly: at S = {first} it is below T for some K, m, delta", shown.verdict, witness)
        if witness
        else None,
    )


def _steps(request: Request, inside: list[int]) -> list[Step]:
    """The right side at each S, for all K, m and delta."""
    f = request.formulas
    argument = "2 * K * m * log(T) / delta"
    smallest = for_all(
        "K m real",
        given=[
            *(f.actions, f.memory, f.probability, f.square, "r >= 4", "L == K * m * r"),
            *(log_of_one(), grows("log", "r**2", "T"), grows("log2", "r / 2", "sqrt(T) / (2 * K * m)")),
            *(grows("log", "2 * log(r**2)", argument), grows("log", "1", "2 * log(r**2)")),
            "2 * log(r**2) >= 1",
        ],
        then=f"K * m * L * ({LEAST}) <= {f.bound}",
        words="the right side is least at Km = delta = 1, r = sqrt(T)/(Km) being fixed",
    )
    cases = [_case(request, S, smallest) for S in inside]
    stated = for_all(
        VARIABLES,
        given=[f.epochs, f.few, *conclusions(*(case[-1] for case in cases))],
        then=f.stated,
        words="each S",
    )
    return [smallest, *(step for case in cases for step in case), stated]


def _case(request: Request, S: int, smallest: Step) -> list[Step]:
    """The right side with S epochs, whatever K, m and delta are."""
    f, r = request.formulas, 4 * (2**S - 1)
    above = in_balls("r", LEAST, r=r)
    log = in_balls("1", "2 * log(r**2)", r=r)
    return [
        *(above, log),
        for_all(
            VARIABLES,
            given=[
                *(f.actions, f.memory, f.probability, f.square, f.horizon),
                power_at("S", S),
                *(step.at(r=r) for step in (above, log, smallest)),
            ],
            then=f"implies(S == {S}, {f.stated})",
            words=f"S = {S}",
        ),
    ]


def _almost_least(S: int) -> Values:
    """K = m = 1, delta almost 1."""
    L = horizon_root(1, 1, S)
    return {"K": 1, "m": 1, "S": S, "L": L, "T": L * L, "delta": Fraction(99, 100)}


def _meaningful_witness(bound: Formula, S: int) -> Witness | None:
    """K = 2, m = 1, delta = 1/2."""
    T, delta = horizon_root(2, 1, S) ** 2, Fraction(1, 2)
    if not less(bound, HORIZON, K=2, m=1, T=T, delta=delta):
        return None
    return Witness(
        {
            "K": 2,
            "m": 1,
            "S": S,
            "horizon": T,
            "delta": delta,
            "right side": decimal(bound, K=2, m=1, T=T, delta=delta),
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
