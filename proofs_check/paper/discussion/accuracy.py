"""Discussion: how good are the policies that Algorithm 1 keeps?

Stated, twice. In epoch s the set A_s holds policies whose loss per step is O~(2^-s T^(-1/4)) above the best.

Shown. It is 4 C_{s-1}, which is of the order 2^(-s/2) T^(-1/4), and without noise A_s does keep every policy
within 2 C_{s-1}.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.claim import Evidence, Outcome, Repair, Request, Witness, after_search, by_proof, claim
from proofs_check.paper.discussion.statement import DELTA, WHERE, C, period_of, width_parameters
from proofs_check.steps import Verdict
from proofs_check.ways.balls import less, precision
from proofs_check.ways.for_all import identity
from tallyplan.formula import Formula, as_ball
from tallyplan.games.bounds import WIDTH
from tallyplan.model.instance import TallyingBandit

STATED = Formula("2**(-s) / sqrt(sqrt(T))")  # up to logarithms
RIGHT = Formula("2**(-s / 2) / sqrt(sqrt(T))")
EPOCHS = 12


@claim(
    "discussion-unknown-memory/set-accuracy",
    statement=f"The policies in A_s have loss per step within O~({STATED}) of the best.",
    where=WHERE,
)
def set_accuracy(request: Request) -> Outcome:
    """Without noise A_s holds every policy within 2 C_{s-1}; divide by the stated rate, for h = (0), (1)."""
    ratios = {s: _ratio(s, STATED) for s in range(2, EPOCHS + 1)}
    repaired = {s: _ratio(s, RIGHT) for s in ratios}
    growing = _at_least(ratios[EPOCHS], 2 ** ((EPOCHS - 2) // 2 - 1) * ratios[2])
    bounded = not _at_least(repaired[EPOCHS], 2 * repaired[2])
    step = identity(
        f"({WIDTH.where(s='s - 1')})**2",
        f"64 * K * m * log(2 * K * m * S / delta) * ({RIGHT})**2",
        integers="s",
        words="C_{s-1} is of the order 2^(-s/2) T^(-1/4)",
    )
    gap, period = _kept_gap(EPOCHS), period_of(EPOCHS)
    bandit = TallyingBandit([[0], [1]])
    return Outcome(
        after_search(EPOCHS if growing else None, lambda s: 0 < gap <= 1 and _within(gap, s)),
        f"with {RIGHT} instead of {STATED}",
        Evidence(
            "policies that A_s keeps when there is no noise; Arb balls",
            len(ratios),
            (
                step,
                "Kept gap divided by the stated rate, K = 2, m = 1, h = (0 | 1), S = 12: "
                + ", ".join(
                    f"{ratio.str(4, radius=False)} (s = {s})" for s, ratio in ratios.items() if s % 5 == 2
                )
                + ": it grows as 2^(s/2), at s = S a power of T, which no logarithm hides.",
            ),
        ),
        witness=Witness(
            {
                "sqrt(T)": period,
                "S = s": EPOCHS,
                "delta": DELTA,
                "kept gap": gap,
                "kept gap / stated rate": ratios[EPOCHS].str(6, radius=False),
            },
            bandit,
        )
        if growing
        else None,
        repair=Repair(
            f"Within 4 C_(s-1), which is O~({RIGHT}).",
            by_proof([step]) if bounded else Verdict.UNDECIDED,
        ),
    )


def _kept_gap(epoch: int) -> Fraction:
    """h = (0), (1): A_s keeps words with up to 2 C_{s-1} L plays of the second action; the largest gap."""
    L = period_of(EPOCHS)
    with precision(256):
        most = (2 * C.ball(**width_parameters(epoch - 1, EPOCHS, 1, L)) * L).floor().unique_fmpz()
    return Fraction(min(L, int(most)), L)


def _within(gap: Fraction, epoch: int) -> bool:
    """Is the gap below 2 C_{s-1}, so that A_s keeps it?"""
    values = width_parameters(epoch - 1, EPOCHS, 1, period_of(EPOCHS))
    return less(Formula(str(gap)), Formula(f"2 * {C}"), **values) is True


def _ratio(epoch: int, rate: Formula) -> Any:
    """The kept gap, divided by the rate, as a ball."""
    return as_ball(_kept_gap(epoch)) / rate.ball(s=epoch, T=period_of(EPOCHS) ** 2)


def _at_least(one: Any, two: Any) -> bool:
    return bool(one >= two)
