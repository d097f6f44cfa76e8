"""proofs_check: the statements of the tallying bandits paper as executable claims.

Every verdict is derived by computation with exact rationals; none is written down. `expected.json` records
the verdicts of an earlier run, so that a change is noticed.

>>> import proofs_check
>>> [result] = proofs_check.verify(["counterexample-3"])
>>> print(result.outcome.verdict, "for", result.outcome.domain)
proved for integers T, x, z, h == flat, K == 2, m == 2, 1 <= x <= 2, 1 <= z <= 2, T >= 1
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from proofs_check.all_claims import claims
from proofs_check.claim import Claim, named
from proofs_check.examining import Result
from proofs_check.outcome import Better, Evidence, Outcome, Step, Verdict
from proofs_check.parallel import examined
from proofs_check.witness import Witness
from tallyplan.limits import Progress, silent

__all__ = [
    "Better",
    "Claim",
    "Evidence",
    "Outcome",
    "Result",
    "Step",
    "Verdict",
    "Witness",
    "claims",
    "verify",
]


def verify(
    ids: Iterable[str] | None = None,
    *,
    thorough: bool = False,
    progress: Progress = silent,
    known: Mapping[str, Result] | None = None,
    workers: int = 1,
) -> list[Result]:
    """Examine claims, and those that they use, each once; return the results of those asked for.

    Parameters
    ----------
    ids : the claims to examine; all of them by default.
    thorough : larger boxes, minutes instead of seconds.
    progress : called with a status string, periodically.
    known : results of claims that are used and need not be examined again.
    workers : how many processes examine claims at once; more than one need an importable main module.

    Raises
    ------
    InvalidInput : an unknown id, before anything is computed.

    >>> from proofs_check import verify
    >>> [result] = verify(["counterexample-3/traditional-regret"])
    >>> print(result.outcome.verdict)
    refuted

    See Also
    --------
    proofs_check.claims : what can be examined.
    proofs_check.Result : what is returned.
    proofs_check.story.story : the whole story of a result.
    """
    everything = claims()
    chosen = everything if ids is None else tuple(named(id) for id in ids)
    found = examined(chosen, known or {}, workers=workers, thorough=thorough, progress=progress)
    return [found[one.id] for one in chosen]
