"""proofs_check: the statements of the tallying bandits paper as executable claims.

Every verdict is derived by computation with exact rationals; none is written down. `expected.json` records
the verdicts of an earlier run, so that a change is noticed.

>>> import proofs_check
>>> [result] = proofs_check.verify(["counterexample-3"])
>>> print(result.outcome.verdict, "for", result.outcome.domain)
proved for every T >= 1
"""

from __future__ import annotations

from collections.abc import Iterable

from proofs_check.claim import (
    Claim,
    Evidence,
    Outcome,
    Repair,
    Request,
    Result,
    Step,
    Tight,
    Verdict,
    Witness,
    named,
    registered,
)
from tallyplan.limits import Progress, silent

__all__ = [
    "Claim",
    "Evidence",
    "Outcome",
    "Repair",
    "Result",
    "Step",
    "Tight",
    "Verdict",
    "Witness",
    "claims",
    "verify",
]


def claims() -> tuple[Claim, ...]:
    """All claims, in the order of the paper."""
    from proofs_check.paper import in_order  # importing the files registers the claims

    return in_order(registered())


def verify(
    ids: Iterable[str] | None = None, *, thorough: bool = False, progress: Progress = silent
) -> list[Result]:
    """Examine claims and return their results.

    Parameters
    ----------
    ids : the claims to examine; all of them by default.
    thorough : larger boxes, minutes instead of seconds.
    progress : called with a line of words now and then.

    Raises
    ------
    InvalidInput : an unknown id, before anything is computed.
    """
    known = claims()
    chosen = known if ids is None else tuple(named(id) for id in ids)
    return [one.examine(Request(thorough, progress)) for one in chosen]
